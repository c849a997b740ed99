"""after_one_step moves p itself with -= and returns it. The returned numbers are right, but the caller's p has changed."""
import torch


def predictions(w: torch.Tensor, b: torch.Tensor, X: torch.Tensor) -> torch.Tensor:
    return X * w + b


def mean_squared_error(predicted: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    errors = predicted - y
    return (errors * errors).mean()


def after_one_step(p: torch.Tensor, grad: torch.Tensor, lr: float) -> torch.Tensor:
    with torch.no_grad():
        p -= lr * grad
    return p
