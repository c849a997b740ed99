"""The same memory under another device's label.

A tensor is exported as a DLPack capsule, the capsule's device type is overwritten, and the capsule is imported again:
an ordinary tensor, with storage and strides, over the same bytes. No copy; the capsule keeps the first tensor's memory alive.
"""

from __future__ import annotations

import ctypes

import torch
from torch.utils.dlpack import from_dlpack, to_dlpack

CPU_TYPE, EXTENSION_TYPE = 1, 12  # DLPack's kDLCPU and kDLExtDev; PyTorch maps the latter to PrivateUse1
DEVICE_TYPE_OFFSET = 8  # struct DLTensor { void *data; struct { int32_t device_type, device_id; } device; ... }
CPU = torch.device("cpu")

_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)


def _relabelled(t: torch.Tensor, device_type: int) -> torch.Tensor:
    capsule = to_dlpack(t)
    ctypes.c_int32.from_address(_pointer(capsule, b"dltensor") + DEVICE_TYPE_OFFSET).value = device_type
    return from_dlpack(capsule)


def on_sim(t: torch.Tensor) -> bool:
    """Is it a tensor of the simulated device?"""
    return t.device.type == "sim"


def to_sim(t: torch.Tensor) -> torch.Tensor:
    """A CPU tensor's memory as a tensor on sim:0."""
    if t._is_zerotensor():  # autograd's zeros have no memory at all
        t = torch.zeros(t.shape, dtype=t.dtype, device=CPU)
    return _relabelled(t.resolve_conj().resolve_neg(), EXTENSION_TYPE)


def to_cpu(t: torch.Tensor) -> torch.Tensor:
    """A sim tensor's memory as a CPU tensor; lazy conjugation and negation are kept."""
    alias = _relabelled(t, CPU_TYPE)
    if t.is_conj():
        alias = alias.conj()
    return torch._neg_view(alias) if t.is_neg() else alias
