"""One cat, poured into the mask by masked_scatter."""
import torch


def pad_stack(seqs, pad=0.0):
    first, *_ = seqs
    lengths = torch.tensor([len(s) for s in seqs], device=first.device)
    longest = max(map(len, seqs))
    mask = torch.arange(longest, device=first.device).expand(len(seqs), longest).lt(lengths[:, None])
    canvas = first.new_full((len(seqs), longest, first.shape[1]), pad)
    return canvas.masked_scatter(mask[..., None].expand_as(canvas), torch.cat(tuple(seqs))), mask
