"""Broadcasting 5 of 8: the distances between all pairs of points.

Difficulty 3 of 5, about 10 minutes.
"""

import torch


def pairwise_sqdist(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return the squared distance of every row of a to every row of b.

    Written as a loop: result[n, m] = sum over d of (a[n, d] - b[m, d]) squared.

    Shapes:
        a       (N, D)
        b       (M, D)
        result  (N, M)

    a and b have the same floating point dtype (float32 or float64) and device; the result has them too.

    Edge cases:
        Any axis may have size 1 or 0 (D = 0 gives zeros). N may equal M, and a and b may be the same tensor.
        Two equal rows have distance exactly 0, no result is negative, and the gradient there is 0, not nan.
        Points may lie far from the origin, some around (10000, 10000), others around (-10000, -10000), and
        close together there: their distances must still be right in float32, so subtract before you square.
        a and b may be transposed, sliced or expanded and are not changed. Gradients flow to both.

    Example:
        >>> a = torch.tensor([[0.0, 0.0], [3.0, 0.0]])
        >>> b = torch.tensor([[0.0, 4.0], [3.0, 1.0], [0.0, 0.0]])
        >>> pairwise_sqdist(a, b)
        tensor([[16., 10.,  0.],
                [25.,  1.,  9.]])

    Pitfall:
        a - b pairs row n with row n only. To meet all rows, the two row axes must stand in different places.

    Not allowed: a Python loop over any axis (the number of PyTorch operations must not grow with the sizes),
    and torch.cdist, torch.pdist and torch.nn.functional.pairwise_distance, which hide the broadcasting.
    """
    raise NotImplementedError("02_broadcasting/ex05_pairwise_sqdist: write pairwise_sqdist()")
