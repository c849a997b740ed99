"""What is said of mutants: of each kind in general, and precisely where names allow it."""

from __future__ import annotations

import re

from torchdojo.explain.slip_phrases import AS_IF, LEFT_OUT, STANDS, Phrase, Subject
from torchdojo.mutate.slip import Form, Kind, Slip

GENERAL: dict[Kind, Phrase] = {
    Kind.SWAP_REDUCTION: Phrase("One reduction stands where another belongs (sum, mean, max, min, ...)."),
    Kind.WRONG_COUNT: Phrase("The division is by the wrong count: all elements are not the size of one axis."),
    Kind.CHANGE_DIM: Phrase("Another axis is used than the one that should be: for the work itself, or for a size."),
    Kind.DROP_DIM: Phrase("A reduction runs over everything where it should run along one axis."),
    Kind.TOGGLE_KEEPDIM: Phrase("keepdim is not as it should be."),
    Kind.DROP_TRANSPOSE: Phrase("The axes are not in the order in which they should be: a transpose is missing, or goes another way."),
    Kind.ADD_TRANSPOSE: Phrase("There is a transpose too many."),
    Kind.DROP_MATH: Phrase("A function is left out of the formula."),
    Kind.SWAP_ARGUMENTS: Phrase("Two arguments of a call changed places."),
    Kind.SWAP_FUNCTION: Phrase("One function stands where its neighbour belongs."),
    Kind.CHANGE_SIGN: Phrase("An operator stands where another belongs."),
    Kind.FLIP_MINUS: Phrase("A minus is missing, or there is one too many."),
    Kind.SWAP_OPERANDS: Phrase("The two sides of a minus, a division or a product changed places."),
    Kind.DROP_TERM: Phrase("A term or a factor of the formula is left out."),
    Kind.CHANGE_NUMBER: Phrase("A number in the formula is another one."),
    Kind.OFF_BY_ONE: Phrase("A bound is off by one, or left out.", (Subject.BOUND,)),
    Kind.CHANGE_COMPARISON: Phrase("A comparison is not the right one: < or <=, the opposite, `is None` or `is not None`.", (Subject.COMPARISON,)),
    Kind.CHANGE_LOGIC: Phrase("A condition is put together in another way: and, or, not."),
    Kind.NEGATE_CONDITION: Phrase("A condition is turned round."),
    Kind.FORCE_BRANCH: Phrase("One of the cases is not treated on its own."),
    Kind.SWAP_BUILTIN: Phrase("A built-in function stands where another belongs, or is left out."),
    Kind.FLIP_FLAG: Phrase("A setting is True where it should be False, or the other way round."),
    Kind.DROP_COPY: Phrase("A call that looks as if it did nothing is left out (clone, detach, contiguous, item)."),
    Kind.ADD_DETACH: Phrase("The graph is cut on the way: detach, .data or a new tensor stands where gradients have to pass."),
    Kind.IN_PLACE: Phrase("Something is changed in place that should be a new tensor, or the other way round."),
    Kind.IN_PLACE_UPDATE: Phrase("x += y changes x itself, x = x + y makes a new one: here it is the other of the two."),
    Kind.DROP_GRAD_MODE: Phrase("A `with torch.no_grad():`, or a block like it, is missing."),
    Kind.WRONG_DTYPE: Phrase("The dtype is not the one that is asked for."),
    Kind.WRONG_DEVICE: Phrase("A tensor is made on the default device."),
    Kind.DROP_KEYWORD: Phrase("A setting is not handed on in a call."),
    Kind.IGNORE_PARAMETER: Phrase("An argument has no effect."),
    Kind.WRONG_NAME: Phrase("It behaves as if one variable stood where another belongs."),
    Kind.DROP_CALL: Phrase("A call is left out."),
    Kind.DROP_UPDATE: Phrase("An update is left out."),
    Kind.SWAP_STATEMENTS: Phrase("Two steps are in the wrong order."),
    Kind.RETURN_INPUT: Phrase("The input comes back."),
    Kind.SWAP_RETURNED: Phrase("The results come back in another order."),
    Kind.SWAP_JUMP: Phrase("A loop ends where it should go on, or the other way round.", (Subject.LOOP,)),
    Kind.LOOP_ONCE: Phrase("A loop ends after its first round.", (Subject.LOOP,)),
    Kind.DROP_FINALLY: Phrase("What was changed for a while is not put back, or not when something is raised."),
    Kind.DROP_ELSE: Phrase("One of the cases is not treated on its own."),
    Kind.CHANGE_DEFAULT: Phrase("A parameter has another default."),
}
"""Of the kinds that are missing here nobody should hear."""

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
"""The kinds whose sentence tells most, these first."""


