"""Exercise: 01_tensors/ex08_pad_stack.
The sequences are copied into a tensor on the CPU: nothing is raised, and the result is on the wrong device.
"""

import torch


def pad_stack(seqs, pad=0.0):
    longest = max(s.shape[0] for s in seqs)
    padded = torch.full((len(seqs), longest, seqs[0].shape[1]), pad).to(seqs[0].dtype)
    mask = torch.zeros(len(seqs), longest, dtype=torch.bool, device=seqs[0].device)
    for i, s in enumerate(seqs):
        padded[i, : s.shape[0]] = s
        mask[i, : s.shape[0]] = True
    return padded, mask
