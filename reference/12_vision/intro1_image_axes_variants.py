"""Known mistakes and unusual but correct solutions for to_channels_first, channel_statistics and normalize_images."""

import torch
from torch.nn import functional as F

from torchdojo.variants import alternative, mistake

HINTS = (
    "Write the shape under each axis: what is axis 0 of a picture from a file, and what is axis 0 that a convolution expects?",
    "movedim and permute move axes; reshape and view don't. Of a batch, mean and std can reduce several axes at once: all but the channels. A tensor of shape (channels,) "
    "needs two more axes at its end to broadcast along rows and columns.",
    "Move the last axis in front of height and width, then divide by 255, but only if the images aren't floating point. Reduce the axes 0, 2 and 3. Index mean and std with None "
    "twice, and replace zeros in std by ones before you divide.",
)
EQUIVALENT = {
    'swap_function: return moved.detach() if images.is_floating_point() else moved.float() / 255': 'the result may share memory with the images',
    'drop_copy: return moved if images.is_floating_point() else moved.float() / 255': 'the result may share memory with the images',
    'wrong_dtype: return moved.clone() if images.is_floating_point() else moved / 255': 'the same unless the default dtype is another',
}

MOVED = "moved = images.movedim(-1, -3)"
SCALED = "moved.clone() if images.is_floating_point() else moved.float() / 255"
STATISTICS = "images.mean(dim=(0, 2, 3)), images.std(dim=(0, 2, 3), correction=0)"
CENTERED = "(images - mean[:, None, None]) / scale[:, None, None]"


reshapes = mistake.edited(MOVED, "moved = images.reshape(*images.shape[:-3], images.shape[-1], *images.shape[-3:-1])",
    "You reshaped, so the colors of neighboring pixels are mixed: reshape keeps the order of the numbers. Move the axis with permute or movedim.",
    common=True, about="bytes_become_numbers_with_channels_first",
    pitfall="reshape gives the right shape")

turns_the_picture = mistake.edited(MOVED, "moved = images.transpose(-1, -3)",
    "You exchanged the channels with the height, so rows and columns are exchanged too: the order is (channels, height, width).",
    common=True, about="bytes_become_numbers_with_channels_first")

width_first = mistake.edited(MOVED, "moved = images.transpose(-1, -2)",
    "The channels are now between height and width: move them in front of both.",
    about="bytes_become_numbers_with_channels_first")

not_scaled = mistake.edited(SCALED, "moved.clone() if images.is_floating_point() else moved.float()",
    "The numbers still reach up to 255: divide by 255.",
    common=True, about="bytes_become_numbers_with_channels_first")

divides_by_256 = mistake.edited("moved.float() / 255", "moved / 256",
    "You divided by 256, so white isn't 1: the largest byte is 255.",
    about="bytes_become_numbers_with_channels_first")

whole_numbers = mistake.edited("moved.float() / 255", "(moved // 255).float()",
    "Everything but 255 became 0, because the fraction is lost, as with // or a conversion to an integer: divide with /, and keep the fraction.",
    about="bytes_become_numbers_with_channels_first")

still_bytes = mistake.edited("moved.float() / 255", "moved.clone()",
    "The result is still made of bytes: divide by 255, which gives float32.",
    about="bytes_become_numbers_with_channels_first")

from_minus_1_to_1 = mistake.edited("moved.float() / 255", "moved / 127.5 - 1",
    "Your numbers lie between -1 and 1: here, black is 0 and white is 1.",
    about="bytes_become_numbers_with_channels_first")

in_float64 = mistake.edited("moved.float() / 255", "moved.double() / 255",
    "The result is float64, as NumPy would have it: models have float32 weights, so make it float32.",
    common=True, about="bytes_become_numbers_with_channels_first")

one_image_only = mistake.edited(MOVED, "moved = images.permute(2, 0, 1)",
    "A batch has a fourth axis, and your permute names just three: move the last axis in front of the two before it, for example with movedim.",
    common=True, about="leading_axes_stay")

from_the_front = mistake.edited(MOVED, "moved = images.movedim(-1, 0)",
    "In a batch the channels now come before the samples: they belong right before height and width.",
    about="leading_axes_stay")

scales_twice = mistake.edited(SCALED, "moved / 255",
    "Floating-point images were divided by 255, though they lie between 0 and 1 already.",
    common=True, about="floating_point_images_are_not_scaled")

always_float32 = mistake.edited("moved.clone() if", "moved.float() if",
    "A float64 image became float32: floating-point images keep their dtype.",
    about="floating_point_images_are_not_scaled")

one_mean_for_all = mistake.edited(STATISTICS, "images.mean().expand(images.shape[1]), images.std(correction=0).expand(images.shape[1])",
    "All channels share one mean and one standard deviation: reduce all axes except axis 1.",
    common=True)

over_the_batch_alone = mistake.edited(STATISTICS, "images.mean(dim=0), images.std(dim=0, correction=0)",
    "Each pixel has its own mean: reduce height and width, too, and keep only axis 1.",
    common=True)

over_the_wrong_axes = mistake.edited(STATISTICS, "images.mean(dim=(0, 1, 2)), images.std(dim=(0, 1, 2), correction=0)",
    "You reduced the channels, and kept the width: with channels first, the axes to reduce are 0, 2 and 3.",
    common=True)

