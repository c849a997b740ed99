"""A slip in words for authors of graders, as `torchdojo verify` prints it: `sum became mean`."""

from __future__ import annotations

from torchdojo.mutate.slip import Form, Slip

SAID = {
    Form.BECAME: "{belongs} became {found}",
    Form.DROPPED: "{belongs} dropped",
    Form.METHOD_DROPPED: ".{belongs}() dropped",
    Form.CALL_DROPPED: "{belongs}() dropped",
    Form.KEYWORD_DROPPED: "{belongs}= dropped",
    Form.DIM_DROPPED: "dim of {place} dropped",
    Form.FILTER_DROPPED: "filter {belongs} dropped",
    Form.BOUND_DROPPED: "bound {belongs} dropped",
    Form.BOUND_SMALLER: "bound {belongs} - 1",
    Form.BOUND_LARGER: "bound {belongs} + 1",
    Form.ADDED: "{found} added",
    Form.ALWAYS: "{belongs} is always {found}",
    Form.ALWAYS_BRANCH: "always {found}",
    Form.IF_BECAME: "if {belongs} became if {found}",
    Form.NEGATED: "condition negated",
    Form.NEGATION_DROPPED: "negation dropped",
    Form.ONLY: "only {found} is looked for",
    Form.OPERANDS: "operands of {place} swapped",
    Form.SWAPPED: "{found} and {belongs} swapped",
    Form.STATEMENTS_SWAPPED: "two statements swapped: {found} and {belongs}",
    Form.AXES_SWAPPED: "axes {found} and {belongs} of {place} swapped",
    Form.TRANSPOSED: "{found} transposed",
    Form.RETURNED: "returned {found}",
    Form.NOT_RESTORED: "nothing is restored",
    Form.RESTORED_UNLESS_RAISED: "restored only when nothing is raised",
    Form.ASSIGNMENT: "{belongs} became an assignment",
    Form.IN_PLACE: "became {found}",
    Form.RUNS_ONCE: "the loop runs once",
    Form.DEFAULT: "default {belongs} became {found}",
    Form.ANSWER: "answer {belongs} became {found}",
}


def described(slip: Slip) -> str:
    """What was done to the reference."""
    return SAID[slip.form].format(found=slip.found, belongs=slip.belongs, place=slip.place)
