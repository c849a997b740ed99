"""Hidden checks for image axes: channels first, statistics of a training set, normalization."""

import torch

from torchdojo.grading import built, check, tensor

CONCEPTS = ("M01", "A04")

KEPT = {
    "bytes_become_numbers_with_channels_first": "one image, the task without leading axes",
    "channels_are_normalized": "the task, without the edge of a channel whose standard deviation is 0",
}


class oracle:
    """One channel after the other."""

    def to_channels_first(images):
        channels = [images[..., c] for c in range(images.shape[-1])]
        return torch.stack(channels, dim=-3) if images.is_floating_point() else torch.stack(channels, dim=-3).float() / 255

    def channel_statistics(images):
        every = [images[:, c].flatten() for c in range(images.shape[1])]
        mean = [values.sum() / len(values) for values in every]
        return torch.stack(mean), torch.stack([((values - m) ** 2).mean() ** 0.5 for values, m in zip(every, mean, strict=True)])

    def normalize_images(images, mean, std):
        out = images.clone()
        for c in range(len(mean)):
            out[:, c] -= mean[c]
            if std[c] != 0:
                out[:, c] /= std[c]
        return out


def pixels(axes):
    """Bytes, 255 among them."""

    def make(case):
        values = case.tensor(axes, dtype="int64", low=0, high=256)
        return torch.where(values > 200, 255, values).to(torch.uint8)

    return built(make, axes="batch height width channels")


IMAGES = tensor("batch channels height width")


@check(points=3, images=pixels("height width channels"), minimum=1)
def bytes_become_numbers_with_channels_first(solution, images):
    """Channels come first, bytes become float32 between 0 and 1, and rows stay rows."""
    return solution.to_channels_first(images)


@check(points=1, star=True, images=pixels("batch height width channels"), extra=[0, 2], minimum=1)
def leading_axes_stay(solution, images, extra):
    """Leading axes, such as that of a batch, stay where they are."""
    return solution.to_channels_first(images.expand(extra, *images.shape).clone() if extra else images)


@check(points=1, star=True, images=tensor("height width channels", low=0, high=1), minimum=1, aliasing="any")
def floating_point_images_are_not_scaled(solution, images):
    """Floating-point images keep their values and their dtype; only the axes are moved."""
    return solution.to_channels_first(images)


@check(points=2, images=IMAGES, minimum=1)
def the_mean_is_over_all_pixels(solution, images):
    """The mean of each channel is over all pixels of all images."""
    return solution.channel_statistics(images)[0]


@check(points=3, images=IMAGES, minimum=1)
def the_standard_deviation_is_over_all_pixels(solution, images):
    """The standard deviation of each channel is over all pixels of all images."""
    return solution.channel_statistics(images)[1]


@check(points=3, images=IMAGES, mean=tensor("channels"), std=tensor("channels", low=0.25), minimum=1)
def channels_are_normalized(solution, images, mean, std):
    """From each channel its mean is subtracted, and it is divided by its standard deviation."""
    return solution.normalize_images(images, mean, std)


@check(points=1, star=True, images=IMAGES, mean=tensor("channels"), std=tensor("channels", low=0, high=1), minimum=1)
def constant_channels_are_only_centered(solution, images, mean, std):
    """A channel with a standard deviation of 0 is only centered."""
    std = std.clone()
    std[0] = 0
    return solution.normalize_images(images, mean, std)