one_for_each_image = mistake.edited(STATISTICS, "images.mean(dim=(2, 3)), images.std(dim=(2, 3), correction=0)",
    "Each image has its own mean: reduce the batch axis, too.")


@mistake("channel_statistics", common=True, about="the_standard_deviation_is_over_all_pixels", pitfall="The mean of the images' own standard deviations")
def mean_of_the_deviations(images):
    """You averaged the standard deviations of the images: that misses how much the images differ from each other. Use all pixels of all images together."""
    return images.mean(dim=(0, 2, 3)), images.std(dim=(2, 3), correction=0).mean(dim=0)


the_variance = mistake.edited("images.std(dim=(0, 2, 3), correction=0)", "images.var(dim=(0, 2, 3), correction=0)",
    "You returned the variance: the standard deviation is its square root.",
    about="the_standard_deviation_is_over_all_pixels")

with_bessels_correction = mistake.edited("images.std(dim=(0, 2, 3), correction=0)", "images.std(dim=(0, 2, 3))",
    "The variance was divided by the number of pixels minus 1, as std does it unless you pass correction=0.",
    common=True, about="the_standard_deviation_is_over_all_pixels")

root_mean_square = mistake.edited("images.std(dim=(0, 2, 3), correction=0)", "images.square().mean(dim=(0, 2, 3)).sqrt()",
    "You took the root of the mean square: subtract the mean of the channel before you square.",
    about="the_standard_deviation_is_over_all_pixels")

by_its_own_statistics = mistake.edited(CENTERED,
    "(images - images.mean(dim=(0, 2, 3), keepdim=True)) / images.std(dim=(0, 2, 3), keepdim=True, correction=0)",
    "The images were normalized by their own statistics: use the mean and std that you get, those of the training set.",
    common=True, about="channels_are_normalized")

along_the_width = mistake.edited(CENTERED, "(images - mean) / scale",
    "The mean and std of the channels were lined up with the width, the last axis: give them two more axes at the end.",
    common=True, about="channels_are_normalized")

along_the_height = mistake.edited(CENTERED, "(images - mean[:, None]) / scale[:, None]",
    "The mean and std of the channels were lined up with the height: give them two more axes at the end.",
    about="channels_are_normalized")

multiplies = mistake.edited(CENTERED, "(images - mean[:, None, None]) * scale[:, None, None]",
    "You multiplied by std: divide by it.",
    about="channels_are_normalized")

divides_first = mistake.edited(CENTERED, "images / scale[:, None, None] - mean[:, None, None]",
    "You divided before you subtracted the mean: subtract it first.",
    about="channels_are_normalized")

only_centered = mistake.edited(CENTERED, "images - mean[:, None, None]",
    "std has no effect: divide by it after you subtract the mean.",
    about="channels_are_normalized")

by_the_variance = mistake.edited(CENTERED, "(images - mean[:, None, None]) / scale[:, None, None] ** 2",
    "You divided by the square of std: divide by std.",
    about="channels_are_normalized")

in_place = mistake.edited(CENTERED, "images.sub_(mean[:, None, None]).div_(scale[:, None, None])",
    "The images of the caller were changed: sub_, div_, -= and /= work in place.",
    about="channels_are_normalized")

divides_by_zero = mistake.edited("scale = torch.where(std == 0, 1, std)", "scale = std",
    "A channel with std 0 became nan or inf: divide it by 1 instead.",
    common=True, about="constant_channels_are_only_centered")

plus_a_small_number = mistake.edited("scale = torch.where(std == 0, 1, std)", "scale = std + 1e-7",
    "A channel with std 0 was divided by a tiny number: it is only centered.",
    about="constant_channels_are_only_centered")


@alternative()
def by_permute():
    """permute with the axes counted, sums and counts, and a broadcast from the last axis."""

    def to_channels_first(images):
        axes = list(range(images.ndim))
        out = images.permute(*axes[:-3], axes[-1], axes[-3], axes[-2]).contiguous()
        if out.dtype == torch.uint8:
            out = out.to(torch.float32).div(255.0)
        return out

    def channel_statistics(images):
        flat = images.transpose(0, 1).flatten(1)
        mean = flat.mean(dim=1)
        return mean, ((flat - mean.unsqueeze(1)) ** 2).mean(dim=1).sqrt()

    def normalize_images(images, mean, std):
        last = (images.movedim(-3, -1) - mean) / std.masked_fill(std == 0, 1.0)
        return last.movedim(-1, -3)

    return {"to_channels_first": to_channels_first, "channel_statistics": channel_statistics, "normalize_images": normalize_images}


@alternative("to_channels_first")
def two_transposes(images):
    """Two exchanges of neighboring axes."""
    out = images.transpose(-1, -2).transpose(-2, -3)
    return out if images.is_floating_point() else out.mul(1 / 255)


@alternative("normalize_images")
def by_batch_norm(images, mean, std):
    """A batch norm in evaluation mode without eps is this formula."""
    return F.batch_norm(images, mean, torch.where(std == 0, torch.ones_like(std), std) ** 2, eps=0.0)


@alternative("channel_statistics")
def by_unbind(images):
    """Channel by channel."""
    found = [(channel.mean(), channel.std(unbiased=False)) for channel in images.unbind(1)]
    return torch.stack([m for m, _ in found]), torch.stack([s for _, s in found])
