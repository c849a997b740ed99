"""(a) The sizes are compared with zip, which stops at the shorter shape: (5, 1) and (5,), or (1,) and (), raise nothing and are broadcast. (b) The message prints torch.Size([1, 3]) instead of a tuple."""
import torch


def safe_mse(pred: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    for p, t in zip(pred.shape, target.shape):
        if p != t:
            raise ValueError(f"pred has {pred.shape} but target has {target.shape}")
    difference = pred - target
    return (difference ** 2).mean()
