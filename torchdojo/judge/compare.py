"""Compare two observations property by property, and report the first difference.

The order is: it runs, type, shape, dtype, device, finite, value, then side effects. Only the first difference is
reported. Input and output are plain data; `explain` finds out why an answer is wrong.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Any

import torch

from torchdojo.common.plain_text import shortened
from torchdojo.judge.places import Step, named, path_of
from torchdojo.judge.tolerances import TOLERANCES
from torchdojo.wire.outcome import Outcome
from torchdojo.wire.strict import Foreign, SeenTensor

ANSWER, FACTS = 0, 1  # places in what a check with beside=True returns
PYTHON_FLOAT_ATOL = 1e-7  # a float comes from a loss or a mean more often than from a difference: nearer than a tensor's

Tolerance = tuple[float, float] | None
"""(rtol, atol) for floating values; None for what is measured for the dtype on its device."""
At = tuple[Step, ...]


@dataclass(frozen=True)
class Difference:
    """Where two observations part.

    rung: the step of the ladder. at: the keys and positions that lead to the leaf, none for a bare result; or the arguments that
    were changed. truth: what a judge says to every wrong answer. about: the function that it means, '' for any. part: which part
    of (answer, facts) it starts in, ANSWER or FACTS; None for a check that returns one value. costs_all: the exercise then has no
    points at all.
    """

    rung: str
    at: At
    sentence: str
    got: Any = None
    want: Any = None
    index: tuple[int, ...] | None = None
    truth: str = ""
    about: str = ""
    part: int | None = None
    costs_all: bool = False

    @property
    def path(self) -> str:
        """The place as a text: 'step 2.weight[0]'."""
        return path_of(self.at)


def compare(got: Any, want: Any, tolerance: Tolerance = None, at: At = (), device: str = "cpu") -> Difference | None:
    """The first difference between two values (nested containers of tensors and plain data), or None.

    tolerance: (rtol, atol) for every floating value; None takes what is measured for the dtype on the tensor's device.
    at: the position of the two in the whole answer. device: where Python numbers were computed.
    """
    if isinstance(want, SeenTensor):
        return _tensors(got, want, tolerance, at)
    if isinstance(want, dict):
        return _dicts(got, want, tolerance, at, device)
    if isinstance(want, (list, tuple)):
        return _sequences(got, want, tolerance, at, device)
    return _plain(got, want, tolerance, at, device)


def _difference(rung: str, at: At, words: str, got: Any, want: Any, index: tuple[int, ...] | None = None) -> Difference:
    return Difference(rung, at, f"{named(at)}{words}", got, want, index)


def kind_of(value: Any) -> str:
    """A value's type, as a learner would say it."""
    if value is None or isinstance(value, torch.Size):
        return "None" if value is None else "a torch.Size"
    if isinstance(value, SeenTensor):
        known = {"Tensor": "a tensor", "torch.Tensor": "a tensor", "numpy.ndarray": "a NumPy array"}
        return known.get(value.type_name) or f"a {value.type_name.rsplit('.', 1)[-1]}"
    if isinstance(value, Foreign) and value.type_name in ("Tensor", "torch.Tensor"):
        text = value.text.strip("<>")  # sparse, quantized, of a dtype that no exercise asks for: its text says which
        return f"{'an' if text.startswith('int') else 'a'} {text}"
    if isinstance(value, Foreign):
        return f"an object of type {value.type_name}" if value.type_name != "int" else "an int of more than 64 bits"
    name = type(value).__name__
    words = {"bool": "a bool", "int": "an int", "float": "a float", "str": "a string", "list": "a list", "tuple": "a tuple"}
    return words.get(name, f"a {name}")


def dtype_of(value: Any) -> torch.dtype | None:
    """A tensor's dtype, also where it is one whose numbers do not travel (uint16, float8, complex32); None without one."""
    if isinstance(value, SeenTensor):
        return value.data.dtype
    travels_not = isinstance(value, Foreign) and value.layout == "strided" and value.device != "meta"
    dtype = getattr(torch, value.dtype, None) if travels_not else None
    return dtype if isinstance(dtype, torch.dtype) else None


