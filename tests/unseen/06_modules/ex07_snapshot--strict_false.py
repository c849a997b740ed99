"""restore_ loads with strict=False, so a missing or an extra name raises nothing."""
import torch
from torch import nn


def snapshot(module):
    return {name: t.detach().cpu().clone() for name, t in module.state_dict().items()}


def restore_(module, saved):
    module.load_state_dict(saved, strict=False)
