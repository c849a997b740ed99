"""Debugging 9 of 10: the best weights turn into the last ones.

Difficulty 2 of 5, about 10 minutes.

Symptom. The weight is 1, 2 and 3 after the three epochs, and the validation loss is best at 1.
`torchdojo symptom ex09_best_model_lost` runs this program

    model = torch.nn.Linear(1, 1, bias=False)
    torch.nn.init.zeros_(model.weight)

    def train_epoch(model):
        with torch.no_grad():
            model.weight += 1

    state, loss = train_keeping_best(model, train_epoch, lambda model: model.weight.item() ** 2, epochs=3)
    print("best loss", loss, "with weight", state["weight"].item())

and prints

    best loss 1.0 with weight 3.0

Repair the code below; change as little as you can.
"""

import torch
from torch import nn

REPAIRED = False  # set to True when you have repaired the code below


def train_keeping_best(model: nn.Module, train_epoch, validate, epochs: int) -> tuple[dict[str, torch.Tensor], float]:
    """Train for some epochs, put the best weights back into the model and return them with their loss.

    Arguments:
        model        an nn.Module, perhaps with buffers such as the running statistics of batch norm
        train_epoch  train_epoch(model) changes parameters and buffers in place; called once an epoch
        validate     validate(model) is a Python float, lower is better; called once after each train_epoch
        epochs       a whole number
        result       (state, loss): a dict with the keys of model.state_dict(), and the loss of the best epoch

    The best epoch is the one with the lowest loss. state holds parameters and buffers as they were right after that
    epoch, and so does the model when the function returns. Each epoch continues from where the previous one ended.

    The tensors in state share no memory with the model, so more training does not change them. They have the dtype
    and the device of the model's tensors, and do not require grad.

    Example:
        >>> model = torch.nn.Linear(1, 1, bias=False)
        >>> torch.nn.init.zeros_(model.weight).shape
        torch.Size([1, 1])
        >>> def train_epoch(model):
        ...     with torch.no_grad():
        ...         model.weight += 1
        >>> def distance(model):
        ...     return (model.weight.item() - 2) ** 2
        >>> state, loss = train_keeping_best(model, train_epoch, distance, epochs=4)
        >>> state["weight"], loss, model.weight.item()
        (tensor([[2.]]), 0.0, 2.0)

    Pitfall:
        A copy of the dict is not a copy of the tensors in it.

    For full marks:
        * A loss that is nan is never the best. If several epochs have the lowest loss, the first of them is the
          best, however close the others are. Losses may be 0, negative or very large.
        * No epoch to choose from (epochs is 0, or every loss is nan): ValueError.
        * The parameters of the model stay the same objects, so an optimizer that holds them still works. The mode
          (train or eval) and the .grad that the two functions leave are not touched.
    """
    best_loss, best_state = float("inf"), None
    for _ in range(epochs):
        train_epoch(model)
        loss = validate(model)
        if loss < best_loss:
            best_loss, best_state = loss, model.state_dict()
    if best_state is None:
        raise ValueError("no epoch has a loss to compare")
    model.load_state_dict(best_state)
    return best_state, best_loss
