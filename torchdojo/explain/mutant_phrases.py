"""Phrases for mutants: for each kind in general, and precise ones where names allow it."""

from __future__ import annotations

import re

from torchdojo.explain.slip_phrases import AS_IF, LEFT_OUT, STANDS, Phrase, Subject
from torchdojo.mutate.slip import Form, Kind, Slip

GENERAL: dict[Kind, Phrase] = {
    Kind.SWAP_REDUCTION: Phrase("You used the wrong reduction (sum, mean, max, min, ...)."),
    Kind.WRONG_COUNT: Phrase("You divide by the wrong count: the number of elements is not the size of one axis."),
    Kind.CHANGE_DIM: Phrase("The wrong axis is used, for the operation itself or for a size."),
    Kind.DROP_DIM: Phrase("A reduction runs over all elements instead of along one axis."),
    Kind.TOGGLE_KEEPDIM: Phrase("keepdim is set wrongly."),
    Kind.DROP_TRANSPOSE: Phrase("The axes are in the wrong order: a transpose is missing, or swaps the wrong axes."),
    Kind.ADD_TRANSPOSE: Phrase("There is one transpose too many."),
    Kind.DROP_MATH: Phrase("Your code behaves as if a function were missing from the formula."),
    Kind.SWAP_ARGUMENTS: Phrase("Your code behaves as if two arguments of a call were swapped."),
    Kind.SWAP_FUNCTION: Phrase("You used a function in place of a similar one."),
    Kind.CHANGE_SIGN: Phrase("You used the wrong operator."),
    Kind.FLIP_MINUS: Phrase("Your code behaves as if a minus sign were missing, or one were too many."),
    Kind.SWAP_OPERANDS: Phrase("The two sides of a subtraction, a division or a product are swapped."),
    Kind.DROP_TERM: Phrase("Your code behaves as if a term or a factor were missing from the formula."),
    Kind.CHANGE_NUMBER: Phrase("Your code behaves as if one constant in the formula were wrong."),
    Kind.OFF_BY_ONE: Phrase("Your code behaves as if a bound were off by one, or missing.", (Subject.BOUND,)),
    Kind.CHANGE_COMPARISON: Phrase("Your code behaves as if you used the wrong comparison: < for <=, the opposite, or `is None` for `is not None`.", (Subject.COMPARISON,)),
    Kind.CHANGE_LOGIC: Phrase("Your condition combines its parts wrongly (and / or / not)."),
    Kind.NEGATE_CONDITION: Phrase("Your code behaves as if a condition were inverted."),
    Kind.FORCE_BRANCH: Phrase("A special case is not handled separately."),
    Kind.SWAP_BUILTIN: Phrase("You used the wrong built-in function, or left one out."),
    Kind.FLIP_FLAG: Phrase("A setting is True where it should be False, or the reverse."),
    Kind.DROP_COPY: Phrase("A call that seems to do nothing is missing (clone, detach, contiguous, item)."),
    Kind.ADD_DETACH: Phrase("The graph is cut: detach, .data or a new tensor is used where gradients have to flow."),
    Kind.IN_PLACE: Phrase("Something is changed in place that should be a new tensor, or the reverse."),
    Kind.IN_PLACE_UPDATE: Phrase("x += y changes x itself, x = x + y creates a new tensor: you used the wrong one of the two."),
    Kind.DROP_GRAD_MODE: Phrase("A `with torch.no_grad():`, or a similar block, is missing."),
    Kind.WRONG_DTYPE: Phrase("Your code behaves as if a dtype were wrong, or left out."),
    Kind.WRONG_DEVICE: Phrase("A tensor is created on the default device."),
    Kind.DROP_KEYWORD: Phrase("Your code behaves as if a setting were not passed on in a call."),
    Kind.IGNORE_PARAMETER: Phrase("An argument has no effect."),
    Kind.WRONG_NAME: Phrase("Your code behaves as if it used one variable instead of another."),
    Kind.DROP_CALL: Phrase("Your code behaves as if a call were missing."),
    Kind.DROP_UPDATE: Phrase("Your code behaves as if an update (an assignment, +=) were missing."),
    Kind.SWAP_STATEMENTS: Phrase("Your code behaves as if two steps were in the wrong order."),
    Kind.RETURN_INPUT: Phrase("You return the input itself."),
    Kind.SWAP_RETURNED: Phrase("The results are in the wrong order."),
    Kind.SWAP_JUMP: Phrase("A loop ends where it should continue, or the reverse.", (Subject.LOOP,)),
    Kind.LOOP_ONCE: Phrase("A loop ends after its first iteration.", (Subject.LOOP,)),
    Kind.DROP_FINALLY: Phrase("A temporary change is not undone, or not if an error is raised."),
    Kind.DROP_ELSE: Phrase("A special case is not handled separately."),
    Kind.CHANGE_DEFAULT: Phrase("A parameter has the wrong default."),
}
"""Kinds that are missing here are never reported to learners."""

