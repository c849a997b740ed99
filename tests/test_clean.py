"""What a learner's code leaves behind in PyTorch's own names is seen, whether or not the changes of a dict can be counted."""

import threading
from types import ModuleType

import pytest
import torch

from torchdojo.worker import clean


@pytest.fixture(params=[True, False], ids=["counted", "gone through"])
def known(request, monkeypatch):
    """What everything is like now."""
    if not request.param:
        monkeypatch.setattr(clean, "_can_be_read", lambda: False)
    monkeypatch.setattr(clean, "_known", {})
    clean.remember()
    return clean._known


def all_is_clean():
    """As after an exercise."""
    return clean.is_clean(threading.active_count())


def test_changes_can_be_counted_here():
    """Otherwise the other tests of this file try one way only, and every submission costs more."""
    assert clean._can_be_read()


@pytest.mark.parametrize(("whole", "name"), [(torch, "relu"), (torch.Tensor, "backward"), (torch.nn.functional, "relu")])
def test_a_name_that_is_replaced_or_new(known, whole, name, monkeypatch):
    """A function that stands for another, a new name, and one that is gone."""
    assert all_is_clean()
    for change in (
        lambda patch: patch.setattr(whole, name, print),
        lambda patch: patch.setattr(whole, "name_of_mine", print, raising=False),
        lambda patch: patch.delattr(whole, name),
    ):
        with monkeypatch.context() as patch:
            change(patch)
            assert not all_is_clean() and not all_is_clean()
    clean._known.clear()
    clean.remember()
    assert all_is_clean()


def test_what_pytorch_does_itself(known, monkeypatch):
    """It imports modules when they are first used, and one of them replaces manual_seed."""
    monkeypatch.setattr(torch, "_a_module_of_its_own", ModuleType("x"), raising=False)
    monkeypatch.setattr(torch, "manual_seed", torch.seed)
    assert all_is_clean() and all_is_clean()


def test_a_thread_that_runs_on(known):
    """Its process is not used for the next exercise."""
    before, end = threading.active_count(), threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    assert not clean.is_clean(before)
    end.set()
    thread.join()
    assert clean.is_clean(before)
