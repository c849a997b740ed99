"""What a learner's code replaces is read in a worker, however it was replaced; what PyTorch does itself is not held against it."""

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


EXERCISE = SimpleNamespace(grader=SimpleNamespace(read_text=lambda encoding: "solution.f(torch.relu)"))


def told(found, change):
    """The names that count for an exercise whose checks use torch.relu."""

    def call(request, seconds):
        return {"names": wire.encode(found.names())}

    worker = SimpleNamespace(wire=wire, call=call)
    before = instruments._names(worker)
    change()
    now = instruments._names(worker)
    return [name for name in instruments._differing(now, before) if instruments._counts(name, EXERCISE)]


@pytest.mark.parametrize(
    ("whole", "name", "counts"),
    [(torch, "relu", True), (torch.Tensor, "relu", False), (torch, "equal", True), (torch, "save", False), (run, "Watch", True)],
    ids=["used by a check", "inherited", "used by us", "used by nobody", "ours"],
)
def test_a_name_that_stands_for_another(found, whole, name, counts, monkeypatch):
    """It is always read; it counts where a check or a function of ours uses it, or stands in front of what it uses."""
    before = found.read()
    want = [f"torch.Tensor.{name}"] if whole is torch.Tensor else [f"{whole.__name__}.{name}"] if counts else []
    assert told(found, lambda: monkeypatch.setattr(whole, name, print, raising=False)) == want
    assert found.read() != before


def test_a_name_that_is_gone(found, monkeypatch):
    """As if it were replaced."""
    assert told(found, lambda: monkeypatch.delattr(torch, "relu")) == ["torch.relu"]


def test_a_mode_that_is_left_on(found):
    """It counts for every exercise; a thread that runs on costs the worker alone."""
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
    """It imports modules when they are first used, and one of them replaces manual_seed."""
    monkeypatch.setattr(torch, "_a_module_of_its_own", 1, raising=False)
    assert told(found, lambda: monkeypatch.setattr(torch, "manual_seed", torch.seed)) == []
