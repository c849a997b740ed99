"""Name the one slip of the pen that a wrong answer behaves like: a square root left out, a plus for a minus, another axis.

Where no known mistake fits, the reference is changed by one slip at a time (the mutants of `verify`), and a slip is named
when it gives what came back on every input of every check. Slips of several kinds that explain the same are left unsaid.
Hidden side only. A slip that would run on and on is stopped after a fixed number of lines, the same on every machine.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from types import FrameType, ModuleType
from typing import TYPE_CHECKING, Any

from torchdojo.diagnose.cause import Cause
from torchdojo.diagnose.mistakes import same

if TYPE_CHECKING:
    from torchdojo.exercise import Exercise
    from torchdojo.grading.checks import Check
    from torchdojo.oracle import Oracle
    from torchdojo.verify.mutants import Mutant

MOST_SLIPS = 240
MOST_LINES = 20_000  # of the changed reference, in one run
FILE = "<a slip>"


class RunsOn(Exception):
    """A changed reference that does not come to its end."""


def cause(exercise: Exercise, first: Check, verdicts: dict[Check, Any], oracle: Oracle) -> Cause | None:
    """The slip that explains all outcomes. first: the check to begin with; verdicts: those of all checks."""
    asked = [first, *(c for c in verdicts if c is not first and verdicts[c].status in ("passed", "failed"))]
    source = exercise.reference.read_text(encoding="utf-8")
    if hasattr(exercise.reference_module, "ANSWERS") or not verdicts[first].outcomes or not hasattr(sys, "settrace"):
        return None
    found: list[tuple[Cause, Cause]] = []
    for mutant in oracle.slips(exercise, source, MOST_SLIPS):
        spoken = _words(mutant)
        if spoken is None:
            continue
        if all(_explains(exercise, check, verdicts[check], mutant, oracle) for check in asked):
            found.append(spoken)
    for level in (0, 1):  # the precise sentence, else the general one
        sentences = {str(pair[level]) for pair in found}
        if len(sentences) == 1:
            return found[0][level]
    return None


def _explains(exercise: Exercise, check: Check, verdict: Any, mutant: Mutant, oracle: Oracle) -> bool:
    """Does the slip do what was observed, on every run of the check? The run that failed is tried first."""
    if not verdict.outcomes:
        return False
    order = [verdict.example, *(n for n in range(len(verdict.outcomes)) if n != verdict.example)]
    return all(same([verdict.outcomes[n]], [_outcome(exercise, check, n, mutant, oracle)], check) for n in order)


def _outcome(exercise: Exercise, check: Check, number: int, mutant: Mutant, oracle: Oracle) -> dict[str, Any]:
    def make() -> ModuleType:
        module, known = ModuleType(exercise.stem), sys.modules.get(exercise.stem)
        sys.modules[exercise.stem] = module
        try:
            exec(compile(mutant.source, FILE, "exec", dont_inherit=True), module.__dict__)
        finally:
            if known is not None:
                sys.modules[exercise.stem] = known
        return module

    return oracle.slip(exercise, check, number, mutant.id, make, limited)


def limited(function: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """function(), unless the changed reference runs too many lines."""
    left = MOST_LINES

    def line(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise RunsOn("runs on and on")
        return line

    def call(frame: FrameType, event: str, argument: Any) -> Any:
        return line if frame.f_code.co_filename == FILE else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        return function()
    finally:
        sys.settrace(before)


# ------------------------------------------------------------------ words
_GENERAL = {
    "swap_reduction": "One reduction stands where another belongs (sum, mean, max, min, ...).",
    "wrong_count": "The division is by the wrong count: all elements are not the size of one axis.",
    "change_dim": "The work is done along another axis than it should be.",
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
    "wrong_name": "One variable stands where another belongs.",
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


def _words(mutant: Mutant) -> tuple[Cause, Cause] | None:
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
        return f"`{became[2]}` is used where `{became[1]}` belongs (your names may differ)."
    if operator == "loop_once":
        return "A loop ends after its first round: a return or break inside of it comes too early."
    return None
