"""A sketch of an outcome: a digest of all that is exact, and sums of its floating-point numbers.

Two outcomes agree when their sketches do: the same form (types, shapes, dtypes, devices, whole numbers, texts, errors, side
effects), and floating-point numbers that are equal within the tolerances of `judge.compare`. A sketch has at most 144 bytes, so
what all known mistakes answer can be kept, and comparing one takes microseconds.

Numbers are summed in buckets, each with a weight of its own: up to 16 numbers are compared one by one. asinh comes first, so that
one large number does not hide the small ones beside it.
"""

from __future__ import annotations

import functools
import hashlib
import math
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from torchdojo.grading.checks import Check
from torchdojo.judge.compare import PYTHON_FLOAT_ATOL, tolerances
from torchdojo.judge.same import rules_broken
from torchdojo.wire.outcome import Outcome
from torchdojo.wire.strict import SeenTensor

BUCKETS = 16
DIGEST = 16  # bytes
NUMBER = re.compile(r"\d+")
GOLDEN = (math.sqrt(5) - 1) / 2
Tolerance = tuple[float, float] | None


@dataclass(frozen=True)
class Sketch:
    """form: a digest of what is exact; sums: of the floating-point numbers, by bucket; slack: how far these may be apart."""

    form: bytes
    sums: tuple[float, ...]
    slack: tuple[float, ...]

    def packed(self) -> bytes:
        """What is kept of it: all but the slack, which the other side has."""
        return self.form + struct.pack(f"<{len(self.sums)}d", *self.sums)

    def agrees(self, packed: bytes) -> bool:
        """Is the other outcome the same, within the tolerances?"""
        if packed[:DIGEST] != self.form:
            return False
        others = struct.unpack(f"<{len(packed[DIGEST:]) // 8}d", packed[DIGEST:])
        return len(others) == len(self.sums) and all(
            abs(mine - other) <= slack for mine, other, slack in zip(self.sums, others, self.slack, strict=True)
        )


def sketch(outcome: Outcome, check: Check) -> Sketch:
    """The sketch of one outcome of a check. Of an error only its type and its text count: a + b and b + a name sizes in another order."""
    form: list[bytes] = []
    numbers: list[tuple[torch.Tensor, float, float]] = []
    if (raised := outcome.raised) is not None:
        form += [b"raised", repr((raised.type, NUMBER.sub("#", raised.text), sorted(NUMBER.findall(raised.text)))).encode()]
    else:
        _walk(outcome.value, check.tolerance, form, numbers)
        effects = [sorted(found) for found in (outcome.changed, outcome.marked, outcome.shares, outcome.state)]
        form.append(repr((rules_broken(outcome, check), effects)).encode())
    found = hashlib.blake2b(digest_size=DIGEST)
    for part in form:
        found.update(len(part).to_bytes(8, "big") + part)
    return Sketch(found.digest(), *_summed(numbers))


def _walk(value: Any, tolerance: Tolerance, form: list[bytes], numbers: list[tuple[torch.Tensor, float, float]]) -> None:
    if isinstance(value, SeenTensor):
        _tensor(value, tolerance, form, numbers)
    elif isinstance(value, dict):
        form.append(b"{%d" % len(value))
        for key in sorted(value, key=repr):
            form.append(repr(key).encode())
            _walk(value[key], tolerance, form, numbers)
    elif isinstance(value, (list, tuple)):
        form.append(b"%c%d" % (b"(" if isinstance(value, tuple) else b"[", len(value)))
        for part in value:
            _walk(part, tolerance, form, numbers)
    elif isinstance(value, float) and math.isfinite(value):
        form.append(b"float")
        rtol, atol = tolerance or (tolerances("cpu", torch.float32)[0], PYTHON_FLOAT_ATOL)
        numbers.append((torch.tensor([value], dtype=torch.float64), rtol, atol))
    else:
        form.append(f"{type(value).__name__} {value!r}".encode())


def _tensor(value: SeenTensor, tolerance: Tolerance, form: list[bytes], numbers: list[tuple[torch.Tensor, float, float]]) -> None:
    data = value.data
    form.append(f"tensor {tuple(data.shape)} {data.dtype} {value.device}".encode())
    if not (data.is_floating_point() or data.is_complex()):
        form.append(data.contiguous().numpy().tobytes())
        return
    real = torch.view_as_real(data.resolve_conj()) if data.is_complex() else data
    flat = real.detach().to(torch.float64).reshape(-1)
    finite = torch.isfinite(flat)
    if not bool(finite.all()):
        form.append(torch.where(finite, 0.0, flat).nan_to_num(nan=3.0, posinf=1.0, neginf=2.0).to(torch.int8).numpy().tobytes())
        flat = torch.where(finite, flat, 0.0)
    numbers.append((flat, *(tolerance or tolerances(value.device, data.dtype))))


def _summed(numbers: Sequence[tuple[torch.Tensor, float, float]]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """(sums, slack) of all floating-point numbers, in their order."""
    count = sum(len(flat) for flat, _, _ in numbers)
    if not count:
        return (), ()
    whole = torch.cat([flat for flat, _, _ in numbers])
    size = whole.abs()
    allowed = torch.cat([(atol + rtol * flat.abs()) for flat, rtol, atol in numbers])
    weights = _weights(count)
    parts = torch.stack([torch.asinh(whole) * weights, 1.1 * weights * allowed / torch.sqrt(1 + size * size)])
    buckets = min(count, BUCKETS)
    padded = torch.nn.functional.pad(parts, (0, -count % buckets)).reshape(2, -1, buckets).sum(1)
    sums, slack = padded.tolist()
    return tuple(sums), tuple(slack)


@functools.lru_cache(512)
def _weights(count: int) -> torch.Tensor:
    """From 1 to 2, no two alike."""
    return 1 + torch.arange(count, dtype=torch.float64).mul(GOLDEN).remainder(1)
