"""Exercise: 06_modules/ex07_snapshot.
.cpu() is called and its result thrown away.
"""

import torch


def snapshot(module):
    saved = {}
    for name, value in module.state_dict().items():
        copied = value.detach().clone()
        copied.cpu()
        saved[name] = copied
    return saved


def restore_(module, saved):
    module.load_state_dict(saved, strict=True)
