import torch


class GatherRows(torch.autograd.Function):
    """One-hot matrices both ways."""

    @staticmethod
    def hot(idx, rows, like):
        wrapped = torch.where(idx < 0, idx + rows, idx)
        return (wrapped.unsqueeze(-1) == torch.arange(rows, device=idx.device)).to(like.dtype)

    @staticmethod
    def forward(ctx, table, idx):
        ctx.save_for_backward(idx)
        ctx.rows = table.size(0)
        return GatherRows.hot(idx, ctx.rows, table) @ table

    @staticmethod
    def backward(ctx, grad):
        idx, = ctx.saved_tensors
        m = GatherRows.hot(idx, ctx.rows, grad)
        return m.flatten(0, -2).T @ grad.flatten(0, -2), None
