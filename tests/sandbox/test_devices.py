"""Choosing devices for grading, what a device can't hold, and tolerances by device."""

import os
import sys
from pathlib import Path

import pytest
import torch
import warm

from torchdojo.common.errors import UsageError
from torchdojo.grading import check, tensor
from torchdojo.judge import tolerances
from torchdojo.judge.compare import compare
from torchdojo.judge.compare import tolerances as tolerances_for
from torchdojo.judge.oracle import Oracle
from torchdojo.sandbox import devices
from torchdojo.wire.outcome import Raised
from torchdojo.wire.strict import decode, encode

ROOT = Path(__file__).parents[2]
NOBODY = [name for name in ("cuda", "mps") if devices._WHY_NOT[name]()]  # what this machine lacks


@pytest.mark.parametrize(
    ("wanted", "found"),
    [(None, None), ("cpu", ["cpu"]), ("sim", ["cpu", "sim"]), ("cuda, cpu,cuda", ["cpu", "cuda"])],
)
def test_names_are_read_with_the_cpu_first(wanted, found):
    """Whatever is requested, the CPU is included once."""
    assert devices.asked_for(wanted) == found


@pytest.mark.parametrize("wanted", ["gpu", "cuda:1", "", ",", "cpu,tpu"])
def test_unknown_names_are_refused_with_the_known_ones(wanted):
    """One line."""
    with pytest.raises(UsageError, match=r"is not a device for grading; choose from cpu, sim, cuda, mps$"):
        devices.asked_for(wanted)


@pytest.mark.parametrize("wanted", ["sim,cuda", "cpu,sim,mps"])
def test_two_accelerators_are_refused(wanted):
    """PyTorch's autograd works with one per process: with two, a backward on CUDA fails an assertion inside PyTorch."""
    with pytest.raises(UsageError, match=r"one accelerator per process; use --device cpu,sim, then --device cpu,(cuda|mps)$"):
        devices.asked_for(wanted)


@pytest.mark.parametrize("name", NOBODY)
def test_a_device_asked_for_in_vain_is_a_usage_error(name):
    """It names the available devices."""
    with pytest.raises(UsageError, match=rf"^--device {name}: PyTorch finds no .* here; use --device cpu"):
        devices.at_hand(["cpu", name])


COMMANDS = {
    "grade": ["-m", "torchdojo", "grade", "reference", "--course", "."],
    "verify": ["-m", "torchdojo", "verify"],
    "pytest graders": ["-m", "pytest", "graders", "--submission", "reference"],
}


@pytest.mark.slow
@pytest.mark.parametrize("wanted", [*NOBODY[:1], "tpu"])
@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_every_command_says_so_in_one_line_with_exit_code_2(words, wanted):
    """grade, verify and pytest alike."""
    done = warm.python(*words, "--device", wanted, cwd=ROOT)
    said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]

    assert done.returncode == 2
    assert len(said) == 1 and f"--device{' ' if wanted in devices.KNOWN else ': '}{wanted}" in said[0], said


@pytest.mark.parametrize(
    ("there", "found"), [(["sim", "cuda"], ["cpu", "cuda"]), (["sim"], ["cpu", "sim"]), (["sim", "mps"], ["cpu", "sim"]), ([], ["cpu"])]
)
def test_the_default_is_cuda_or_else_the_simulated_device(there, found, monkeypatch):
    """Never both, and Apple's GPU only on request. Without any, the user is told what is missing."""
    monkeypatch.setattr(devices, "_WHY_NOT", {name: lambda name=name: None if name in there else "lacking" for name in devices.KNOWN[1:]})
    monkeypatch.setattr(devices, "_no_sim", devices._WHY_NOT["sim"])

    assert devices.at_hand(None) == found
    assert bool(devices.left_out(None)) == (not there)
    assert devices.processes(found) <= (devices.WITH_A_GPU if "cuda" in found else devices.cores())


def test_the_simulated_device_hides_cuda():
    """From its process and from those that it starts. What uses CUDA already can't have the simulated device."""
    code = """
import os, torch
torch.backends.cuda.is_built = lambda: True
from torchdojo import sim
torch.cuda.is_initialized = lambda: True
print(sim.why_not())
torch.cuda.is_initialized = lambda: False
sim.install()
print(os.environ["CUDA_VISIBLE_DEVICES"])
"""
    done = warm.python("-c", code, cwd=ROOT)

    assert done.stdout.splitlines() == ["CUDA is in use in this process, and PyTorch works with one accelerator per process", "-1"]


def test_a_worker_that_cannot_start_says_why(monkeypatch):
    """It has run no code of a learner, so it doesn't blame any."""
    from torchdojo.sandbox import portable

    monkeypatch.setattr(portable, "python_alone", lambda module: [sys.executable, "-c", "raise SystemExit('the driver is too old')"])
    starter = portable.Portable(["gpu"])
    try:
        with pytest.raises(RuntimeError, match=r"^a worker could not start: the driver is too old$"):
            starter.worker(ROOT)
    finally:
        starter.close()