TELLING = (
    Kind.IGNORE_PARAMETER,
    Kind.CHANGE_DIM,
    Kind.DROP_DIM,
    Kind.TOGGLE_KEEPDIM,
    Kind.WRONG_COUNT,
    Kind.SWAP_REDUCTION,
    Kind.DROP_TRANSPOSE,
    Kind.ADD_TRANSPOSE,
    Kind.DROP_COPY,
    Kind.ADD_DETACH,
    Kind.DROP_GRAD_MODE,
    Kind.WRONG_DTYPE,
    Kind.WRONG_DEVICE,
    Kind.DROP_FINALLY,
    Kind.LOOP_ONCE,
    Kind.OFF_BY_ONE,
    Kind.DROP_MATH,
    Kind.SWAP_FUNCTION,
    Kind.SWAP_BUILTIN,
    Kind.CHANGE_SIGN,
    Kind.FLIP_MINUS,
    Kind.DROP_TERM,
    Kind.SWAP_OPERANDS,
    Kind.SWAP_ARGUMENTS,
    Kind.WRONG_NAME,
    Kind.DROP_CALL,
    Kind.DROP_UPDATE,
    Kind.SWAP_STATEMENTS,
    Kind.SWAP_RETURNED,
    Kind.RETURN_INPUT,
    Kind.IN_PLACE,
    Kind.IN_PLACE_UPDATE,
    Kind.DROP_KEYWORD,
    Kind.CHANGE_COMPARISON,
    Kind.NEGATE_CONDITION,
    Kind.CHANGE_LOGIC,
    Kind.FORCE_BRANCH,
)
"""The kinds whose sentence tells most, in order."""


def order(kind: Kind) -> int:
    """The rank of a kind of mutants: 0 for the one whose sentence tells most."""
    return TELLING.index(kind) if kind in TELLING else len(TELLING)


