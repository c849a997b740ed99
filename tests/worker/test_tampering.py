"""What learner code replaces is found in a worker, however it was replaced; what PyTorch itself does is not reported."""

import os
import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest
import torch

from torchdojo.judge.recheck import instruments
from torchdojo.wire import strict as wire
from torchdojo.worker import run
from torchdojo.worker import tampering as clean


@pytest.fixture
def found():
    """The instruments of this process."""
    return clean.Instruments()


def of_grader(text):
    """An exercise with this text for its only grader file."""
    return SimpleNamespace(grader_files=[SimpleNamespace(read_text=lambda encoding: text)])


EXERCISE = of_grader("solution.f(torch.relu)")
LAYERS = of_grader("solution.f(torch.nn.Linear(2, 2))")


def told(found, change, exercise=EXERCISE):
    """The names that count for an exercise; without one, its checks use torch.relu."""

    def call(request, seconds):
        return {"names": wire.encode(found.names())}

    worker = SimpleNamespace(wire=wire, call=call)
    before = instruments._names(worker)
    change()
    now = instruments._names(worker)
    return [name for name in instruments._differing(now, before) if instruments._counts(name, exercise)]


@pytest.mark.parametrize(
    ("whole", "name", "counts"),
    [(torch, "relu", True), (torch.Tensor, "relu", False), (torch, "equal", True), (torch, "save", False), (run, "Watch", True)],
    ids=["used by a check", "inherited", "used by us", "used by nobody", "ours"],
)
def test_a_name_that_stands_for_another(found, whole, name, counts, monkeypatch):
    """It is always read; it counts if a check or a function of ours uses it, or if it shadows what they use."""
    before = found.read()
    want = [f"torch.Tensor.{name}"] if whole is torch.Tensor else [f"{whole.__name__}.{name}"] if counts else []
    assert told(found, lambda: monkeypatch.setattr(whole, name, print, raising=False)) == want
    assert found.read() != before


def test_a_name_that_is_gone(found, monkeypatch):
    """As if it were replaced."""
    assert told(found, lambda: monkeypatch.delattr(torch, "relu")) == ["torch.relu"]


def test_a_mode_that_is_left_on(found):
    """It counts for every exercise; a thread that keeps running only ends the worker."""
    mode = torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t)
    assert told(found, mode.__enter__) == [": hooks for saved tensors"]
    mode.__exit__(None, None, None)
    before, end = found.read(), threading.Event()
    thread = threading.Thread(target=end.wait)
    assert told(found, thread.start) == [] and found.read() != before
    end.set()
    thread.join()
    assert found.read() == before


def test_what_pytorch_does_itself(found, monkeypatch):
    """It imports modules on first use, and one of them replaces manual_seed."""
    monkeypatch.setattr(torch, "_a_module_of_its_own", 1, raising=False)
    assert told(found, lambda: monkeypatch.setattr(torch, "manual_seed", torch.seed)) == []


