"""Reference solution for GatherRows."""

import torch


class GatherRows(torch.autograd.Function):
    """Return the rows of the table that idx names, with the gradient of the table."""

    @staticmethod
    def forward(ctx, table: torch.Tensor, idx: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(idx)
        ctx.shape = table.shape
        return table[idx]

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, None]:
        (idx,) = ctx.saved_tensors
        return grad.new_zeros(ctx.shape).index_put((idx,), grad, accumulate=True), None
