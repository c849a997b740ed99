"""Language models 12 of 12: the project, a model learns a second style.

Difficulty 4 of 5, about 60 minutes.
"""

import torch
from torch import nn


def add_adapters(model: nn.Module, rank: int, alpha: float) -> None:
    """Freeze the model, and give each nn.Linear in it an adapter.

    How you build the adapters is up to you. A layer with the weight w then computes with w + alpha / rank * (b @ a). Two new
    parameters are trained for each layer, and nothing else in the model: a, of shape (rank, inputs), starts with random
    numbers of standard deviation 1 / inputs ** 0.5 (with larger ones, teach() may miss its test); b, of shape (outputs, rank),
    with zeros.

    Example:
        >>> model = nn.Sequential(nn.Linear(3, 2))
        >>> add_adapters(model, rank=1, alpha=1.0)
        >>> sorted(tuple(p.shape) for p in model.parameters() if p.requires_grad)
        [(1, 3), (2, 1)]

    For full marks:
        * a and b have the dtype and the device of the layer's weight
    """
    raise NotImplementedError("11_language_models/ex12_new_style: write add_adapters()")


def teach(
    model: nn.Module,
    old: tuple[torch.Tensor, torch.Tensor],
    new: tuple[torch.Tensor, torch.Tensor],
    steps: int,
    batch: int,
    lr: float,
    generator: torch.Generator | None = None,
) -> tuple[list[float], list[float]]:
    """Train what requires gradients on a new text without forgetting the old one, and return the losses on both held-out texts.

    Shapes:
        old, new  two texts each, (text, held-out text): int64 of shape (length,), on the device of the model
        result    the losses on the held-out text of old, and those on that of new: two lists of floats

    model(tokens) returns the logits of next tokens, and model.mean_loss(text) the loss on a text. Each step draws `batch`
    random windows of model.context + 1 neighboring tokens from the text of old, and as many from the text of new. The model
    reads all tokens of a window but the last. One update of torch.optim.Adam, with the learning rate lr, lowers the mean
    cross-entropy over all windows.

    Both held-out texts are evaluated before the first step and after every 10 steps. The model never trains on them.

    Test: diary_writer() of given/lighthouse.py gets adapters with rank 4 and alpha 8, and 40 steps with batch=8 and lr=0.01.
    Its loss on the held-out telegrams falls from 4.7 to at most 1.3, and that on the held-out diary is at most 0.8 afterwards.

    Pitfall:
        With the new text alone, the model learns the new style and forgets the old one.

    For full marks:
        * the random windows come from `generator`, which is on the CPU, and from nothing else
    """
    raise NotImplementedError("11_language_models/ex12_new_style: write teach()")


def adapters_alone(model: nn.Module) -> dict[str, torch.Tensor]:
    """Return the a and b of all adapters: the entries of model.state_dict() that have to be saved, as copies.

    load_state_dict(..., strict=False) puts them into another copy of the model that has adapters of the same rank and alpha.
    """
    raise NotImplementedError("11_language_models/ex12_new_style: write adapters_alone()")


def without_adapters(model: nn.Module) -> nn.Module:
    """Return a copy of the model that gives the same logits with its nn.Linear layers alone.

    The names in its state dict are those from before add_adapters(). The model itself is unchanged and shares no memory with it.
    """
    raise NotImplementedError("11_language_models/ex12_new_style: write without_adapters()")
