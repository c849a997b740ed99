"""Hidden checks for channels_first and channels_last: every pixel keeps its value."""

import torch

from torchdojo.grading import check, gradients, raises, tensor, upstream

CONCEPTS = ("A02", "A06", "C07", "E09")


class oracle:
    """Takes the channels apart and stacks them."""

    def channels_first(images):
        if images.dim() not in (3, 4):
            raise ValueError("not images")
        *batch, rows, columns, channels = images.shape
        planes = [images[..., c] for c in range(channels)]
        return torch.stack(planes, dim=-3) if planes else images.reshape(*batch, 0, rows, columns)

    def channels_last(images):
        if images.dim() not in (3, 4):
            raise ValueError("not images")
        *batch, channels, rows, columns = images.shape
        planes = [images[..., c, :, :] for c in range(channels)]
        return torch.stack(planes, dim=-1) if planes else images.reshape(*batch, rows, columns, 0)


def pulled_back(results, inputs, rng):
    """The gradient of each input that has elements: without any, nothing says whether there is a graph."""
    pairs = zip(results.values(), inputs, strict=True)
    return [gradients(y, [x], upstream(y, rng))[0] if x.numel() else None for y, x in pairs]


DTYPES = ["float32", "uint8", "float64", "bool", "int64", "complex64", "float16"]
BEYOND_FLOAT32 = {"float64": 1 / 3, "int64": 2**24 + 1, "complex64": 1 + 2j}


@check(points=2, image=tensor("rows columns channels"), images=tensor("batch rows columns channels"), aliasing="any")
def channels_come_first(solution, image, images, rng):
    """channels_first moves the channels, for one image and for a batch."""
    results = {"image": solution.channels_first(image.requires_grad_()), "batch": solution.channels_first(images.requires_grad_())}
    found = pulled_back(results, (image, images), rng)
    return {**results, "gradient of image": found[0], "gradient of batch": found[1]}


@check(points=2, image=tensor("channels rows columns"), images=tensor("batch channels rows columns"), aliasing="any")
def channels_come_last(solution, image, images, rng):
    """channels_last moves the channels, for one image and for a batch."""
    results = {"image": solution.channels_last(image.requires_grad_()), "batch": solution.channels_last(images.requires_grad_())}
    found = pulled_back(results, (image, images), rng)
    return {**results, "gradient of image": found[0], "gradient of batch": found[1]}


@check(points=1, star=True, images=tensor("batch 3 4 2", dtype="uint8", low=0, high=255), dtype=DTYPES, aliasing="any")
def keeps_every_dtype(solution, images, dtype):
    """The dtype and every value stay the same, also for uint8, bool and complex."""
    images = images.to(getattr(torch, dtype))
    if dtype in BEYOND_FLOAT32:
        images = images * BEYOND_FLOAT32[dtype]
    return {"first": solution.channels_first(images), "last": solution.channels_last(images)}


SHAPES = [(6,), (3, 2), (), (1, 2, 1, 3, 1), (1, 1, 3, 1, 2, 1)]


@check(points=1, star=True, x=tensor("3 2", layouts=False), shape=SHAPES, function=["channels_first", "channels_last"])
def refuses_other_numbers_of_axes(solution, x, shape, function):
    """Any number of axes other than 3 or 4 raises ValueError."""
    images = x.reshape(shape) if shape else x[0, 0]
    return {"error": raises(lambda: getattr(solution, function)(images), ValueError)}
