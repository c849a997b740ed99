"""What a check has recorded at one path, for all inputs: errors, modes, counts, shapes, numbers of entries."""

from __future__ import annotations

import ast
import re
from typing import Any

import torch

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.rules import facts as records
from torchdojo.explain.rules import refusals, shapes
from torchdojo.judge.compare import compare
from torchdojo.wire.strict import SeenTensor

Case = tuple[Any, Any, dict[str, Any]]
"""(answer, wanted answer, arguments by name): tensors, or plain values."""


def cause(path: str, cases: list[Case]) -> Cause | None:
    """The cause at a path that does not hold a computed value."""
    if path.endswith("num_batches_tracked"):
        return None  # a count, but of something that a learner never counts
    wrong = [(plain(got), plain(want)) for got, want, _ in cases if compare(got, want) is not None]
    refused = any(refusals.is_error(plain(want)) for got, want, _ in cases if compare(got, want) is None)
    return refusals.cause(wrong, refused) or records.cause(path, _facts(cases)) or _of_told_shapes(cases) or _of_lengths(path, wrong)


def _of_lengths(path: str, wrong: list[tuple[Any, Any]]) -> Cause | None:
    """Lists of the wrong length."""
    lists = [(got, want) for got, want in wrong if isinstance(got, list) and isinstance(want, list)]
    lengths = [(len(got), len(want)) for got, want in lists if len(got) != len(want)]
    return how_many(path, lengths) if len(lengths) == len(wrong) else None


def how_many(path: str, lengths: list[tuple[int, int]]) -> Cause | None:
    """From the actual and the wanted number of entries of a list, for each wrong input."""
    if not lengths:
        return None
    got, want = lengths[0]
    name = f"“{path}”" if path.strip("[0123456789]") else f"Entry {path}" if path else "The list"
    if all(g == 0 for g, _ in lengths):
        return Cause(Kind.ENTRIES, f"{name} is empty, but entries are expected.")
    if all(g > w for g, w in lengths):
        return Cause(Kind.ENTRIES, f"{name} has too many entries, for example {got} instead of {want}: check what adds an entry, and how often.")
    if all(g < w for g, w in lengths):
        return Cause(Kind.ENTRIES, f"{name} has too few entries, for example {got} instead of {want}: check what adds an entry, and what is skipped.")
    return None


def _facts(cases: list[Case]) -> records.Facts:
    """What is recorded at this place for each wrong input, where it is no tensor and no result of arithmetic."""
    facts = [(len(got), len(want)) if _in_a_row(got, want) else (plain(got), plain(want)) for got, want, _ in cases]
    if not all(records.is_fact(v) for fact in facts for v in fact):
        return []
    return [(got, want) for got, want in facts if records.differ(got, want)]


def plain(value: Any) -> Any:
    if isinstance(value, SeenTensor) and value.data.dim() == 0 and not value.data.is_complex():
        return value.data.item()
    return str(value) if isinstance(value, torch.dtype) else value


def _of_told_shapes(cases: list[Case]) -> Cause | None:
    """Shapes that a check has written down, as '(2, 3)'."""
    told = [(seen, wanted) for got, want, _ in cases if (seen := _shape(got)) != (wanted := _shape(want))]
    sizes: list[tuple[torch.Tensor, torch.Tensor, dict[str, Any]]]
    sizes = [(torch.empty(got, device="meta"), torch.empty(want, device="meta"), {}) for got, want in told if got is not None and want is not None]
    return shapes.cause(sizes) if told and len(sizes) == len(told) else None


def _shape(value: Any) -> tuple[int, ...] | None:
    written = isinstance(value, str) and re.fullmatch(r"\((\d+(, ?\d+)*,?)?\)", value)
    return tuple(ast.literal_eval(value)) if written else None


def _in_a_row(got: Any, want: Any) -> bool:
    """Two lists whose entries are not facts; their lengths are."""
    return isinstance(got, list) and isinstance(want, list) and not (records.is_fact(got) and records.is_fact(want))
