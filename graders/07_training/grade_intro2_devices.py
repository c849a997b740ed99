"""Hidden checks for best_device, gpu_names and sum_on."""

import contextlib
import pkgutil
from types import SimpleNamespace
from unittest import mock

import torch

from torchdojo.grading import check, tensor

CONCEPTS = ("F01", "F02", "F04", "F06", "F11")
KEPT = {
    "without_a_gpu_it_is_the_cpu": "the machine that most learners have",
    "the_sum_is_on_the_device": "it tells a sum that stays where it was from one of tensors that don't mix",
}


class oracle:
    """The same questions, asked of PyTorch at the time of the call; and a sum of copies."""

    def best_device():
        kinds = [kind for kind, there in (("cuda", torch.cuda.is_available()), ("mps", torch.backends.mps.is_available())) if there]
        return torch.device((kinds + ["cpu"])[0])

    def gpu_names():
        return list(map(torch.cuda.get_device_name, range(torch.cuda.device_count())))

    def sum_on(a, b, device):
        return torch.stack([torch.empty_like(t, device=device).copy_(t) for t in (a, b)]).sum(0)


@contextlib.contextmanager
def machine(solution, gpus, mps=False):
    """PyTorch's answers on a machine with these CUDA devices, also where the solution has imported a function by its name."""
    kind = "cuda" if gpus else "mps" if mps else None
    answers = {
        "torch.cuda.is_available": lambda: bool(gpus),
        "torch.cuda.device_count": lambda: len(gpus),
        "torch.cuda.get_device_name": lambda device=None: gpus[number(device)],
        "torch.cuda.get_device_properties": lambda device=None: SimpleNamespace(name=gpus[number(device)]),
        "torch.backends.mps.is_available": lambda: mps,
        "torch.backends.mps.is_built": lambda: mps,
        "torch.mps.device_count": lambda: int(mps),
        "torch.accelerator.is_available": lambda: kind is not None,
        "torch.accelerator.device_count": lambda: len(gpus) or int(mps),
        "torch.accelerator.current_accelerator": lambda check_available=False: kind and torch.device(kind),
    }
    with contextlib.ExitStack() as stack:
        for name, answer in answers.items():
            own = pkgutil.resolve_name(name)
            for used in [key for key, value in vars(solution).items() if value is own]:
                stack.enter_context(mock.patch.object(solution, used, answer))
            stack.enter_context(mock.patch(name, answer))
        yield


def number(device):
    """The index of a CUDA device, however it was given."""
    if device is None:
        return 0
    return device if isinstance(device, int) else torch.device(device).index or 0


@check(points=2, gpus=[("A100",), ("H100", "T4")], mps=[False, True], devices=False)
def cuda_is_used_where_there_is_one(solution, gpus, mps):
    """On a machine with CUDA devices, best_device is "cuda"."""
    with machine(solution, gpus, mps):
        return solution.best_device()


@check(points=1, mps=[True], devices=False)
def mps_is_used_without_cuda(solution, mps):
    """On a Mac with a GPU, best_device is "mps"."""
    with machine(solution, (), mps):
        return solution.best_device()


@check(points=1, mps=[False], devices=False)
def without_a_gpu_it_is_the_cpu(solution, mps):
    """On a machine without a GPU, best_device is "cpu"."""
    with machine(solution, (), mps):
        return solution.best_device()


@check(points=2, gpus=[(), ("A100",), ("H100", "T4", "L4")], devices=False)
def each_gpu_is_named(solution, gpus):
    """gpu_names has one name for each CUDA device, in order."""
    with machine(solution, gpus):
        return solution.gpu_names()


def brief(t):
    """What is known of a tensor on the device meta."""
    return {"device": str(t.device), "shape": tuple(t.shape), "dtype": t.dtype}


@check(points=2, a=tensor("rows columns"), b=tensor("rows columns"), minimum=1)
def the_sum_is_on_the_device(solution, a, b, device):
    """CPU tensors are summed on the device, and tensors on the device can be summed on the CPU."""
    there = brief(solution.sum_on(a.cpu(), b.cpu(), "meta"))
    return {"on the device": solution.sum_on(a.cpu(), b.cpu(), device), "on meta": there, "back": solution.sum_on(a, b, "cpu")}


@check(points=2, a=tensor("rows columns"), b=tensor("rows columns"), minimum=1)
def both_tensors_are_moved(solution, a, b, device):
    """One of the two tensors may already be on the device."""
    found = {"a is there": solution.sum_on(a, b.cpu(), device), "b is there": solution.sum_on(a.cpu(), b, device)}
    return found | {"a is on meta": brief(solution.sum_on(a.to("meta"), b, "meta"))}
