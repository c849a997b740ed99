"""Debugging 5 of 10: tensors left behind on the CPU.

Difficulty 3 of 5, about 10 minutes.

Symptom. `torchdojo symptom ex05_stray_cpu` runs both programs. On the CPU everything works. On any other device, here
PyTorch's shape-only device "meta", this program

    model = SequencePool(features=3, classes=2).to("meta")
    x = torch.ones(4, 5, 3, device="meta")
    model(x, torch.full((4,), 5, device="meta"))

stops with

    RuntimeError: Tensor on device meta is not on the expected device cpu!

There is a second stray tensor in sequence_loss, and a dtype that nobody chose: with a bfloat16 model and
bfloat16 inputs this program

    model = SequencePool(features=3, classes=2).to(torch.bfloat16)
    model(torch.ones(4, 5, 3, dtype=torch.bfloat16), torch.full((4,), 5))

stops with

    RuntimeError: mat1 and mat2 must have the same dtype, but got Float and BFloat16

Repair the code below; change as little as you can.
"""

import torch
from torch import nn
from torch.nn import functional as F

REPAIRED = False  # set to True when you have repaired the code below


class SequencePool(nn.Module):
    """Average the valid steps of each sequence, step t with weight t + 1, and classify the average.

    Shapes:
        x        (batch, steps, features)  dtype and device of the parameters
        lengths  (batch,)                  int64, on x's device, from 1 to steps
        result   (batch, classes)          dtype and device of x

    Steps count from 0. Step t of sequence i is valid if t < lengths[i]. The result is head(average), where average
    is the sum of (t + 1) * x[i, t] over the valid steps divided by the sum of their t + 1.

    It works on any device, including "meta", and in any floating dtype, including bfloat16. All work is done on x's device.
    A tensor on "meta" has a shape and no values, so no number can be read from it. The state_dict has the keys
    head.weight and head.bias and no others.

    Pitfall:
        A device name written into the code ("cuda") moves the bug to the next machine.

    For full marks:
        * A sequence may have up to 256 steps.
        * An empty batch gives (0, classes).
    """

    def __init__(self, features: int, classes: int):
        super().__init__()
        self.head = nn.Linear(features, classes)

    def forward(self, x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Return the scores of each class for each sequence."""
        steps = torch.arange(x.shape[1])
        mask = steps < lengths.unsqueeze(1)
        weights = (steps + 1.0) * mask
        pooled = (x * weights.unsqueeze(-1)).sum(dim=1) / weights.sum(dim=1, keepdim=True)
        return self.head(pooled)


def sequence_loss(model: nn.Module, batch: tuple[torch.Tensor, torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Return the mean cross entropy of one batch, computed on the model's device.

    Arguments:
        model   a module with at least one parameter, all on one device; called once, as model(x, lengths)
        batch   a tuple or list (x, lengths, labels): x in the dtype of the parameters, labels (batch,) int64, at
                least one sequence. Each of the three may be on the CPU or already on the model's device.
        result  a 0-dim tensor with a graph, dtype of model(x, lengths), on the model's device

    The model stays on its device and in its mode (train or eval). The function does not call backward, and batch
    keeps its tensors.

    Example:
        >>> model = SequencePool(features=2, classes=4)
        >>> for parameter in model.parameters():
        ...     _ = torch.nn.init.zeros_(parameter)
        >>> batch = (torch.ones(3, 5, 2), torch.tensor([1, 5, 2]), torch.tensor([0, 3, 1]))
        >>> round(sequence_loss(model, batch).item(), 4)    # the log of 4
        1.3863
    """
    x, lengths, labels = batch
    device = next(model.parameters()).device
    scores = model(x.to(device), lengths.to(device))
    return F.cross_entropy(scores, labels)
