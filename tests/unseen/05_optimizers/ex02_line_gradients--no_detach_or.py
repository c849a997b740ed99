"""(a) No detach or no_grad: if w, b, X or y requires grad, dw and db have a graph. (b) dw and db are always 0-dim, also when w or b has shape (1,)."""
import torch


def line_gradients(
    w: torch.Tensor, b: torch.Tensor, X: torch.Tensor, y: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    target = y.reshape(-1, 1)
    error = w * X + b - target
    dw = 2 * (error * X).mean()
    db = 2 * error.mean()
    return dw, db
