"""The prediction is squeezed, so the result has the shape (samples,) instead of (samples, 1), and bad shapes are not refused."""
import torch

REPAIRED = True


def residuals(prediction, target):
    return prediction.squeeze() - target.squeeze()


def learn_line(x, y, lr=0.1, steps=100):
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
