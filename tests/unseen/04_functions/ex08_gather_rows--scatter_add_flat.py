"""scatter_add_ is used for one axis of idx only and doesn't take negative indices."""
import torch


class GatherRows(torch.autograd.Function):
    """Embedding lookup with a dense gradient."""

    @staticmethod
    def forward(ctx, table: torch.Tensor, idx: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(idx)
        ctx.table_shape = table.shape
        return table[idx]

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, None]:
        (idx,) = ctx.saved_tensors
        # scatter_add accumulates duplicates, unlike plain index assignment.
        table_grad = torch.zeros(ctx.table_shape, dtype=grad.dtype, device=grad.device)
        table_grad = table_grad.scatter_add(0, idx.unsqueeze(-1).expand_as(grad), grad)
        return table_grad, None
