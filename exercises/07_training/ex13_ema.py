"""Training 13 of 15: an exponential moving average of the weights.

Difficulty 3 of 5, about 12 minutes.
"""

import torch
from torch import nn


class EMA:
    """Keep an exponential moving average of a model's weights while the model trains.

    Call update(model) after each step of the optimizer. Evaluate with self.model.

    Attributes:
        model  a copy of the model, in evaluation mode, whose parameters are the averages and don't require gradients

    At the beginning the averages are the weights that the model has. Afterwards they change only in update(). The model
    itself keeps its weights, its gradients and its mode.

    Example:
        >>> model = nn.Linear(1, 1, bias=False)
        >>> _ = nn.init.constant_(model.weight, 8.0)
        >>> ema = EMA(model, decay=0.75)
        >>> _ = nn.init.constant_(model.weight, 4.0)
        >>> ema.update(model)
        >>> ema.model.weight.item(), model.weight.item()
        (7.0, 4.0)

    Pitfall:
        `self.model = model` is no copy: then the average is whatever the model is.
    """

    def __init__(self, model: nn.Module, decay: float):
        """Copy the model. decay is from 0 to 1."""
        raise NotImplementedError("07_training/ex13_ema: write EMA.__init__()")

    def update(self, model: nn.Module) -> None:
        """Replace each average by decay * average + (1 - decay) * weight, with the weights that model has now.

        The buffers of self.model, such as the running statistics of batch norm, take the values of the model's buffers.

        For full marks:
            * a parameter that two modules share is updated once
            * averages are updated in place: the parameters of self.model stay the same objects
        """
        raise NotImplementedError("07_training/ex13_ema: write EMA.update()")
