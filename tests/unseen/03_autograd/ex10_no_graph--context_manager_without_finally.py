"""The modes are saved and restored by a context manager, but the restoring lines stand behind a bare yield. If the model raises, the exception comes out of the yield and nothing is restored. An assistant writes this when it thinks that `with` alone guarantees the clean-up."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def evaluation_mode(model: nn.Module) -> Iterator[None]:
    """Switch ``model`` to evaluation mode and restore the flag of every submodule on exit."""
    flags = {module: module.training for module in model.modules()}
    model.eval()
    yield
    for module, training in flags.items():
        module.training = training


def predict(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """Run ``model`` on ``x`` as in evaluation, without building a graph."""
    with evaluation_mode(model), torch.no_grad():
        output = model(x)
    return output.detach()


def frozen_features(backbone: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """Compute features of ``x`` that can be used as ordinary constants for training a head."""
    # no_grad, not inference_mode: inference tensors can't be saved for a later backward pass.
    with evaluation_mode(backbone), torch.no_grad():
        features = backbone(x)
    return features.detach()
