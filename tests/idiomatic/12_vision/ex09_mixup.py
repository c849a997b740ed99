import torch
import torch.nn.functional as F


def mixup(images, labels, alpha):
    if alpha > 0:
        weight = torch.distributions.Beta(alpha, alpha).sample().item()
    else:
        weight = 1.0
    index = torch.randperm(images.shape[0]).to(images.device)
    mixed = weight * images + (1 - weight) * images[index]
    return mixed, labels[index], weight


def mixup_loss(logits, labels, others, weight):
    return weight * F.cross_entropy(logits, labels) + (1 - weight) * F.cross_entropy(logits, others)
