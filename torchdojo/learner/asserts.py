"""`assert_same`: the one assertion of the visible tests. It compares like the hidden graders do, and explains."""

from __future__ import annotations

from typing import Any

import torch

from torchdojo.compare import compare
from torchdojo.diagnose.symptoms import symptom
from torchdojo.feedback import row, value_text
from torchdojo.worker import wire


class NotSame(AssertionError):
    """The answer of a visible test is not the wanted one; the message says where and, if it can, why."""


def assert_same(got: Any, want: Any, *, tolerance: tuple[float, float] | None = None) -> None:
    """Check that `got` is what is wanted: type, shape, dtype, device, then values within rounding.

    got, want: tensors, numbers, strings, or lists, tuples and dicts of them. tolerance: (rtol, atol), where the dtype's
    usual one does not fit. Raises NotSame, an AssertionError whose message explains the first difference.
    """
    __tracebackhide__ = True
    seen, wanted = (wire.decode(wire.encode(value)) for value in (got, want))
    difference = compare(seen, wanted, tolerance)
    if difference is None:
        return
    pairs: list[Any] = []
    if isinstance(got, torch.Tensor) and isinstance(want, torch.Tensor):
        pairs = [(seen.data, wanted.data, {})]
    cause = symptom(difference, pairs)
    lines = [row("got", value_text(seen)), row("wanted", value_text(wanted)), row("went wrong", difference.sentence)]
    if cause:
        lines.append(row("likely cause", cause))
    raise NotSame("\n".join(lines))
