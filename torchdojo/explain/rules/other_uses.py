"""What the right functions answer if they are used in another way: with every bool tensor inverted, or for each row alone.

Unlike `counterfactuals`, which change a check's inputs, this changes what reaches the function after the check has prepared it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import torch

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.pairs import close
from torchdojo.explain.symptoms import leaf
from torchdojo.judge.compare import compare
from torchdojo.wire.strict import SeenTensor

if TYPE_CHECKING:
    from torchdojo.course.exercise import Exercise
    from torchdojo.grading.checks import Check
    from torchdojo.judge.oracle import Oracle

Function = Callable[..., Any]
MOST_ROWS = 16


def inverted(function: Function) -> Function:
    """The function with True for False in every bool tensor that it is given."""

    def turned(value: Any) -> Any:
        return value.logical_not() if isinstance(value, torch.Tensor) and value.dtype == torch.bool else value

    return lambda *args, **kwargs: function(*map(turned, args), **{k: turned(v) for k, v in kwargs.items()})


def row_by_row(function: Function) -> Function:
    """The mean of the function's values for each row of its tensors; nan, as a mean of nothing is, counts as 0."""

    def averaged(*args: Any, **kwargs: Any) -> Any:
        every = [v for v in (*args, *kwargs.values()) if isinstance(v, torch.Tensor) and v.dim() >= 2]
        sizes = {len(v) for v in every}
        if len(sizes) != 1 or not sizes <= set(range(2, MOST_ROWS + 1)):
            return function(*args, **kwargs)

        def part(value: Any, i: int) -> Any:
            return value[i : i + 1] if any(value is v for v in every) else value

        rows = [function(*(part(a, i) for a in args), **{k: part(v, i) for k, v in kwargs.items()}) for i in range(sizes.pop())]
        if not all(isinstance(row, torch.Tensor) and not row.dim() for row in rows):
            return function(*args, **kwargs)
        return torch.stack(rows).nan_to_num(0.0).mean()

    return averaged


IDEAS: tuple[tuple[Kind, str, Callable[[Function], Function]], ...] = (
    (Kind.OPPOSITE, "A bool tensor is used the wrong way around: True as False, and False as True.", inverted),
    (
        Kind.COUNT,
        "Your answer is the mean of one mean for each row, so an entry of a short row counts more than one of a long row: divide the sum over all rows by the count over all rows.",
        row_by_row,
    ),
)


def cause(exercise: Exercise, check: Check, got: list[Any], tried: list[int], path: str, oracle: Oracle) -> Cause | None:
    """The one idea that explains every run that is tried, two wrong ones at least. got: what was found at `path` in each run."""
    if not all(isinstance(got[n], SeenTensor) for n in tried):
        return None
    for kind, sentence, change in IDEAS:
        functions = {k: change(f) if inspect.isfunction(f) else f for k, f in vars(exercise.grading.oracle).items() if not k.startswith("__")}
        if _explains(exercise, check, got, tried, path, oracle, SimpleNamespace(**functions)):
            return Cause(kind, sentence)
    return None


def _explains(exercise: Exercise, check: Check, got: list[Any], tried: list[int], path: str, oracle: Oracle, solution: SimpleNamespace) -> bool:
    told = 0
    for n in tried:
        device, number = oracle.runs(check)[n]
        made = leaf(oracle.supposed(exercise, check, oracle.arguments(check, n), number, device, solution).value, path)
        if not isinstance(made, SeenTensor) or (agree := _agree(got[n].data, made.data)) is False:
            return False
        told += bool(agree) and compare(made, leaf(oracle.outcome(exercise, check, n).value, path), check.tolerance) is not None
    return told >= 2


def _agree(got: torch.Tensor, made: torch.Tensor) -> bool | None:
    """Equal where both are numbers: of a row that is wholly hidden one may give nan and the other 0. None: they are numbers nowhere."""
    if got.shape != made.shape or got.dtype != made.dtype or not got.is_floating_point():
        return False
    got, made = got.detach().cpu().double(), made.detach().cpu().double()
    known = ~(got.isnan() | made.isnan())
    return close(got[known], made[known], torch.float32) if bool(known.any()) else None
