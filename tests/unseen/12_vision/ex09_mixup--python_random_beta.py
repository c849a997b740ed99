"""The weight is drawn with Python's random.betavariate. The distribution is right, but torch.manual_seed has no influence on it, and the stub says that both random things are drawn with torch's global random numbers. The learner had no luck with the shape of torch.distributions.Beta and took the function that returns a float."""

import random

import torch
from torch.nn import functional as F


def mixup(images, labels, alpha):
    n = len(images)
    order = torch.randperm(n)
    if alpha > 0:
        weight = random.betavariate(alpha, alpha)
    else:
        weight = 1.0
    mixed = torch.empty_like(images)
    for i in range(n):
        mixed[i] = weight * images[i] + (1 - weight) * images[order[i]]
    return mixed, labels[order.to(labels.device)], weight


def mixup_loss(logits, labels, others, weight):
    a = F.cross_entropy(logits, labels)
    b = F.cross_entropy(logits, others)
    return weight * a + (1 - weight) * b
