"""The sequences are sorted by length first, so the rows of the batch are not in the order of seqs."""
import torch


def pad_stack(seqs, pad=0.0):
    seqs = sorted(seqs, key=len, reverse=True)
    longest = len(seqs[0])
    rows, masks = [], []
    for s in seqs:
        missing = longest - len(s)
        filler = s.new_full((missing, s.shape[1]), pad)
        rows.append(torch.cat([s, filler]))
        m = torch.zeros(longest, dtype=torch.bool, device=s.device)
        m[: len(s)] = True
        masks.append(m)
    return torch.stack(rows), torch.stack(masks)