_PRECISE: dict[tuple[Kind, Form], Phrase] = {
    (Kind.SWAP_REDUCTION, Form.BECAME): STANDS,
    (Kind.SWAP_FUNCTION, Form.BECAME): STANDS,
    (Kind.SWAP_BUILTIN, Form.BECAME): STANDS,
    (Kind.CHANGE_SIGN, Form.BECAME): STANDS,
    (Kind.CHANGE_COMPARISON, Form.BECAME): Phrase(
        "A comparison tests `{found}` instead of `{belongs}`.",
        (Subject.COMPARISON,),
        ("found",),
        "Your code behaves as if a comparison tested `{found}` instead of `{belongs}`.",
    ),
    (Kind.OFF_BY_ONE, Form.BOUND_DROPPED): Phrase("Your code behaves as if a bound were missing: everything is taken instead of a part.", (Subject.BOUND,)),
    (Kind.OFF_BY_ONE, Form.BOUND_SMALLER): Phrase("Your code behaves as if a bound were too small by one.", (Subject.BOUND,)),
    (Kind.OFF_BY_ONE, Form.BOUND_LARGER): Phrase("Your code behaves as if a bound were too large by one.", (Subject.BOUND,)),
    (Kind.DROP_MATH, Form.METHOD_DROPPED): LEFT_OUT,
    (Kind.DROP_MATH, Form.DROPPED): LEFT_OUT,
    (Kind.DROP_COPY, Form.METHOD_DROPPED): LEFT_OUT,
    (Kind.DROP_COPY, Form.DROPPED): LEFT_OUT,
    (Kind.DROP_CALL, Form.CALL_DROPPED): Phrase("The call of `{belongs}` is missing.", (), (), "Your code behaves as if the call of `{belongs}` were missing.", ("belongs",)),
    (Kind.IGNORE_PARAMETER, Form.ALWAYS): Phrase("{belongs} has no effect: your code works as if {belongs} were always {found}."),
    (Kind.DROP_TERM, Form.DROPPED): Phrase(
        "Your code behaves as if a term or a factor were missing from the formula: `{belongs}`, or your name for it.", (), ("belongs",), "Your code behaves as if a term or a factor were missing from the formula."
    ),
    (Kind.DROP_KEYWORD, Form.KEYWORD_DROPPED): Phrase("You never pass the argument `{belongs}`.", (), (), "Your code behaves as if `{belongs}` were not passed on in a call.", ("belongs",)),
    (Kind.DROP_GRAD_MODE, Form.DROPPED): Phrase("`{belongs}` is missing."),
    (Kind.DROP_DIM, Form.DIM_DROPPED): Phrase("`{place}` runs over all elements instead of along one axis.", (), ("place",)),
    (Kind.TOGGLE_KEEPDIM, Form.DROPPED): Phrase("keepdim is missing: the axis that broadcasting needs afterward is gone."),
    (Kind.WRONG_NAME, Form.BECAME): AS_IF,
    (Kind.FORCE_BRANCH, Form.IF_BECAME): Phrase("The case `{belongs}` is not handled separately."),
    (Kind.CHANGE_LOGIC, Form.BECAME): Phrase(
        "A condition uses `{found}` where `{belongs}` belongs.", (), ("found",), "Your code behaves as if a condition used `{found}` instead of `{belongs}`."
    ),
    (Kind.CHANGE_LOGIC, Form.NEGATION_DROPPED): Phrase("A `not` is missing in a condition."),
    (Kind.CHANGE_LOGIC, Form.DROPPED): Phrase(
        "A condition leaves out one of its parts: `{belongs}`, or your name for it.", (), ("belongs",), "A condition leaves out one of its parts."
    ),
    (Kind.LOOP_ONCE, Form.RUNS_ONCE): Phrase("A loop ends after its first iteration: a return or break inside it comes too early.", (Subject.LOOP,)),
}


def precise(slip: Slip) -> Phrase | None:
    """The sentence about exactly this slip; None if what it would name is too long, or would reveal a piece of the solution."""
    return _PRECISE.get((slip.kind, slip.form)) if _can_be_named(slip) else None


def _can_be_named(slip: Slip) -> bool:
    belongs = str(slip.belongs)
    if slip.kind is Kind.DROP_TERM:
        return belongs.removesuffix("()").isidentifier()
    if slip.kind is Kind.DROP_CALL:
        return belongs.isidentifier() and belongs not in ("append", "extend")
    if slip.kind is Kind.FORCE_BRANCH:  # two comparisons would reveal a piece of the solution
        return slip.found == "False" and len(belongs) <= 40 and not {"and", "or"} & set(re.findall(r"\w+", belongs))
    longest = {Kind.DROP_GRAD_MODE: 51, Kind.CHANGE_LOGIC: 31}.get(slip.kind)
    return longest is None or len(belongs) <= longest
