"""The tensors of a run: copies of the drawn ones, their state before the run, and which memory the answer uses."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import string_at
from typing import Any

import torch

from torchdojo.wire.pack import plain_tensor
from torchdojo.wire.values import PLAIN, SeenTensor, text_of

_strided = torch.strided


def fresh(value: Any, device: str) -> Any:
    """A copy for one run: tensors with their strides, containers rebuilt, everything else as it is."""
    kind = type(value)
    if kind is torch.Tensor and device == "cpu" and value.is_contiguous():
        return value.clone()
    if kind in PLAIN:
        return value
    if isinstance(value, torch.Tensor):
        return copy_with_strides(value, device)
    if isinstance(value, SeenTensor):
        return copy_with_strides(value.data, device)
    if kind in (list, tuple):
        return kind(fresh(v, device) for v in value)
    if kind is dict:
        return {k: fresh(v, device) for k, v in value.items()}
    return value


def copy_with_strides(t: torch.Tensor, device: str = "cpu") -> torch.Tensor:
    """A copy with its own memory, on the device, with the same strides (an expanded tensor stays expanded)."""
    if t.is_contiguous():
        return t.clone() if device == "cpu" else t.to(device)
    span = span_of(t)
    if device == "cpu" and span == t.numel():  # nearly always one of which PyTorch copies the strides too
        copy = t.clone()
        if copy.stride() == t.stride():
            return copy
    base = t.as_strided((span,), (1,)).clone()
    return (base if device == "cpu" else base.to(device)).as_strided(t.shape, t.stride())


def span_of(t: torch.Tensor) -> int:
    """Elements of memory from a strided tensor's first to its last."""
    if not t.numel():
        return 0
    last = 0
    for n, stride in zip(t.shape, t.stride(), strict=True):
        last += (n - 1) * stride
    return last + 1


def tensors_in(value: Any) -> Iterator[torch.Tensor]:
    """Every tensor in nested lists, tuples and dicts. Of their subclasses, what Python itself stores is read."""
    kind = type(value)
    if issubclass(kind, torch.Tensor):
        yield value
    elif issubclass(kind, (list, tuple)):
        parts = value if kind in (list, tuple) else [*_entries(kind, value)]
        if not PLAIN.issuperset(map(type, parts)):  # a list of a million numbers costs next to nothing
            for v in parts:
                yield from tensors_in(v)
    elif issubclass(kind, dict):
        for v in dict.values(value):
            yield from tensors_in(v)


def _entries(kind: type, value: Any) -> Iterator[Any]:
    return tuple.__iter__(value) if issubclass(kind, tuple) else list.__iter__(value)


def without_shadows(t: torch.Tensor) -> torch.Tensor:
    """The tensor, without attributes of its own that have the name of a method: they would be called in its place."""
    for name in [*t.__dict__]:
        if hasattr(torch.Tensor, name):
            del t.__dict__[name]
    return t


class Input:
    """One tensor argument and its original version, shape, dtype and bits."""

    __slots__ = ("address", "bits", "dtype", "name", "shape", "strides", "tensor", "version")

    def __init__(self, name: str, tensor: torch.Tensor) -> None:
        self.name, self.tensor, self.version = name, tensor, tensor._version
        self.shape, self.dtype = tensor.shape, tensor.dtype
        self.address = 0
        self.strides: tuple[int, ...] = ()
        self.bits: bytes | torch.Tensor
        if size := _bytes_of(tensor):
            self.address, self.strides = tensor.data_ptr(), tensor.stride()
            self.bits = string_at(self.address, size)
        else:
            self.bits = tensor.detach().clone()

    def changed(self) -> bool:
        """Is it, or was it in between, anything else than before?"""
        t, before = self.tensor, self.bits
        if t._version != self.version or t.shape != self.shape or t.dtype != self.dtype:
            return True
        if isinstance(before, bytes):
            size = len(before)
            if _bytes_of(t) == size and t.stride() == self.strides and string_at(t.data_ptr(), size) == before:
                return False
            before = torch.frombuffer(bytearray(before), dtype=self.dtype).as_strided(self.shape, self.strides)
        return t.device != before.device or not torch.equal(_as_integers(t.detach()), _as_integers(before))

    def marked(self) -> bool:
        """Does it require grad, or has it a .grad?"""
        return self.tensor.requires_grad or (self.tensor.is_leaf and self.tensor.grad is not None)


def inputs_of(arguments: dict[str, Any]) -> list[Input]:
    """Those of all arguments."""
    inputs = []
    for name, value in arguments.items():
        kind = type(value)
        if kind is torch.Tensor:
            inputs.append(Input(name, value))
        elif kind not in PLAIN:
            inputs += [Input(name, t) for t in tensors_in(value)]
    return inputs


def _bytes_of(t: torch.Tensor) -> int:
    """The bytes from its first to its last number in this process's memory; 0 if they aren't there, or aren't stored plainly."""
    if not t.is_cpu or t.layout is not _strided or t.is_conj() or t.is_neg():
        return 0
    return t.nbytes if t.is_contiguous() else span_of(t) * t.itemsize


def memory_of(t: torch.Tensor) -> bytes:
    """The memory of a contiguous tensor on the CPU: nan equals itself there, and -0.0 is not 0.0."""
    size = t.nbytes
    return string_at(t.data_ptr(), size) if size else b""


_INTEGERS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def _as_integers(t: torch.Tensor) -> torch.Tensor:
    """The tensor as integers, in which nan equals itself and -0.0 is not 0.0."""
    if t.element_size() in _INTEGERS and not t.is_conj() and not t.is_neg():
        return t.view(_INTEGERS[t.element_size()])
    t = t.resolve_conj().resolve_neg()
    return t.clone(memory_format=torch.contiguous_format).view(-1).view(torch.uint8)


def shared_memory(value: Any, inputs: list[Input]) -> list[list[str]]:
    """[path in the result, argument] for each result tensor whose memory is an input's."""
    if type(value) in PLAIN:
        return []
    owners: dict[int, str] = {}
    ranges: list[tuple[int, int, str]] = []  # of inputs with their own memory
    for one in inputs:
        t = one.tensor
        if one.address and t.data_ptr() == one.address:
            ranges.append((one.address, one.address + len(one.bits), one.name))
        elif t.layout is _strided and t.numel():
            owners[t.untyped_storage().data_ptr()] = one.name
    shares = []
    for path, leaf in leaves(value):
        if issubclass(type(leaf), torch.Tensor) and type(leaf) is not torch.Tensor:
            leaf = plain_tensor(leaf)
        if type(leaf) is torch.Tensor and leaf.layout is _strided and not leaf.is_meta and leaf.numel():
            owner = owners.get(leaf.untyped_storage().data_ptr()) if owners else None
            if leaf.is_cpu and ranges:
                address = leaf.data_ptr()  # within a tensor's memory, wherever a view of it may start
                owner = next((name for start, end, name in ranges if start <= address < end), owner)
            if owner is not None:
                shares.append([path, owner])
    return shares


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """(path, leaf) for each leaf of nested containers that is not plain; the path of a bare value is ''."""
    kind = type(value)
    if issubclass(kind, dict):
        for k, v in dict.items(value):
            if type(v) not in PLAIN:
                k = k if type(k) in PLAIN else text_of(k)
                yield from leaves(v, f"{path}.{k}" if path else str(k))
    elif issubclass(kind, (list, tuple)):
        parts = [*_entries(kind, value)]
        for i, v in enumerate(() if PLAIN.issuperset(map(type, parts)) else parts):
            if type(v) not in PLAIN:
                yield from leaves(v, f"{path}[{i}]")
    else:
        yield path, value
