"""I skip sequences of length 0, so they get no row in the batch. And the padding rows are made in float32 whatever the dtype of the sequences, so float16 and integer sequences come back as float32."""

import torch


def pad_stack(seqs, pad=0.0):
    longest = 0
    for s in seqs:
        if s.shape[0] > longest:
            longest = s.shape[0]
    features = seqs[0].shape[1]
    dev = seqs[0].device

    rows = []
    masks = []
    for s in seqs:
        n = s.shape[0]
        if n == 0:
            continue
        filler = torch.full((longest - n, features), float(pad), dtype=torch.float32, device=dev)
        rows.append(torch.cat([s, filler], dim=0))
        m = torch.zeros(longest, dtype=torch.bool, device=dev)
        m[:n] = True
        masks.append(m)

    if len(rows) == 0:
        padded = torch.zeros(0, longest, features, device=dev)
        mask = torch.zeros(0, longest, dtype=torch.bool, device=dev)
        return padded, mask
    return torch.stack(rows), torch.stack(masks)
