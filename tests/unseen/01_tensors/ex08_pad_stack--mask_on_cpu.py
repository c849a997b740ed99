"""padded gets dtype and device from the first sequence, but the mask is made with torch.zeros without a device, so it stays on the CPU (or the default device). On a machine without GPU the two are the same, and the learner never sees the difference."""

import torch


def pad_stack(seqs, pad=0.0):
    lengths = [len(s) for s in seqs]
    longest = max(lengths)
    features = seqs[0].shape[1]

    rows = []
    for s in seqs:
        missing = longest - s.shape[0]
        filler = s.new_full((missing, features), pad)
        rows.append(torch.cat((s, filler), dim=0))
    padded = torch.stack(rows)

    mask = torch.zeros(len(seqs), longest, dtype=torch.bool)
    for n, length in enumerate(lengths):
        mask[n, :length] = True
    return padded, mask
