"""Autograd 10 of 10: run a model without building a graph.

Difficulty 3 of 5, about 12 minutes.
"""

import torch
from torch import nn


def predict(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """Return model(x) as in evaluation, with no graph, and leave the model as it was.

    An nn.Module is a function with parameters. Chapter 06 builds some; here you call them, and read and set their modes.

    Shapes:
        x       whatever the model takes
        result  what model(x) returns in eval mode: a tensor that does not require grad

    During the call the model is in eval mode: dropout does nothing, batch norm uses its running statistics.
    Nothing is recorded, even if x or a parameter requires grad. Afterwards the model is in train or eval mode as
    before, and its parameters, buffers and .grad are unchanged. The model is called once.

    Example:
        >>> predict(nn.Dropout(0.5), torch.ones(3))
        tensor([1., 1., 1.])

    Pitfall:
        torch.no_grad() turns grad mode off, and model.eval() turns dropout off. Neither replaces the other.

    For full marks:
        * each module's training flag is what it was before. Modules of one model may differ: a model in train
          mode can hold a part that was put in eval mode on purpose, and vice versa
        * the flags are also restored if the model raises; the exception goes to the caller
    """
    raise NotImplementedError("03_autograd/ex10_no_graph: write predict()")


def frozen_features(backbone: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """Return backbone(x) as constants on which another model can be trained.

    As in predict: eval mode during the call, nothing recorded, the mode restored. And the result is an ordinary
    tensor (result.is_inference() is False): after head(frozen_features(backbone, x)).sum().backward() the head
    has gradients, and the backbone has none.

    Example:
        >>> features = frozen_features(nn.Sequential(nn.Linear(4, 2), nn.ReLU()), torch.ones(3, 4))
        >>> features.shape, features.requires_grad, features.is_inference()
        (torch.Size([3, 2]), False, False)

    Pitfall:
        requires_grad_(False) on the parameters leaves a model that no longer trains.

    For full marks:
        * each module's training flag is restored as in predict, even after an error
    """
    raise NotImplementedError("03_autograd/ex10_no_graph: write frozen_features()")
