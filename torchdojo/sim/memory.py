"""The same memory under another device's label.

A tensor is exported as a DLPack capsule, the capsule's device type is overwritten, and the capsule is imported again:
an ordinary tensor, with storage and strides, over the same bytes. No copy; the capsule keeps the first tensor's memory alive.
"""

from __future__ import annotations

import ctypes

import torch
from torch._C import _to_dlpack

CPU = torch.device("cpu")
SIM = torch.device("privateuseone", 0)  # what PyTorch calls the free device slot until it is named

CPU_TYPE, EXTENSION_TYPE = 1, 12  # DLPack's kDLCPU and kDLExtDev; PyTorch maps the latter to PrivateUse1
_DEVICE_TYPE = 2  # the third int32 of struct DLTensor { void *data; struct { int32_t device_type, device_id; } device; ... }

_from_dlpack = torch._C._from_dlpack  # torch.utils.dlpack.from_dlpack first asks what kind of object it was given
# A prototype of our own: the function object that everyone shares as ctypes.pythonapi.PyCapsule_GetPointer stays as it is.
_get_pointer = ctypes.PYFUNCTYPE(ctypes.POINTER(ctypes.c_int32), ctypes.py_object, ctypes.c_char_p)
_pointer = _get_pointer(("PyCapsule_GetPointer", ctypes.pythonapi))


def _relabelled(t: torch.Tensor, device_type: int) -> torch.Tensor:
    capsule = _to_dlpack(t)
    _pointer(capsule, b"dltensor")[_DEVICE_TYPE] = device_type
    return _from_dlpack(capsule)


def on_sim(t: torch.Tensor) -> bool:
    """Is it a tensor of the simulated device?"""
    return t.device == SIM


def to_sim(t: torch.Tensor) -> torch.Tensor:
    """A CPU tensor's memory as a tensor on sim:0."""
    if t._is_zerotensor():  # autograd's zeros have no memory at all
        t = torch.zeros(t.shape, dtype=t.dtype, device=CPU)
    if t.is_conj() or t.is_neg():
        t = t.resolve_conj().resolve_neg()
    return _relabelled(t, EXTENSION_TYPE)


def to_cpu(t: torch.Tensor) -> torch.Tensor:
    """A sim tensor's memory as a CPU tensor; lazy conjugation and negation are kept."""
    alias = _relabelled(t, CPU_TYPE)
    if t.is_conj():
        alias = alias.conj()
    return torch._neg_view(alias) if t.is_neg() else alias
