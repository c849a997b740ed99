import copy
import math

import torch
import torch.nn.functional as F
from torch import nn


class LoRA(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        self.linear = linear
        self.scaling = alpha / rank
        self.lora_a = nn.Parameter(torch.zeros(rank, linear.in_features))
        self.lora_b = nn.Parameter(torch.zeros(linear.out_features, rank))
        nn.init.kaiming_uniform_(self.lora_a, a=math.sqrt(5))

    def forward(self, x):
        return self.linear(x) + (x @ self.lora_a.T @ self.lora_b.T) * self.scaling


def add_adapters(model, rank, alpha):
    for p in model.parameters():
        p.requires_grad = False
    for name, child in model.named_children():
        if isinstance(child, nn.Linear):
            setattr(model, name, LoRA(child, rank, alpha))
        else:
            add_adapters(child, rank, alpha)


def get_batch(text, context, batch, generator):
    starts = torch.randint(len(text) - context, (batch,), generator=generator)
    x = torch.stack([text[i : i + context] for i in starts])
    y = torch.stack([text[i + 1 : i + context + 1] for i in starts])
    return x, y


def teach(model, old, new, steps, batch, lr, generator=None):
    optimizer = torch.optim.Adam((p for p in model.parameters() if p.requires_grad), lr=lr)
    old_losses = [model.mean_loss(old[1])]
    new_losses = [model.mean_loss(new[1])]
    for step in range(steps):
        x_old, y_old = get_batch(old[0], model.context, batch, generator)
        x_new, y_new = get_batch(new[0], model.context, batch, generator)
        logits = model(torch.cat([x_old, x_new]))
        loss = F.cross_entropy(logits.flatten(0, 1), torch.cat([y_old, y_new]).flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if (step + 1) % 10 == 0:
            old_losses.append(model.mean_loss(old[1]))
            new_losses.append(model.mean_loss(new[1]))
    return old_losses, new_losses


def adapters_alone(model):
    return {name: p.detach().clone() for name, p in model.named_parameters() if p.requires_grad}


def without_adapters(model):
    plain = copy.deepcopy(model)
    for module in list(plain.modules()):
        for name, child in list(module.named_children()):
            if isinstance(child, LoRA):
                child.linear.weight.data += child.scaling * child.lora_b.data @ child.lora_a.data
                setattr(module, name, child.linear)
    return plain
