"""Training bonus 1: stop today, continue tomorrow as if nothing had happened.

Difficulty 3 of 5, about 15 minutes.
"""

from pathlib import Path

import torch
from torch import nn


def save_checkpoint(path: Path | str, model: nn.Module, opt: torch.optim.Optimizer, epoch: int) -> None:
    """Write everything that training needs to continue into the file at path.

    The file holds the state of the model (parameters and buffers), the state of opt, epoch (the number of
    finished epochs), and the state of torch's CPU random generator. How they are arranged is up to you.

    torch.load(path, weights_only=True) can read the file: it holds tensors, numbers, strings, lists and dicts,
    not the model object. Saving changes nothing, and an existing file is replaced.

    Example:
        >>> import tempfile
        >>> model = torch.nn.Linear(2, 1)
        >>> opt = torch.optim.Adam(model.parameters())
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     save_checkpoint(folder + "/last.pt", model, opt, epoch=3)
        ...     load_checkpoint(folder + "/last.pt", model, opt)
        3

    Pitfall:
        The weights are not everything: Adam needs its running averages, too.
    """
    raise NotImplementedError("07_training/bonus1_resume: write save_checkpoint()")


def load_checkpoint(path: Path | str, model: nn.Module, opt: torch.optim.Optimizer) -> int:
    """Bring model, optimizer and random numbers to the state saved at path, and return the finished epochs.

    After N epochs, a save, and a load into a newly made model and optimizer of the same kind, M more epochs
    give the same weights as N + M epochs in one go, dropout and shuffling included.

    The values are put into the existing parameters, which stay the same objects. The saved settings of the
    optimizer, such as the learning rate, replace those of `opt`. The training flags of the model don't change.

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
        Dropout and shuffling go on as before only if the state of the random generator comes back, too.

    For full marks:
        * The file may have been written on a different device from the one the model is on now, even on one
          that this machine does not have. The state of the random generator must be a CPU tensor when it is
          set, but map_location moves every tensor of the file.
        * A checkpoint that does not fit raises the RuntimeError or ValueError of load_state_dict; a missing
          file raises FileNotFoundError.
        * A file that holds more than tensors and plain values is refused, as torch.load(...,
          weights_only=True) does: reading someone else's file must not run code.
    """
    raise NotImplementedError("07_training/bonus1_resume: write load_checkpoint()")
