"""A simulated accelerator: a device for machines that have none.

    device = sim.install()                    # torch.device("sim")
    x = torch.ones(3, device=device)
    x + torch.ones(3)                         # RuntimeError: Expected all tensors to be on the same device ...

Tensors on it are plain torch.Tensors on PyTorch's PrivateUse1 device. Their storage is ordinary CPU memory that carries the
label of another device, so numbers are real, autograd and optimizers work, and mixing devices fails as it fails on CUDA.
`memory` changes the label, `kernels` runs operations on the same memory as the CPU sees it, `runtime` supplies what
surrounds tensors: generators, autocast, saving and loading.

install() must come before the first backward of the process and cannot be undone. PyTorch's autograd works with one accelerator
per process, so install() hides CUDA devices from this process and those it starts: torch.cuda.is_available() is False.
It is a test double: one device, no streams, no memory limits, the CPU's random numbers and rounding.

Imports nothing else of ours; start with `kernels`, then `runtime`.
"""

from __future__ import annotations

import functools
import os

import torch

NAME = "sim"
# What else of PyTorch's private side it is built on.
_PARTS = ("_to_dlpack", "_from_dlpack", "_dispatch_get_registrations_for_dispatch_key", "_ExcludeDispatchKeyGuard")


def why_not() -> str | None:
    """Why this PyTorch cannot have the simulated device, as a sentence; None when it can."""
    try:
        from torch.utils.backend_registration import _setup_privateuseone_for_python_backend  # noqa: F401
    except ImportError:
        return f"the simulated accelerator needs PyTorch 2.10 or newer; this is {torch.__version__}"
    lacking = [name for name in _PARTS if not hasattr(torch._C, name)]
    if lacking:
        return f"the simulated accelerator is built on torch._C.{lacking[0]}, which PyTorch {torch.__version__} does not have"
    if torch.cuda.is_initialized():
        return "CUDA is in use in this process, and PyTorch works with one accelerator per process"
    name = torch._C._get_privateuse1_backend_name()
    if name not in ("privateuseone", NAME):
        return f"another extension ({name}) already uses the device slot that the simulated accelerator needs"
    return None


@functools.cache
def install() -> torch.device:
    """Make the device 'sim' known to PyTorch, once per process. Raises RuntimeError with why_not()'s sentence."""
    problem = why_not()
    if problem:
        raise RuntimeError(problem)
    from torchdojo.sim import accelerator, kernels, runtime, special  # they register with PyTorch when imported

    if torch.backends.cuda.is_built():
        os.environ["CUDA_VISIBLE_DEVICES"] = "-1"  # with both, a backward on CUDA fails an assertion inside PyTorch
    accelerator.remember_machine()
    runtime.register_backend()
    kernels.register()
    special.register()
    runtime.register_surroundings()
    accelerator.register()
    return torch.device(NAME)
