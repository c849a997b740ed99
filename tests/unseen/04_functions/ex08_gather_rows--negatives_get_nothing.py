"""idx is kept as an attribute of ctx, so after an in-place edit of idx backward silently uses the new indices. And backward compares idx with 0 to rows - 1, so a negative index matches no row and its gradient is lost."""

import torch


class GatherRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table, idx):
        ctx.idx = idx
        ctx.n_rows = table.shape[0]
        ctx.n_features = table.shape[1]
        return table[idx]

    @staticmethod
    def backward(ctx, grad):
        flat_idx = ctx.idx.reshape(-1)
        flat_grad = grad.reshape(-1, ctx.n_features)
        row_numbers = torch.arange(ctx.n_rows, device=grad.device)
        # one line per table row, True where that row was used
        used = row_numbers.unsqueeze(1) == flat_idx.unsqueeze(0)
        grad_table = used.to(grad.dtype) @ flat_grad
        return grad_table, None
