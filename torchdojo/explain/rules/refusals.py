"""An error instead of an answer, an answer instead of an error, or an error of the wrong type.

Checks record an error by its name ('ValueError'), alone or next to what else was noted, under "error".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from torchdojo.explain.cause import Cause, Kind

ASKED = ("an error", "refused", "ValueError", "TypeError", "IndexError", "KeyError", "AttributeError", "RuntimeError", "FileNotFoundError")
"""Errors that an exercise asks a function to raise; any other error comes from what it was given."""
NAME = re.compile(r"\w*(Error|Exception)|refused|Stop\w*Iteration")


def cause(pairs: list[tuple[Any, Any]], refused: bool = False) -> Cause | None:
    """From (what came back, what is wanted) for each wrong input: which of the two is an error, on all of them.

    refused: other inputs are refused, as they should be.
    """
    if not pairs:
        return None
    if all(isinstance(got, dict) and isinstance(want, dict) for got, want in pairs):
        return _under_a_key(pairs)
    pairs = [(_name(got), _name(want)) for got, want in pairs]
    got, want = pairs[0]
    if all(is_error(w) and not is_error(g) for g, w in pairs):
        name = want if want != "refused" else "an error"
        if name == "RuntimeError":  # often PyTorch's own
            return Cause(Kind.NO_ERROR, "A RuntimeError is expected here, and none is raised: nothing checks for this case, or PyTorch's own check is bypassed (strict=False, a retained graph, an `except`).")
        if name not in ASKED:
            return Cause(Kind.NO_ERROR, f"The {name} raised inside should reach the caller, but doesn't: check what catches it, or skips the call that raises it.")
        if refused:
            return Cause(Kind.NO_ERROR, f"Some invalid inputs raise an error, but not this one. Raise {name} here, too.")
        return Cause(Kind.NO_ERROR, f"No error is raised for this input: it should raise {name}.")
    if all(is_error(g) and not is_error(w) for g, w in pairs):
        return _unwanted(str(got))
    if all(is_error(g) and is_error(w) for g, w in pairs):
        if want == "UnpicklingError":
            said = "torch.load(..., weights_only=True) refuses such a file with an UnpicklingError before any of its code runs: here the file was loaded, or another error came first."
            return Cause(Kind.ERROR, said)
        if want not in ASKED:
            return Cause(Kind.ERROR, f"The {want} raised inside should reach the caller unchanged, but another error replaces it: check the code in `except` or `finally`.")
        if all(g == "AssertionError" for g, _ in pairs):
            return Cause(Kind.ERROR, f"`assert` raises an AssertionError, and checks nothing under python -O: write `if ...: raise {want}(...)` instead.")
        return Cause(Kind.ERROR, f"The error has the wrong type: {want} should be raised, before anything else fails.")
    if all(is_error(w) for _, w in pairs):
        return Cause(Kind.NO_ERROR, f"Some invalid inputs are accepted and others raise a different error, but all should raise {want}: check for them first.")
    if all(is_error(g) != is_error(w) for g, w in pairs):
        return Cause(Kind.ERROR, "Some valid inputs raise an error, and some invalid ones pass: the condition for raising it is wrong.")
    return None


def _name(value: Any) -> Any:
    """'a ValueError' and 'an error' without the article."""
    return re.sub(r"^an? (?=\w*(Error|Exception)$)", "", value) if isinstance(value, str) else value


def is_error(value: Any) -> bool:
    """'ValueError', 'refused' and the like; also 'a ValueError'."""
    value = _name(value)
    return isinstance(value, str) and NAME.fullmatch(value) is not None


def _unwanted(got: str) -> Cause:
    if got == "UnpicklingError":
        said = "The file holds more than plain values, most likely a whole object such as the model: save its state_dict, numbers and tensors; weights_only=True allows these."
    else:
        said = f"{got} is raised where no error is expected."
    return Cause(Kind.ERROR, said)


def _under_a_key(pairs: list[tuple[Any, Any]]) -> Cause | None:
    """Several things are noted, an error among them: what else is there, or missing, follows from it."""

    def every(test: Callable[[dict[Any, Any], dict[Any, Any]], bool]) -> bool:
        return all(test(got, want) for got, want in pairs)

    if every(lambda got, want: "error" in got and "error" in want and got["error"] != want["error"]):
        errors = [(got["error"], want["error"]) for got, want in pairs]
        if all(got == "no error" for got, _ in errors):  # something was done before: perhaps it had to be
            return Cause(Kind.NO_ERROR, f"No error is raised for this input: it should raise {errors[0][1]}.")
        return cause(errors)
    if every(lambda got, want: "error" in want and "error" not in got):
        return Cause(Kind.NO_ERROR, "No error is raised for this input: raise one whose message says what is wrong.")
    if every(lambda got, want: "error" in got and "error" not in want):
        name = pairs[0][0]["error"]
        return Cause(Kind.ERROR, f"{name if is_error(name) else 'An error'} is raised where no error is expected.")
    return None
