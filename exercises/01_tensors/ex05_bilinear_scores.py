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
        result  (batch,)

    Example:
        >>> x = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
        >>> A = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        >>> y = torch.tensor([[1.0, 1.0, 1.0], [0.0, 0.0, 1.0]])
        >>> bilinear(x, A, y)
        tensor([ 6., 12.])

    Not allowed: a Python loop over an axis, tolist() and numpy() (then this exercise is not done). Neither
    PyTorch operations nor Python's steps may grow with the sizes.

    For full marks:
        * any axis may have size 1 or 0; squeeze() without an axis would remove the batch axis of a single item
        * gradients reach x, A and y
    """
    raise NotImplementedError("01_tensors/ex05_bilinear_scores: write bilinear()")


def all_pairs(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Return the dot product of every row of x with every row of y, for each item of the batch.

    Written as a loop: result[b, t, s] = sum over d of x[b, t, d] * y[b, s, d].

    Shapes:
        x       (batch, T, D)
        y       (batch, S, D)
        result  (batch, T, S)

    Not allowed: a Python loop over an axis (then this exercise is not done), as above.

    Pitfall:
        x @ y needs the D axis of y in the middle. If S happens to equal D, forgetting that gives the
        right shape and wrong numbers.

    For full marks:
        * any axis may have size 1 or 0; a sum over nothing is 0
        * gradients reach x and y
    """
    raise NotImplementedError("01_tensors/ex05_bilinear_scores: write all_pairs()")
