"""Turn plain data and tensors into frames of bytes and back, and move frames over a socket.

A frame is: u32 length | u32 header length | JSON header | raw little-endian tensor bytes.
Nothing here is pickle. `decode` is the only code that reads bytes which learner code may have written, so it checks
everything: sizes before allocation, dtypes against a list, shapes against the bytes present, no bytes left over.
It runs on both sides; only the trusted side relies on its strictness.
"""

from __future__ import annotations

import json
import math
import socket
import struct
import time
from dataclasses import dataclass
from typing import Any

import torch

MAX_FRAME = 64 << 20
MAX_DEPTH = 32
MAX_DIMS = 32
MAX_TENSORS = 20_000
MAX_VALUES = 2_000_000
MAX_SPREAD = 16 << 20  # bytes that the views of a frame may take once they are contiguous: a stride of 0 costs no bytes

_DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        *(torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128),
        *(torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64, torch.bool),
    )
}
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}
_SIZES = {dtype: torch.empty(0, dtype=dtype).element_size() for dtype in _NAMES}
_PLAIN = frozenset((str, bool, int, float, type(None)))
_NUMPY = {dtype: name for dtype, name in _NAMES.items() if dtype is not torch.bfloat16}  # those that NumPy has too
_LENGTH = struct.Struct("<I")
_json = json.JSONEncoder(ensure_ascii=True, check_circular=False, separators=(",", ":")).encode  # _pack makes trees only


class BadFrame(Exception):
    """Bytes that do not follow the format: what is wrong, in a few words."""


@dataclass(frozen=True)
class Foreign:
    """Something that is not plain data: the name of its type and the start of its text."""

    type_name: str
    text: str


@dataclass(slots=True)
class SeenTensor:
    """A tensor as it was found in the worker: its values (on the CPU, contiguous) and where it lived."""

    data: torch.Tensor
    device: str
    type_name: str = "Tensor"


# ------------------------------------------------------------------ values -> bytes
def encode(value: Any) -> bytes:
    """Return the frame body for a value. Tensors keep strides and storage offset; unknown objects become Foreign."""
    blobs: list[Any] = []
    head = _json(_pack(value, blobs, 0)).encode()
    head += b" " * (-(4 + len(head)) % 8)  # so that the first tensor is aligned and need not be copied to be read
    return b"".join((_LENGTH.pack(len(head)), head, *blobs))


def _pack(x: Any, blobs: list[Any], depth: int) -> Any:
    kind = type(x)
    if kind is torch.Tensor and x.is_cpu and x.dtype in _NUMPY and x.layout is torch.strided and x.is_contiguous():
        blobs.append(x.numpy(force=True))
        return {"x": _NUMPY[x.dtype], "s": list(x.shape)}
    if kind in _PLAIN:
        return x if kind is not int or -(1 << 63) <= x < 1 << 63 else {"?": ["int", str(x)[:50]]}
    if depth >= MAX_DEPTH:
        return {"?": [kind.__name__, "nested too deep"]}
    if kind is list:
        return [_pack(y, blobs, depth + 1) for y in x]
    if kind is tuple:
        return {"t": [_pack(y, blobs, depth + 1) for y in x]}
    if kind is dict:
        if all(type(k) is str for k in x):
            return {"m": {k: _pack(v, blobs, depth + 1) for k, v in x.items()}}
        return {"d": [[_pack(k, blobs, depth + 1), _pack(v, blobs, depth + 1)] for k, v in x.items()]}
    if isinstance(x, torch.Tensor):
        return _pack_tensor(x, blobs)
    if kind is SeenTensor:
        return _pack_tensor(x.data, blobs)
    if kind is torch.Size:
        return {"size": list(x)}
    if kind is torch.dtype:
        return {"dtype": str(x).removeprefix("torch.")}
    if kind is torch.device:
        return {"device": str(x)}
    if kind is complex:
        return {"c": [x.real, x.imag]}
    if kind is bytes:
        blobs.append(x)
        return {"b": len(x)}
    if kind is Foreign:
        return {"?": [x.type_name, x.text]}
    return {"?": [_type_name(x), _text(x)]}


