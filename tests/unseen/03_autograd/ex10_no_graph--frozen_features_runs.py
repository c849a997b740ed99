"""frozen_features runs under torch.inference_mode(), so the result is an inference tensor: is_inference() is True, and training a head on it raises a RuntimeError."""
from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def in_eval_mode(model):
    flags = {m: m.training for m in model.modules()}
    model.eval()
    try:
        yield model
    finally:
        for m, flag in flags.items():
            m.training = flag


def predict(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    with in_eval_mode(model), torch.no_grad():
        return model(x).detach()


def frozen_features(backbone: nn.Module, x: torch.Tensor) -> torch.Tensor:
    with in_eval_mode(backbone), torch.inference_mode():
        return backbone(x).detach()
