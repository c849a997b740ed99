"""Known mistakes and odd-but-correct solutions for channels_first and channels_last."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "Take an image of one row, two columns and two channels, and write down where each of its four numbers goes.",
    "reshape and view read the values in memory order and never move one past another. permute, transpose "
    "and movedim move axes together with their values.",
    "Keep the check of the number of axes. Then move the last axis to the third place from the end, and in "
    "the other function back; negative numbers count from the end, so they fit 3 and 4 axes.",
)


def check(images):
    """Raise ValueError for what is not an image or a batch of images."""
    if images.ndim not in (3, 4):
        raise ValueError("expected 3 or 4 axes")


@mistake()
def reshapes_both_ways():
    """reshape keeps the values in the order they have in memory, and one function after the other hides it: move
    the channel axis with movedim or permute, in both functions."""
    return {"channels_first": reshapes, "channels_last": leaves_the_way_back}


@mistake("channels_first")
def reshapes(images):
    """reshape keeps the values in the order they have in memory, and contiguous() before it does not help: move the channel axis with
    movedim or permute."""
    check(images)
    rows, columns, channels = images.shape[-3:]
    return images.reshape(*images.shape[:-3], channels, rows, columns)


@mistake("channels_first", "channels_last")
def reverses_all_axes(images):
    """All axes were reversed, so rows and columns changed places, and the batch went to the end: only the
    channel axis moves."""
    check(images)
    return images.permute(*reversed(range(images.ndim)))


@mistake("channels_first", "channels_last")
def swaps_two_axes(images):
    """Two axes were swapped, so rows and columns changed their order: the channel axis moves, the other two
    keep their order."""
    check(images)
    return images.transpose(-1, -3)


@mistake("channels_first")
def makes_the_memory_contiguous_first(images):
    """reshape keeps the values in the order they have in memory, and contiguous() before it does not help: move the channel axis with
    movedim or permute."""
    check(images)
    rows, columns, channels = images.shape[-3:]
    return images.contiguous().reshape(*images.shape[:-3], channels, rows, columns)


@mistake("channels_last")
def leaves_the_way_back(images):
    """channels_last still uses reshape: move the axis there, too."""
    check(images)
    channels, rows, columns = images.shape[-3:]
    return images.reshape(*images.shape[:-3], rows, columns, channels)


@mistake("channels_last")
def same_move_both_ways(images):
    """channels_last moves the axes the same way as channels_first: it must move the channel axis from third-last
    to last."""
    check(images)
    return images.movedim(-1, -3)


@mistake("channels_first")
def knows_batches_only(images):
    """Only batches work: a single image has three axes. Count the axes from the end."""
    check(images)
    return images.permute(0, 3, 1, 2)


@mistake("channels_first")
def adds_a_batch_axis(images):
    """A single image comes back with a batch axis: three axes in, three axes out."""
    check(images)
    if images.ndim == 3:
        images = images.unsqueeze(0)
    return images.permute(0, 3, 1, 2)


@mistake("channels_first")
def drops_axes_of_one(images):
    """squeeze() drops a batch of one image, or a single channel: leave axes of size 1 alone."""
    check(images)
    return images.movedim(-1, -3).squeeze()


@mistake("channels_first")
def takes_any_number_of_axes(images):
    """The check of the number of axes went away: anything but 3 or 4 axes raises ValueError."""
    return images.movedim(-1, 0) if images.ndim < 3 else images.movedim(-1, -3)


@mistake("channels_first")
def converts_to_float(images):
    """The dtype changed to float32: the result keeps the dtype of the images."""
    check(images)
    return images.movedim(-1, -3).float()


@mistake("channels_first")
def goes_through_float32(images):
    """The pixels were carried in a float32 tensor on the way, where whole numbers above 16777216 and more than seven digits
    are lost: make the result in the dtype of the images."""
    check(images)
    moved = images.movedim(-1, -3)
    planes = torch.zeros(moved.shape, device=images.device)
    planes[...] = moved.real if moved.is_complex() else moved
    return planes.to(images.dtype)


@mistake("channels_first")
def scales_bytes(images):
    """Images of bytes came back as floats between 0 and 1: that is a job of its own, here the values stay as they are."""
    check(images)
    return images.movedim(-1, -3) / 255 if images.dtype == torch.uint8 else images.movedim(-1, -3)


@mistake("channels_first")
def reverses_the_channels(images):
    """The channels come in reverse order, blue first: the axis moves, its order stays."""
    check(images)
    return images.movedim(-1, -3).flip(-3)


@alternative("channels_first")
def permute_by_cases(images):
    """One permute for each number of axes, copied into fresh memory."""
    if images.dim() == 3:
        return images.permute(2, 0, 1).contiguous()
    if images.dim() == 4:
        return images.permute(0, 3, 1, 2).contiguous()
    raise ValueError("expected 3 or 4 axes")


@alternative("channels_first")
def two_transposes(images):
    """The channel axis walks forward one place at a time."""
    check(images)
    return images.transpose(-1, -2).transpose(-2, -3)


@alternative("channels_last")
def stacks_the_planes(images):
    """Takes the planes apart and stacks them at the end, or permutes when there is none."""
    check(images)
    planes = images.unbind(-3)
    return torch.stack(planes, dim=-1) if planes else images.movedim(-3, -1)


@alternative("channels_last")
def fills_plane_by_plane(images):
    """An empty tensor in the dtype of the images takes one plane after the other; without planes it stays as it is."""
    check(images)
    *batch, channels, rows, columns = images.shape
    result = images.new_empty(*batch, rows, columns, channels)
    for c in range(channels):
        result[..., c] = images[..., c, :, :]
    return result
