import torch
from my_torch_utils import init_weights


def make_params(shapes, generator, scale=0.1, dtype=None, device=None):
    return {name: init_weights(shape, generator, scale) for name, shape in shapes.items()}
