"""Exercise: 01_tensors/ex08_pad_stack.
Steps on the device are compared with lengths on the CPU.
"""

import torch
from torch.nn.utils.rnn import pad_sequence


def pad_stack(seqs, pad=0.0):
    padded = pad_sequence(list(seqs), batch_first=True, padding_value=pad)
    lengths = torch.tensor([len(s) for s in seqs])
    steps = torch.arange(padded.shape[1], device=padded.device)
    return padded, steps < lengths[:, None]
