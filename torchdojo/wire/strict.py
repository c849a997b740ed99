"""Read the bodies of frames as plain data and tensors.

A body is: u32 header length | JSON header | raw little-endian tensor bytes. frames.py moves it, pack.py makes it.
Nothing here is pickle. `decode` is the only code that reads bytes which learner code may have written, so it checks
everything: sizes before allocation, dtypes against a list, shapes against the bytes present, no bytes left over.
It runs on both sides; only the trusted side relies on its strictness.
"""

from __future__ import annotations

import functools
import json
import math
import struct
from typing import Any

import torch

from torchdojo.limits import DICT_KEYS, FRAME_DEPTH, FRAME_TENSORS, FRAME_VALUES, TENSOR_DIMS
from torchdojo.wire.frames import LENGTH, BadFrame, receive, send
from torchdojo.wire.pack import encode
from torchdojo.wire.values import DTYPES, KEYS, PLAIN, SIZES, Foreign, SeenTensor

__all__ = ["BadFrame", "Foreign", "SeenTensor", "decode", "encode", "receive", "send"]


_frombuffer = torch.frombuffer
_KEYS = frozenset(("x", "at", "as"))  # of a tensor's header; that of a view has its strides and span as well
_KEYS_OF_VIEWS = _KEYS | {"v", "n"}


def _integer(digits: str) -> int:
    if len(digits) > 20 or not -(1 << 63) <= int(digits) < 1 << 63:
        raise BadFrame("an integer of more than 64 bits")
    return int(digits)


_read_json = json.JSONDecoder(parse_int=_integer).raw_decode
_read_own_json = json.JSONDecoder().raw_decode  # for data that the trusted side made


def decode(body: bytes | bytearray, *, views: bool = False) -> Any:
    """Return the value that a frame body holds. Raises BadFrame and nothing else.

    views: give tensors back with their strides, as plain tensors (the worker's side). Otherwise strides are refused, and a
    tensor arrives inside a SeenTensor.
    """
    try:
        return _Reader(body, views).value()
    except BadFrame:
        raise
    except RecursionError:
        raise BadFrame("nested too deep") from None
    except (ValueError, TypeError, KeyError, IndexError, RuntimeError, OverflowError, MemoryError, struct.error) as e:
        raise BadFrame(f"{type(e).__name__}: {e}"[:200]) from None