def _wrong_type(got: Any, want: Any, at: At) -> Difference:
    if {type(got), type(want)} in ({str, int}, {str, float}):  # 'None: never' beside 2: the answers say more than their types
        return _difference("type", at, f"got {_quoted(got, 40)}, wanted {_quoted(want, 40)}", got, want)
    hint = "" if got is not None or at else " (is a return missing?)"
    return _difference("type", at, f"got {kind_of(got)}{hint}, wanted {kind_of(want)}", got, want)


def _tensors(got: Any, want: SeenTensor, tolerance: Tolerance, at: At) -> Difference | None:
    if not isinstance(got, SeenTensor) or got.is_array != want.is_array:
        dtype = None if isinstance(got, SeenTensor) else dtype_of(got)
        if dtype in (None, want.data.dtype):
            return _wrong_type(got, want, at)
        return _difference("dtype", at, f"got dtype {_short(dtype)}, wanted {_short(want.data.dtype)}", got, want)
    a, b = got.data, want.data
    if a.shape != b.shape:
        return _difference("shape", at, f"got shape {tuple(a.shape)}, wanted {tuple(b.shape)}", got, want)
    if a.dtype != b.dtype:
        return _difference("dtype", at, f"got dtype {_short(a.dtype)}, wanted {_short(b.dtype)}", got, want)
    if got.device != want.device:
        return _difference("device", at, f"the result is on {got.device}, wanted {want.device}", got, want)
    if a.numel() == 0:
        return None
    close = _close(a, b, tolerance or tolerances(want.device, b.dtype))
    if bool(close.all()):
        return None
    index = _worst(a, b, close)
    where = f" at {list(index)}" if index else ""
    left, right = a[index].item(), b[index].item()
    if b.is_floating_point() and not math.isfinite(left) and math.isfinite(right):
        return _difference("finite", at, f"got {left}{where}, wanted {right:.6g}", got, want, index)
    wrong, total = int((~close).sum()), a.numel()
    share = f"{wrong} of {total} elements differ, the worst{where}: " if total > 1 else ""
    return _difference("value", at, f"{share}got {_show(left, right)}, wanted {_show(right, left)}", got, want, index)


def tolerances(device: str, dtype: torch.dtype) -> tuple[float, float]:
    """(rtol, atol) of a device ('sim:0') for a dtype; (0, 0) for whole numbers."""
    if not (dtype.is_floating_point or dtype.is_complex):
        return 0.0, 0.0
    table = TOLERANCES.get(device.partition(":")[0], TOLERANCES["cpu"])
    name = _short(dtype.to_real() if dtype.is_complex else dtype)
    rtol, atol = table[name] if name in table else table["float32"]
    return rtol, atol


def _close(a: torch.Tensor, b: torch.Tensor, tolerance: tuple[float, float]) -> torch.Tensor:
    if not (b.is_floating_point() or b.is_complex()):
        return a == b
    rtol, atol = tolerance
    return torch.isclose(a, b, rtol=rtol, atol=atol, equal_nan=True)


def _worst(a: torch.Tensor, b: torch.Tensor, close: torch.Tensor) -> tuple[int, ...]:
    """The index of the wrong element with the largest error; non-finite elements count as the largest."""
    gap = (a.to(torch.complex128) - b.to(torch.complex128)).abs()
    gap = torch.where(torch.isfinite(gap), gap, torch.inf)
    gap = torch.where(close, -1.0, gap)
    flat = int(gap.reshape(-1).argmax())
    index = []
    for n in reversed(a.shape):
        index.append(flat % n)
        flat //= n
    return tuple(reversed(index))


def _dicts(got: Any, want: dict[Any, Any], tolerance: Tolerance, at: At, device: str) -> Difference | None:
    if not isinstance(got, dict):
        return _wrong_type(got, want, at)
    missing = [k for k in want if k not in got]
    extra = [k for k in got if k not in want]
    if missing or extra:
        parts = [f"{_keys(missing)} missing"] * bool(missing) + [f"{_keys(extra)} not expected"] * bool(extra)
        return _difference("type", at, f"{' and '.join(parts)}", got, want)
    for key, value in want.items():
        difference = compare(got[key], value, tolerance, (*at, str(key)), device)
        if difference:
            return difference
    return None


