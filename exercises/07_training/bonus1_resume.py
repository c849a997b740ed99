"""Training bonus 1: stop today, continue tomorrow as if nothing had happened.

Difficulty 3 of 5, about 15 minutes.
"""

from pathlib import Path

import torch
from torch import nn


def save_checkpoint(path: Path | str, model: nn.Module, opt: torch.optim.Optimizer, epoch: int) -> None:
    """Write everything that training needs to continue into one file.

    To be able to continue exactly, the file holds the state of the model (parameters and buffers), the state
    of the optimizer (momentum, running averages, learning rate ...), the number of finished epochs, and the
    state of torch's CPU random generator. How they are arranged in the file is up to you.

    Edge cases:
        * torch.load(path, weights_only=True) can read the file: it holds tensors, numbers, strings, lists and
          dicts, not the model object itself.
        * Saving changes nothing: not the model, its mode, the optimizer, nor the random state. An existing
          file is replaced.

    Example:
        >>> import tempfile
        >>> model = torch.nn.Linear(2, 1)
        >>> opt = torch.optim.Adam(model.parameters())
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     save_checkpoint(folder + "/last.pt", model, opt, epoch=3)
        ...     load_checkpoint(folder + "/last.pt", model, opt)
        3

    Pitfall:
        The weights are not all: Adam without its running averages starts anew with a jolt.
    """
    raise NotImplementedError("07_training/bonus1_resume: write save_checkpoint()")


def load_checkpoint(path: Path | str, model: nn.Module, opt: torch.optim.Optimizer) -> int:
    """Bring model, optimizer and random numbers back to a saved state and return the finished epochs.

    After N epochs, a save, and a load into a newly made model and optimizer of the same kind, M more epochs
    give the same weights as N + M epochs in one go, dropout and shuffling included.

    Edge cases:
        * The file may have been written on another device than the model is on now, even on one that this
          machine does not have. The values are put into the existing parameters: they stay the same objects,
          on their device, so that the optimizer still holds them. The state of the optimizer follows its
          parameters.
        * The state of torch's CPU generator is restored on every machine. (It must be a CPU tensor when it is
          set.)
        * The learning rate and the other settings of the saved optimizer replace those of `opt`.
        * A checkpoint that does not fit, an entry missing or one too many: the RuntimeError or ValueError
          that the load_state_dict methods of model and optimizer raise.
        * No file there: FileNotFoundError. A file that holds more than tensors and plain values is refused
          with pickle.UnpicklingError, as torch.load(..., weights_only=True) does: reading a stranger's file
          must not run code.
        * The training flags of the model are not saved and not changed.

    Example:
        >>> import tempfile
        >>> old, new = torch.nn.Linear(2, 1), torch.nn.Linear(2, 1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     save_checkpoint(folder + "/last.pt", old, torch.optim.SGD(old.parameters(), lr=0.1), epoch=5)
        ...     load_checkpoint(folder + "/last.pt", new, torch.optim.SGD(new.parameters(), lr=0.1))
        5
        >>> bool((old.weight == new.weight).all())
        True

    Pitfall:
        map_location moves every tensor of the file, the random state among them.
    """
    raise NotImplementedError("07_training/bonus1_resume: write load_checkpoint()")
