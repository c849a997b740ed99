"""The phrases for each kind of slip. `slip_sentences` fills in {found}, {belongs} and {place} of the
`Slip`; {Found} begins a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from torchdojo.mutate.slip import Form, Kind


class Subject(Enum):
    """What a sentence mentions; the learner's code must contain it."""

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
    """A sentence to fill in, and when it is true of the learner's code.

    about: what the code must contain; names: the parts that must be names in it; absent: the parts that it must not contain.
    otherwise: the sentence if the code doesn't meet these conditions (None: compare with the reference instead).
    """

    text: str
    about: tuple[Subject, ...] = ()
    names: tuple[str, ...] = ()
    otherwise: str | None = None
    absent: tuple[str, ...] = ()


def _of_loop(text: str, *names: str) -> Phrase:
    return Phrase(text, (Subject.LOOP,), names)


STANDS = Phrase("You used `{found}` where `{belongs}` belongs.", (), ("found",), "Your code behaves as if it used `{found}` instead of `{belongs}`.")
AS_IF = Phrase(
    "Your code behaves as if it used `{found}` instead of `{belongs}` (your names may differ).",
    (),
    ("found", "belongs"),
    "Your code behaves as if it used one variable instead of another.",
)
LEFT_OUT = Phrase("You never call `{belongs}`.", (), (), "Your code behaves as if the call of `{belongs}` were missing.", ("belongs",))
BLOCK_LEFT_OUT = Phrase("`{belongs}` is missing.", (), (), "Your code behaves as if `{belongs}` were missing.", ("belongs",))
TWO_STEPS = "Your code behaves as if two steps were in the wrong order."

