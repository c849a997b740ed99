"""Vision 8 of 12: a trained network gets a new head for other classes.

Difficulty 3 of 5, about 20 minutes.
"""

import torch
from torch import nn


class Transfer(nn.Module):
    """A trained, frozen network with a new head.

    Arguments:
        backbone  a trained model; its last layer is backbone.fc, an nn.Linear
        classes   the number of new classes

    `backbone` is kept as self.backbone, with nn.Identity in the place of fc, so that it returns what fc read. `head` is a new
    nn.Linear. All parameters of the backbone are frozen, and the head is trained.

    Example:
        >>> backbone = nn.Sequential(nn.Flatten())
        >>> backbone.fc = nn.Linear(12, 5)
        >>> model = Transfer(backbone, classes=2)
        >>> model(torch.ones(4, 3, 2, 2)).shape
        torch.Size([4, 2])

    Pitfall:
        Each epoch calls model.train(). It puts the frozen batch norms into training mode again, and their running statistics drift.

    For full marks:
        * the head has the dtype and the device of the old one
    """

    def __init__(self, backbone: nn.Module, classes: int):
        super().__init__()
        raise NotImplementedError("12_vision/ex08_new_head: write Transfer.__init__()")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the logits, (batch, classes), of the images x."""
        raise NotImplementedError("12_vision/ex08_new_head: write Transfer.forward()")

    def train(self, mode: bool = True) -> "Transfer":
        """Set the mode as nn.Module.train does, but keep batch norms with frozen parameters in evaluation mode. Return self."""
        raise NotImplementedError("12_vision/ex08_new_head: write Transfer.train()")

    def unfreeze(self, part: str) -> None:
        """Train the parameters of a part of the backbone, too, such as "layer2", or "layer1.1", a part inside "layer1".

        For full marks:
            * the mode of its batch norms follows at once: in a model that trains, they train
        """
        raise NotImplementedError("12_vision/ex08_new_head: write Transfer.unfreeze()")

    def groups(self, head_rate: float, body_rate: float) -> list[dict]:
        """Return groups with "params" and "lr": the head (head_rate), then what the backbone trains, if anything (body_rate)."""
        raise NotImplementedError("12_vision/ex08_new_head: write Transfer.groups()")