def _keys(keys: list[Any]) -> str:
    shown = ", ".join(_quoted(k) for k in keys[:6])
    return ("key " if len(keys) == 1 else "keys ") + shown + (" and more" if len(keys) > 6 else "")


def _sequences(got: Any, want: Any, tolerance: Tolerance, at: At, device: str) -> Difference | None:
    alike = isinstance(got, tuple) if isinstance(want, tuple) else isinstance(got, list)
    if not alike:
        return _wrong_type(got, want, at)
    if len(got) != len(want):
        return _difference("shape", at, f"got {_count(len(got))}, wanted {len(want)}", got, want)
    if _all_plain(want) and _all_plain(got) and len(want) <= 12:
        for a, b in zip(got, want, strict=True):
            if compare(a, b, tolerance, device=device):
                return _difference("value", at, f"got {_listed(got, want)}, wanted {_listed(want, got)}", got, want)
        return None
    for i, (a, b) in enumerate(zip(got, want, strict=True)):
        difference = compare(a, b, tolerance, (*at, i), device)
        if difference:
            return difference
    return None


def _count(n: int) -> str:
    return "1 item" if n == 1 else f"{n} items"


def _all_plain(values: Any) -> bool:
    return all(isinstance(v, (int, float, str)) for v in values)


def _listed(values: Any, others: Any) -> str:
    pairs = zip(values, others, strict=True)
    shown = ", ".join(_python_float(v, other) if isinstance(v, float) else _quoted(v, 40) for v, other in pairs)
    return f"({shown}{',' * (len(values) == 1)})" if isinstance(values, tuple) else f"[{shown}]"


def _python_float(value: float, other: Any) -> str:
    text = _show(value, value if isinstance(other, float) and math.isclose(value, other, rel_tol=1e-12) else other)
    return text + ".0" if text.lstrip("-").isdigit() else text


def _plain(got: Any, want: Any, tolerance: Tolerance, at: At, device: str) -> Difference | None:
    numbers = isinstance(want, (int, float)) and not isinstance(want, bool)
    if numbers and isinstance(got, (int, float)) and not isinstance(got, bool):
        if isinstance(want, int) and not isinstance(got, int):
            return _wrong_type(got, want, at)
        if math.isnan(want) and math.isnan(got):
            return None
        rtol, atol = tolerance or (tolerances(device, torch.float32)[0], PYTHON_FLOAT_ATOL)
        if got == want or (isinstance(want, float) and math.isfinite(want) and abs(got - want) <= atol + rtol * abs(want)):
            return None
        if isinstance(want, float) and math.isfinite(want) and not math.isfinite(got):
            return _difference("finite", at, f"got {got}, wanted {want:.6g}", got, want)
        return _difference("value", at, f"got {_show(got, want)}, wanted {_show(want, got)}", got, want)
    if type(got) is not type(want):
        return _wrong_type(got, want, at)
    if got == want:
        return None
    return _difference("value", at, f"got {_quoted(got)}, wanted {_quoted(want)}", got, want)


def _quoted(value: Any, most: int = 120) -> str:
    if isinstance(value, Foreign):
        return value.text or value.type_name
    return shortened(repr(value), most)


def _show(value: Any, other: Any) -> str:
    """A number with as many digits as it takes to tell it from the other."""
    if not isinstance(value, float):
        return str(value)
    value = value or 0.0  # not -0
    if value == other:
        return f"{value:.6g}"
    for digits in (6, 9, 12, 17):
        text = f"{value:.{digits}g}"
        if not isinstance(other, (int, float)) or text != f"{other:.{digits}g}":
            return text
    return repr(value)


def _short(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def part_of(outcome: Outcome, part: int | None) -> Outcome:
    """The outcome with its answer alone, or its facts alone, as value. part: ANSWER, FACTS, or None for the outcome as it is.

    What shares memory is named from there on: 'weights' for '[0].weights'."""
    value = outcome.value
    if part is None or type(value) is not tuple or len(value) != 2:
        return outcome
    shares = [[re.sub(r"^\[[01]\]\.?", "", name), argument] for name, argument in outcome.shares]
    return replace(outcome, value=value[part], shares=shares)
