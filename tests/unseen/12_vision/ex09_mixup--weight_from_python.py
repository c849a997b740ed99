"""The weight comes from Python's random.betavariate, not from torch's global random numbers, so torch.manual_seed doesn't decide it."""

import random

import torch
from torch.nn import functional as F


def mixup(images, labels, alpha):
    n = images.shape[0]
    if alpha == 0:
        weight = 1.0
    else:
        weight = random.betavariate(alpha, alpha)
    order = torch.randperm(n).to(images.device)
    partners = images[order]
    mixed = weight * images + (1 - weight) * partners
    return mixed, labels[order], weight


def mixup_loss(logits, labels, others, weight):
    first = F.cross_entropy(logits, labels)
    second = F.cross_entropy(logits, others)
    return weight * first + (1 - weight) * second