HABITS: dict[tuple[Kind, Form], Phrase] = {
    # steps
    (Kind.LEFT_OUT, Form.PLAIN): LEFT_OUT,
    (Kind.LEFT_OUT, Form.STEP): Phrase("{Belongs} is missing.", (), (), "Your code behaves as if {belongs} were missing.", ("belongs",)),
    (Kind.LEFT_OUT, Form.WITHOUT): Phrase(
        "You call `{place}` without `{belongs}`, so its default applies.", (), ("place",), "Your code does what `{place}` does with the default of `{belongs}`.", ("belongs",)
    ),
    (Kind.LEFT_OUT, Form.LAST_ARGUMENT): Phrase("The last argument of `{place}` is missing."),
    (Kind.LEFT_OUT, Form.LAYER): Phrase("`{belongs}` is missing from `{place}`."),
    (Kind.ONCE, Form.BEFORE): _of_loop("{Belongs} runs once, before the loop: run it inside the loop.", "belongs"),
    (Kind.ONCE, Form.AFTER): _of_loop("{Belongs} runs once, after the loop: run it inside the loop.", "belongs"),
    (Kind.EVERY_ROUND, Form.BEFORE): _of_loop("{Belongs} runs in every iteration of the loop: it belongs before the loop.", "belongs"),
    (Kind.EVERY_ROUND, Form.AFTER): _of_loop("{Belongs} runs in every iteration of the loop: it belongs after the loop.", "belongs"),
    (Kind.ORDER_OF_STEPS, Form.EARLY): Phrase("{Found} comes too early: it belongs after {belongs}.", (), ("found", "belongs")),
    (Kind.ORDER_OF_STEPS, Form.LATE): Phrase("{Found} comes too late: it belongs before {belongs}.", (), ("found", "belongs")),
    (Kind.TWICE, Form.PLAIN): Phrase("{Found} runs twice.", (), ("found",)),
    (Kind.AGAIN, Form.PLAIN): Phrase(
        "`{belongs}` (or your name for it) is computed again after its inputs have changed: use the first value.",
        (),
        ("belongs",),
        "A value is computed again after its inputs have changed: use the first value.",
    ),
    (Kind.AGAIN, Form.AFTER): Phrase(
        "`{belongs}` (or your name for it) is computed after the loop, when its inputs have changed: compute it inside the loop.",
        (Subject.LOOP,),
        ("belongs",),
        "A value is computed after the loop, when its inputs have changed: compute it inside the loop.",
    ),
    (Kind.EXTREME, Form.PLAIN): Phrase("You keep the largest value instead of the smallest, or the reverse."),
    (Kind.READ_ONCE, Form.PLAIN): Phrase("`{belongs}` is read only once, in the constructor: setting it later has no effect."),
    (Kind.LAST_ONLY, Form.PLAIN): _of_loop("Your code behaves as if a value that should accumulate over a loop (+=) were overwritten (=), or kept its initial value."),
    (Kind.UNPACKED, Form.PLAIN): Phrase("`{found}` and `{belongs}` are swapped where a pair is unpacked.", (), ("found", "belongs"), "Two names are swapped where a pair is unpacked."),
    (Kind.UNWEIGHTED, Form.PLAIN): Phrase("Every batch counts the same, however few samples it has: weight each mean by its number of samples."),
    (Kind.UNWEIGHTED, Form.ONE_BY_ONE): Phrase("Each one counts as 1: add its number of elements instead."),
    # questions and calls
    (Kind.TRUTH, Form.PLAIN): Phrase("You test `if x` instead of `x is None`: 0, 0.0 and an empty container count as false, too."),
    (Kind.ZERO_AS_NONE, Form.PLAIN): Phrase("A value of zeros is treated as if it were missing: only None means that there is none."),
    (Kind.ZERO_AS_NONE, Form.NO_GRADIENT): Phrase("A parameter without a gradient is treated as if its gradient were zero, so averages, velocity and weight decay still act on it. Skip it."),
    (Kind.NAN, Form.PLAIN): Phrase("nan is handled wrongly: <, <=, >, >= and == are False for nan, so `not a < b` is not the same as `a >= b`."),
    (Kind.NAN, Form.INVERTED): Phrase("nan is handled wrongly: <, <=, >, >= and == are False for nan, so the opposite of `a <= b` is not `a > b`."),
    (Kind.SUBCLASS, Form.PLAIN): Phrase("You compare types with `==` or `is`, which leaves out subclasses (nn.Parameter, a namedtuple): use isinstance(...)."),
    (Kind.WALKED_ONCE, Form.PLAIN): Phrase("You loop twice over an iterator that yields its items only once, such as a generator: make a list of it first."),
    (Kind.EXCHANGED, Form.PLAIN): Phrase("Your code behaves as if two arguments of `{place}` were swapped.", (), ("place",), "Your code behaves as if two arguments of a call were swapped."),
    (Kind.EXCHANGED, Form.NAMES): Phrase("{found} and {belongs} are swapped.", (), ("found", "belongs"), "Your code behaves as if two names were swapped."),
    (Kind.NEIGHBOUR, Form.PLAIN): STANDS,
    (Kind.NEIGHBOUR, Form.SQUARE): Phrase("You used `abs` where the `square` belongs.", (), ("found",), "Your code behaves as if it used `abs` instead of the `square`."),
    (Kind.INSIDE, Form.OF_WHOLE): Phrase(
        "Your code behaves as if `{place}` were applied to the whole expression: apply it to one part only.",
        (),
        ("place",),
        "Your code behaves as if a function were applied to the whole expression: apply it to one part only.",
    ),
    (Kind.INSIDE, Form.OF_PART): Phrase(
        "Your code behaves as if `{place}` were applied to one part only: apply it to the whole expression.",
        (),
        ("place",),
        "Your code behaves as if a function were applied to one part only: apply it to the whole expression.",
    ),
    (Kind.INSIDE, Form.OF_EACH): Phrase(
        "Your code behaves as if `{place}` were applied to each part before they are combined: combine them first.",
        (),
        ("place",),
        "Your code behaves as if a function were applied to each part before they are combined: combine them first.",
    ),
    (Kind.DETACHED, Form.PLAIN): Phrase("The graph is cut for part of the answer: detach, .data, .item() or no_grad is used where gradients have to flow."),
    (Kind.DETACHED, Form.OTHER_SIDE): Phrase("You detached the wrong part: gradients flow where they should not, and stop where they should flow."),
    (Kind.SQUEEZED, Form.PLAIN): Phrase("squeeze() removes every axis of size 1, even one that is needed: name the axis, or don't squeeze."),
    (Kind.SQUEEZED, Form.FLATTENED): Phrase("Something is flattened although its axes are needed, so shapes no longer match."),
    (Kind.WRONG_NAME, Form.PLAIN): AS_IF,
    # slips that PyTorch invites
    (Kind.SWAP_REDUCTION, Form.SUM): Phrase("The loss is the sum over its elements, but should be their mean."),
    (Kind.FUNCTION, Form.SOFTMAX): Phrase("softmax is applied before cross_entropy, which applies it itself: pass the logits unchanged."),
    (Kind.FUNCTION, Form.NORM): Phrase("You used a norm instead of a sum of squares: a norm is the square root of that sum."),
    (Kind.FUNCTION, Form.APPLIED): Phrase(
        "You used `{found}` of `{belongs}` instead of `{belongs}` itself (your names may differ).",
        (),
        ("found",),
        "Your code behaves as if it used `{found}` of a value instead of the value itself.",
    ),
    (Kind.ORDER, Form.PLAIN): Phrase("The parts that `{place}` joins are in the wrong order: two neighbors are swapped.", (), ("place",)),
    (Kind.OFFSET, Form.PLAIN): Phrase("Your code behaves as if a count started at 1 instead of 0."),
    (Kind.PRECISION, Form.PLAIN): Phrase("You used 3.14 for pi: torch.pi has all the digits."),
    (Kind.POINTS, Form.PLAIN): Phrase("The last point is missing: linspace includes both ends, arange stops before the end."),
    (Kind.SHARES, Form.PLAIN): Phrase("as_tensor and from_numpy share memory with an array whose dtype already fits, so writing to one changes both: torch.tensor always copies."),
    (Kind.IN_PLACE, Form.ITSELF): Phrase("You overwrite a tensor instead of creating a new one: other code that holds it sees the new numbers, and autograd may miss the step."),
    (Kind.IN_PLACE, Form.IN_DATA): Phrase("You overwrite a value through .data, which hides the step from autograd, so the gradient is wrong: create a new tensor."),
    (Kind.WRONG_COUNT, Form.COUNTED_IN): Phrase("The divisor also counts `{found}`: divide by `{belongs}` alone."),
    # formulas
    (Kind.NESTED, Form.PLAIN): Phrase("`{found}` is applied before `{belongs}` instead of after it.", (), ("found",)),
    (Kind.NESTED, Form.TOO): Phrase("`{found}` is also applied before `{belongs}`: apply it only after.", (), ("found",)),
    (Kind.SLOPE, Form.PLAIN): Phrase("You multiply by the numbers themselves instead of by 1 or 0, depending on a comparison (a mask, the derivative of ReLU)."),
    (Kind.GRADIENT, Form.SIGN): Phrase("Only the sign of the gradient is used: the step also depends on its size."),
    (Kind.GRADIENT, Form.ITSELF): Phrase("The parameter itself is changed where its gradient (p.grad) should be."),
    (Kind.GRADIENT, Form.FROZEN): Phrase("Frozen parameters (requires_grad False) are left out even if they have a .grad: include every parameter that has one."),
    (Kind.AT_THE_GRADIENT, Form.PLAIN): Phrase("In backward, you take {place} of the upstream gradient: take it of the input of forward. The gradient only multiplies the derivative."),
    (Kind.TABLE, Form.PLAIN): Phrase(
        "`{belongs}` (or your name for it) gets an extra axis, so broadcasting gives a matrix of all pairs.",
        (),
        ("belongs",),
        "A value gets an extra axis, so broadcasting gives a matrix of all pairs.",
    ),
    (Kind.AXES, Form.ALL_BUT_FIRST): Phrase("`{place}` runs over all axes except the first.", (), ("place",), "A reduction runs over all axes except the first."),
    (Kind.AXES, Form.ALL_BUT_LAST): Phrase("`{place}` runs over all axes except the last.", (), ("place",), "A reduction runs over all axes except the last."),
    (Kind.AXES, Form.ALL_BUT_ASKED): Phrase("`{place}` runs over exactly those axes that it should leave out.", (), ("place",), "A reduction runs over exactly those axes that it should leave out."),
    (Kind.AXES, Form.FIRST_AXIS): Phrase("`{place}` runs over the first axis.", (), ("place",), "A reduction runs over the first axis."),
    (Kind.OPPOSITE, Form.PLAIN): Phrase("One part of a condition is inverted: you test `not {belongs}` instead of `{belongs}` (your names may differ)."),
    (Kind.SMALL_NUMBER, Form.PLAIN): Phrase("You add a small number (such as {found}) that does not belong there: handle an exact 0 separately, and everything else stays exact."),
    (Kind.POWER, Form.PLAIN): Phrase("The power `{belongs}` (or your name for it) is missing.", (), ("belongs",), "A power is missing."),
    (Kind.POWER, Form.SEVERAL): Phrase("The powers are missing."),
    (Kind.OTHER_DIM, Form.PLAIN): Phrase("Everything runs along axis {found} instead of axis {belongs}."),
    # what a loop visits
    (Kind.PARAMETERS, Form.TWICE_MET): Phrase("A parameter that is used in two places is visited twice: parameters() of the whole module yields each one once."),
    (Kind.PARAMETERS, Form.DIRECT_CHILDREN): Phrase("You visit only the direct children: parameters() covers all levels, and the module itself.", (Subject.CHILDREN,)),
    (Kind.PARAMETERS, Form.OF_CHILDREN): Phrase("You visit only the children's parameters: those of the module itself are left out, and those that two children share are visited twice.", (Subject.CHILDREN,)),
    (Kind.PARAMETERS, Form.OWN_ONLY): Phrase("You visit only the module's own parameters: parameters() covers its children, too.", (Subject.CHILDREN,)),
    (Kind.PARAMETERS, Form.WEIGHTS): Phrase("You visit only parameters named weight: a bias is a parameter, too.", (Subject.WEIGHT,)),
    (Kind.PARAMETERS, Form.LINEAR): Phrase("You visit only the parameters of nn.Linear layers: any module can have parameters.", (Subject.LINEAR,)),
    (Kind.PARAMETERS, Form.BUFFERS): Phrase("You also visit buffers: they belong to the state of a module, but they are not parameters.", (Subject.BUFFERS,)),
    (Kind.PARAMETERS, Form.STATE_DICT): Phrase("state_dict() also holds buffers, and shared parameters twice: parameters() yields only the parameters, each one once.", (Subject.STATE_DICT,)),
    (Kind.PARAMETERS, Form.LEARNING): Phrase("Frozen parameters (requires_grad False) are left out."),
    (Kind.PARAMETERS, Form.ADDRESS): Phrase("You tell parameters apart by their memory address, which several can share: parameters() already yields each one once.", (Subject.ADDRESS,)),
    (Kind.PARAMETERS, Form.MET_ONCE): Phrase("A module that is used in two places is visited only once: children() and modules() leave out repeats.", (Subject.CHILDREN,)),
    (Kind.ROUND, Form.LAST): _of_loop("A loop stops before its last item."),
    (Kind.ROUND, Form.FIRST): _of_loop("A loop skips its first item."),
    (Kind.ROUND, Form.AT_FIRST): _of_loop("Every iteration of a loop starts from the value before the loop: each has to continue from the result of the previous one."),
    # objects
    (Kind.COPIED, Form.PLAIN): Phrase("You used a copy instead of the object itself: changing or training one does not change the other."),
    (Kind.COPIED, Form.UPDATED): Phrase("reshape (or flatten) copies a tensor that is not contiguous, so the update goes into the copy: update the tensor itself."),
    (Kind.MEMORY, Form.PLAIN): Phrase("You replace the tensor's memory (.data = ...): its old views no longer follow it, and it shares the memory of the source. Write into it with copy_."),
    (Kind.REBOUND, Form.PLAIN): Phrase("Nothing is written into the existing tensors: `x = y` only gives the name x to another tensor, `x.copy_(y)` writes into x."),
    (Kind.MADE_ANEW, Form.PLAIN): Phrase("`{found}`, or a layer in its place, is created in every call of `{place}`, with new random weights: create it once, in __init__."),
    (Kind.ANOTHER_METHOD, Form.PLAIN): Phrase("`{place}` first does the work of `{found}` on its own input, so what `{found}` had stored is lost."),
    (Kind.ANOTHER_METHOD, Form.TRAINING): Phrase("In training mode `{place}` first does the work of `{found}`, so what `{found}` had stored is lost."),
    (Kind.ANOTHER_METHOD, Form.ON_A_COPY): Phrase("`{place}` recomputes from its own input what `{found}` has stored: use the stored values."),
    # idioms of tensors
    (Kind.VIEW, Form.PLAIN): Phrase("You return a copy where no view is possible: reshape silently copies there, view raises an error."),
    (Kind.VIEW, Form.CONTIGUOUS): Phrase("You return a copy whenever the tensor is not contiguous: contiguous() also copies where a view is possible."),
    (Kind.CUT_ANEW, Form.PLAIN): Phrase("You used reshape (or view) instead of swapping two axes: it regroups the same sequence of numbers, transpose swaps axes."),
    (Kind.DEALT, Form.PLAIN): Phrase("Two sizes are in the wrong order where an axis is split in two: neighbors are dealt out one by one, but each part should get a block of neighbors."),
    (Kind.DEALT, Form.JOINED): Phrase("Two axes are in the wrong order where they are merged into one: their entries are interleaved instead of side by side in whole blocks."),
    (Kind.PUT_BACK, Form.LAST): Phrase("The reduced axis is put back at the end, wherever it was: keepdim=True, or unsqueeze(dim), puts it back in its position."),
    (Kind.PUT_BACK, Form.FIRST): Phrase("The reduced axis is put back in front, wherever it was: keepdim=True, or unsqueeze(dim), puts it back in its position."),
    (Kind.OTHER_AXIS, Form.ROWS): Phrase("Your code works row by row (dim=1) instead of column by column (dim=0): dim is the axis that is removed."),
    (Kind.OTHER_AXIS, Form.EVERYTHING): Phrase("You compute one number from all elements instead of one for each column: a reduction without dim runs over all elements."),
    (Kind.FROM_THE_END, Form.PLAIN): Phrase("Your code starts with the first item: start with the last one and go backward."),
    (Kind.SORTED, Form.PLAIN): Phrase("You go through the entries in sorted order instead of the order in which they were given."),
    (Kind.EQUAL_PARTS, Form.PLAIN): Phrase("You split into equal parts, as chunk does: each part has its own size, so use split."),
    (Kind.FIRST_FEW, Form.SEVERAL): Phrase("Only the first two of `*{place}` are used: there can be any number of them."),
    (Kind.FIRST_FEW, Form.FIRST): Phrase("Only the first one of `*{place}` is used: there can be any number of them."),
    (Kind.CONTAINS, Form.PLAIN): Phrase("The text is found anywhere in the name, as with `in`: test how the name ends (`{belongs}`)."),
    (Kind.CONTAINS, Form.BEGINS): Phrase("The text is found anywhere in the name, as with `in`: test how the name starts (`{belongs}`)."),
    (Kind.REGROUPED, Form.OF_WHOLE): Phrase("A factor (or a division) is applied to the whole sum: apply it to one of its terms only."),
    (Kind.REGROUPED, Form.OF_PART): Phrase("A factor (or a division) is applied to one term of a sum only: apply it to the whole sum."),
    (Kind.ROUNDING, Form.HALVES): Phrase("Halves are always rounded up, as with floor(x + 0.5): torch.round rounds them to the even neighbor, 2.5 to 2 and 3.5 to 4."),
    (Kind.ROUNDING, Form.DOWN): Phrase("Your code always rounds down (`{found}`) instead of to the nearest integer (`round`)."),
    (Kind.ROUNDING, Form.UP): Phrase("Your code always rounds up (`{found}`) instead of to the nearest integer (`round`)."),
    (Kind.ROUNDING, Form.TOWARDS_0): Phrase("Your code always rounds toward 0 (`{found}`) instead of to the nearest integer (`round`)."),
    (Kind.ROOTED, Form.PLAIN): Phrase("You take the square root of the sum of squares, as norm does: use the sum of squares itself."),
    (Kind.LAST_AXIS, Form.PLAIN): Phrase("The sum runs along the last axis only, and the rest is averaged: sum over all axes of one row, or item."),
    (Kind.SHARE, Form.PLAIN): Phrase("The mean over a part is divided by the number of all rows without first being multiplied by its own number of rows."),
    (Kind.SHARE, Form.OF_PARTS): Phrase("Every part counts the same, however many rows it has: weight each mean by its share of the rows, not by 1 over the number of parts."),
    (Kind.MASK_PRODUCT, Form.PLAIN): Phrase("Multiplying by a mask selects nothing: it keeps the shape and puts zeros where the mask is False. Indexing with the mask selects what is True."),
    (Kind.MASK_PRODUCT, Form.WHERE): Phrase("You select values by multiplying by a mask and adding: 0 times inf or nan is nan, and dtypes get mixed. Use torch.where."),
    (Kind.NO_HISTORY, Form.PLAIN): Phrase("You treat a tensor without a grad_fn as a constant: a leaf has no grad_fn either. requires_grad says whether it needs a gradient."),
    (Kind.CASE, Form.ALTERNATIVE): Phrase("The case `{belongs}` (your names may differ) is not handled separately."),
    (Kind.CASE, Form.CONDITION): Phrase("Nothing tests whether `{belongs}` (your names may differ)."),
}
