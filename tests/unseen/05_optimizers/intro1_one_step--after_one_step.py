"""after_one_step does p -= lr * grad, which writes into the caller's tensor, and returns that same tensor."""
import torch


def predictions(w: torch.Tensor, b: torch.Tensor, X: torch.Tensor) -> torch.Tensor:
    return X * w + b


def mean_squared_error(predicted: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return (predicted - y).pow(2).mean()


def after_one_step(p: torch.Tensor, grad: torch.Tensor, lr: float) -> torch.Tensor:
    p -= lr * grad
    return p
