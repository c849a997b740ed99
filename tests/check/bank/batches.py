"""A collate function and a masked softmax for padded batches."""

import torch
from torch.nn.utils.rnn import pad_sequence


def pad_collate(batch, pad_value=0):
    seqs, labels = zip(*batch)
    lengths = torch.tensor([len(s) for s in seqs])
    padded = pad_sequence(list(seqs), batch_first=True, padding_value=pad_value)
    mask = torch.arange(padded.size(1))[None, :] < lengths[:, None]
    return padded, mask, torch.tensor([int(label) for label in labels])


def masked_softmax(logits, mask):
    return torch.softmax(logits.masked_fill(~mask, torch.finfo(logits.dtype).min), dim=-1)