class _Reader:
    __slots__ = ("body", "head", "offset", "tensors", "views", "wholes")

    def __init__(self, body: bytes | bytearray, views: bool) -> None:
        if len(body) < 4:
            raise BadFrame("shorter than its own header")
        (size,) = LENGTH.unpack_from(body)
        if 4 + size > len(body):
            raise BadFrame("header longer than the frame")
        self.body = body if isinstance(body, bytearray) else bytearray(body)
        text = str(memoryview(body)[4 : 4 + size], "utf-8")
        # parsed, values take far more memory
        if size > FRAME_VALUES and text.count(",") + text.count("[") + text.count("{") > FRAME_VALUES:
            raise BadFrame("too many values")
        self.head, end = (_read_own_json if views else _read_json)(text)
        if end != len(text) and text[end:].strip(" "):
            raise BadFrame("more than one header")
        self.offset = 4 + size
        self.views = views
        self.tensors = 0
        self.wholes: dict[torch.dtype, torch.Tensor] = {}  # all of the body, as if it held this dtype alone

    def value(self) -> Any:
        result = self.read(self.head, 0)
        if self.offset != len(self.body):
            raise BadFrame("bytes left over")
        return result

    def read(self, x: Any, depth: int) -> Any:
        kind = type(x)
        if kind is dict:
            if "x" in x:
                return self.tensor(x)
        elif kind in PLAIN:
            return x
        if depth > FRAME_DEPTH + 4:
            raise BadFrame("nested too deep")
        if kind is list:
            return [y if type(y) in PLAIN else self.read(y, depth + 1) for y in x]
        if kind is not dict or not x:
            raise BadFrame("unknown value")
        tag = next(iter(x))
        body = x[tag]
        if len(x) != 1:
            raise BadFrame("unknown value")
        if tag == "m":
            if type(body) is not dict:
                raise BadFrame("unknown value")
            self.few(body)
            return {k: y if type(y) in PLAIN else self.read(y, depth + 1) for k, y in body.items()}
        if tag == "d":
            self.few(body)
            pairs = [(self.read(k, depth + 1), self.read(v, depth + 1)) for k, v in body]
            if not self.views and not KEYS.issuperset(type(k) for k, _ in pairs):
                raise BadFrame("a key that is no text")  # many floats have one hash, and take a time that grows with their square
            return {k if type(k) in PLAIN or type(k) is tuple else str(k): v for k, v in pairs}
        if tag == "t":
            return tuple(self.read(y, depth + 1) for y in body)
        if tag == "size":
            return torch.Size([_entry(n) for n in body])
        if tag == "dtype":
            return DTYPES[body] if body in DTYPES else Foreign("torch.dtype", _text_of(body, 50))
        if tag == "device":
            return Foreign("torch.device", _text_of(body, 50)) if not self.views else torch.device(body)
        if tag == "c":
            return complex(float(body[0]), float(body[1]))
        if tag == "b":
            return bytes(self.take(_count(body)))
        if tag == "?":
            return Foreign(_text_of(body[0], 160), _text_of(body[1], 400), *(_text_of(part, 50) for part in body[2:5]))
        raise BadFrame("unknown value")

    def few(self, entries: Any) -> None:
        if not self.views and len(entries) > DICT_KEYS:
            raise BadFrame(f"a dict of more than {DICT_KEYS} keys")

    def take(self, size: int) -> memoryview:
        if size > len(self.body) - self.offset:
            raise BadFrame("shorter than it claims")
        part = memoryview(self.body)[self.offset : self.offset + size]
        self.offset += size
        return part

    def tensor(self, x: dict[str, Any]) -> Any:
        if len(x) > 1 and not x.keys() <= (_KEYS_OF_VIEWS if self.views else _KEYS):
            raise BadFrame("unknown value")
        dtype, shape, held, width, strides = _form(x["x"])
        self.tensors += 1
        if self.tensors > FRAME_TENSORS:
            raise BadFrame("too many tensors")
        if "v" in x:
            strides = [_count(n) for n in x["v"]]
            last = sum((n - 1) * s for n, s in zip(shape, strides, strict=True)) if held else -1
            held = _count(x["n"])
            if last >= held:
                raise BadFrame("strides beyond the data")
        body, start = self.body, self.offset
        self.offset = end = start + held * width
        if end > len(body):
            raise BadFrame("shorter than it claims")
        if held == 0:
            data = torch.empty(shape, dtype=dtype, device="cpu")
        elif self.views and not start % width:
            whole = self.wholes.get(dtype)
            if whole is None:
                whole = self.wholes[dtype] = _frombuffer(body, dtype=dtype, count=len(body) // width)
            return whole.as_strided(shape, strides, start // width)
        elif dtype is torch.bool:  # a byte other than 0 or 1 in a bool tensor is undefined behaviour
            data = _frombuffer(body, dtype=torch.uint8, count=held, offset=start) != 0
        elif start % width:
            data = _frombuffer(body[start:end], dtype=dtype, count=held)
        else:
            data = _frombuffer(body, dtype=dtype, count=held, offset=start)
        if "v" in x and held:
            data = data.as_strided(shape, strides)
        elif len(shape) != 1:
            data = data.reshape(shape)
        if self.views:
            return data
        if len(x) == 1:
            return SeenTensor(data, "cpu")
        return SeenTensor(data, _text_of(x.get("at", "cpu"), 20), _text_of(x.get("as", "Tensor"), 160))


@functools.lru_cache(4096)
def _form(text: Any) -> tuple[torch.dtype, tuple[int, ...], int, int, list[int]]:
    """(dtype, shape, number of elements, bytes of each, strides of a contiguous tensor) from such a text."""
    if type(text) is not str or len(text) > TENSOR_DIMS * 14 + 12:
        raise BadFrame("not the form of a tensor")
    name, *sizes = text.split(" ")
    if name not in DTYPES or len(sizes) > TENSOR_DIMS or not all(n.isascii() and n.isdigit() for n in sizes):
        raise BadFrame("not the form of a tensor")
    shape = tuple(_count(int(n)) for n in sizes)
    strides = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    return DTYPES[name], shape, math.prod(shape), SIZES[DTYPES[name]], strides


def _text_of(x: Any, most: int) -> str:
    if type(x) is not str:
        raise BadFrame("not a text")
    return x[:most]


def _entry(n: Any) -> int:
    """An entry of a torch.Size that is an answer, not the shape of anything: a learner's may be negative, or huge."""
    if type(n) is not int or not -(1 << 63) <= n < 1 << 63:
        raise BadFrame("not a size")
    return n


def _count(n: Any) -> int:
    if type(n) is not int or not 0 <= n < 1 << 40:
        raise BadFrame("not a size")
    return n
