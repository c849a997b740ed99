"""The mask is the same for all rows: it takes the last length for every sequence."""
import torch

def pad_stack(seqs, pad=0.0):
    lengths = [s.size(0) for s in seqs]
    top = max(lengths)
    padded = torch.stack([torch.cat((s, s.new_full((top - s.size(0), s.size(1)), pad))) for s in seqs])
    positions = torch.arange(top, device=padded.device)
    mask = positions.expand(len(seqs), top) < lengths[-1]
    return padded, mask