def order(kind: Kind) -> int:
    """The place of a kind of mutants among all: 0 for the one whose sentence tells most."""
    return TELLING.index(kind) if kind in TELLING else len(TELLING)


_PRECISE: dict[tuple[Kind, Form], Phrase] = {
    (Kind.SWAP_REDUCTION, Form.BECAME): STANDS,
    (Kind.SWAP_FUNCTION, Form.BECAME): STANDS,
    (Kind.SWAP_BUILTIN, Form.BECAME): STANDS,
    (Kind.CHANGE_SIGN, Form.BECAME): STANDS,
    (Kind.CHANGE_COMPARISON, Form.BECAME): Phrase("A comparison asks `{found}` where it should ask `{belongs}`.", (Subject.COMPARISON,)),
    (Kind.OFF_BY_ONE, Form.BOUND_DROPPED): Phrase("A bound is left out: all is taken where a part is meant.", (Subject.BOUND,)),
    (Kind.OFF_BY_ONE, Form.BOUND_SMALLER): Phrase("A bound is too small by one.", (Subject.BOUND,)),
    (Kind.OFF_BY_ONE, Form.BOUND_LARGER): Phrase("A bound is too large by one.", (Subject.BOUND,)),
    (Kind.DROP_MATH, Form.METHOD_DROPPED): LEFT_OUT,
    (Kind.DROP_MATH, Form.DROPPED): LEFT_OUT,
    (Kind.DROP_COPY, Form.METHOD_DROPPED): LEFT_OUT,
    (Kind.DROP_COPY, Form.DROPPED): LEFT_OUT,
    (Kind.DROP_CALL, Form.CALL_DROPPED): Phrase("The call of `{belongs}` is left out."),
    (Kind.IGNORE_PARAMETER, Form.ALWAYS): Phrase("{belongs} has no effect: it works as if {belongs} were always {found}."),
    (Kind.DROP_TERM, Form.DROPPED): Phrase(
        "A term or a factor is left out of the formula: `{belongs}`, or what you call it.", (), ("belongs",), "A term or a factor is left out of the formula."
    ),
    (Kind.DROP_KEYWORD, Form.KEYWORD_DROPPED): Phrase("`{belongs}` is not handed on in a call."),
    (Kind.DROP_GRAD_MODE, Form.DROPPED): Phrase("`{belongs}` is missing."),
    (Kind.DROP_DIM, Form.DIM_DROPPED): Phrase("`{place}` runs over everything where it should run along one axis.", (), ("place",)),
    (Kind.TOGGLE_KEEPDIM, Form.DROPPED): Phrase("keepdim is lost: the axis that broadcasting needs afterwards is gone."),
    (Kind.WRONG_NAME, Form.BECAME): AS_IF,
    (Kind.FORCE_BRANCH, Form.IF_BECAME): Phrase("The case `{belongs}` is not treated on its own."),
    (Kind.CHANGE_LOGIC, Form.BECAME): Phrase(
        "`{found}` stands where `{belongs}` belongs, in a condition.", (), ("found",), "It behaves as if `{found}` stood where `{belongs}` belongs, in a condition."
    ),
    (Kind.CHANGE_LOGIC, Form.NEGATION_DROPPED): Phrase("A `not` is missing in a condition."),
    (Kind.CHANGE_LOGIC, Form.DROPPED): Phrase(
        "A condition leaves out one of its parts: `{belongs}`, or what you call it.", (), ("belongs",), "A condition leaves out one of its parts."
    ),
    (Kind.LOOP_ONCE, Form.RUNS_ONCE): Phrase("A loop ends after its first round: a return or break inside of it comes too early.", (Subject.LOOP,)),
}


def precise(slip: Slip) -> Phrase | None:
    """The sentence about just this slip; None where what it would name is too long, or would be a piece of the solution."""
    return _PRECISE.get((slip.kind, slip.form)) if _can_be_named(slip) else None


def _can_be_named(slip: Slip) -> bool:
    belongs = str(slip.belongs)
    if slip.kind is Kind.DROP_TERM:
        return belongs.removesuffix("()").isidentifier()
    if slip.kind is Kind.DROP_CALL:
        return belongs.isidentifier() and belongs not in ("append", "extend")
    if slip.kind is Kind.FORCE_BRANCH:  # two comparisons would be a piece of the solution
        return slip.found == "False" and len(belongs) <= 40 and not {"and", "or"} & set(re.findall(r"\w+", belongs))
    longest = {Kind.DROP_GRAD_MODE: 51, Kind.CHANGE_LOGIC: 31}.get(slip.kind)
    return longest is None or len(belongs) <= longest
