"""Uses |a|^2 - 2ab + |b|^2: far from the origin large numbers cancel and the digits are lost, and equal rows do not always give exactly 0. Subtract before you square."""
import torch


def _sq_norms(points):
    return (points * points).sum(axis=1)


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
        a - b pairs row n with row n only. To meet all rows, the two row axes must be different axes.

    Not allowed: a Python loop over any axis (the number of PyTorch operations must not grow with the sizes),
    and torch.cdist, torch.pdist and torch.nn.functional.pairwise_distance, which hide the broadcasting.

    For full marks:
        * distances are right in float32 far from the origin, around 10000 and -10000: subtract before you square
        * two equal rows have distance exactly 0, and their gradient is 0, not nan
        * gradients flow to a and b
    """
    # |a - b|^2 = |a|^2 - 2 a.b + |b|^2
    cross = a @ b.T
    return (_sq_norms(a)[:, None] - 2 * cross + _sq_norms(b)[None, :]).clamp(min=0)
