"""Hidden checks for ResidualBlock: layers, order, three kinds of shortcut, gradients, the start."""

import torch
from torch import nn
from torch.nn import functional as F

from torchdojo.grading import check, gradients, tensor, upstream

CONCEPTS = ("M06",)
KEPT = {
    "x_itself_is_added": "a block without a projection, worth points by itself",
    "gradients_take_both_ways": "both ways for the gradient, said by itself",
    "x_stays_as_it_was": "an effect of its own; what changes x also fails where x is compared",
}


class oracle:
    """Weights in plain parameters of the same names, and functions."""

    class ResidualBlock(nn.Module):
        def __init__(self, in_channels, out_channels, stride=1):
            super().__init__()
            self.stride = stride
            self.conv1 = nn.Conv2d(in_channels, out_channels, (3, 3), (stride, stride), (1, 1), bias=False)
            self.conv2 = nn.Conv2d(out_channels, out_channels, (3, 3), (1, 1), (1, 1), bias=False)
            self.norm1, self.norm2 = nn.BatchNorm2d(out_channels), nn.BatchNorm2d(out_channels)
            fits = stride == 1 and in_channels == out_channels
            projection = [nn.Conv2d(in_channels, out_channels, (1, 1), (stride, stride), bias=False), nn.BatchNorm2d(out_channels)]
            self.shortcut = nn.Sequential(*([] if fits else projection))
            self.norm2.weight.data *= 0

        def forward(self, x):
            out = self.norm1(F.conv2d(x, self.conv1.weight, stride=self.stride, padding=1)).clamp(min=0)
            out = self.norm2(F.conv2d(out, self.conv2.weight, padding=1))
            way = x
            if len(self.shortcut):
                way = self.shortcut[1](F.conv2d(x, self.shortcut[0].weight, stride=self.stride))
            return (out + way).clamp(min=0)


def filled(module, x, plain=False):
    """The module with numbers that depend on names and places alone; variances are positive, and convolutions have no bias.

    plain: all numbers are positive, so that no relu cuts anything off, and the norms change nothing.
    """
    module = module.to(x)
    with torch.no_grad():
        for name, values in module.state_dict().items():
            if not values.is_floating_point():
                continue
            kind = next((word for word in ("running_mean", "running_var", "bias") if name.endswith(word)), "weight")
            new = ((torch.arange(values.numel()) * 5 + 3 * sum(map(ord, name))) % 7 - 2.5).reshape(values.shape) / 4
            if kind == "bias" and f"{name.rpartition('.')[0]}.running_var" not in module.state_dict():
                new = torch.zeros_like(new)
            elif plain and new.ndim == 1:
                new = torch.full_like(new, 1.0 if kind in ("weight", "running_var") else 0.0)
            elif plain or kind == "running_var" or (new.ndim == 1 and kind == "weight"):
                new = new.abs() + 0.5
            values.copy_(new)
    return module


LEAST = {"batch": 1, "channels": 1, "height": 1, "width": 1}
X = tensor("batch channels height+1 width+2")
ABOUT = (1e-4, 1e-5)  # float32 through five layers; the largest difference of a right answer was 3e-6
EXACT = ("float64",)


@check(points=2, sizes=[(3, 5, 1), (4, 4, 1), (4, 4, 2), (2, 6, 3)], devices=False, random=True)
def the_layers_have_their_names(solution, sizes):
    """The state has the layers' names and shapes, and nothing else; conv1 has the stride."""
    block = solution.ResidualBlock(*sizes)
    return {
        "state": {name: list(value.shape) for name, value in sorted(block.state_dict().items())},
        "strides": [list(block.conv1.stride), list(block.conv2.stride)],
    }


@check(points=3, x=X, training=[True, False], minimum=LEAST, tolerance=ABOUT, dtypes=EXACT, mutates=("x",), aliasing="any")
def x_itself_is_added(solution, x, training):
    """With the shape of x, the result is relu of the sum of x and the two convolutions."""
    channels = x.shape[1]
    return filled(solution.ResidualBlock(channels, channels), x).train(training)(x.clone()).detach()


def shortcut_alone(block, x):
    """What a block returns for positive numbers when its convolutions count for nothing."""
    block = filled(block, x, plain=True).eval()
    block.norm2.weight.data.zero_()
    return block(x.abs() + 1).detach()


@check(points=2, x=X, more=[1, 2], minimum=LEAST, tolerance=ABOUT, dtypes=EXACT)
def other_channels_need_a_projection(solution, x, more):
    """With other channels, a 1 by 1 convolution makes the shortcut fit."""
    return shortcut_alone(solution.ResidualBlock(x.shape[1], x.shape[1] + more), x)


@check(points=2, x=X, stride=[2, 3], minimum=LEAST, tolerance=ABOUT, dtypes=EXACT)
def a_stride_needs_a_projection(solution, x, stride):
    """With a stride, the shortcut has it too, even if the channels stay."""
    return shortcut_alone(solution.ResidualBlock(x.shape[1], x.shape[1], stride), x)


@check(points=2, x=X, minimum=LEAST, tolerance=ABOUT, dtypes=EXACT, devices=False, mutates=("x",), aliasing="any")
def gradients_take_both_ways(solution, x, rng):
    """Gradients reach x through the convolutions and through the shortcut."""
    block = filled(solution.ResidualBlock(x.shape[1], x.shape[1]), x, plain=True).eval()
    x = (x.abs() + 1).requires_grad_()
    y = block(x * 1)
    return {"gradient of x": gradients(y, [x], upstream(y, rng))[0]}


@check(points=1, star=True, x=X, training=[True, False], minimum=LEAST, dtypes=EXACT, devices=False, beside=True)
def x_stays_as_it_was(solution, x, training):
    """x is not changed."""
    block, given = filled(solution.ResidualBlock(x.shape[1], x.shape[1]), x).train(training), x.clone()
    y = block(given).detach()
    return y.clone(), {"x as before": torch.equal(given, x)}


@check(points=1, star=True, sizes=[(3, 3, 1), (2, 4, 2)], devices=False, random=True)
def it_starts_as_its_shortcut(solution, sizes):
    """In a new block the weight of norm2 is zero, and that of norm1 isn't."""
    block = solution.ResidualBlock(*sizes)
    return {"weight of norm1": block.norm1.weight.detach(), "weight of norm2": block.norm2.weight.detach()}
