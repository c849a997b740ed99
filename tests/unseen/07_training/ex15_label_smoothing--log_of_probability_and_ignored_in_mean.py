"""(1) The probabilities are computed first, and a tiny number is added before the log, so the loss of a hopeless class stops at about 27.6 where logits of 1000 and -1000 need 2000. (2) Samples with the label -100 are set to 0, but the mean still divides by the whole batch. The learner masked the sum and forgot the number below the line."""

import torch


def smoothed_cross_entropy(logits, labels, smoothing):
    batch, classes = logits.shape
    counts = labels != -100
    safe_labels = torch.where(counts, labels, torch.zeros_like(labels))

    soft = torch.full_like(logits, smoothing / classes)
    rows = torch.arange(batch, device=logits.device)
    soft[rows, safe_labels] += 1 - smoothing

    p = torch.softmax(logits, dim=1)
    losses = -(soft * torch.log(p + 1e-12)).sum(dim=1)
    losses = torch.where(counts, losses, torch.zeros_like(losses))
    return losses.mean()
