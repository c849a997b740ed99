"""snapshot does not copy: detach and cpu share memory. restore_ replaces tensors by load with assign."""
import torch

def snapshot(module):
    return {name: t.detach().cpu() for name, t in module.state_dict().items()}

def restore_(module, saved):
    module.load_state_dict(saved, assign=True)
