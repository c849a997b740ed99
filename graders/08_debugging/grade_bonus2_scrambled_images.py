"""Hidden checks for channels_first and channels_last: every pixel keeps its value."""

import torch

from torchdojo.grading import check, gradients, tensor, upstream

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


def refusal(function):
    """'ValueError' for it and its subclasses, the name of another error, or 'no error'."""
    try:
        function()
    except ValueError:
        return "ValueError"
    except NotImplementedError:
        raise
    except Exception as error:
        return type(error).__name__
    return "no error"


DTYPES = ["float32", "uint8", "float64", "bool", "int64", "complex64", "float16"]


@check(points=2, image=tensor("rows columns channels"), images=tensor("batch rows columns channels"), aliasing="any")
def channels_come_first(solution, image, images, rng):
    """channels_first moves the channels, for one image and for a batch."""
    results = {"image": solution.channels_first(image.requires_grad_()), "batch": solution.channels_first(images.requires_grad_())}
    found = [gradients(y, [x], upstream(y, rng))[0] for y, x in zip(results.values(), (image, images), strict=True)]
    return {**results, "gradient of image": found[0], "gradient of batch": found[1]}


@check(points=2, image=tensor("channels rows columns"), images=tensor("batch channels rows columns"), aliasing="any")
def channels_come_last(solution, image, images, rng):
    """channels_last moves the channels, for one image and for a batch."""
    results = {"image": solution.channels_last(image.requires_grad_()), "batch": solution.channels_last(images.requires_grad_())}
    found = [gradients(y, [x], upstream(y, rng))[0] for y, x in zip(results.values(), (image, images), strict=True)]
    return {**results, "gradient of image": found[0], "gradient of batch": found[1]}


@check(points=1, images=tensor("batch 3 4 2", dtype="uint8", low=0, high=255), dtype=DTYPES, aliasing="any")
def keeps_every_dtype(solution, images, dtype):
    """The dtype stays, be it uint8, bool or complex."""
    images = images.to(getattr(torch, dtype))
    return {"first": solution.channels_first(images), "last": solution.channels_last(images)}


@check(points=1, x=tensor("3 2", layouts=False))
def refuses_other_numbers_of_axes(solution, x):
    """Anything but 3 or 4 axes is a ValueError."""
    shapes = [(), (6,), (3, 2), (1, 2, 1, 3, 1), (1, 1, 3, 1, 2, 1)]
    functions = {"channels_first": solution.channels_first, "channels_last": solution.channels_last}
    inputs = {f"{len(s)} axes": x[0, 0] if not s else x.reshape(s) for s in shapes}
    return {f"{name}, {axes}": refusal(lambda f=f, x=t: f(x)) for name, f in functions.items() for axes, t in inputs.items()}
