"""The devices that checks run on: the CPU and one accelerator, which is a GPU or the simulated one."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from torchdojo.common.errors import UsageError
from torchdojo.common.processes import cores
from torchdojo.wire.outcome import Raised

KNOWN = ("cpu", "sim", "cuda", "mps")
GPUS = ("cuda", "mps")
WITH_A_GPU = 4  # processes; each, and each of their workers, takes 0.8 GB of the memory of a GPU
# Files that the drivers of NVIDIA, of AMD and of Windows' subsystem for Linux make: asking PyTorch means importing it.
DRIVERS = ("/dev/nvidiactl", "/dev/kfd", "/dev/dxg")


def asked_for(wanted: str | None) -> list[str] | None:
    """The devices that `--device cpu,sim` names, the CPU first; None when nothing was asked for. Does not import PyTorch.

    Raises UsageError for an unknown name, and for two accelerators: PyTorch's autograd works with one per process.
    """
    if wanted is None:
        return None
    names = [name.strip() for name in wanted.split(",") if name.strip()]
    unknown = [name for name in names if name not in KNOWN]
    if unknown or not names:
        named = unknown[0] if unknown else repr(wanted)
        raise UsageError(f"--device: {named} is not a device for grading; choose from {', '.join(KNOWN)}")
    devices = list(dict.fromkeys(["cpu", *names]))
    if len(devices) > 2:
        runs = ", then ".join(f"--device cpu,{name}" for name in devices[1:])
        raise UsageError(f"--device {wanted}: PyTorch works with one accelerator per process; use {runs}")
    return devices


def at_hand(names: list[str] | None) -> list[str]:
    """The devices to use: the requested ones, by default the CPU and CUDA, or sim on a machine without CUDA.

    Raises UsageError for a missing device.
    """
    if names is None:
        return ["cpu", *[name for name in ("cuda", "sim") if not _WHY_NOT[name]()][:1]]
    for name in names[1:]:
        if problem := _WHY_NOT[name]():
            raise UsageError(f"--device {name}: {problem}; use --device {','.join(at_hand(None))}")
    return names


def left_out(names: list[str] | None) -> str | None:
    """A sentence for the reader of the result if no devices were requested and the simulated one isn't available."""
    problem = _no_sim() if names is None and at_hand(None) == ["cpu"] else None
    return f"Not graded on a simulated accelerator: {problem}. It costs no points." if problem else None


def unlocked(names: list[str]) -> str | None:
    """A sentence for the user if checks run on a GPU, whose driver doesn't work in a locked worker."""
    gpu = next((name for name in names if name in GPUS), None)
    return f"On {gpu}: workers are not locked (GPU drivers need that). To keep the locks, use --device cpu,sim." if gpu else None


def processes(names: list[str] | None) -> int:
    """How many processes to grade with: one per core, but at most WITH_A_GPU where there is a GPU."""
    return min(cores(), WITH_A_GPU) if any(name in GPUS for name in names or ()) else cores()


def gpu_among(names: list[str] | None) -> bool:
    """Will checks run on a GPU? Does not import PyTorch where there can be none."""
    if names is not None:
        return any(name in GPUS for name in names)
    if sys.platform == "linux" and not any(Path(file).exists() for file in DRIVERS):
        return False
    return any(name in GPUS for name in at_hand(None))


def _no_sim() -> str | None:
    from torchdojo import sim  # imports PyTorch

    return sim.why_not()


def _no_cuda() -> str | None:
    """Why there is no CUDA device. CUDA itself is not started: processes that are forked afterwards could not use it."""
    import torch  # takes a second

    before = os.environ.get("PYTORCH_NVML_BASED_CUDA_CHECK")
    os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"
    try:
        available = torch.cuda.is_available()
    finally:
        if before is None:
            del os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"]
        else:
            os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"] = before
    return None if available else "PyTorch finds no CUDA device here"


def _no_mps() -> str | None:
    import torch  # takes a second

    return None if torch.backends.mps.is_available() else "PyTorch finds no Apple GPU (MPS) here"


_WHY_NOT: dict[str, Callable[[], str | None]] = {"sim": _no_sim, "cuda": _no_cuda, "mps": _no_mps}


def absence(name: str, devices: Sequence[str]) -> str | None:
    """Why something that a check needs is not here: a package, or the simulated device among those in use."""
    if name == "sim":
        return None if "sim" in devices else "it needs the simulated accelerator (--device cpu,sim)"
    return None if importlib.util.find_spec(name) else f"{name} is not installed"


# ------------------------------------------------------------------ what a device cannot hold
def holds(device: str, example: dict[str, Any]) -> bool:
    """Can the tensors of an example live there? Apple's GPUs know no float64."""
    import torch  # takes a second

    from torchdojo.worker.inputs import tensors_in  # imports PyTorch

    too_wide = (torch.float64, torch.complex128)
    return device != "mps" or not any(t.dtype in too_wide for value in example.values() for t in tensors_in(value))


def out_of_reach(device: str, raised: Raised | None) -> bool:
    """Did a run end because the check itself wanted float64 where there is none? Such a run says nothing."""
    return device == "mps" and raised is not None and "MPS framework doesn't support float64" in raised.text
