"""(a) frozen_features runs under inference_mode too, so the result is an inference tensor and the training of the head fails. (b) Only the flag of the outer module is saved, and train(flag) sets all submodules to it: a part that was in eval mode on purpose is in train mode afterwards."""
import torch
from torch import nn


def _run_eval(module: nn.Module, x: torch.Tensor) -> torch.Tensor:
    was_training = module.training
    module.eval()
    try:
        with torch.inference_mode():
            return module(x)
    finally:
        module.train(was_training)


def predict(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    return _run_eval(model, x)


def frozen_features(backbone: nn.Module, x: torch.Tensor) -> torch.Tensor:
    return _run_eval(backbone, x)
