"""The one-hot matrix compares idx with 0, 1, 2, ...: a negative index matches no row, so its gradient is lost."""
import torch


def _one_hot(indices, depth):
    return indices[:, None] == torch.arange(depth, device=indices.device)[None, :]


class GatherRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table: torch.Tensor, idx: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(idx)
        ctx.n_rows = table.shape[0]
        return table[idx]

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, None]:
        (idx,) = ctx.saved_tensors
        hot = _one_hot(idx.reshape(-1), ctx.n_rows).to(grad.dtype)
        flat = grad.reshape(-1, grad.shape[-1])
        return hot.T @ flat, None
