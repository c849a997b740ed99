"""Exercise: 04_functions/ex08_gather_rows.
The gradient of the table is collected in grad.new_zeros.
"""

import torch


class GatherRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table, idx):
        ctx.save_for_backward(idx)
        ctx.shape = tuple(table.shape)
        return table[idx]

    @staticmethod
    def backward(ctx, grad):
        (idx,) = ctx.saved_tensors
        rows, features = ctx.shape
        result = grad.new_zeros(ctx.shape)
        return result.index_add(0, idx.reshape(-1) % rows, grad.reshape(-1, features)), None
