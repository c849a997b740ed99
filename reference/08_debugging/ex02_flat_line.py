"""Reference solution: the target takes the shape of the prediction, or is refused."""

import torch

REPAIRED = True


def residuals(prediction: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Return prediction minus target, one row for each sample."""
    if target.shape not in (prediction.shape, prediction.shape[:1]):
        raise ValueError(f"target {tuple(target.shape)} does not fit prediction {tuple(prediction.shape)}")
    return prediction - target.reshape(prediction.shape)


def learn_line(x: torch.Tensor, y: torch.Tensor, lr: float = 0.1, steps: int = 100) -> tuple[float, float, list[float]]:
    """Fit a line to the points by gradient descent and return slope, intercept and the losses."""
    weight = torch.zeros(1, 1, dtype=x.dtype, device=x.device, requires_grad=True)
    bias = torch.zeros(1, dtype=x.dtype, device=x.device, requires_grad=True)
    history = []
    for _ in range(steps):
        loss = residuals(x @ weight + bias, y).square().mean()
        grad_weight, grad_bias = torch.autograd.grad(loss, (weight, bias))
        with torch.no_grad():
            weight -= lr * grad_weight
            bias -= lr * grad_bias
        history.append(loss.item())
    return weight.item(), bias.item(), history
