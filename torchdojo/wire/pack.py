"""Encode plain data and tensors as the bodies of frames: `encode`. strict.py describes the format and reads it.

Only exact types are read, and what Python and PyTorch store of their subclasses. No method of an answer's own class runs:
of an object of any other class, only the name of its type is sent.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable
from ctypes import string_at
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from torchdojo.limits import DICT_KEYS, FRAME_DEPTH
from torchdojo.wire.frames import LENGTH
from torchdojo.wire.values import (
    DTYPES,
    KEYS,
    NAMES,
    PLAIN,
    SIZES,
    TEXT,
    Foreign,
    SeenTensor,
    has_name,
    text_of,
    type_name,
)

_Tensor, _strided = torch.Tensor, torch.strided
_REAL = frozenset(dtype for dtype in NAMES if not dtype.is_complex)
_OF_NUMPY = {np.dtype(name): name for name in DTYPES if hasattr(np, name)}  # all but bfloat16
_quote = json.encoder.encode_basestring_ascii
_encoder = json.JSONEncoder(ensure_ascii=True, check_circular=False, separators=(",", ":"))  # _pack makes trees only


def _json_maker() -> Callable[[Any], str]:
    """A value's JSON text. JSONEncoder.encode makes the C encoder afresh each time: half of the time of a small frame."""
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return _encoder.encode
    chunks = make(None, _encoder.default, _quote, None, ":", ",", False, False, True)
    return lambda value: "".join(chunks(value, 0))


_json = _json_maker()


@dataclass(frozen=True, slots=True)
class Packed:
    """A value, and its text and bytes when it was packed. Later changes aren't sent."""

    value: Any
    text: str
    blobs: list[Any]

    @classmethod
    def of(cls, value: Any) -> Packed:
        """Pack a value now, to be part of a larger one."""
        blobs: list[Any] = []
        return cls(value, _pack(value, blobs, 1, False), blobs)


def encode(value: Any, *, views: bool = False) -> bytes:
    """Return the frame body for a value. Unknown objects become Foreign.

    NumPy arrays in an answer travel like tensors, and NumPy scalars as Python numbers.

    views: tensors keep their strides, for a reader that decodes with views as well (arguments on their way to the
    worker). Otherwise they are sent contiguous, so that an observation is never larger than its frame.
    """
    blobs: list[Any] = []
    head = _pack(value, blobs, 0, views).encode()
    size = len(head) + -(4 + len(head)) % 8  # aligns the first tensor, so that it can be read without a copy
    return b"".join((LENGTH.pack(size), head.ljust(size), *blobs))


def _pack(x: Any, blobs: list[Any], depth: int, views: bool) -> str:
    """The JSON text of a value; the bytes of its tensors are appended to blobs."""
    kind = type(x)
    if kind is _Tensor and x.is_cpu and x.dtype in _REAL and x.layout is _strided and x.is_contiguous() and not x.is_neg():
        text, size = _form_text(x.dtype, x.shape)
        blobs.append(string_at(x.data_ptr(), size) if size else b"")  # half of the time of x.numpy()
        return text
    if kind is str:
        return _quote(x)
    if kind is int:
        return repr(x) if -(1 << 63) <= x < 1 << 63 else _json({"?": ["int", f"{x.bit_length()} bits"]})
    if kind is bool:
        return "true" if x else "false"
    if kind in PLAIN:
        return _json(x)
    if kind is Packed:
        blobs += x.blobs
        return str(x.text)
    if kind is bytes:
        blobs.append(x)
        return f'{{"b":{len(x)}}}'
    if depth >= FRAME_DEPTH:
        return _json({"?": [kind.__name__, "nested too deep"]})
    if kind is list:
        kinds = set(map(type, x))
        if kinds < PLAIN and (int not in kinds or (kinds == {int} and min(x) >= -(1 << 63) and max(x) < 1 << 63)):
            return _json(x)  # all of it at once
        return f"[{','.join([_pack(y, blobs, depth + 1, views) for y in x])}]"
    if kind is tuple:
        return f'{{"t":[{",".join([_pack(y, blobs, depth + 1, views) for y in x])}]}}'
    if issubclass(kind, dict):
        entries = [*dict.items(x)]
        if len(entries) > DICT_KEYS and not views:
            return _json({"?": ["dict", f"a dict of {len(entries)} keys"]})
        for k, _ in entries:
            if type(k) is not str:
                break
        else:
            return '{"m":{' + ",".join([f"{_quote(k)}:{_pack(v, blobs, depth + 1, views)}" for k, v in entries]) + "}}"
        pairs = [f"[{_pack(_key(k, views), blobs, depth + 1, views)},{_pack(v, blobs, depth + 1, views)}]" for k, v in entries]
        return f'{{"d":[{",".join(pairs)}]}}'
    if issubclass(kind, tuple) and has_name(kind, "_fields"):  # a named tuple is a tuple; what max(0) gives is named
        return _pack((*tuple.__iter__(x),), blobs, depth + 1, views)
    return _json(_pack_object(x, blobs, views))