KERNELS = {
    "Library": lambda held: held.impl("exp", lambda x: x, "CPU"),
    "impl": lambda held: torch.library.impl("aten::exp", "CPU", lib=held)(lambda x: x),
    "register_kernel": lambda held: torch.library.register_kernel("aten::exp", "cpu", lambda x: x, lib=held),
    "register_autograd": lambda held: torch.library.register_autograd("aten::exp", lambda ctx, g: g, lib=held),
    "register_vmap": lambda held: torch.library.register_vmap("aten::exp", lambda info, dims, x: (x, 0), lib=held),
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("by", KERNELS)
def test_tampering_with_a_kernel_of_pytorch(found, by):
    """It counts for every exercise, by whatever function it was registered."""
    held = torch.library.Library("aten", "IMPL")
    before = found.read()
    try:
        assert told(found, lambda: KERNELS[by](held)) == [": a kernel of PyTorch"]
        assert found.read() != before
    finally:
        held._destroy()
    assert torch.exp(torch.zeros(1)) == 1


def test_an_operator_of_ones_own_is_no_tampering(found):
    """It only ends the worker."""
    held = torch.library.Library("test_tampering", "DEF")
    held.define("twice(Tensor x) -> Tensor")
    assert told(found, lambda: held.impl("twice", lambda x: x + x, "CPU")) == []
    held._destroy()


FIRST_VMAP = """
import torch

from torchdojo.worker.tampering import _kernels

before = _kernels()
torch.func.vmap(torch.sin)(torch.ones(2))
print(_kernels() - before)
"""


@pytest.mark.slow
def test_the_first_vmap_of_a_process_is_no_tampering():
    """PyTorch registers kernels for it then; torch.func.jacrev calls it, too."""
    done = subprocess.run([sys.executable, "-c", FIRST_VMAP], capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"


HOOKS = (
    "module_forward_pre_hook module_forward_hook module_full_backward_pre_hook module_full_backward_hook"
    " module_parameter_registration_hook module_module_registration_hook module_buffer_registration_hook"
)


@pytest.mark.parametrize("name", [*HOOKS.split(), "optimizer_step_pre_hook", "optimizer_step_post_hook"])
def test_tampering_by_a_hook_for_all_modules_or_optimizers(found, name):
    """It counts for every exercise while it is registered."""
    part = "torch.optim.optimizer" if name.startswith("optimizer") else "torch.nn.modules.module"
    before, handles = found.read(), []
    names = told(found, lambda: handles.append(getattr(sys.modules[part], f"register_{name}")(lambda *a: None)))
    assert ": a hook for all modules or optimizers" in names and found.read() != before
    handles[0].remove()


SWITCHED = {
    "a dispatch key left out": lambda: torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradCPU)),
    "a dispatch key put in": lambda: torch._C._IncludeDispatchKeyGuard(torch._C.DispatchKey.FuncTorchBatched),
    "__torch_function__ of classes": lambda: torch._C.DisableTorchFunctionSubclass(),
    "a level of forward-mode differentiation": torch.autograd.forward_ad.dual_level,
    "a function mode of PyTorch": torch.overrides.TorchFunctionMode,
    "a dispatch mode of PyTorch": torch.utils._python_dispatch.TorchDispatchMode,
    "inference mode": torch.inference_mode,
    "autocast": lambda: torch.autocast("cpu"),
}


@pytest.mark.parametrize("name", SWITCHED)
def test_tampering_by_what_is_left_switched_on(found, name):
    """It counts for every exercise."""
    mode = SWITCHED[name]()
    before = found.read()
    try:
        assert f": {name}" in told(found, mode.__enter__)
        assert found.read() != before
    finally:
        mode.__exit__(None, None, None)


@pytest.mark.parametrize(
    ("whole", "name", "counts"),
    [
        (torch.overrides, "handle_torch_function", True),
        (torch._ops.OpOverload, "redispatch", True),
        (torch.library, "impl", True),
        (torch.nn.init, "kaiming_uniform_", False),
        (torch.nn.Linear, "reset_parameters", False),
    ],
    ids=["overrides", "operators", "library", "init", "layers"],
)
def test_tampering_with_what_hands_operations_on(found, whole, name, counts, monkeypatch):
    """The dispatcher counts for every exercise; a layer and its initial values only if a grader names the layer."""
    assert bool(told(found, lambda: monkeypatch.setattr(whole, name, print))) is counts
    monkeypatch.undo()
    assert told(found, lambda: monkeypatch.setattr(whole, name, print), LAYERS)


FORKED = """
import os
from torchdojo.worker import tampering
found = tampering.Instruments()
read, kept = found.read(), []
for n in range(8):
    kept += [object() for _ in range(n * 37)]  # so that what a fork makes lies elsewhere each time
    if not (pid := os.fork()):
        os._exit(found.read() != read)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is forked here")
def test_a_fork_reads_as_its_parent_did():
    """Otherwise a worker would look tampered with, and every exercise would need a new one."""
    done = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == ["0"] * 8, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["SGD", "Adam", "AdamW"])
def test_the_first_optimizer_of_a_kind_is_no_tampering(kind):
    """PyTorch wraps `step` of the class when the first one is created: a right solution does that in a worker with an earlier snapshot."""
    code = (
        "import torch\nfrom torchdojo.worker import tampering\nread = tampering.Instruments()\n"
        "def optim():\n    parts, (names, fields), _ = read.names()\n"
        "    return [p for p in parts if p[0].startswith('torch.optim.')], [n for n in zip(names, fields) if n[0].startswith('torch.optim.')]\n"
        f"before = optim()\ntorch.optim.{kind}([torch.zeros(1, requires_grad=True)], lr=0.1)\n"
        "print(len(before[0]) > 2 and optim() == before)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)

    assert done.stdout.strip() == "True", done.stderr
