"""What is said about a slip of `verify`, as a learner can use it: precise where names allow it, else in general."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchdojo.explain.cause import Cause

if TYPE_CHECKING:
    from torchdojo.mutate.mutants import Mutant

_GENERAL = {
    "swap_reduction": "One reduction stands where another belongs (sum, mean, max, min, ...).",
    "wrong_count": "The division is by the wrong count: all elements are not the size of one axis.",
    "change_dim": "Another axis is used than the one that should be: for the work itself, or for a size.",
    "drop_dim": "A reduction runs over everything where it should run along one axis.",
    "toggle_keepdim": "keepdim is not as it should be.",
    "drop_transpose": "The axes are not in the order in which they should be: a transpose is missing, or goes another way.",
    "add_transpose": "There is a transpose too many.",
    "drop_math": "A function is left out of the formula.",
    "swap_arguments": "Two arguments of a call changed places.",
    "swap_function": "One function stands where its neighbour belongs.",
    "change_sign": "An operator stands where another belongs.",
    "flip_minus": "A minus is missing, or there is one too many.",
    "swap_operands": "The two sides of a minus, a division or a product changed places.",
    "drop_term": "A term or a factor of the formula is left out.",
    "change_number": "A number in the formula is another one.",
    "off_by_one": "A bound is off by one, or left out.",
    "change_comparison": "A comparison is not the right one: < or <=, the opposite, `is None` or `is not None`.",
    "change_logic": "A condition is put together in another way: and, or, not.",
    "negate_condition": "A condition is turned round.",
    "force_branch": "One of the cases is not treated on its own.",
    "swap_builtin": "A built-in function stands where another belongs, or is left out.",
    "flip_flag": "A setting is True where it should be False, or the other way round.",
    "drop_copy": "A call that looks as if it did nothing is left out (clone, detach, contiguous, item).",
    "add_detach": "The graph is cut on the way: detach, .data or a new tensor stands where gradients have to pass.",
    "in_place": "Something is changed in place that should be a new tensor, or the other way round.",
    "in_place_update": "x += y changes x itself, x = x + y makes a new one: here it is the other of the two.",
    "drop_grad_mode": "A `with torch.no_grad():`, or a block like it, is missing.",
    "wrong_dtype": "The dtype is not the one that is asked for.",
    "wrong_device": "A tensor is made on the default device.",
    "drop_keyword": "A setting is not handed on in a call.",
    "ignore_parameter": "An argument has no effect.",
    "wrong_name": "It behaves as if one variable stood where another belongs.",
    "drop_call": "A call is left out.",
    "drop_update": "An update is left out.",
    "swap_statements": "Two steps are in the wrong order.",
    "return_input": "The input comes back.",
    "swap_returned": "The results come back in another order.",
    "swap_jump": "A loop ends where it should go on, or the other way round.",
    "loop_once": "A loop ends after its first round.",
    "drop_finally": "What was changed for a while is not put back, or not when something is raised.",
    "drop_else": "One of the cases is not treated on its own.",
    "ignore_needs_input_grad": "",
    "change_default": "A parameter has another default.",
    "swap_view": "",
    "wrong_answer": "",
}

_TELLING = (
    "ignore_parameter change_dim drop_dim toggle_keepdim wrong_count swap_reduction drop_transpose add_transpose drop_copy "
    "add_detach drop_grad_mode wrong_dtype wrong_device drop_finally loop_once off_by_one drop_math swap_function "
    "swap_builtin change_sign flip_minus drop_term swap_operands swap_arguments wrong_name drop_call drop_update "
    "swap_statements swap_returned return_input in_place in_place_update drop_keyword change_comparison negate_condition "
    "change_logic force_branch"
)
_PLACES = {kind: place for place, kind in enumerate(_TELLING.split())}


def order(kind: str) -> int:
    """The place of a kind of mutants among all: 0 for the one whose sentence tells most."""
    return _PLACES.get(kind, len(_PLACES))


def of_mutant(mutant: Mutant) -> tuple[Cause, Cause] | None:
    """(precise, general) sentence about a slip; None for one that nobody should hear of."""
    general = _GENERAL.get(mutant.operator, "")
    if not general:
        return None
    precise = _precise(mutant.operator, mutant.description.rpartition(" on line ")[0])
    return Cause(mutant.operator, precise or general), Cause(mutant.operator, general)


def _precise(operator: str, what: str) -> str | None:
    became = re.fullmatch(r"(.+) became (.+)", what)
    dropped = re.fullmatch(r"\.?(\w+)(?:\(\))? dropped", what)
    always = re.fullmatch(r"(\w+) is always (.+)", what)
    name = re.compile(r"[\w.]+")
    if operator in ("swap_reduction", "swap_function") and became:
        return f"`{became[2]}` stands where `{became[1]}` belongs."
    if operator == "swap_builtin" and became:
        return f"`{became[2]}` stands where `{became[1]}` belongs."
    if operator == "change_sign" and became:
        return f"`{became[2]}` stands where `{became[1]}` belongs."
    if operator == "change_comparison" and became:
        return f"A comparison asks `{became[2]}` where it should ask `{became[1]}`."
    if operator == "off_by_one":
        return "A bound is left out: all is taken where a part is meant." if what.endswith(" dropped") else f"A bound is too {'small' if what.endswith('- 1') else 'large'} by one."
    if operator in ("drop_math", "drop_copy") and dropped:
        return f"`{dropped[1]}` is left out."
    if operator == "drop_call" and dropped and dropped[1] not in ("append", "extend"):
        return f"The call of `{dropped[1]}` is left out."
    if operator == "ignore_parameter" and always:
        return f"{always[1]} has no effect: it works as if {always[1]} were always {always[2]}."
    if operator == "drop_term" and dropped and name.fullmatch(dropped[1]) and not dropped[1].isdigit():
        return f"A term or a factor is left out of the formula: `{dropped[1]}`, or what you call it."
    if operator == "drop_keyword" and what.endswith("= dropped"):
        return f"`{what.removesuffix('= dropped')}` is not handed on in a call."
    if operator == "drop_grad_mode":
        return f"`{what.removesuffix(' dropped')}` is missing." if len(what) < 60 else None
    if operator == "drop_dim":
        return f"`{what.removeprefix('dim of ').removesuffix(' dropped')}` runs over everything where it should run along one axis."
    if operator == "toggle_keepdim":
        return "keepdim is lost: the axis that broadcasting needs afterwards is gone." if what == "keepdim dropped" else None
    if operator == "wrong_name" and became and all(name.fullmatch(g) for g in became.groups()):
        return f"It behaves as if `{became[2]}` stood where `{became[1]}` belongs (your names may differ)."
    if operator == "force_branch" and (case := re.fullmatch(r"if (.+) became if False", what)) and len(case[1]) <= 40 and not re.search(r"\b(and|or)\b", case[1]):
        return f"The case `{case[1]}` is not treated on its own."
    if operator == "change_logic" and became:
        return f"`{became[2]}` stands where `{became[1]}` belongs, in a condition."
    if operator == "change_logic" and what.endswith(" dropped") and len(what) < 40:
        return "A `not` is missing in a condition." if what == "negation dropped" else f"A condition leaves out one of its parts: `{what.removesuffix(' dropped')}`, or what you call it."
    if operator == "loop_once":
        return "A loop ends after its first round: a return or break inside of it comes too early."
    return None
