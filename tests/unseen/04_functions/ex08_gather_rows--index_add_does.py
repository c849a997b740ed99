"""index_add does not take negative indices. The forward with -1 works, the backward raises an index error."""
import torch


class GatherRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table: torch.Tensor, idx: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(idx)
        ctx.table_shape = table.shape
        return table[idx]

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, None]:
        (idx,) = ctx.saved_tensors
        rows, features = ctx.table_shape
        zeros = torch.zeros(rows, features, dtype=grad.dtype, device=grad.device)
        flat_grad = grad.reshape(-1, features)
        return zeros.index_add(0, idx.reshape(-1), flat_grad), None