def _key(k: Any, views: bool) -> Any:
    """A key of a dict as it travels: in an answer, one that is neither text nor a number of 64 bits nor None becomes its text."""
    if views or (type(k) in KEYS and (type(k) is not int or -(1 << 63) <= k < 1 << 63)):
        return k
    return text_of(k)


def _pack_object(x: Any, blobs: list[Any], views: bool) -> Any:
    kind = type(x)
    if issubclass(kind, _Tensor):
        return _pack_tensor(x, blobs, views)
    if kind is SeenTensor:
        return _pack_tensor(x.data, blobs, views)
    if kind is torch.Size:
        return {"size": list(x)}
    if kind is torch.dtype:
        return {"dtype": str(x).removeprefix("torch.")}
    if kind is torch.device:
        return {"device": str(x)}
    if kind is complex:
        return {"c": [x.real, x.imag]}
    if kind is Foreign:
        return {"?": [x.type_name, x.text, x.dtype, x.layout, x.device]}
    if kind is np.ndarray and not views:
        return _pack_array(x, blobs)
    if issubclass(kind, (np.number, np.bool_)) and not views and type(plain := np.generic.item(x)) in (*PLAIN, complex):
        return json.loads(_pack(plain, blobs, 0, views))
    return {"?": [type_name(x), text_of(x)]}


def plain_tensor(x: torch.Tensor) -> torch.Tensor | None:
    """The same data as a plain tensor, whose shape and dtype no subclass has made up; None if the class would have to be asked."""
    if type(x) is not _Tensor and torch._C._dispatch_keys(x).has(torch._C.DispatchKey.Python):
        return None
    with torch._C.DisableTorchFunctionSubclass():
        data = _Tensor.detach(x)
        return data if type(data) is _Tensor else _Tensor.as_subclass(data, _Tensor)


def _pack_tensor(x: torch.Tensor, blobs: list[Any], views: bool) -> Any:
    data = plain_tensor(x)
    if data is None:
        return {"?": [type_name(x), "a tensor whose class has a __torch_dispatch__"]}
    with torch._C.DisableTorchFunctionSubclass():
        name, device = NAMES.get(data.dtype), str(data.device)
        if name is None or data.layout is not _strided or data.device.type == "meta":
            dtype, layout = str(data.dtype).removeprefix("torch."), str(data.layout).removeprefix("torch.")
            kind = f"{dtype} tensor" if data.layout is _strided else f"{layout} {dtype} tensor"
            return {"?": [type_name(x), f"<{kind} of shape {tuple(data.shape)} on {device}>", dtype, layout, device]}
        head: dict[str, str | int | list[int]] = {"x": " ".join((name, *map(str, data.shape)))}
        if device != "cpu":
            head["at"] = device
        if type(x) is not torch.Tensor:
            head["as"] = type_name(x)
        if data.device.type != "cpu":
            data = data.cpu()
        if data.is_conj() or data.is_neg():
            data = data.resolve_conj().resolve_neg()
        if views and not data.is_contiguous():
            # strides travel, so that a view arrives as a view; the bytes sent are the span of storage it covers
            span = 1 + sum((n - 1) * s for n, s in zip(data.shape, data.stride(), strict=True)) if data.numel() else 0
            head["v"] = list(data.stride())
            head["n"] = span
            data = data.as_strided((span,), (1,))
        flat = data.contiguous().as_strided((data.numel(),), (1,))  # a single element may have any stride
        blobs.append(flat.view(torch.uint8).numpy().tobytes() if data.numel() else b"")
        return head


def _pack_array(x: np.ndarray[Any, Any], blobs: list[Any]) -> Any:
    """A NumPy array as a tensor that says it was one; as text if PyTorch has no such dtype."""
    data = np.ascontiguousarray(x).reshape(x.shape)  # ascontiguousarray gives a scalar an axis
    name = _OF_NUMPY.get(data.dtype)
    if name is None:
        return {"?": [type_name(x), type_name(x) if data.dtype.hasobject else repr(data)[:TEXT]]}
    blobs.append(data.tobytes())
    return {"x": " ".join((name, *map(str, data.shape))), "as": "numpy.ndarray"}


@functools.lru_cache(4096)
def _form_text(dtype: torch.dtype, shape: torch.Size) -> tuple[str, int]:
    """A plain tensor's header, {"x":"float32 3 4"}, and how many bytes follow."""
    return _json({"x": " ".join((NAMES[dtype], *map(str, shape)))}), math.prod(shape) * SIZES[dtype]
