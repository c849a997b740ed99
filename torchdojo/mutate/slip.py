"""A slip as data: what kind it is, what stands in the program now, what belongs there, and where.

`describe` makes the sentence for authors of graders.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Kind(str, Enum):
    """The operators of mutants."""

    ADD_DETACH = "add_detach"
    ADD_TRANSPOSE = "add_transpose"
    CHANGE_COMPARISON = "change_comparison"
    CHANGE_DEFAULT = "change_default"
    CHANGE_DIM = "change_dim"
    CHANGE_LOGIC = "change_logic"
    CHANGE_NUMBER = "change_number"
    CHANGE_SIGN = "change_sign"
    DROP_CALL = "drop_call"
    DROP_COPY = "drop_copy"
    DROP_DIM = "drop_dim"
    DROP_ELSE = "drop_else"
    DROP_FINALLY = "drop_finally"
    DROP_GRAD_MODE = "drop_grad_mode"
    DROP_KEYWORD = "drop_keyword"
    DROP_MATH = "drop_math"
    DROP_TERM = "drop_term"
    DROP_TRANSPOSE = "drop_transpose"
    DROP_UPDATE = "drop_update"
    FLIP_FLAG = "flip_flag"
    FLIP_MINUS = "flip_minus"
    FORCE_BRANCH = "force_branch"
    IGNORE_NEEDS_INPUT_GRAD = "ignore_needs_input_grad"
    IGNORE_PARAMETER = "ignore_parameter"
    IN_PLACE = "in_place"
    IN_PLACE_UPDATE = "in_place_update"
    LOOP_ONCE = "loop_once"
    NEGATE_CONDITION = "negate_condition"
    OFF_BY_ONE = "off_by_one"
    RETURN_INPUT = "return_input"
    SWAP_ARGUMENTS = "swap_arguments"
    SWAP_BUILTIN = "swap_builtin"
    SWAP_FUNCTION = "swap_function"
    SWAP_JUMP = "swap_jump"
    SWAP_OPERANDS = "swap_operands"
    SWAP_REDUCTION = "swap_reduction"
    SWAP_RETURNED = "swap_returned"
    SWAP_STATEMENTS = "swap_statements"
    SWAP_VIEW = "swap_view"
    TOGGLE_KEEPDIM = "toggle_keepdim"
    WRONG_ANSWER = "wrong_answer"
    WRONG_COUNT = "wrong_count"
    WRONG_DEVICE = "wrong_device"
    WRONG_DTYPE = "wrong_dtype"
    WRONG_NAME = "wrong_name"


class Form(Enum):
    """Which of the slips of a kind."""

    PLAIN = "the only one, or the usual one"
    BECAME = "one thing became another"
    DROPPED = "something is dropped"
    METHOD_DROPPED = "a method is no longer called"
    CALL_DROPPED = "a call is dropped"
    KEYWORD_DROPPED = "an argument is no longer handed on"
    DIM_DROPPED = "a call no longer says along which axis"
    FILTER_DROPPED = "a comprehension no longer chooses"
    BOUND_DROPPED = "a bound is left out"
    BOUND_SMALLER = "a bound is smaller by one"
    BOUND_LARGER = "a bound is larger by one"
    ADDED = "something is added"
    ALWAYS = "a parameter always has one value"
    ALWAYS_BRANCH = "one branch of a conditional expression is always taken"
    IF_BECAME = "the condition of an `if` became a constant"
    NEGATED = "a condition is negated"
    NEGATION_DROPPED = "a `not` is dropped"
    ONLY = "one type is looked for, of several"
    OPERANDS = "the operands of an operator are swapped"
    SWAPPED = "two things are swapped"
    STATEMENTS_SWAPPED = "two statements are swapped"
    AXES_SWAPPED = "two axes of a call are swapped"
    TRANSPOSED = "something is transposed"
    RETURNED = "a parameter is returned"
    NOT_RESTORED = "nothing is restored"
    RESTORED_UNLESS_RAISED = "things are restored only when nothing is raised"
    ASSIGNMENT = "an update in place became an assignment"
    IN_PLACE = "an assignment became an update in place"
    RUNS_ONCE = "a loop runs once"
    DEFAULT = "a default became another"
    ANSWER = "an answer became another"


@dataclass(frozen=True)
class Slip:
    """One slip in a right program. found: what stands there; belongs: what should; place: where, such as the call that holds it."""

    kind: Kind
    form: Form = Form.PLAIN
    found: str = ""
    belongs: str = ""
    place: str = ""
