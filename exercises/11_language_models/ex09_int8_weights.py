"""Language models 9 of 12: weights as small integers, with a scale for each row.

Difficulty 3 of 5, about 20 minutes.
"""

import torch


def quantize_rows(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the weight as int8 codes, and a scale for each row.

    A row's scale is its largest absolute value divided by 127. codes * scale is as close to the weight as it can be: no
    number is off by more than half of its row's scale.

    Shapes:
        weight  (rows, columns), float32 or float64; at least one column
        codes   (rows, columns), int8, from -127 to 127
        scales  (rows,), dtype of weight; both on the device of weight

    Example:
        >>> codes, scales = quantize_rows(torch.tensor([[12.7, -6.33, 0.04], [0.0, 254.0, -127.9]]))
        >>> codes
        tensor([[127, -63,   0],
                [  0, 127, -64]], dtype=torch.int8)
        >>> scales
        tensor([0.1000, 2.0000])

    Pitfall:
        Conversion to an integer cuts the fraction off: 63.9 becomes 63. Round first.

    For full marks:
        * a row of zeros has codes 0 and a finite scale, so that codes * scale is 0, not nan
    """
    raise NotImplementedError("11_language_models/ex09_int8_weights: write quantize_rows()")


def int8_linear(
    x: torch.Tensor, codes: torch.Tensor, scales: torch.Tensor, bias: torch.Tensor | None = None, block: int = 64
) -> torch.Tensor:
    """Return x @ weight.T + bias, where weight is codes * scales row by row.

    The weight is never there as a whole in floating point: at most `block` of its rows are converted at a time.

    Shapes:
        x       (..., columns), float32 or float64
        codes   (rows, columns), int8; at least one row
        scales  (rows,), dtype of x
        bias    (rows,), dtype of x; None: no bias
        block   at least 1; rows need not be a multiple of it
        result  (..., rows), dtype and device of x

    Example:
        >>> codes, scales = torch.tensor([[1, 2], [3, 4], [-5, 0]], dtype=torch.int8), torch.tensor([1.0, 0.5, 2.0])
        >>> int8_linear(torch.tensor([1.0, 10.0]), codes, scales, block=2)
        tensor([ 21.0000,  21.5000, -10.0000])

    For full marks:
        * the gradient of x is right
    """
    raise NotImplementedError("11_language_models/ex09_int8_weights: write int8_linear()")
