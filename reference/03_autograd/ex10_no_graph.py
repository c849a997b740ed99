"""Evaluate a model without a trace: no graph, no changed flags."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def _evaluation(model: nn.Module) -> Iterator[None]:
    """Record nothing and put every module in eval mode; restore each module's own flag at the end."""
    flags = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        for module, flag in flags:
            module.training = flag


def predict(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """Return model(x) as in evaluation, with no graph, and leave the model as it was."""
    with _evaluation(model):
        return model(x)


def frozen_features(backbone: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """Return backbone(x) as constants on which another model can be trained."""
    with _evaluation(backbone):
        return backbone(x)
