"""`assert_same`: the only assertion of the visible tests. It compares like the hidden graders, and explains the difference."""

from __future__ import annotations

import inspect
from typing import Any

import torch

from torchdojo.explain.labels import CAUSE, OBSERVED, row
from torchdojo.explain.layout import shapes_text, told_apart, value_text
from torchdojo.explain.symptoms import leaf, of_one
from torchdojo.judge.compare import compare
from torchdojo.wire import strict as wire


class NotSame(AssertionError):
    """The answer of a visible test is not the expected one; the message says where and, if it can, why.

    seen: the rows about the difference. cause: the likely cause, if it is known, under its label. got: the answer, as text.
    """

    def __init__(self, seen: str, cause: str | None = None, got: str = "", label: str = CAUSE) -> None:
        super().__init__("\n".join([seen, row(label, cause)]) if cause else seen)
        self.seen, self.cause, self.got, self.label = seen, cause, got, label


def assert_same(got: Any, want: Any, *, tolerance: tuple[float, float] | None = None) -> None:
    """Check that `got` equals `want`: type, shape, dtype, device, then values within rounding.

    got, want: tensors, numbers, strings, or lists, tuples and dicts of them. tolerance: (rtol, atol), where the dtype's
    usual one does not fit. Raises NotSame, an AssertionError whose message explains the first difference.
    """
    __tracebackhide__ = True
    seen, wanted = (wire.decode(wire.encode(value)) for value in (got, want))
    difference = compare(seen, wanted, tolerance)
    if difference is None:
        return
    frame = inspect.currentframe()
    test = frame.f_back if frame is not None else None
    names = _given(test.f_locals if test is not None else {}, got, want)
    cause = of_one(difference, leaf(seen, difference.at), leaf(wanted, difference.at), names)
    texts = told_apart(seen, wanted)
    both = [row("got", texts[0]), row("wanted", texts[1])] if texts else []
    lines = [*both, row("went wrong", difference.sentence)]
    shapes = shapes_text(difference)
    if shapes:
        lines.append(row("shapes", shapes))
    label = OBSERVED if cause is not None and cause.is_fact else CAUSE
    raise NotSame("\n".join(lines), cause.sentence if cause else None, value_text(seen), label)


def _given(variables: dict[str, Any], got: Any, want: Any) -> dict[str, torch.Tensor | float]:
    """The test's variables that may be inputs of the answer: neither the answer nor the expected value."""
    given: dict[str, torch.Tensor | float] = {}
    for name, value in variables.items():
        if isinstance(value, (torch.Tensor, int, float)) and value is not want and value is not got and name not in ("got", "want"):
            given[name] = value
    return given
