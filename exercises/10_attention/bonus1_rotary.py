"""Attention bonus 1: rotary positions.

Difficulty 3 of 5, about 15 minutes.
"""

import torch


def rotate(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    """Return queries or keys, rotated by angles that depend on their positions.

    Shapes:
        x          (..., time, width), floating point; width is even
        positions  (time,), int64: the position of each vector of x
        result     shape, dtype and device of x

    The numbers 2i and 2i + 1 of a vector are the two coordinates of a point. At position p this point is rotated by the angle
    p * base ** (-2i / width), in radians, from the first axis toward the second: (1, 0) becomes (cos, sin) of the angle.

    Example:
        >>> rotate(torch.tensor([[1.0, 0.0], [1.0, 0.0]]), torch.tensor([0, 1]))
        tensor([[1.0000, 0.0000],
                [0.5403, 0.8415]])

    Pitfall:
        Some models pair number i with number i + width / 2. Weights that were trained with one way are useless with the other.

    For full marks:
        * x of dtype float16 or bfloat16: the angles are computed in float32, because a position of 1001 has no bfloat16
        * x may be a view whose last axis is not contiguous, such as a transposed tensor
    """
    raise NotImplementedError("10_attention/bonus1_rotary: write rotate()")
