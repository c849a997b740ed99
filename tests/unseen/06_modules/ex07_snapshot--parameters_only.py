"""Buffers are left out."""
import torch

def snapshot(module):
    return {name: p.detach().clone().cpu() for name, p in module.named_parameters()}

def restore_(module, saved):
    own = dict(module.named_parameters())
    if own.keys() != saved.keys():
        raise RuntimeError("other names")
    with torch.no_grad():
        for name, p in own.items():
            if p.shape != saved[name].shape:
                raise RuntimeError("other shape")
            p.copy_(saved[name])
