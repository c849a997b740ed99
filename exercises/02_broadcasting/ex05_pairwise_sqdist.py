"""Broadcasting 5 of 8: the distances between all pairs of points.

Difficulty 3 of 5, about 10 minutes.
"""

import torch


def pairwise_sqdist(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return the squared distance of every row of a to every row of b, by broadcasting.

    Written as a loop: result[n, m] = sum over d of (a[n, d] - b[m, d]) squared.

    Shapes:
        a       (N, D), floating point
        b       (M, D), dtype of a
        result  (N, M), dtype of a

    Example:
        >>> a = torch.tensor([[0.0, 0.0], [3.0, 0.0]])
        >>> b = torch.tensor([[0.0, 4.0], [3.0, 1.0], [0.0, 0.0]])
        >>> pairwise_sqdist(a, b)
        tensor([[16., 10.,  0.],
                [25.,  1.,  9.]])

    Pitfall:
        a - b pairs row n with row n only. To pair all rows, put the two row axes in different positions.

    Not allowed: a Python loop over any axis (neither PyTorch operations nor Python's steps may grow with the
    sizes), tolist(), numpy(), torch.cdist, torch.pdist and torch.nn.functional.pairwise_distance (then this
    exercise is not done). They hide the broadcasting.

    For full marks:
        * distances are right in float32 far from the origin, around 10000 and -10000: subtract before you square
        * two equal rows have distance exactly 0, and their gradient is 0, not nan
        * gradients flow to a and b
    """
    raise NotImplementedError("02_broadcasting/ex05_pairwise_sqdist: write pairwise_sqdist()")
