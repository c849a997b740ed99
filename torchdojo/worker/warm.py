"""What every worker process does before it loads learner code, on any platform."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import tempfile
from types import CodeType, SimpleNamespace

OF_A_WORKER = ("torchdojo.sandbox", "torchdojo.sim", "torchdojo.wire", "torchdojo.worker")  # what runs beside a learner's code


def imports(extras: list[str]) -> None:
    """Import what checks will need, single-threaded. extras: 'sim', 'gpu', 'grad', 'optim', 'plots', 'adopted', 'variants'."""
    import torch  # takes a second

    torch.set_num_threads(1)
    torch.backends.opt_einsum.enabled = (
        False  # where this package is installed, einsum plans in Python: more steps, another rounding
    )
    import cloudpickle  # noqa: F401  (functions from the trusted side are rebuilt by it)
    import numpy.random  # noqa: F401  (NumPy imports it when it is first seeded: else in every worker)

    from torchdojo.worker import audit, removal, serve  # noqa: F401

    audit.install()
    removal.warm()
    repr(torch.zeros(1))  # imports the tensor printer
    if "sim" in extras:
        from torchdojo import sim  # imports PyTorch

        if sim.why_not() is None:
            sim.install()  # before any backward of this process and of its children
            from torchdojo.sim import cuda  # noqa: F401  (a locked worker may not read our files later)
    if "gpu" in extras:
        exact_floats()
        wake_gpus()
    if "grad" in extras:
        # torch.autograd.grad imports 490 modules when it is first given upstream gradients
        import torch.fx.experimental.symbolic_shapes
    if "optim" in extras:
        torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1).zero_grad()  # the first one imports 800 modules
    if "plots" in extras:
        plots()
    if "adopted" in extras:
        from torchdojo.worker.pytest_item import complaint_of  # pytest imports its plugins when it runs a test

        complaint_of(SimpleNamespace(_module=None), "def test_nothing():\n    pass\n", "test_nothing", ())
    if "variants" in extras:
        from torchdojo import variants  # noqa: F401  (a locked worker may not read our files; `verify` needs this one)
    keep_from_compiling()


def keep_from_compiling() -> None:
    """Let torch.compile pass over our functions that PyTorch calls while compiled code runs: it would compile them too, for
    which it reads our files, and a locked worker may not."""
    with contextlib.suppress(ImportError, AttributeError, TypeError):  # private names of PyTorch
        from torch._C._dynamo import eval_frame as dynamo  # after PyTorch

        skipped = dynamo._FrameExecStrategy(dynamo._FrameAction.SKIP, dynamo._FrameAction.SKIP)  # it and all that it calls
        for name, module in list(sys.modules.items()):
            if name.startswith(OF_A_WORKER):
                parts = [part for p in vars(module).values() for part in (p, *(vars(p).values() if isinstance(p, type) else ()))]
                codes = [code for part in parts if isinstance(code := getattr(part, "__code__", None), CodeType)]
                while codes:
                    code = codes.pop()
                    dynamo.set_code_exec_strategy(code, skipped)
                    codes += [inner for inner in code.co_consts if isinstance(inner, CodeType)]


def plots() -> None:
    """Import matplotlib away from the home folder: settings there must not change a grade, nor a list of fonts be left there."""
    with contextlib.suppress(ImportError), tempfile.TemporaryDirectory() as folder:
        os.environ["MPLCONFIGDIR"] = folder
        import matplotlib.figure  # noqa: F401  (makes the list of fonts, which takes a while)
    os.environ.pop("MPLCONFIGDIR", None)


def fill_new_memory() -> None:
    """Let memory that nobody has written hold ones in every bit: nan in a float tensor, -1 in an integer one.

    What torch.empty gives is then the same in every run, and never the zeros that were hoped for. glibc only.
    """
    perturb, mmap_threshold = -6, -3
    with contextlib.suppress(OSError, AttributeError, TypeError):
        libc = ctypes.CDLL(None)
        libc.mallopt(perturb, 0x100)  # freed memory gets the lower byte, new memory its complement
        libc.mallopt(mmap_threshold, 32 << 20)  # larger pieces come from the kernel, which fills them with zeros


def exact_floats() -> None:
    """Let a GPU compute float32 in float32: the shorter format that it may use instead has 10 bits where float32 has 23."""
    import torch  # takes a second

    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False


def wake_gpus() -> None:
    """The first operation, and the first backward, take seconds, which no learner's check should pay for."""
    import torch  # takes a second

    for name, there in (("cuda", torch.cuda.is_available()), ("mps", torch.backends.mps.is_available())):
        if there:
            x = torch.ones(2, 2, device=name, requires_grad=True)
            (x @ x).sum().backward()


def streams(log: int) -> None:
    """Let whatever is read come from nowhere and whatever is printed go to the log."""
    null = os.open(os.devnull, os.O_RDWR)
    for source, target in ((null, 0), (log, 1), (log, 2)):
        os.dup2(source, target, inheritable=True)
    os.close(null)
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(n, mode, buffering=1, errors="replace", encoding="utf-8", closefd=False)
        for n, mode in ((0, "r"), (1, "w"), (2, "w"))
    )
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr  # type: ignore[misc, assignment]
    sys.argv[:] = ["exercise"]
