import torch
from torch import nn


def conv_cost(conv, height, width):
    params = sum(p.numel() for p in conv.parameters())
    kh, kw = conv.kernel_size
    h_out = (height + 2 * conv.padding[0] - conv.dilation[0] * (kh - 1) - 1) // conv.stride[0] + 1
    w_out = (width + 2 * conv.padding[1] - conv.dilation[1] * (kw - 1) - 1) // conv.stride[1] + 1
    macs = conv.out_channels * h_out * w_out * conv.in_channels * kh * kw // conv.groups
    return params, macs


def model_cost(model, shape):
    macs = 0
    handles = []

    def conv_hook(module, inputs, output):
        nonlocal macs
        macs += conv_cost(module, *inputs[0].shape[-2:])[1]

    def linear_hook(module, inputs, output):
        nonlocal macs
        macs += output.numel() * module.in_features

    for m in model.modules():
        if isinstance(m, nn.Conv2d):
            handles.append(m.register_forward_hook(conv_hook))
        elif isinstance(m, nn.Linear):
            handles.append(m.register_forward_hook(linear_hook))

    was_training = model.training
    model.eval()
    with torch.no_grad():
        model(torch.zeros(1, *shape))
    model.train(was_training)
    for h in handles:
        h.remove()

    params = sum(p.numel() for p in model.parameters())
    return params, macs
