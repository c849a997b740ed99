"""residuals checks only the number of elements and then reshapes: targets of shape (1, samples) or (samples, 1, 1), and a 0-dim target for one sample, are accepted silently."""
import torch

REPAIRED = True


def residuals(prediction: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    if target.numel() != prediction.numel():
        raise ValueError(f"{target.numel()} targets for {prediction.numel()} predictions")
    return prediction - target.reshape(prediction.shape)


def learn_line(x: torch.Tensor, y: torch.Tensor, lr: float = 0.1, steps: int = 100) -> tuple[float, float, list[float]]:
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
