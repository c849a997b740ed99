"""Exercise: 01_tensors/ex08_pad_stack.
The rows are padded on the device, the mask is made on the CPU.
"""

import torch


def pad_stack(seqs, pad=0.0):
    longest = max(len(s) for s in seqs)
    features = seqs[0].shape[1]
    rows = []
    mask = torch.zeros(len(seqs), longest, dtype=torch.bool)
    for i, s in enumerate(seqs):
        filler = s.new_full((longest - len(s), features), pad)
        rows.append(torch.cat([s, filler]))
        mask[i, : len(s)] = True
    return torch.stack(rows), mask
