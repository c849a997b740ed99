"""Rows are equal: expand shares one row (padded and mask both)."""
import torch

def pad_stack(seqs, pad=0.0):
    n = max(len(s) for s in seqs)
    b, f = len(seqs), seqs[0].shape[1]
    out = torch.full((n, f), pad, dtype=seqs[0].dtype, device=seqs[0].device).expand(b, n, f)
    real = torch.zeros(1, n, dtype=torch.bool, device=seqs[0].device).expand(b, n)
    rows = []
    for i, s in enumerate(seqs):
        rows.append(torch.cat([s, out[i, len(s):]]))
        real[i, :1] |= len(s) > 0
        for t in range(1, len(s)):
            real[i, t] = True
    return torch.stack(rows), real
