"""Hidden checks for depthwise separable convolutions: two layers, their cost, and the one kernel that does both."""

import torch
from torch import nn
from torch.nn import functional as F

from torchdojo.grading import check, tensor

CONCEPTS = ("M15",)

KEPT = {
    "channels_are_mixed_behind": "the two layers without biases, worth points by itself",
    "a_merged_kernel_is_a_product": "the merged kernel without biases, worth points by itself",
    "biases_are_merged": "the biases without several kernels, part of the task",
}


class oracle:
    """Channel by channel, with a loop over the pairs of channels."""

    class SeparableConv(nn.Module):
        def __init__(self, in_channels, out_channels, kernel, stride=1, padding=0, bias=True):
            super().__init__()
            self.depthwise = nn.Conv2d(in_channels, in_channels, (kernel, kernel), groups=in_channels, stride=(stride, stride), padding=(padding, padding), bias=bias)
            self.pointwise = nn.Conv2d(in_channels, out_channels, (1, 1), bias=bias)

        def forward(self, x):
            first, second = self.depthwise, self.pointwise
            planes = [F.conv2d(x[:, c : c + 1], first.weight[c : c + 1], stride=first.stride, padding=first.padding) for c in range(x.shape[1])]
            if first.bias is not None:
                planes = [plane + b for plane, b in zip(planes, first.bias, strict=True)]
            rows = [sum(w * plane for w, plane in zip(row, planes, strict=True)) for row in second.weight[:, :, 0, 0]]
            return torch.cat([row if second.bias is None else row + second.bias[i] for i, row in enumerate(rows)], dim=1)

    def separable_cost(in_channels, out_channels, kernel, positions, bias=True):
        model = nn.ModuleList([nn.Conv2d(in_channels, in_channels, kernel, groups=in_channels, bias=bias), nn.Conv2d(in_channels, out_channels, 1, bias=bias)])
        return sum(p.numel() for p in model.parameters()), sum(len(conv.weight.flatten()) * positions for conv in model)

    def merge_separable(depthwise, pointwise):
        many = depthwise.out_channels // depthwise.in_channels
        merged = nn.Conv2d(depthwise.in_channels, pointwise.out_channels, depthwise.kernel_size, depthwise.stride, depthwise.padding)
        merged = merged.to(depthwise.weight)
        for p in merged.parameters():
            p.data.zero_()
        for o in range(pointwise.out_channels):
            for k in range(depthwise.out_channels):
                factor = pointwise.weight.data[o, k, 0, 0]
                merged.weight.data[o, k // many] += factor * depthwise.weight.data[k, 0]
                merged.bias.data[o] += factor * (0 if depthwise.bias is None else depthwise.bias.data[k])
            merged.bias.data[o] += 0 if pointwise.bias is None else pointwise.bias.data[o]
        return merged


def filled(*layers, zero=()):
    """The layers with eighths that depend on names and places alone; parameters whose name is in zero are 0."""
    with torch.no_grad():
        for module in layers:
            for name, p in module.named_parameters():
                values = ((torch.arange(p.numel()) * 5 + 3 * len(name)) % 17 - 8.5).reshape(p.shape) / 8
                p.copy_(0 * values if name.rpartition(".")[2] in zero else values)
    return layers if len(layers) > 1 else layers[0]


def pair(x, outputs, many=1, biases=(True, True), zero=(), **settings):
    """Layers for the images x: depthwise with many kernels of 2 by 3 for each channel, and pointwise."""
    channels = x.shape[1]
    depthwise = nn.Conv2d(channels, channels * many, (2, 3), groups=channels, bias=biases[0], **settings)
    pointwise = nn.Conv2d(channels * many, outputs, 1, bias=biases[1])
    return filled(depthwise.to(x), pointwise.to(x), zero=zero)


def one_layer(merged, x):
    """What a single convolution computes, and the shape that tells it from two."""
    return {"result": merged(x).detach(), "shape of the weight": list(merged.weight.shape)}


X = tensor("batch channels height+2 width+3")
LEAST = {"batch": 1, "channels": 1, "height": 1, "width": 1}
HERE = {"dtypes": ("float32",), "devices": False}
PARTS = [("parameters", 0), ("multiply-adds", 1)]
COSTS = {"in_channels": [3, 5], "out_channels": [7, 2], "kernel": [3, 2], "positions": [12, 35], "devices": False}


@check(points=2, sizes=[(3, 5, 2), (4, 4, 3), (6, 2, 1)], bias=[True, False], devices=False, random=True)
def each_channel_has_one_kernel(solution, sizes, bias):
    """The state has the layers' names and shapes, and nothing else."""
    state = solution.SeparableConv(*sizes, bias=bias).state_dict()
    return {name: list(values.shape) for name, values in sorted(state.items())}


@check(points=2, x=X, outputs=[1, 3], minimum=LEAST, **HERE)
def channels_are_mixed_behind(solution, x, outputs):
    """Each channel has its kernel; then each output is a weighted sum of channels."""
    return filled(solution.SeparableConv(x.shape[1], outputs, 2), zero=("bias",))(x).detach()


@check(points=1, x=X, minimum=LEAST, **HERE)
def each_layer_adds_its_bias(solution, x):
    """The bias of depthwise is added before the channels are mixed, that of pointwise after it."""
    return filled(solution.SeparableConv(x.shape[1], 3, 2))(x).detach()


@check(points=2, x=X, stride=[1, 2], padding=[0, 1, 2], minimum=LEAST, **HERE)
def depthwise_has_stride_and_padding(solution, x, stride, padding):
    """The first layer has the stride and the padding."""
    conv = filled(solution.SeparableConv(x.shape[1], 2, 2, stride=stride, padding=padding), zero=("bias",))
    return {"result": conv(x).detach(), "of depthwise": [*conv.depthwise.stride, *conv.depthwise.padding], "of pointwise": [*conv.pointwise.stride, *conv.pointwise.padding]}


@check(points=2, settings=[{}, {"bias": True}, {"bias": False}], **COSTS)
def parameters_are_counted(solution, in_channels, out_channels, kernel, positions, settings):
    """The weights and the biases of both layers are parameters."""
    return solution.separable_cost(in_channels, out_channels, kernel, positions, **settings)[0]


@check(points=2, **COSTS)
def products_are_counted(solution, in_channels, out_channels, kernel, positions):
    """Each weight is multiplied once at each position."""
    return solution.separable_cost(in_channels, out_channels, kernel, positions)[1]


@check(points=3, x=X, outputs=[2, 4], minimum=LEAST, **HERE)
def a_merged_kernel_is_a_product(solution, x, outputs):
    """One convolution gives the result of both: each of its kernels is a multiple of that of its channel."""
    return one_layer(solution.merge_separable(*pair(x, outputs, zero=("bias",))), x)


@check(points=1, x=X, minimum=LEAST, **HERE)
def biases_are_merged(solution, x):
    """The merged bias has that of pointwise, and that of depthwise behind the mixing."""
    return solution.merge_separable(*pair(x, 3)).bias.detach()


@check(points=1, x=X, settings=[{"stride": 2}, {"padding": (1, 2)}, {"stride": (1, 3), "padding": 1}], minimum=LEAST, **HERE)
def stride_and_padding_are_kept(solution, x, settings):
    """The merged convolution has the stride and the padding of depthwise."""
    merged = solution.merge_separable(*pair(x, 2, zero=("bias",), **settings))
    return {"result": merged(x).shape, "stride": list(merged.stride), "padding": list(merged.padding)}


@check(points=1, star=True, x=X, biases=[(True, False), (False, True), (False, False)], minimum=LEAST, beside=True, **HERE)
def a_bias_may_be_missing(solution, x, biases):
    """Either of the two layers may have no bias, or both."""
    return one_layer(solution.merge_separable(*pair(x, 3, biases=biases)), x), {}


@check(points=1, star=True, x=X, many=[2, 3], minimum=LEAST, **HERE)
def channels_may_have_several_kernels(solution, x, many):
    """With several kernels for each channel, their multiples are added."""
    return one_layer(solution.merge_separable(*pair(x, 3, many)), x)


@check(points=1, star=True, x=X, minimum=LEAST, about_device=True, beside=True)
def the_result_is_like_the_two(solution, x):
    """The merged convolution has the dtype and the device of the two."""
    merged = solution.merge_separable(*pair(x, 3))
    return merged.weight.detach().to("cpu", torch.float64), {"dtype": str(merged.weight.dtype), "on the device of the two": merged.weight.device == x.device}
