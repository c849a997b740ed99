"""Exercise: 06_modules/ex07_snapshot.
The snapshot is cloned where it is, not brought to the CPU.
"""

import torch


def snapshot(module):
    return {name: value.detach().clone() for name, value in module.state_dict().items()}


def restore_(module, saved):
    module.load_state_dict(saved)
