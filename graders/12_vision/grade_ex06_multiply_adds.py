"""Hidden checks for costs: kernels times positions, layers as they run, and a model that is left alone."""

import torch
from torch import nn

from torchdojo.grading import check, mode_of

CONCEPTS = ("M07",)

KEPT = {
    "the_model_has_its_parameters": "the parameters of a whole model, worth a point without a run",
    "weights_and_biases_are_parameters": "the task, without groups",
    "each_position_costs_all_kernels": "the task, without stride and padding",
    "layers_are_added": "the task, without the edge of a model on the meta device",
}


class oracle:
    """Runs the layer on an image, and counts the numbers that come out."""

    def conv_cost(conv, height, width):
        result = conv(torch.zeros(1, conv.in_channels, height, width))
        reads = conv.in_channels // conv.groups * conv.kernel_size[0] * conv.kernel_size[1]
        return sum(len(p.flatten()) for p in conv.parameters()), len(result.flatten()) * reads

    def model_cost(model, shape):
        parameters = sum(p.numel() for p in model.parameters())
        total = sum(model.products(*shape))
        return parameters, total


class Plain(nn.Sequential):
    """Two convolutions, pooling, and two linear layers inside of a part."""

    def __init__(self):
        head = nn.Sequential(nn.Flatten(), nn.Linear(5, 7), nn.Linear(7, 1))
        super().__init__(nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(4, 5, (1, 3), bias=False), nn.AdaptiveAvgPool2d(1), head)

    def products(self, _, h, w):
        return [4 * 27 * h * w, 5 * 12 * (h // 2) * (w // 2 - 2), 35, 7]


class Twice(nn.Module):
    """One convolution that runs twice, and one that never runs."""

    def __init__(self):
        super().__init__()
        self.conv, self.unused = nn.Conv2d(2, 2, 3, padding=1), nn.Conv2d(2, 9, 3)

    def forward(self, x):
        return self.conv(self.conv(x).relu())

    def products(self, _, h, w):
        return [2 * (36 * h * w)]


class Tokens(nn.Module):
    """A linear layer for each pixel."""

    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(3, 5)

    def forward(self, x):
        return self.mix(x.flatten(2).mT).mean(dim=1)

    def products(self, _, h, w):
        return [15 * h * w]


def settings(case):
    return nn.Conv2d(*case[0], **case[1])


PLAIN = [((2, 5, 3), {}), ((3, 4, 1), {"bias": False}), ((1, 6, (2, 4)), {})]
STRIDES = [((2, 5, 3), {"stride": 2}), ((3, 2, 3), {"stride": 3, "padding": 1}), ((1, 4, (3, 2)), {"stride": (1, 2), "padding": (2, 0)}), ((2, 3, 3), {"dilation": 2})]
GROUPS = [((4, 6, 3), {"groups": 2}), ((3, 3, (1, 3)), {"groups": 3, "bias": False})]


@check(points=2, case=PLAIN + STRIDES, size=[(9, 12)], devices=False)
def weights_and_biases_are_parameters(solution, case, size):
    """The parameters are the weights and, if there are any, the biases."""
    return solution.conv_cost(settings(case), *size)[0]


@check(points=2, case=PLAIN, size=[(9, 12), (8, 7)], devices=False)
def each_position_costs_all_kernels(solution, case, size):
    """Each position of the result costs as many multiply-adds as there are weights."""
    return solution.conv_cost(settings(case), *size)[1]


@check(points=2, case=STRIDES, size=[(9, 12), (8, 7)], devices=False)
def positions_are_those_of_the_result(solution, case, size):
    """With stride, padding and dilation, the positions of the result count."""
    return solution.conv_cost(settings(case), *size)[1]


@check(points=1, star=True, case=GROUPS, size=[(9, 12)], devices=False)
def groups_read_a_part_of_the_channels(solution, case, size):
    """With groups, an output channel reads a part of the channels."""
    return solution.conv_cost(settings(case), *size)


@check(points=1, build=[Plain, Twice, Tokens], devices=False)
def the_model_has_its_parameters(solution, build):
    """All parameters of the model count once, also those of other layers."""
    return solution.model_cost(build(), (3 - (build is Twice), 8, 10))[0]


@check(points=3, shape=[(3, 8, 10), (3, 5, 9)], devices=False)
def layers_are_added(solution, shape):
    """The multiply-adds of convolutions and linear layers are added."""
    return solution.model_cost(Plain(), shape)[1]


@check(points=1, shape=[(2, 4, 6)], devices=False)
def layers_count_as_they_run(solution, shape):
    """A layer that runs twice costs twice, and one that doesn't run costs nothing."""
    return solution.model_cost(Twice(), shape)[1]


@check(points=1, shape=[(3, 4, 6)], devices=False)
def a_linear_layer_may_see_many_rows(solution, shape):
    """A linear layer costs its weights for each vector that it reads."""
    return solution.model_cost(Tokens(), shape)[1]


@check(points=1, star=True, training=[True, False], devices=False, beside=True)
def the_model_is_left_as_it_was(solution, training):
    """Afterwards, the model has its modes, buffers and hooks from before."""
    model = Plain().train(training)
    model[1].eval()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    answer = solution.model_cost(model, (3, 8, 10))
    return answer, {
        "modes": [mode_of(model), mode_of(model[0]), mode_of(model[1])],
        "hooks": sum(len(m._forward_hooks) + len(m._forward_pre_hooks) for m in model.modules()),
        "changed": [name for name, value in model.state_dict().items() if not torch.equal(value, before[name])],
    }


@check(points=1, star=True, shape=[(3, 8, 10)], devices=False)
def meta_models_have_costs(solution, shape):
    """A model on the meta device has the same costs."""
    return solution.model_cost(Plain().to("meta"), shape)
