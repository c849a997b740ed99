"""Half repaired: the best state is a real copy, but what is returned is model.state_dict(), which shares memory with the model: more training changes it."""
import torch
from torch import nn

REPAIRED = True


def train_keeping_best(model: nn.Module, train_epoch, validate, epochs: int) -> tuple[dict[str, torch.Tensor], float]:
    """Train for some epochs, put the best weights back into the model and return them with their loss.

    Arguments:
        model        an nn.Module, perhaps with buffers such as the running statistics of batch norm
        train_epoch  train_epoch(model) changes parameters and buffers in place; called once an epoch
        validate     validate(model) is a Python float, lower is better; called once after each train_epoch
        epochs       a whole number
        result       (state, loss): a dict with the keys of model.state_dict(), and the loss of the best epoch

    The best epoch is the one with the lowest loss. state holds parameters and buffers as they were right after that
    epoch, and so does the model when the function returns. Each epoch goes on from where the one before ended.

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
            best_loss = loss
            best_state = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    if best_state is None:
        raise ValueError("no epoch has a loss to compare")
    model.load_state_dict(best_state)
    return model.state_dict(), best_loss
