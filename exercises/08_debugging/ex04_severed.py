"""Debugging 4 of 10: a model whose parameters get no gradient.

Difficulty 3 of 5, about 10 minutes. Fast track.

Symptom. `torchdojo symptom ex04_severed` runs this program

    model = TwoStageScorer(3, 4)
    loss = penalised_loss(model, torch.ones(5, 3), torch.ones(5, 1), strength=0.1)
    loss.backward()
    for name, parameter in model.named_parameters():
        print(name, parameter.grad)

and prints

    encoder.weight None
    encoder.bias None
    head.weight None
    head.bias None

The graph is cut in more than one place. Repair the code below; change as little as you can.
"""

import torch
from torch import nn

REPAIRED = False  # set to True when you have repaired the code below


class TwoStageScorer(nn.Module):
    """Score each sample by a linear head on top of a tanh encoder.

    Shapes:
        x       (batch, features)  dtype and device of the parameters
        result  (batch, 1)         dtype and device of x

    The result is head(tanh(encoder(x))), where the encoder returns `hidden` numbers. Gradients flow to all four
    parameters, and to x if it requires grad. The state_dict has the keys encoder.weight, encoder.bias,
    head.weight and head.bias. The mode of the model (train or eval) makes no difference.

    Pitfall:
        detach() does not save memory for free: everything before it stops learning.

    For full marks:
        * Under torch.no_grad() the same values come out, without a graph.
    """

    def __init__(self, features: int, hidden: int):
        super().__init__()
        self.encoder = nn.Linear(features, hidden)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return one score for each sample."""
        code = torch.tanh(self.encoder(x)).detach()
        return self.head(code)


def penalised_loss(model: nn.Module, x: torch.Tensor, y: torch.Tensor, strength: float) -> torch.Tensor:
    """Return the mean squared error plus strength times the sum of all squared parameters.

    Arguments:
        model     an nn.Module; model(x) has the shape of y
        x, y      floating point, dtype and device of the parameters; at least one element in y
        strength  a Python number, 0 or more
        result    a 0-dim tensor with a graph, dtype and device of model(x)

    Every element of every parameter counts in the penalty, weights and biases alike. backward() on the result gives
    each parameter the gradient of both parts, error and penalty. If x or y requires grad, gradients flow to it too.
    The function itself does not call backward().

    Example:
        >>> model = torch.nn.Linear(1, 1, bias=False)
        >>> torch.nn.init.ones_(model.weight).shape
        torch.Size([1, 1])
        >>> loss = penalised_loss(model, torch.tensor([[1.0]]), torch.tensor([[3.0]]), strength=0.5)
        >>> loss.backward()
        >>> loss.item(), model.weight.grad
        (4.5, tensor([[-3.]]))

    Pitfall:
        requires_grad=True on the loss silences the error and reconnects nothing.

    For full marks:
        * A frozen parameter (requires_grad False) counts in the value and gets no gradient. A parameter that two
          layers share counts once. A model without parameters has penalty 0.
        * A parameter that is 0 everywhere has a finite gradient.
        * The loss of a bfloat16 model is bfloat16.
        * model(x) is called once, and an old .grad stays as it is.
        * Under torch.no_grad() the same value comes out, without a graph.
    """
    error = (model(x) - y).square().mean().item()
    penalty = sum(parameter.square().sum().item() for parameter in model.parameters())
    return torch.tensor(error + strength * penalty, requires_grad=True)
