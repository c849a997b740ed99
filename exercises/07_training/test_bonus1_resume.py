"""Visible tests for save_checkpoint and load_checkpoint: pytest exercises/07_training -k resume"""

import torch
from torch import nn

from bonus1_resume import load_checkpoint, save_checkpoint
from torchdojo import assert_same


def step(model: nn.Module, opt: torch.optim.Optimizer) -> None:
    """Train once, with a random input."""
    opt.zero_grad()
    model(torch.rand(4, 2)).pow(2).mean().backward()
    opt.step()


def test_resume_continues_as_if_nothing_had_happened(tmp_path):
    """One step, save, one step: a new model does the second one alike."""
    torch.manual_seed(0)
    old = nn.Linear(2, 1)
    old_opt = torch.optim.Adam(old.parameters(), lr=0.1)
    step(old, old_opt)
    save_checkpoint(tmp_path / "last.pt", old, old_opt, epoch=1)
    step(old, old_opt)

    new = nn.Linear(2, 1)
    new_opt = torch.optim.Adam(new.parameters(), lr=0.001)
    epoch = load_checkpoint(tmp_path / "last.pt", new, new_opt)
    step(new, new_opt)

    assert epoch == 1
    assert_same(new.weight.detach(), old.weight.detach())


def test_resume_file_can_be_read_safely(tmp_path):
    """The file holds tensors and plain values only."""
    model = nn.Linear(2, 1)

    save_checkpoint(tmp_path / "last.pt", model, torch.optim.SGD(model.parameters(), lr=0.1), epoch=1)

    torch.load(tmp_path / "last.pt", weights_only=True)


def test_resume_keeps_the_parameters_of_the_model(tmp_path):
    """The parameter object is filled, not replaced."""
    model = nn.Linear(2, 1)
    weight = model.weight
    opt = torch.optim.SGD(model.parameters(), lr=0.1)

    save_checkpoint(tmp_path / "last.pt", model, opt, epoch=2)
    load_checkpoint(tmp_path / "last.pt", model, opt)

    assert model.weight is weight
