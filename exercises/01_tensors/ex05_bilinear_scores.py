"""Tensors 5 of 9: products of matrices, one for each item of a batch.

Difficulty 3 of 5, about 10 minutes.
"""

import torch


def bilinear(x: torch.Tensor, A: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Return the number x[b] A y[b] for each item b of the batch.

    Written as a loop: result[b] = sum over i and j of x[b, i] * A[i, j] * y[b, j].

    Shapes:
        x       (batch, I)
        A       (I, J)      one matrix for the whole batch
        y       (batch, J)
        result  (batch,)    also when batch is 1 or 0

    Example:
        >>> x = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
        >>> A = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        >>> y = torch.tensor([[1.0, 1.0, 1.0], [0.0, 0.0, 1.0]])
        >>> bilinear(x, A, y)
        tensor([ 6., 12.])

    Pitfall:
        squeeze() without an axis removes the batch axis too when there is one item.
    """
    raise NotImplementedError("01_tensors/ex05_bilinear_scores: write bilinear()")


def all_pairs(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Return the dot product of every row of x with every row of y, for each item of the batch.

    Written as a loop: result[b, t, s] = sum over d of x[b, t, d] * y[b, s, d].

    Shapes:
        x       (batch, T, D)
        y       (batch, S, D)
        result  (batch, T, S)   also when an axis has size 1 or 0

    For both functions: all tensors of one call have the same floating point dtype (float32 or float64)
    and device, and the result has them too. The tensors may be transposed, sliced or expanded; they are
    not changed. Any axis may have size 1 or 0; a sum over nothing is 0. Gradients flow to all inputs.

    Not allowed: a Python loop over any axis. The number of PyTorch operations must not grow with the
    sizes, because each operation has a cost of its own. Everything PyTorch offers may be used.

    Example:
        >>> x = torch.tensor([[[1.0, 0.0], [1.0, 1.0], [0.0, 2.0]]])
        >>> y = torch.tensor([[[3.0, 4.0], [5.0, 6.0]]])
        >>> all_pairs(x, y)
        tensor([[[ 3.,  5.],
                 [ 7., 11.],
                 [ 8., 12.]]])

    Pitfall:
        x @ y wants the D axis of y in the middle. If S happens to equal D, forgetting that gives the
        right shape and wrong numbers.
    """
    raise NotImplementedError("01_tensors/ex05_bilinear_scores: write all_pairs()")
