"""Functions 8 of 9: look up rows of a table, and add up the gradients of every use.

Difficulty 3 of 5, about 15 minutes.
"""

import torch


class GatherRows(torch.autograd.Function):
    """Return the rows of the table that idx names, with the gradient of the table.

    Call:
        GatherRows.apply(table, idx)
        table       (rows, features)    float32 or float64, both sizes at least 1
        idx         (batch,)            int64, each from 0 to rows - 1, on the device of table
        result      (batch, features)   dtype and device of table

    backward gets grad, the upstream gradient, and returns two values: the gradient of
    table, (rows, features) with the dtype and device of table, and None for idx. A row that was looked up
    several times gets the sum over all its uses. A row that was never looked up gets zeros.

    forward(table, idx) with setup_context is fine too.

    Example:
        >>> table = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], requires_grad=True)
        >>> y = GatherRows.apply(table, torch.tensor([2, 0, 2]))
        >>> y.detach()
        tensor([[5., 6.],
                [1., 2.],
                [5., 6.]])
        >>> y.sum().backward()
        >>> table.grad
        tensor([[1., 1.],
                [0., 0.],
                [2., 2.]])

    Pitfall:
        `out[idx] += grad` adds only once for each row, however often idx names it.

    Indexing, index_select, index_add, index_put and one-hot matrices are allowed. Not allowed:
    torch.nn.functional.embedding, torch.nn.Embedding, and autograd inside forward and backward
    (torch.enable_grad, torch.autograd.grad, Tensor.backward, torch.func) (then this exercise is not done):
    write the rule yourself.

    For full marks:
        * idx may be negative, from -rows: -1 is the last row, as in table[idx]. A row may be named once as
          2 and once as -1; its gradient is still the sum over all uses.
        * idx may have any number of axes from 1 on, or be empty (the gradient is then all zeros). The
          result has shape idx.shape + (features,).
        * table and idx may be transposed or expanded and are never changed, and the result has its own
          memory.
        * grad may be transposed or expanded. backward never writes into it: other code uses it too.
        * backward may be called twice (retain_graph=True) and gives the same answer again.
        * The gradient can be differentiated with respect to grad (create_graph=True).
        * An in-place edit of table does no harm: backward needs its shape, not the table, and doesn't keep
          it alive.
        * After an in-place edit of idx, backward raises RuntimeError or is still right.
          ctx.save_for_backward gives you this; `ctx.idx = idx` does not.
    """

    @staticmethod
    def forward(ctx, table: torch.Tensor, idx: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("04_functions/ex08_gather_rows: write GatherRows.forward()")

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, None]:
        raise NotImplementedError("04_functions/ex08_gather_rows: write GatherRows.backward()")
