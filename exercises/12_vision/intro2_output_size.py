"""Vision intro 2: the size of a convolution's result, before you run it.

Difficulty 1 of 5, about 10 minutes.
"""


def output_size(size: int, kernel: int, stride: int = 1, padding: int = 0, dilation: int = 1) -> int:
    """Return the height (or width) of a convolution's result.

    Arguments:
        size      height (or width) of the image
        kernel    that of the kernel, which covers dilation * (kernel - 1) + 1 pixels
        stride    the pixels that the kernel moves by
        padding   zeros added at each end
        dilation  the distance between neighboring kernel elements

    Count the positions of the kernel inside the padded image.

    Example:
        >>> output_size(8, kernel=3, stride=2)  # starts at 0, 2 and 4, not at 6
        3

    Pitfall:
        Round down before you add 1: only whole steps count.

    For full marks:
        * a kernel that covers more than the padded image raises a ValueError
    """
    raise NotImplementedError("12_vision/intro2_output_size: write output_size()")


def flat_features(shape: tuple[int, int, int], layers: list[tuple[int, int, int, int]]) -> int:
    """Return how many numbers an image has after the convolutions: the in_features of a linear layer behind them.

    Arguments:
        shape   (channels, height, width) of the image
        layers  (output channels, kernel, stride, padding) of each convolution, in order

    Use output_size; the hidden checks replace it with a right one.

    Example:
        >>> flat_features((3, 6, 8), [(16, 3, 1, 0)])  # 16 channels of 4 rows and 6 columns
        384

    For full marks:
        * without layers, it is the number of values of the image itself
    """
    raise NotImplementedError("12_vision/intro2_output_size: write flat_features()")
