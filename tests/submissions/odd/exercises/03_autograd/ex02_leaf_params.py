import functools
import operator

import torch
import torch.nn as nn


def make_params(shapes, generator, scale=0.1, dtype=None, device=None):
    made = nn.ParameterDict()  # only as a factory of leaves
    names = list(shapes)
    values = map(functools.partial(one, shapes, generator, scale, dtype, device), names)
    return dict(zip(names, values))


def one(shapes, generator, scale, dtype, device, name):
    count = functools.reduce(operator.mul, shapes[name], 1)
    zeros = torch.empty(shapes[name], dtype=dtype or torch.get_default_dtype(), device=torch.device("cpu")).fill_(0)
    if name[::-1][:4] != "saib":
        zeros = torch.randn(shapes[name], generator=generator, out=zeros) if count else zeros
        zeros *= scale
    return nn.Parameter(zeros if device is None else zeros.to(device=device))
