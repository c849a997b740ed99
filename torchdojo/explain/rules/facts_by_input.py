"""What a check has recorded at one path, for all inputs: errors, devices, modes, counts, shapes, numbers of entries."""

from __future__ import annotations

import ast
import re
from typing import Any

import torch

from torchdojo.explain.cause import Cause
from torchdojo.explain.rules import devices, refusals, sequences, shapes
from torchdojo.explain.rules import facts as records
from torchdojo.explain.topics import Topic, speaks_of
from torchdojo.judge.compare import compare
from torchdojo.wire.strict import Foreign, SeenTensor

Case = tuple[Any, Any, dict[str, Any]]
"""(answer, wanted answer, arguments by name): tensors, or plain values."""


def cause(path: str, cases: list[Case]) -> Cause | None:
    """The cause at a path that does not hold a computed value."""
    if path.endswith("num_batches_tracked"):
        return None  # a count, but of something that a learner never counts
    wrong = [(plain(got), plain(want)) for got, want, _ in cases if compare(got, want) is not None]
    chosen = [(got.text, want.text) for got, want in wrong if _is_device(got) and _is_device(want)]
    if chosen and len(chosen) == len(wrong):
        return devices.numbered(chosen)
    refused = any(refusals.is_error(plain(want)) for got, want, _ in cases if compare(got, want) is None)
    return refusals.cause(path, wrong, refused) or records.cause(path, _facts(path, cases)) or _of_told_shapes(path, cases) or _of_lengths(path, wrong)


def _is_device(value: Any) -> bool:
    return isinstance(value, Foreign) and value.type_name == "torch.device"


def _of_lengths(path: str, wrong: list[tuple[Any, Any]]) -> Cause | None:
    """Lists of the wrong length."""
    lists = [(got, want) for got, want in wrong if isinstance(got, list) and isinstance(want, list)]
    lengths = [(len(got), len(want)) for got, want in lists if len(got) != len(want)]
    return sequences.how_many(path, lengths) if len(lengths) == len(wrong) else None


def _facts(path: str, cases: list[Case]) -> records.Facts:
    """What is recorded at this place for each wrong input, where it is no tensor and no result of arithmetic."""
    facts = [(len(got), len(want)) if _in_a_row(got, want) else (plain(got), plain(want)) for got, want, _ in cases]
    chance = records.of_chance(path) and all(isinstance(v, (int, float)) for fact in facts for v in fact)
    if not chance and not all(records.is_fact(v) for fact in facts for v in fact):
        return []
    return [(got, want) for got, want in facts if records.differ(got, want)]


def plain(value: Any) -> Any:
    if isinstance(value, SeenTensor) and value.data.dim() == 0 and not value.data.is_complex():
        return value.data.item()
    return str(value) if isinstance(value, torch.dtype) else value


def _of_told_shapes(path: str, cases: list[Case]) -> Cause | None:
    """Shapes that a check has written down: (2, 3), or '(2, 3)'."""
    told = [(_shape(got), _shape(want)) for got, want, _ in cases if got != want] if speaks_of(path, Topic.SHAPE) else []
    sizes: list[tuple[torch.Tensor, torch.Tensor, dict[str, Any]]]
    sizes = [(torch.empty(got, device="meta"), torch.empty(want, device="meta"), {}) for got, want in told if got is not None and want is not None]
    return shapes.cause(sizes) if told and len(sizes) == len(told) else None


def _shape(value: Any) -> tuple[int, ...] | None:
    if isinstance(value, str) and re.fullmatch(r"\((\d+(, ?\d+)*,?)?\)", value):
        value = ast.literal_eval(value)
    whole = isinstance(value, (tuple, list)) and all(isinstance(n, int) and n >= 0 for n in value)
    return tuple(value) if whole else None


def _in_a_row(got: Any, want: Any) -> bool:
    """Two lists whose entries are not facts; their lengths are."""
    return isinstance(got, list) and isinstance(want, list) and not (records.is_fact(got) and records.is_fact(want))
