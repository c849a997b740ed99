"""backward passes idx unchanged to index_add, which rejects negative indices: forward with -1 works, but backward raises an index error."""
import torch


class GatherRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table: torch.Tensor, idx: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(idx)
        ctx.rows = table.size(0)
        return table[idx]

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, None]:
        (idx,) = ctx.saved_tensors
        features = grad.size(-1)
        zeros = torch.zeros(ctx.rows, features, dtype=grad.dtype, device=grad.device)
        return zeros.index_add(0, idx.reshape(-1), grad.reshape(-1, features)), None