def _pack_tensor(x: torch.Tensor, blobs: list[Any]) -> Any:
    with torch._C.DisableTorchFunctionSubclass():
        name, device = _NAMES.get(x.dtype), str(x.device)
        if name is None or x.layout is not torch.strided or x.device.type == "meta":
            return {"?": [_type_name(x), f"tensor {x.dtype} {tuple(x.shape)} {x.layout} on {device}"]}
        head: dict[str, Any] = {"x": name, "s": list(x.shape)}
        if device != "cpu":
            head["at"] = device
        if type(x) is not torch.Tensor:
            head["as"] = _type_name(x)
        data = x.detach()
        if x.device.type != "cpu":
            data = data.cpu()
        if data.is_conj() or data.is_neg():
            data = data.resolve_conj().resolve_neg()
        if not data.is_contiguous():
            # strides travel, so that a view arrives as a view; the bytes sent are the span of storage it covers
            span = 1 + sum((n - 1) * s for n, s in zip(data.shape, data.stride(), strict=True)) if data.numel() else 0
            head["v"] = list(data.stride())
            head["n"] = span
            data = data.as_strided((span,), (1,))
        blobs.append(data.reshape(-1).view(torch.uint8).numpy().tobytes() if data.numel() else b"")
        return head


def _type_name(x: Any) -> str:
    kind = type(x)
    module = getattr(kind, "__module__", "")
    name = str(getattr(kind, "__qualname__", "object"))[:100]
    return name if module in ("builtins", "__main__", "") or not isinstance(module, str) else f"{module}.{name}"[:160]


def _text(x: Any) -> str:
    """The start of repr(x), without memory addresses, which would differ from run to run."""
    try:
        text = repr(x)
    except BaseException:
        return "something that cannot be printed"
    return text[:200] if " at 0x" not in text else _type_name(x)


# ------------------------------------------------------------------ bytes -> values
def decode(body: bytes | bytearray, *, views: bool = False) -> Any:
    """Return the value that a frame body holds. Raises BadFrame and nothing else.

    views: give tensors back with their strides, as plain tensors (the worker's side). Otherwise a tensor arrives
    contiguous, inside a SeenTensor.
    """
    try:
        return _Reader(body, views).value()
    except BadFrame:
        raise
    except (ValueError, TypeError, KeyError, IndexError, RuntimeError, OverflowError, RecursionError, struct.error) as e:
        raise BadFrame(f"{type(e).__name__}: {e}"[:200]) from None


