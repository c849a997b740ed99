"""Autograd 10 of 10: run a model without recording anything.

Difficulty 3 of 5, about 12 minutes.
"""

import torch
from torch import nn


def predict(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """Return model(x) as in evaluation, with no graph, and leave the model as it was.

    Shapes:
        x       whatever the model takes, on the model's device
        result  what model(x) returns in eval mode: a tensor that does not require grad

    Rules:
        - Every module inside the model is in eval mode during the call: dropout does nothing, batch norm
          uses its running statistics and does not update them.
        - Nothing is recorded: autograd saves no tensor during the call, even if x or a parameter requires
          grad.
        - Afterwards each module's training flag is what it was before. Modules of one model may differ: a
          model in train mode can hold a part that was put in eval mode on purpose, and the other way
          round.
        - The flags and the caller's grad mode are also restored if the model raises; the exception goes to
          the caller.
        - Parameters, buffers, requires_grad, .grad, x and torch's random state do not change.

    The result is only looked at, so it may be an inference tensor. The model is called once, and makes its
    output by at least one operation on x.

    Example:
        >>> predict(nn.Dropout(0.5), torch.ones(3))
        tensor([1., 1., 1.])

    Pitfall:
        torch.no_grad() stops the recording and model.eval() switches dropout off. Neither does the other's
        work.
    """
    raise NotImplementedError("03_autograd/ex10_no_graph: write predict()")


def frozen_features(backbone: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """Return backbone(x) as constants on which another model can be trained.

    Every rule of predict holds here as well: eval mode during the call, nothing recorded, everything
    restored. One rule is added:

        - The result is an ordinary tensor (result.is_inference() is False): a head can be trained on it, as
          in head(frozen_features(backbone, x)).sum().backward(). That backward fills the head's gradients
          and leaves the .grad of the backbone's parameters alone.

    Example:
        >>> features = frozen_features(nn.Sequential(nn.Linear(4, 2), nn.ReLU()), torch.ones(3, 4))
        >>> features.shape, features.requires_grad, features.is_inference()
        (torch.Size([3, 2]), False, False)

    Pitfall:
        Freezing the parameters with requires_grad_(False) and walking away leaves a model that no longer
        trains.
    """
    raise NotImplementedError("03_autograd/ex10_no_graph: write frozen_features()")
