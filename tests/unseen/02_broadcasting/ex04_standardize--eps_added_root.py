"""eps is added to the root, not under it: std is sqrt(var) + eps instead of sqrt(var + eps). For a constant column the root of 0 also makes the gradient nan."""
import torch


def _moments(x, axis):
    """Like tf.nn.moments."""
    mu = x.mean(axis, keepdim=True)
    variance = (x - mu).square().mean(axis)
    return mu.squeeze(axis), variance


def standardize(X: torch.Tensor, eps: float = 1e-6) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return X with every column standardized, the mean of each column and its biased standard deviation.

    Shapes:
        X       (rows, columns), floating point
        Z       (rows, columns)   (X - mean) / std
        mean    (columns,)
        std     (columns,)        sqrt(var + eps), var being the average of (x - mean) squared: divided by rows

    Returns the tuple (Z, mean, std). A constant column gives 0 in Z, not nan. X is not changed.

    Example:
        >>> Z, mean, std = standardize(torch.tensor([[1.0, 7.0], [5.0, 7.0]]), eps=0.0001)
        >>> Z
        tensor([[-1.0000,  0.0000],
                [ 1.0000,  0.0000]])
        >>> mean, std
        (tensor([3., 7.]), tensor([2.0000, 0.0100]))

    Pitfall:
        torch.std and torch.var divide by rows - 1 unless you tell them otherwise.

    For full marks:
        * std is exactly what Z was divided by: eps is added under the root
        * columns around 10000 keep their digits: subtract the mean before you square
        * gradients flow to X through all three results, and are finite for a constant column
    """
    mean, var = _moments(X, axis=0)
    std = torch.sqrt(var) + eps
    return (X - mean) / std, mean, std