class _Reader:
    def __init__(self, body: bytes | bytearray, views: bool) -> None:
        if len(body) < 4:
            raise BadFrame("shorter than its own header")
        (size,) = _LENGTH.unpack_from(body)
        if 4 + size > len(body):
            raise BadFrame("header longer than the frame")
        self.body = body if isinstance(body, bytearray) else bytearray(body)
        self.head = json.loads(self.body[4 : 4 + size].decode())
        self.offset = 4 + size
        self.views = views
        self.tensors = self.values = self.spread = 0

    def value(self) -> Any:
        result = self.read(self.head, 0)
        if self.offset != len(self.body):
            raise BadFrame("bytes left over")
        return result

    def read(self, x: Any, depth: int) -> Any:
        kind = type(x)
        if kind in _PLAIN:
            return x
        self.values += len(x)
        if depth > MAX_DEPTH + 4 or self.values > MAX_VALUES:
            raise BadFrame("nested too deep" if depth > MAX_DEPTH + 4 else "too many values")
        if kind is list:
            return [y if type(y) in _PLAIN else self.read(y, depth + 1) for y in x]
        if kind is not dict or not x:
            raise BadFrame("unknown value")
        tag = next(iter(x))
        body = x[tag]
        if tag == "x":
            return self.tensor(x)
        if len(x) != 1:
            raise BadFrame("unknown value")
        if tag in ("m", "d", "t"):
            self.values += len(body)
        if tag == "m":
            if type(body) is not dict:
                raise BadFrame("unknown value")
            return {k: y if type(y) in _PLAIN else self.read(y, depth + 1) for k, y in body.items()}
        if tag == "d":
            pairs = [(self.read(k, depth + 1), self.read(v, depth + 1)) for k, v in body]
            return {k if type(k) in _PLAIN or type(k) is tuple else str(k): v for k, v in pairs}
        if tag == "t":
            return tuple(self.read(y, depth + 1) for y in body)
        if tag == "size":
            return torch.Size([_count(n) for n in body])
        if tag == "dtype":
            return _DTYPES[body] if body in _DTYPES else Foreign("torch.dtype", str(body)[:50])
        if tag == "device":
            return Foreign("torch.device", str(body)[:50]) if not self.views else torch.device(body)
        if tag == "c":
            return complex(float(body[0]), float(body[1]))
        if tag == "b":
            return bytes(self.take(_count(body)))
        if tag == "?":
            return Foreign(str(body[0])[:160], str(body[1])[:400])
        raise BadFrame("unknown value")

    def take(self, size: int) -> memoryview:
        if size > len(self.body) - self.offset:
            raise BadFrame("shorter than it claims")
        part = memoryview(self.body)[self.offset : self.offset + size]
        self.offset += size
        return part

    def tensor(self, x: dict[str, Any]) -> Any:
        dtype, shape = _DTYPES[x["x"]], [_count(n) for n in x["s"]]
        self.tensors += 1
        if self.tensors > MAX_TENSORS or len(shape) > MAX_DIMS:
            raise BadFrame("too many tensors or axes")
        count = math.prod(shape)
        held = _count(x["n"]) if "v" in x else count
        size = held * _SIZES[dtype]
        if size > len(self.body) - self.offset:
            raise BadFrame("shorter than it claims")
        start, self.offset = self.offset, self.offset + size
        if held == 0:
            data = torch.empty(0, dtype=dtype, device="cpu")
        elif dtype is torch.bool:  # a byte other than 0 or 1 in a bool tensor is undefined behaviour
            data = torch.frombuffer(self.body, dtype=torch.uint8, count=held, offset=start) != 0
        elif start % _SIZES[dtype]:
            data = torch.frombuffer(self.body[start : self.offset], dtype=dtype, count=held)
        else:
            data = torch.frombuffer(self.body, dtype=dtype, count=held, offset=start)
        if "v" in x:
            data = self.strided(data, shape, x["v"])
        elif len(shape) != 1:
            data = data.reshape(shape)
        if self.views:
            return data
        if len(x) == 2:
            return SeenTensor(data, "cpu")
        return SeenTensor(data, str(x.get("at", "cpu"))[:20], str(x.get("as", "Tensor"))[:160])

    def strided(self, data: torch.Tensor, shape: list[int], claimed: Any) -> torch.Tensor:
        """The view of the data that these strides describe; a contiguous copy of it on the trusted side."""
        strides, count = [_count(n) for n in claimed], math.prod(shape)
        last = sum((n - 1) * s for n, s in zip(shape, strides, strict=True)) if count else -1
        if last >= data.numel():
            raise BadFrame("strides beyond the data")
        if not count:
            return data.reshape(shape)
        if self.views:
            return data.as_strided(shape, strides)
        self.spread += count * data.element_size()
        if self.spread > MAX_SPREAD:
            raise BadFrame("a view of more elements than are read")
        return data.as_strided(shape, strides).contiguous()


def _count(n: Any) -> int:
    if type(n) is not int or not 0 <= n < 1 << 40:
        raise BadFrame("not a size")
    return n


# ------------------------------------------------------------------ frames over a socket
def send(sock: socket.socket, body: bytes, deadline: float | None = None) -> None:
    """Send one frame. Raises TimeoutError past the deadline (time.monotonic), OSError when the other side is gone."""
    if deadline is not None:
        sock.settimeout(max(0.001, deadline - time.monotonic()))
    sock.sendall(struct.pack("<I", len(body)) + body)


def receive(sock: socket.socket, deadline: float | None = None) -> bytearray:
    """Receive one frame. The deadline is for the whole frame: a byte now and then does not stretch it.

    Raises TimeoutError, EOFError when the other side closed, BadFrame for a frame over MAX_FRAME.
    """
    (size,) = struct.unpack("<I", _exactly(sock, 4, deadline))
    if size > MAX_FRAME:
        raise BadFrame(f"a frame of {size} bytes; at most {MAX_FRAME} are read")
    return _exactly(sock, size, deadline)


def _exactly(sock: socket.socket, size: int, deadline: float | None) -> bytearray:
    data = bytearray(size)
    view, done = memoryview(data), 0
    while done < size:
        if deadline is not None:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            sock.settimeout(left)
        got = sock.recv_into(view[done:])
        if got == 0:
            raise EOFError
        done += got
    return data
