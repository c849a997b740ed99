"""Known mistakes and unusual but correct solutions for the predict_graph quiz."""

import torch
from ex03_predict_graph import ANSWERS

from torchdojo.variants import alternative, mistake

HINTS = (
    "Ask two things of each tensor: does anything that went into it require grad, and was grad mode on?",
    "A leaf that requires grad was made by you, not by a recorded operation. An operation counts even if it "
    "does not change a number; a call that returns the very same tensor does not. Integers and bools cannot "
    "have gradients. Only leaves keep a .grad, unless told otherwise.",
    "For the second group: backward needs one number with a graph; it stops at a detached tensor; and a "
    "second pass fails only if an operation has saved tensors that the first pass has freed. Does adding 1 "
    "save any?",
)


clone_and_double_make_leaves = mistake.edited('"k03": "result"', '"k03": "leaf"',
    "A clone or a cast of x is not a new leaf: both are recorded operations, so the tensor has a grad_fn.",
    also=[('"k05": "result"', '"k05": "leaf"')])

adding_zero_does_nothing = mistake.edited('"k02": "result"', '"k02": "leaf"',
    "x + 0 has the values of x, but it is a new tensor, made by a recorded addition.")

numbers_decide = mistake.edited('"k02": "result"', '"k02": "leaf"',
    "A tensor that has the numbers of x is not x itself: ask which operation made it.",
    also=[('"k03": "result"', '"k03": "leaf"'), ('"k04": "constant"', '"k04": "leaf"'), ('"k05": "result"', '"k05": "leaf"')],
    pitfall="x + 0 equals x, and is not x")

every_cast_is_an_operation = mistake.edited('"k06": "leaf"', '"k06": "result"',
    "x is float32 already, so x.float() returns the same tensor: nothing is recorded and x is still a leaf.")

detach_keeps_the_wish_for_gradients = mistake.edited('"k04": "constant"', '"k04": "leaf"',
    "detach gives a tensor that does not require grad, and backward does not get past it.",
    also=[('"g04": "empty"', '"g04": "filled"')])

all_kinds_of_numbers_have_gradients = mistake.edited('"k08": "constant"', '"k08": "result"',
    "Only floating-point (and complex) tensors can require grad: a comparison gives bools, which are constants, and asking "
    "integers to require grad is an error.",
    also=[('"k09": "error"', '"k09": "leaf"')])

no_grad_forbids_leaves = mistake.edited('"k11": "leaf"', '"k11": "constant"',
    "Under no_grad no operation is recorded. But a tensor that you create with requires_grad=True requires grad there, too.")

no_grad_changes_nothing = mistake.edited('"k10": "constant"', '"k10": "result"',
    "Inside no_grad the product is not recorded, so it does not require grad.")

scaled_leaf_is_a_leaf = mistake.edited('"k12": "result"', '"k12": "leaf"',
    "The leaf is the tensor before the multiplication; times 0.1 it is the result of a recorded operation.")

every_tensor_keeps_its_gradient = mistake.edited('"g02": "empty"', '"g02": "filled"',
    "backward fills .grad of leaves only; a result like y keeps its gradient if you call y.retain_grad() first.")

retain_grad_is_for_leaves = mistake.edited('"g03": "filled"', '"g03": "empty"',
    "retain_grad is exactly for results: after it, backward fills y.grad as well.")

vectors_are_summed_by_themselves = mistake.edited('"g05": "error"', '"g05": "filled"',
    "backward needs one number to differentiate: for a vector, you must say how to weight the outputs, or sum them.")

backward_from_a_constant_does_nothing = mistake.edited('"g06": "error"', '"g06": "empty"',
    "backward from a tensor without a graph raises an error; it does not silently do nothing.")

second_backward_always_fails = mistake.edited('"g08": "filled"', '"g08": "error"',
    "The second backward fails because tensors that an operation saved are freed. Adding 1 and summing save none, so here it "
    "works.")

second_backward_always_works = mistake.edited('"g07": "error"', '"g07": "filled"',
    "The square saved x for its backward pass, and the first pass freed it: the second one raises an error.")


def kind_of(make):
    """Run one line and name what it made."""
    try:
        t = make(torch.tensor([1.0, 2.0], dtype=torch.float32, requires_grad=True))
    except RuntimeError:
        return "error"
    if not t.requires_grad:
        return "constant"
    return "leaf" if t.is_leaf else "result"


def without_grad(make):
    def made(x):
        with torch.no_grad():
            return make(x)

    return made


a_fresh_start_is_still_a_result = mistake.edited('"k07": "leaf"', '"k07": "result"',
    "detach leaves no history behind, so after it and requires_grad_() the tensor is a leaf, like one that you made from numbers.")

every_operation_is_recorded = mistake.edited('"k01": "constant"', '"k01": "result"',
    "data does not require grad and neither does 2: an operation is recorded only if one of its inputs requires grad.")

backward_fills_one_leaf_only = mistake.edited('"g01": "filled"', '"g01": "empty"',
    "backward fills the .grad of every leaf that took part, and w is one of them.")


@alternative()
def runs_the_lines_instead():
    """The first group worked out by the program itself."""
    lines = {
        "k01": lambda x: torch.tensor([5.0, 6.0]) * 2,
        "k02": lambda x: x + 0,
        "k03": lambda x: x.clone(),
        "k04": lambda x: x.detach(),
        "k05": lambda x: x.double(),
        "k06": lambda x: x.float(),
        "k07": lambda x: x.detach().clone().requires_grad_(),
        "k08": lambda x: x > 1,
        "k09": lambda x: torch.tensor([1, 2], requires_grad=True),
        "k10": without_grad(lambda x: x * 2),
        "k11": without_grad(lambda x: torch.ones(2, requires_grad=True)),
        "k12": lambda x: torch.ones(2, requires_grad=True) * 0.1,
    }
    return {"ANSWERS": {**ANSWERS, **{key: kind_of(make) for key, make in lines.items()}}}


@alternative()
def sorted_by_answer():
    """The same answers, grouped by word and in another order."""
    answers = dict.fromkeys(("g08", "g03", "g01"), "filled")
    answers.update(dict.fromkeys(("g04", "g02"), "empty"))
    answers.update(dict.fromkeys(("g07", "g06", "g05", "k09"), "error"))
    answers.update(dict.fromkeys(("k11", "k07", "k06"), "leaf"))
    answers.update(dict.fromkeys(("k12", "k05", "k03", "k02"), "result"))
    answers.update(dict.fromkeys(("k10", "k08", "k04", "k01"), "constant"))
    return {"ANSWERS": answers}
