"""What can be sent: the dtypes, plain values, and what replaces a tensor or an object that can't be sent."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from types import BuiltinFunctionType
from typing import Any

import torch

from torchdojo.limits import FRAME_DEPTH

TEXT = 200  # characters of the text of an object that can't be sent
KEYS = frozenset((str, bool, int, type(None)))  # types for which few values can be made to collide
DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        *(torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128),
        *(torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64, torch.bool),
    )
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
SIZES = {dtype: torch.empty(0, dtype=dtype).element_size() for dtype in NAMES}
PLAIN = frozenset((str, bool, int, float, type(None)))


@dataclass(frozen=True)
class Foreign:
    """Something that is not plain data: its type, the start of its text; of a tensor also its dtype, layout and device."""

    type_name: str
    text: str
    dtype: str = ""
    layout: str = ""
    device: str = ""

    def __repr__(self) -> str:
        """As a learner may read it in a message: its own text, or 'a function'."""
        return self.text if self.text not in ("", self.type_name) else f"a {self.type_name}"


@dataclass(slots=True)
class SeenTensor:
    """A tensor as it was found in the worker: its values (on the CPU, contiguous) and where it lived."""

    data: torch.Tensor
    device: str
    type_name: str = "Tensor"

    @property
    def is_array(self) -> bool:
        """Was it a NumPy array?"""
        return self.type_name == "numpy.ndarray"


def lossy(value: Any) -> Foreign | None:
    """The first object in nested containers whose text doesn't tell its value: it was cut off, or names a type or form."""
    if isinstance(value, Foreign):
        forms = ("dict", "list", "tuple", "int", "Tensor", "torch.Tensor")
        cut = len(value.text) >= TEXT or value.text in ("", value.type_name) or value.type_name in forms
        return value if cut else None
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return next((found for part in parts if (found := lossy(part)) is not None), None)


# Read from the type itself: a class of the learner's may have a metaclass, a __class__ or a __getattr__ that answers anything.
_mro, _names = type.__dict__["__mro__"].__get__, type.__dict__["__dict__"].__get__
_module, _qualname = type.__dict__["__module__"].__get__, type.__dict__["__qualname__"].__get__
# types whose repr is written in C and asks no other object for its own
_READABLE = (
    type,
    range,
    bytes,
    bytearray,
    complex,
    BuiltinFunctionType,
    type(...),
    type(NotImplemented),
    torch.layout,
    torch.memory_format,
    Decimal,
)


def type_name(x: Any) -> str:
    """The name of an object's type, with its module unless that is obvious. No code of the type runs."""
    kind = type(x)
    module, name = _module(kind), str.__getitem__(_qualname(kind), slice(100))
    return name if type(module) is not str or module in ("builtins", "__main__", "") else f"{module}.{name}"[:160]


def has_name(kind: type, name: str) -> bool:
    """Does a class or one of its bases define a name?"""
    return any(name in _names(base) for base in _mro(kind))


def _is_readable(x: Any, depth: int) -> bool:
    kind = type(x)
    if kind in (tuple, set, frozenset, slice) and depth < FRAME_DEPTH:
        parts = (x.start, x.stop, x.step) if kind is slice else x
        return all(_is_readable(part, depth + 1) for part in parts)
    return kind in PLAIN or kind in _READABLE


def text_of(x: Any) -> str:
    """The start of repr(x) where that runs no code of the learner's; otherwise the name of its type."""
    if not _is_readable(x, 0):
        return type_name(x)
    text = repr(x)  # without memory addresses, which would differ from run to run
    return text[:TEXT] if " at 0x" not in text else type_name(x)
