"""Functions 8 of 9: look up rows of a table, and give every use its share of the gradient.

Difficulty 3 of 5, about 15 minutes.
"""

import torch


class GatherRows(torch.autograd.Function):
    """Return the rows of the table that idx names, with the gradient of the table.

    Call:
        GatherRows.apply(table, idx)
        table       (rows, features)    float32 or float64, both sizes at least 1
        idx         one axis or more, int64, each from -rows to rows - 1, on the device of table
        result      idx.shape + (features,), dtype and device of table, in memory of its own

    A negative index counts from the end, as in table[idx]: -1 is the last row.

    backward gets:
        grad        the gradient that arrives at the result, with the result's shape, dtype and device. Its
                    layout may be any: transposed, or every element in the same memory, as after a sum.
                    Other code uses it too: never write into it.

    backward returns two things: the gradient of table, a dense tensor (rows, features) with the dtype and
    device of table, and None for idx. A row that was looked up several times gets the sum over all its
    uses, whether it was named by the same number or once as 2 and once as -1. A row that was never looked
    up gets zeros. The grader calls `result.grad_fn.apply(grad)` and looks at exactly what you returned, not
    at table.grad.

    Edge cases:
        * idx may be 1-D, 2-D or more, transposed, expanded or empty (the gradient is then all zeros).
        * table may be transposed, sliced or expanded. Neither table nor idx is ever changed.
        * backward may be called twice (retain_graph=True) and gives the same answer again.
        * The gradient can itself be differentiated with respect to grad (create_graph=True), and that is
          right.
        * Somebody may edit table in place between forward and backward. The gradient does not depend on
          table's numbers, so backward must not raise and must still be right: keep the table's shape, not
          the table.
        * Somebody may edit idx in place between forward and backward. Then backward either raises
          RuntimeError or still returns the right gradient; it is never silently wrong.
          ctx.save_for_backward gives you this; `ctx.idx = idx` does not.

    You may write forward(ctx, table, idx), as below, or forward(table, idx) together with
    setup_context(ctx, inputs, output).

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
    torch.nn.functional.embedding and torch.nn.Embedding, which are the answer, and autograd inside forward
    and backward (torch.enable_grad, torch.autograd.grad, Tensor.backward, torch.func), since then PyTorch
    writes the rule that you are here to write.
    """

    @staticmethod
    def forward(ctx, table: torch.Tensor, idx: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("04_functions/ex08_gather_rows: write GatherRows.forward()")

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, None]:
        raise NotImplementedError("04_functions/ex08_gather_rows: write GatherRows.backward()")
