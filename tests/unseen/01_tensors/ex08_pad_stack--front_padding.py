"""The padding comes before the sequence, and it is always zero."""
import torch


def pad_stack(seqs, pad=0.0):
    n = max(len(s) for s in seqs)
    f = seqs[0].size(1)
    padded = seqs[0].new_zeros(len(seqs), n, f)
    mask = torch.zeros(len(seqs), n, dtype=torch.bool, device=seqs[0].device)
    for i, s in enumerate(seqs):
        padded[i, n - len(s):] = s
        mask[i, n - len(s):] = True
    return padded, mask
