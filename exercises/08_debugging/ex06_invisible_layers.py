"""Debugging 6 of 10: layers that the optimizer never sees.

Difficulty 2 of 5, about 10 minutes.

Symptom. `torchdojo symptom ex06_invisible_layers` runs this program

    model = LayerStack([2, 8, 8, 3])
    print("parameters:", [name for name, _ in model.named_parameters()])
    opt = prepare_finetuning(model, classes=5, lr=0.1)
    held = {id(parameter) for group in opt.param_groups for parameter in group["params"]}
    print("the optimizer holds the new head:", id(model.head.weight) in held)

and prints

    parameters: ['head.weight', 'head.bias']
    the optimizer holds the new head: False

The loss falls a little all the same, because the first head can learn. Repair the code below; change as
little as you can.
"""

import torch
from torch import nn

REPAIRED = False  # set to True when you have repaired the code below


class LayerStack(nn.Module):
    """Apply linear layers one after the other, with relu after each one but the last.

    Shapes:
        sizes   a list of at least two ints: input size, sizes of the hidden layers, number of classes
        x       (..., sizes[0])   dtype and device of the parameters
        result  (..., sizes[-1])  dtype and device of x

    The parameters have these names, in this order, and there are no others: hidden.0.weight, hidden.0.bias,
    hidden.1.weight, hidden.1.bias and so on, then head.weight and head.bias. self.hidden[i] is an nn.Linear
    from sizes[i] to sizes[i + 1], and self.head is an nn.Linear. With two sizes there is only the head.

    Each layer is made once, in __init__. state_dict, load_state_dict, .to(), .train() and .eval() reach them all.

    Example:
        >>> model = LayerStack([2, 8, 8, 3])
        >>> sum(parameter.numel() for parameter in model.parameters())
        123

    Pitfall:
        A module finds its layers through its attributes, but it does not look into a Python list.

    For full marks:
        * The layers start with the values that nn.Linear chooses.
    """

    def __init__(self, sizes: list[int]):
        super().__init__()
        self.hidden = [nn.Linear(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 2)]
        self.head = nn.Linear(sizes[-2], sizes[-1])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the scores of each class."""
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.head(x)


def prepare_finetuning(model: nn.Module, classes: int, lr: float) -> torch.optim.SGD:
    """Give the model a fresh head and return an SGD optimizer over all its parameters.

    Arguments:
        model    a module whose attribute head is an nn.Linear with bias
        classes  output size of the new head
        lr       learning rate
        result   a torch.optim.SGD with that learning rate, without momentum and weight decay

    The new model.head is always a new nn.Linear with bias, from the old head's input size to `classes`. All other
    parameters stay the same objects, with their values. The optimizer holds every parameter that the model has when
    the function returns, each of them once, and no other tensor.

    Pitfall:
        An optimizer keeps the parameters that it was given. It does not notice when the model gets new ones.

    For full marks:
        * The new head has the dtype and the device of the old head's weight, requires grad, and starts with the
          values that nn.Linear chooses.
        * Frozen parameters stay frozen, and the optimizer holds them too. It holds a parameter that two layers share
          once, and one that is in no layer.
    """
    opt = torch.optim.SGD(model.parameters(), lr=lr)
    model.head = nn.Linear(model.head.in_features, classes)
    return opt