def test_asking_for_a_gpu_does_not_start_cuda(monkeypatch):
    """Processes forked afterwards couldn't use it: the driver's own list is read, and the environment is restored."""
    seen = []
    monkeypatch.setattr(torch.cuda, "is_available", lambda: seen.append(os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"]) or False)
    monkeypatch.delenv("PYTORCH_NVML_BASED_CUDA_CHECK", raising=False)

    assert devices._no_cuda() is not None
    assert seen == ["1"] and "PYTORCH_NVML_BASED_CUDA_CHECK" not in os.environ


@pytest.mark.slow
def test_workers_for_a_gpu_are_plain_processes():
    """Its driver doesn't work behind the locks: Portable starts them, and its message reaches the user."""
    from torchdojo.sandbox.portable import Portable
    from torchdojo.sandbox.preload import extras_for, extras_for_many
    from torchdojo.sandbox.start import start

    assert devices.gpu_among(["cpu", "cuda"]) and not devices.gpu_among(["cpu", "sim"])
    assert extras_for([], ["cpu", "cuda"]) == extras_for_many([], ["cpu", "cuda"], 300) == ["gpu"]
    found = start(["gpu"])
    try:
        assert isinstance(found, Portable)
        worker = found.worker(ROOT)
        assert worker.layers == ["process"]
        assert worker.call("echo", 60, value=7)["value"] == 7
        worker.close()
    finally:
        found.close()


class Check:
    """As much of a check as an Oracle looks at."""

    devices = True

    def __init__(self, *dtypes):
        self.dtypes = dtypes

    def draw(self, seed):
        return [{"x": [torch.ones(2, dtype=dtype)]} for dtype in self.dtypes]


def test_examples_that_a_device_cannot_hold_are_left_to_the_others():
    """Apple's GPUs have no float64: those examples run only on the CPU."""
    oracle = Oracle(devices=["cpu", "mps"])

    assert oracle.runs(Check(torch.float64, torch.float32)) == [("cpu", 0), ("cpu", 1), ("mps", 1)]
    assert oracle.runs(Check(torch.complex128)) == [("cpu", 0)]
    assert Oracle(devices=["mps"]).runs(Check(torch.float64, torch.float32)) == [("mps", 1)]


def test_another_device_gets_an_empty_tensor_too():
    """Many solutions handle an empty tensor separately, with a new one on the CPU."""
    made = check(x=tensor("rows columns"))(lambda solution, x: x)
    oracle = Oracle(devices=["cpu", "sim"])
    sizes = [oracle.arguments(made, n)["x"].numel() for n, (device, _) in enumerate(oracle.runs(made)) if device == "sim"]
    assert sizes.count(0) == 2 and len(sizes) <= 6


def test_a_run_that_ends_for_lack_of_float64_says_nothing():
    """Only on Apple's GPUs, and only for that reason."""
    lack = Raised(text="Cannot convert a MPS Tensor to float64 dtype as the MPS framework doesn't support float64.")

    assert devices.out_of_reach("mps", lack) and not devices.out_of_reach("cpu", lack)
    assert not devices.out_of_reach("mps", Raised(text="something else")) and not devices.out_of_reach("mps", None)


def test_what_a_check_needs_is_named():
    """A package, or the simulated device."""
    assert devices.absence("torch", ["cpu"]) is None
    assert devices.absence("no_such_package", ["cpu"]) == "no_such_package is not installed"
    assert devices.absence("sim", ["cpu", "sim"]) is None
    assert devices.absence("sim", ["cpu"]) == "it needs the simulated accelerator (--device cpu,sim)"


# ------------------------------------------------------------------ tolerances
def test_the_table_leaves_room_for_rounding_and_not_much_more():
    """On the CPU a float32 tolerance is 4 to 20 times the worst measured error; each entry says how it was measured."""
    for device in ("cpu", "sim"):
        assert "operations" in tolerances.MEASURED_WITH[device]
        for place in (0, 1):
            room = tolerances.TOLERANCES[device]["float32"][place] / tolerances.ERRORS[device]["float32"][place]
            assert 4 < room < 20


def test_no_device_is_judged_more_strictly_than_the_cpu():
    """Its tolerances are wider by the same factor as its errors are larger."""
    for device, table in tolerances.TOLERANCES.items():
        for dtype, (rtol, atol) in table.items():
            assert rtol >= tolerances.TOLERANCES["cpu"][dtype][0] and atol >= tolerances.TOLERANCES["cpu"][dtype][1], (device, dtype)


def measurement(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import tolerances as measuring  # the script of this name, not the table

    return measuring


def test_the_recorded_errors_are_those_of_this_pytorch(monkeypatch):
    """Measured again, float32 on the CPU is within a factor of three of the table: processors round slightly differently."""
    measuring = measurement(monkeypatch)
    monkeypatch.setattr(measuring, "SEEDS", 6)
    found = [max(part.values()) for part in measuring.errors("cpu", torch.float32)]

    for got, recorded in zip(found, tolerances.ERRORS["cpu"]["float32"], strict=True):
        assert recorded / 3 < got < recorded * 3


def test_larger_errors_make_wider_tolerances(monkeypatch):
    """Twice the error, twice the tolerance; smaller errors change nothing."""
    measuring = measurement(monkeypatch)
    here = {"float32": [2e-7, 5e-7], "float16": [1e-3, 1e-3], "bfloat16": [1e-2, 1e-2]}
    there = here | {"float32": [4e-7, 1e-7]}

    assert measuring.derived(there, here)["float32"] == [2.6e-6, 1e-5]
    assert measuring.derived(here, here)["float64"] == [1e-9, 1e-10]


def seen(x):
    return decode(encode({"value": x}))["value"]


def test_comparison_uses_the_tolerance_of_the_device(monkeypatch):
    """A tensor on a device with larger errors gets more room; a Python number too."""
    monkeypatch.setitem(tolerances.TOLERANCES, "sim", tolerances.TOLERANCES["cpu"] | {"float32": [1e-2, 1e-2]})
    got, want = torch.tensor([1.001]), torch.tensor([1.0])

    assert compare(seen(got), seen(want)) is not None
    assert compare(seen(got.to("sim")), seen(want.to("sim"))) is None
    assert compare(1.001, 1.0) is not None and compare(1.001, 1.0, device="sim") is None
    assert tolerances_for("cuda:0", torch.complex64) == tolerances_for("cpu", torch.float32)
    assert tolerances_for("cpu", torch.int64) == (0.0, 0.0)
