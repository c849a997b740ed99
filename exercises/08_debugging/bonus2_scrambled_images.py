"""Debugging bonus 2: images with the right shape and the wrong pixels.

Difficulty 2 of 5, about 10 minutes.

Symptom. One image has 2 rows and 3 columns; red is 1, green is 2 and blue is 3 in every pixel.
`torchdojo symptom bonus2_scrambled_images` runs this program

    image = torch.tensor([1, 2, 3]).expand(2, 3, 3)
    planes = channels_first(image)
    print("shape", tuple(planes.shape))
    print("red plane", planes[0].tolist())
    print("there and back again:", torch.equal(channels_last(planes), image))

and prints

    shape (3, 2, 3)
    red plane [[1, 2, 3], [1, 2, 3]]
    there and back again: True

The shape is right, the test "there and back again" passes, and the red plane holds all three colors. Repair
the code below; change as little as you can.
"""

import torch

REPAIRED = False  # set to True when you have repaired the code below


def channels_first(images: torch.Tensor) -> torch.Tensor:
    """Return the images with the channel axis in front of the rows and columns.

    Shapes:
        images  (rows, columns, channels) or (batch, rows, columns, channels)  any dtype
        result  (channels, rows, columns) or (batch, channels, rows, columns)  dtype and device of images

    The value of a pixel does not change: result[..., c, i, j] is images[..., i, j, c]. Gradients flow to images. The
    result may share memory with images or not, and may be contiguous or not.

    Example:
        >>> channels_first(torch.tensor([[[1, 2], [3, 4], [5, 6]]]))    # 1 row, 3 columns, 2 channels
        tensor([[[1, 3, 5]],
        <BLANKLINE>
                [[2, 4, 6]]])

    Pitfall:
        reshape keeps the order of the values in memory and only cuts it up differently. It never swaps axes.

    For full marks:
        * Any other number of axes raises ValueError.
        * Every dtype is kept, including uint8, bool and complex, and so is every digit.
    """
    if images.ndim not in (3, 4):
        raise ValueError(f"expected 3 or 4 axes, got {images.ndim}")
    rows, columns, channels = images.shape[-3:]
    return images.reshape(*images.shape[:-3], channels, rows, columns)


def channels_last(images: torch.Tensor) -> torch.Tensor:
    """Return the images with the channel axis behind the rows and columns.

    Shapes:
        images  (channels, rows, columns) or (batch, channels, rows, columns)  any dtype
        result  (rows, columns, channels) or (batch, rows, columns, channels)  dtype and device of images

    The value of a pixel does not change: result[..., i, j, c] is images[..., c, i, j]. The conditions for
    full marks are the same as for channels_first.

    Example:
        >>> channels_last(torch.tensor([[[1, 3, 5]], [[2, 4, 6]]]))
        tensor([[[1, 2],
                 [3, 4],
                 [5, 6]]])
    """
    if images.ndim not in (3, 4):
        raise ValueError(f"expected 3 or 4 axes, got {images.ndim}")
    channels, rows, columns = images.shape[-3:]
    return images.reshape(*images.shape[:-3], rows, columns, channels)
