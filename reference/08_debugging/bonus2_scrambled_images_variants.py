"""Known mistakes and unusual but correct solutions for channels_first and channels_last."""

from torchdojo.variants import alternative, mistake

HINTS = (
    "Take an image of one row, two columns and two channels, and write down where each of its four numbers goes.",
    "reshape and view read the values in memory order and never move one past another. permute, transpose "
    "and movedim move axes together with their values.",
    "Keep the check of the number of axes. Then move the last axis to the third place from the end, and in "
    "the other function back; negative numbers count from the end, so they fit 3 and 4 axes.",
)


reshapes_both_ways = mistake.edited("return images.movedim(-1, -3)",
    """
    rows, columns, channels = images.shape[-3:]
    return images.reshape(*images.shape[:-3], channels, rows, columns)
    """,
    "reshape and view keep the values in their order in memory, and calling one function after the other hides that: "
    "move the channel axis with movedim or permute, in both functions.",
    also=[("return images.movedim(-3, -1)",
        """
        channels, rows, columns = images.shape[-3:]
        return images.reshape(*images.shape[:-3], rows, columns, channels)
        """)])

reshapes = mistake.edited("return images.movedim(-1, -3)",
    """
    rows, columns, channels = images.shape[-3:]
    return images.reshape(*images.shape[:-3], channels, rows, columns)
    """,
    "reshape and view keep the values in their order in memory, and contiguous() does not help: move the channel axis "
    "with movedim or permute.",
    pitfall="reshape keeps the order of the values")

reverses_all_axes = mistake.edited("images.movedim(-1, -3)", "images.permute(*reversed(range(images.ndim)))",
    "All axes were reversed, so rows and columns were swapped, and the batch went to the end: only the channel axis moves.",
    also=[("images.movedim(-3, -1)", "images.permute(*reversed(range(images.ndim)))")])

swaps_two_axes = mistake.edited("images.movedim(-1, -3)", "images.transpose(-1, -3)",
    "Two axes were swapped, so rows and columns changed their order: the channel axis moves, and the other two keep their order.",
    also=[("images.movedim(-3, -1)", "images.transpose(-1, -3)")])

makes_the_memory_contiguous_first = mistake.edited("return images.movedim(-1, -3)",
    """
    rows, columns, channels = images.shape[-3:]
    return images.contiguous().reshape(*images.shape[:-3], channels, rows, columns)
    """,
    "reshape and view keep the values in their order in memory, and contiguous() does not help: move the channel axis "
    "with movedim or permute.")

leaves_the_way_back = mistake.edited("return images.movedim(-3, -1)",
    """
    channels, rows, columns = images.shape[-3:]
    return images.reshape(*images.shape[:-3], rows, columns, channels)
    """,
    "channels_last still keeps the values in their order in memory, as reshape does: move the axis there, too.")

same_move_both_ways = mistake.edited("images.movedim(-3, -1)", "images.movedim(-1, -3)",
    "channels_last moves the axes the same way as channels_first: it must move the channel axis from third-last to last.")

knows_batches_only = mistake.edited("images.movedim(-1, -3)", "images.permute(0, 3, 1, 2)",
    "Only batches work: a single image has three axes. Count the axes from the end.")

adds_a_batch_axis = mistake.edited(
    "images.movedim(-1, -3)", "(images if images.ndim == 4 else images.unsqueeze(0)).permute(0, 3, 1, 2)",
    "A single image comes back with a batch axis: an image with three axes gives three axes.")

drops_axes_of_one = mistake.edited("images.movedim(-1, -3)", "images.movedim(-1, -3).squeeze()",
    "squeeze() drops a batch of one image, or a single channel: leave axes of size 1 alone.")

takes_any_number_of_axes = mistake.edited("if images.ndim not in (3, 4):", "if False:",
    "channels_first accepts other numbers of axes: anything but 3 or 4 axes raises ValueError.",
    occurrence=1, also=[("images.movedim(-1, -3)", "images.movedim(-1, max(-3, -images.ndim))")])

converts_to_float = mistake.edited("images.movedim(-1, -3)", "images.movedim(-1, -3).float()",
    "The dtype changed to float32: the result keeps the dtype of the images.")

goes_through_float32 = mistake.edited("return images.movedim(-1, -3)",
    """
    moved = images.movedim(-1, -3)
    planes = torch.zeros(moved.shape, device=images.device)
    planes[...] = moved.real if moved.is_complex() else moved
    return planes.to(images.dtype)
    """,
    "The pixels went through a float32 tensor, where integers above 16777216 and more than seven digits "
    "are lost: make the result in the dtype of the images.")

scales_bytes = mistake.edited(
    "images.movedim(-1, -3)", "images.movedim(-1, -3) / 255 if images.dtype == torch.uint8 else images.movedim(-1, -3)",
    "Images of bytes came back as floats between 0 and 1: that is a separate job; here the values stay as they are.")

reverses_the_channels = mistake.edited("images.movedim(-1, -3)", "images.movedim(-1, -3).flip(-3)",
    "The channels come in reverse order, blue first: the axis moves, but its order stays.")

permute_by_cases = alternative.edited(
    "images.movedim(-1, -3)", "images.permute((2, 0, 1) if images.dim() == 3 else (0, 3, 1, 2)).contiguous()",
    "One permute for each number of axes, copied into fresh memory.")

two_transposes = alternative.edited("images.movedim(-1, -3)", "images.transpose(-1, -2).transpose(-2, -3)",
    "The channel axis walks forward one place at a time.")

stacks_the_planes = alternative.edited("return images.movedim(-3, -1)",
    """
    planes = images.unbind(-3)
    return torch.stack(planes, dim=-1) if planes else images.movedim(-3, -1)
    """,
    "Takes the planes apart and stacks them at the end, or permutes when there is none.")

fills_plane_by_plane = alternative.edited("return images.movedim(-3, -1)",
    """
    *batch, channels, rows, columns = images.shape
    result = images.new_empty(*batch, rows, columns, channels)
    for c in range(channels):
        result[..., c] = images[..., c, :, :]
    return result
    """,
    "An empty tensor in the dtype of the images takes one plane after the other; without planes it stays as it is.")

knows_images_only = mistake.edited("images.movedim(-1, -3)", "images.permute(2, 0, 1)",
    "Only single images work: a batch has four axes. Count the axes from the end.")

swaps_rows_and_columns = mistake.edited("images.movedim(-1, -3)", "images.transpose(-1, -3)",
    "channels_first swaps rows and columns, too: move the channel axis only, and keep the order of the other two.")

moves_to_the_front_of_the_batch = mistake.edited("images.movedim(-1, -3)", "images.movedim(-1, 0)",
    "In a batch the channel axis comes before the batch axis: move it to the third place from the end.")
