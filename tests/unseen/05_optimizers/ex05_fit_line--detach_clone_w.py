"""(a) detach() without clone(): w and b share memory with w0 and b0, so the in-place steps overwrite the caller's start values. (b) The w and b that are returned still require grad."""
import torch


def _mse(pred, target):
    return ((pred - target) ** 2).mean()


@torch.no_grad()
def _descend(variables, grads, lr):
    for var, g in zip(variables, grads):
        var.sub_(lr * g)


def fit_line(
    X: torch.Tensor, y: torch.Tensor, w0: torch.Tensor, b0: torch.Tensor, lr: float, epochs: int
) -> tuple[torch.Tensor, torch.Tensor, list[float]]:
    w = w0.detach().requires_grad_()
    b = b0.detach().requires_grad_()
    history = []
    for _ in range(epochs):
        loss = _mse(w * X + b, y)
        history.append(loss.item())
        grads = torch.autograd.grad(loss, (w, b))
        _descend((w, b), grads, lr)
    return w, b, history
