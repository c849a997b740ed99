"""(a) predict and frozen_features remember only the flag of the root and restore it with train(), so a submodule whose flag differed (a frozen part) changes mode. (b) frozen_features runs under inference_mode, so result.is_inference() is True and a head can't be trained on it."""
import torch
from torch import nn


def predict(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            return model(x).detach()
    finally:
        model.train(was_training)


def frozen_features(backbone: nn.Module, x: torch.Tensor) -> torch.Tensor:
    was_training = backbone.training
    backbone.eval()
    try:
        with torch.inference_mode():
            return backbone(x)
    finally:
        backbone.train(was_training)
