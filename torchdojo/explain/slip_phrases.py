"""What is said of each kind of slip. `slip_sentences` fills in {found}, {belongs} and {place} of the
`Slip`; {Found} begins a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from torchdojo.mutate.slip import Form, Kind


class Subject(Enum):
    """What a sentence speaks of, which has to stand in the code that it is said of."""

    LOOP = auto()
    BOUND = auto()
    COMPARISON = auto()
    CHILDREN = auto()
    WEIGHT = auto()
    LINEAR = auto()
    BUFFERS = auto()
    STATE_DICT = auto()
    ADDRESS = auto()


@dataclass(frozen=True)
class Phrase:
    """A sentence to fill in. about: what has to stand in the learner's code; names: the parts that have to be names there;

    otherwise: what is said where they are not (None: the sentence is told as a comparison).
    """

    text: str
    about: tuple[Subject, ...] = ()
    names: tuple[str, ...] = ()
    otherwise: str | None = None


def _of_loop(text: str, *names: str) -> Phrase:
    return Phrase(text, (Subject.LOOP,), names)


STANDS = Phrase("`{found}` stands where `{belongs}` belongs.", (), ("found",), "It behaves as if `{found}` stood where `{belongs}` belongs.")
AS_IF = Phrase(
    "It behaves as if `{found}` stood where `{belongs}` belongs (your names may differ).",
    (),
    ("found", "belongs"),
    "It behaves as if one variable stood where another belongs.",
)
LEFT_OUT = Phrase("`{belongs}` is left out.")
TWO_STEPS = "Two steps are in the wrong order."

HABITS: dict[tuple[Kind, Form], Phrase] = {
    # steps
    (Kind.LEFT_OUT, Form.PLAIN): LEFT_OUT,
    (Kind.LEFT_OUT, Form.STEP): Phrase("{Belongs} is left out."),
    (Kind.LEFT_OUT, Form.WITHOUT): Phrase("It does what `{place}` does without `{belongs}`."),
    (Kind.LEFT_OUT, Form.LAST_ARGUMENT): Phrase("The last argument of `{place}` is left out."),
    (Kind.LEFT_OUT, Form.LAYER): Phrase("`{belongs}` is left out of `{place}`."),
    (Kind.ONCE, Form.BEFORE): _of_loop("{Belongs} runs once, before the loop: run it inside the loop.", "belongs"),
    (Kind.ONCE, Form.AFTER): _of_loop("{Belongs} runs once, after the loop: run it inside the loop.", "belongs"),
    (Kind.EVERY_ROUND, Form.BEFORE): _of_loop("{Belongs} runs in every round of the loop: it belongs before the loop.", "belongs"),
    (Kind.EVERY_ROUND, Form.AFTER): _of_loop("{Belongs} runs in every round of the loop: it belongs after the loop.", "belongs"),
    (Kind.ORDER_OF_STEPS, Form.EARLY): Phrase("{Found} comes too early: it belongs after {belongs}.", (), ("found", "belongs")),
    (Kind.ORDER_OF_STEPS, Form.LATE): Phrase("{Found} comes too late: it belongs before {belongs}.", (), ("found", "belongs")),
    (Kind.TWICE, Form.PLAIN): Phrase("{Found} runs twice.", (), ("found",)),
    (Kind.AGAIN, Form.PLAIN): Phrase(
        "`{belongs}` (or what you call it) is computed a second time, later, when what it depends on has changed: use the first one.",
        (),
        ("belongs",),
        "A value is computed a second time, later, when what it depends on has changed: use the first one.",
    ),
    (Kind.AGAIN, Form.AFTER): Phrase(
        "`{belongs}` (or what you call it) is computed after the loop, when what it depends on has moved on: it belongs inside, at the moment that counts.",
        (Subject.LOOP,),
        ("belongs",),
        "A value is computed after the loop, when what it depends on has moved on: it belongs inside, at the moment that counts.",
    ),
    (Kind.EXTREME, Form.PLAIN): Phrase("The largest is kept where the smallest belongs, or the other way round."),
    (Kind.READ_ONCE, Form.PLAIN): Phrase("`{belongs}` is read once, in the constructor: a value that is set later has no effect."),
    (Kind.LAST_ONLY, Form.PLAIN): _of_loop("What is to be added up from round to round (+=) is not: it is set anew (=), or stays what it was at first."),
    (Kind.UNPACKED, Form.PLAIN): Phrase("`{found}` and `{belongs}` changed places where they are taken out of a pair."),
    (Kind.UNWEIGHTED, Form.PLAIN): Phrase("Every batch counts the same, however few samples it holds: weigh each mean with its number of samples."),
    (Kind.UNWEIGHTED, Form.ONE_BY_ONE): Phrase("Each one counts as 1, where the number of its elements is to be added."),
    # questions and calls
    (Kind.TRUTH, Form.PLAIN): Phrase("`if x` is asked where `x is None` is meant: 0, 0.0 and an empty container count as false, too."),
    (Kind.ZERO_AS_NONE, Form.PLAIN): Phrase("A value of zeros is treated like one that is missing: only None means that there is none."),
    (Kind.ZERO_AS_NONE, Form.NO_GRADIENT): Phrase("What has no gradient is treated as if its gradient were zero: averages, velocity and weight decay still act on it. It is to be left alone."),
    (Kind.NAN, Form.PLAIN): Phrase("nan goes the wrong way: every comparison with nan is false, so `not a < b` is not the same as `a >= b`."),
    (Kind.NAN, Form.INVERTED): Phrase("nan goes the wrong way: every comparison with nan is False, so the opposite of `a <= b` is not `a > b` where there is a nan."),
    (Kind.SUBCLASS, Form.PLAIN): Phrase("The type is compared with `==` or `is`: an object of a subclass (nn.Parameter, a namedtuple) is left out; isinstance(...) takes it too."),
    (Kind.WALKED_ONCE, Form.PLAIN): Phrase("Something is walked through twice that can be walked through once only, like a generator: make a list of it first."),
    (Kind.EXCHANGED, Form.PLAIN): Phrase("Two arguments of `{place}` changed places."),
    (Kind.EXCHANGED, Form.NAMES): Phrase("{found} and {belongs} changed places."),
    (Kind.NEIGHBOUR, Form.PLAIN): STANDS,
    (Kind.NEIGHBOUR, Form.SQUARE): Phrase("`abs` stands where the `square` belongs.", (), ("found",), "It behaves as if `abs` stood where the `square` belongs."),
    (Kind.INSIDE, Form.OF_WHOLE): Phrase("`{place}` is applied to the whole: it belongs to one part only.", (), ("place",)),
    (Kind.INSIDE, Form.OF_PART): Phrase("`{place}` is applied to one part only: it belongs to the whole.", (), ("place",)),
    (Kind.INSIDE, Form.OF_EACH): Phrase("`{place}` is applied to each part on its own: it belongs to the whole.", (), ("place",)),
    (Kind.DETACHED, Form.PLAIN): Phrase("The graph is cut on the way, for a part of the answer: detach, .data, .item() or no_grad stands where gradients have to pass."),
    (Kind.DETACHED, Form.OTHER_SIDE): Phrase("The other part is detached than the one that should be: gradients pass where they should not, and stop where they should pass."),
    (Kind.SQUEEZED, Form.PLAIN): Phrase("squeeze() takes away every axis of size 1, also one that is needed: name the axis, or leave it out."),
    (Kind.SQUEEZED, Form.FLATTENED): Phrase("Something is flattened that has axes which are needed: shapes no longer line up."),
    (Kind.WRONG_NAME, Form.PLAIN): AS_IF,
    # what PyTorch invites
    (Kind.SWAP_REDUCTION, Form.SUM): Phrase("The loss is a sum over its elements, where their mean is asked for."),
    (Kind.FUNCTION, Form.SOFTMAX): Phrase("softmax is applied before cross_entropy, which applies it itself: hand the logits over as they are."),
    (Kind.FUNCTION, Form.NORM): Phrase("A norm stands where a sum of squares belongs: a norm is the square root of that sum."),
    (Kind.FUNCTION, Form.APPLIED): Phrase("`{found}` of `{belongs}` stands where `{belongs}` itself belongs (your names may differ)."),
    (Kind.ORDER, Form.PLAIN): Phrase("What `{place}` joins is in another order: two neighbours changed places."),
    (Kind.OFFSET, Form.PLAIN): Phrase("A count begins at 1, where it should begin at 0."),
    (Kind.PRECISION, Form.PLAIN): Phrase("3.14 stands for pi: torch.pi has all of its digits."),
    (Kind.POINTS, Form.PLAIN): Phrase("The last point is missing: linspace has both ends, arange stops before the end."),
    (Kind.SHARES, Form.PLAIN): Phrase("as_tensor or from_numpy shares the memory of an array whose dtype fits already, so who writes into one writes into both: torch.tensor always copies."),
    (Kind.IN_PLACE, Form.ITSELF): Phrase("A tensor is written over, where a new one belongs: who holds it sees other numbers, and autograd may not see the step."),
    (Kind.IN_PLACE, Form.IN_DATA): Phrase("A value is overwritten in .data, which hides the step from autograd, so the gradient is another one: make a new tensor."),
    (Kind.WRONG_COUNT, Form.COUNTED_IN): Phrase("The division counts `{found}` in: it is by `{belongs}` alone."),
    # formulas
    (Kind.NESTED, Form.PLAIN): Phrase("`{found}` is applied before `{belongs}`: it belongs after it.", (), ("found",)),
    (Kind.NESTED, Form.TOO): Phrase("`{found}` is applied before `{belongs}`, too: it belongs only after it.", (), ("found",)),
    (Kind.SLOPE, Form.PLAIN): Phrase("The numbers themselves are a factor, where only 1 or 0 belongs: does the comparison hold or not? (A mask, the slope of ReLU.)"),
    (Kind.GRADIENT, Form.SIGN): Phrase("Only the sign of the gradient counts: its size belongs into the step, too."),
    (Kind.GRADIENT, Form.ITSELF): Phrase("The parameter itself is changed where its gradient (p.grad) should be."),
    (Kind.GRADIENT, Form.FROZEN): Phrase("What is frozen (requires_grad False) is left out, though it has a .grad: whoever has a .grad takes part."),
    (Kind.AT_THE_GRADIENT, Form.PLAIN): Phrase("In backward, {place} is taken of the gradient that arrives: its argument is that of the forward, and the gradient only multiplies the derivative."),
    (Kind.TABLE, Form.PLAIN): Phrase(
        "`{belongs}` (or what you call it) gets another axis where it has enough: broadcasting then makes a table of all pairs.",
        (),
        ("belongs",),
        "A value gets another axis where it has enough: broadcasting then makes a table of all pairs.",
    ),
    (Kind.AXES, Form.ALL_BUT_FIRST): Phrase("`{place}` runs over all axes but the first.", (), ("place",)),
    (Kind.AXES, Form.ALL_BUT_LAST): Phrase("`{place}` runs over all axes but the last.", (), ("place",)),
    (Kind.AXES, Form.ALL_BUT_ASKED): Phrase("`{place}` runs over all axes but those over which it should run.", (), ("place",)),
    (Kind.AXES, Form.FIRST_AXIS): Phrase("`{place}` runs over the first axis.", (), ("place",)),
    (Kind.OPPOSITE, Form.PLAIN): Phrase("One part of a condition is turned round: `not {belongs}` is asked where `{belongs}` is meant, or what you call it."),
    (Kind.SMALL_NUMBER, Form.PLAIN): Phrase("A small number (such as {found}) is added that does not belong there: what is exactly 0 needs a case of its own, all else stays exact."),
    (Kind.POWER, Form.PLAIN): Phrase("The power `{belongs}` (or what you call it) is left out.", (), ("belongs",), "The power a value is left out."),
    (Kind.POWER, Form.SEVERAL): Phrase("The powers are left out."),
    (Kind.OTHER_DIM, Form.PLAIN): Phrase("The work is done along axis {found} everywhere: it belongs along axis {belongs}."),
    # what is gone through
    (Kind.PARAMETERS, Form.TWICE_MET): Phrase("A parameter that is used in two places is met twice: parameters() of the whole module yields each one once."),
    (Kind.PARAMETERS, Form.DIRECT_CHILDREN): Phrase("Only the direct children are looked at: parameters() goes through all levels, and through the module itself.", (Subject.CHILDREN,)),
    (Kind.PARAMETERS, Form.OF_CHILDREN): Phrase("Only what the children hold is met: what sits on the module itself is left out, and what two children share is met twice.", (Subject.CHILDREN,)),
    (Kind.PARAMETERS, Form.OWN_ONLY): Phrase("Only what sits on the module itself is looked at: parameters() goes through its children, too.", (Subject.CHILDREN,)),
    (Kind.PARAMETERS, Form.WEIGHTS): Phrase("Only parameters that are named weight are met: a bias is a parameter too.", (Subject.WEIGHT,)),
    (Kind.PARAMETERS, Form.LINEAR): Phrase("Only the parameters of nn.Linear layers are met: any module may own parameters.", (Subject.LINEAR,)),
    (Kind.PARAMETERS, Form.BUFFERS): Phrase("Buffers are met as well: they belong to the state of a module, but they are no parameters.", (Subject.BUFFERS,)),
    (Kind.PARAMETERS, Form.STATE_DICT): Phrase("state_dict() holds buffers too, and shared parameters twice: parameters() yields the parameters, each one once.", (Subject.STATE_DICT,)),
    (Kind.PARAMETERS, Form.LEARNING): Phrase("Frozen parameters (requires_grad False) are left out."),
    (Kind.PARAMETERS, Form.ADDRESS): Phrase("Parameters are told apart by their address in memory, and several may have the same one: parameters() already yields each one once.", (Subject.ADDRESS,)),
    (Kind.PARAMETERS, Form.MET_ONCE): Phrase("A module that has two places is met only once: children() and modules() leave out repeats.", (Subject.CHILDREN,)),
    (Kind.ROUND, Form.LAST): _of_loop("A loop leaves out the last one of the things that it goes through."),
    (Kind.ROUND, Form.FIRST): _of_loop("A loop leaves out the first one of the things that it goes through."),
    (Kind.ROUND, Form.AT_FIRST): _of_loop("Every round of a loop starts from what there was before the loop: each has to go on with the result of the one before."),
    # objects
    (Kind.COPIED, Form.PLAIN): Phrase("A copy stands where the object itself belongs: what is changed, or trained, in the one is not changed in the other."),
    (Kind.COPIED, Form.UPDATED): Phrase("reshape (or flatten) copies a tensor that is not contiguous, and the update goes into the copy: work on the tensor itself."),
    (Kind.MEMORY, Form.PLAIN): Phrase("The tensor gets other memory (.data = ...): whoever shares the new or the old one is in for a surprise. Write into it with copy_."),
    (Kind.REBOUND, Form.PLAIN): Phrase("Nothing is written into the tensors that are there: `x = y` only gives the name x to another tensor, `x.copy_(y)` writes into x."),
    (Kind.MADE_ANEW, Form.PLAIN): Phrase("`{found}`, or a layer in its place, is made anew in every call of `{place}`, with fresh random weights: make it once, in __init__."),
    (Kind.ANOTHER_METHOD, Form.PLAIN): Phrase("`{place}` does the work of `{found}` first, on its own input: what `{found}` has stored is lost."),
    (Kind.ANOTHER_METHOD, Form.TRAINING): Phrase("In training mode `{place}` does the work of `{found}` first: what `{found}` has stored is lost."),
    (Kind.ANOTHER_METHOD, Form.ON_A_COPY): Phrase("`{place}` works out from its own input what `{found}` has stored: use that."),
    # idioms of tensors
    (Kind.VIEW, Form.PLAIN): Phrase("A copy comes back where no view is possible: reshape copies there without a word, view refuses."),
    (Kind.VIEW, Form.CONTIGUOUS): Phrase("A copy comes back wherever the tensor is not contiguous: contiguous() copies also where a view is possible."),
    (Kind.CUT_ANEW, Form.PLAIN): Phrase("reshape (or view) stands where two axes should change places: it cuts the same row of numbers anew, transpose swaps axes."),
    (Kind.DEALT, Form.PLAIN): Phrase("Two sizes are in the wrong order where an axis is cut in two: neighbours are dealt out one by one, where each part should get a block of neighbours."),
    (Kind.DEALT, Form.JOINED): Phrase("Two axes are in the wrong order where they are joined to one: their entries are woven into each other, where whole blocks should stand side by side."),
    (Kind.PUT_BACK, Form.LAST): Phrase("The axis that a reduction takes away is put back at the end, wherever it was: keepdim=True, or unsqueeze(dim), puts it where it belongs."),
    (Kind.PUT_BACK, Form.FIRST): Phrase("The axis that a reduction takes away is put back in front, wherever it was: keepdim=True, or unsqueeze(dim), puts it where it belongs."),
    (Kind.OTHER_AXIS, Form.ROWS): Phrase("It works row by row (dim=1), where it should work column by column (dim=0): dim names the axis that goes away."),
    (Kind.OTHER_AXIS, Form.EVERYTHING): Phrase("One number is computed from everything, where each column has its own: a reduction without dim runs over all elements."),
    (Kind.FROM_THE_END, Form.PLAIN): Phrase("It begins with what is first, where it has to begin with what is last and go backwards."),
    (Kind.SORTED, Form.PLAIN): Phrase("The entries are gone through in sorted order, where they count in the order in which they were given."),
    (Kind.EQUAL_PARTS, Form.PLAIN): Phrase("The cut is into equal parts, as chunk makes them: each part has a size of its own, which split takes."),
    (Kind.FIRST_FEW, Form.SEVERAL): Phrase("Only the first two of `*{place}` count: there may be any number of them."),
    (Kind.FIRST_FEW, Form.FIRST): Phrase("Only the first one of `*{place}` counts: there may be any number of them."),
    (Kind.CONTAINS, Form.PLAIN): Phrase("The text may stand anywhere in the name, as with `in`: asked is how the name ends (`{belongs}`)."),
    (Kind.CONTAINS, Form.BEGINS): Phrase("The text may stand anywhere in the name, as with `in`: asked is how the name begins (`{belongs}`)."),
    (Kind.REGROUPED, Form.OF_WHOLE): Phrase("A factor (or a division) is applied to the whole sum: it belongs to one of its terms only."),
    (Kind.REGROUPED, Form.OF_PART): Phrase("A factor (or a division) is applied to one term of a sum only: it belongs to the whole sum."),
    (Kind.ROUNDING, Form.HALVES): Phrase("Halves always go up, as with floor(x + 0.5): torch.round takes them to the even neighbour, 2.5 to 2 and 3.5 to 4."),
    (Kind.ROUNDING, Form.DOWN): Phrase("It always rounds down, to the next smaller whole number (`{found}`), where the nearest whole number is asked for (`round`)."),
    (Kind.ROUNDING, Form.UP): Phrase("It always rounds up, to the next larger whole number (`{found}`), where the nearest whole number is asked for (`round`)."),
    (Kind.ROUNDING, Form.TOWARDS_0): Phrase("It always rounds towards 0 (`{found}`), where the nearest whole number is asked for (`round`)."),
    (Kind.ROOTED, Form.PLAIN): Phrase("A root is taken of the sum of the squares, as norm does it: here the squares themselves are asked for."),
    (Kind.LAST_AXIS, Form.PLAIN): Phrase("The sum runs along the last axis only, and the rest is averaged: it has to take all the axes of one row, or item."),
    (Kind.SHARE, Form.PLAIN): Phrase("A mean over a part is divided by the number of all rows, without being multiplied by its own number of rows first."),
    (Kind.SHARE, Form.OF_PARTS): Phrase("Every part counts the same, however many rows it has: weigh each mean with its share of the rows, not with 1 over the number of parts."),
    (Kind.MASK_PRODUCT, Form.PLAIN): Phrase("A product with a mask chooses nothing: it keeps the shape and puts zeros where the mask is False. Indexing with the mask takes what is True."),
    (Kind.MASK_PRODUCT, Form.WHERE): Phrase("Values are chosen by multiplying with a mask and adding: 0 times inf or nan is nan, and dtypes are mixed. torch.where chooses."),
    (Kind.NO_HISTORY, Form.PLAIN): Phrase("A tensor without a grad_fn is taken for a constant: a leaf has no grad_fn either, and requires_grad says whether gradients are wanted."),
    (Kind.CASE, Form.ALTERNATIVE): Phrase("The case `{belongs}` (your names may differ) is not treated on its own."),
    (Kind.CASE, Form.CONDITION): Phrase("It is not asked whether `{belongs}` (your names may differ)."),
}
