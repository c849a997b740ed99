"""Reference solution: one floor division, applied to height and width."""


def output_size(size: int, kernel: int, stride: int = 1, padding: int = 0, dilation: int = 1) -> int:
    """Return the height (or width) of a convolution's result."""
    room = size + 2 * padding - (dilation * (kernel - 1) + 1)
    if room < 0:
        raise ValueError(f"the kernel sticks out of the image by {-room} pixels")
    return room // stride + 1


def flat_features(shape: tuple[int, int, int], layers: list[tuple[int, int, int, int]]) -> int:
    """Return how many numbers an image has after the convolutions: the in_features of a linear layer behind them."""
    channels, height, width = shape
    for outputs, kernel, stride, padding in layers:
        channels = outputs
        height = output_size(height, kernel, stride, padding)
        width = output_size(width, kernel, stride, padding)
    return channels * height * width
