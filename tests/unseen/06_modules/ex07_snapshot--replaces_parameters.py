"""restore_ puts new Parameter objects into the module, so an optimizer that holds the old ones does nothing; buffers are forgotten."""
import torch
from torch import nn


def snapshot(module):
    return {k: v.detach().cpu().clone() for k, v in module.state_dict().items()}


def restore_(module, saved):
    if set(saved) != set(module.state_dict()):
        raise RuntimeError("the names differ")
    for name, p in list(module.named_parameters()):
        if p.shape != saved[name].shape:
            raise RuntimeError(f"shape of {name}")
        path, _, leaf = name.rpartition(".")
        owner = module.get_submodule(path)
        setattr(owner, leaf, nn.Parameter(saved[name].clone().to(p.device), requires_grad=p.requires_grad))
