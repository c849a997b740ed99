import torch


def pad_stack(seqs, pad=0.0):
    longest = max(len(s) for s in seqs)
    padded = torch.full((len(seqs), longest, seqs[0].shape[1]), pad)
    mask = torch.zeros(len(seqs), longest, dtype=torch.bool)
    for i, s in enumerate(seqs):
        padded[i, : len(s)] = s
        mask[i, : len(s)] = True
    return padded, mask
