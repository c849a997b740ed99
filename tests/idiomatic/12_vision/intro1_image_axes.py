import torch


def to_channels_first(images):
    return images.permute(2, 0, 1).float() / 255.0


def channel_statistics(images):
    mean = images.mean(dim=(0, 2, 3))
    std = images.std(dim=(0, 2, 3), unbiased=False)
    return mean, std


def normalize_images(images, mean, std):
    return (images - mean.view(-1, 1, 1)) / std.view(-1, 1, 1)
