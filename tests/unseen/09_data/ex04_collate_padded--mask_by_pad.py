"""The mask comes from padded != pad."""
import torch
from torch.nn.utils.rnn import pad_sequence


def collate_padded(samples, pad=0):
    tokens = [t for t, _ in samples]
    labels = torch.tensor([int(l) for _, l in samples], dtype=torch.int64)
    padded = pad_sequence(tokens, batch_first=True, padding_value=pad)
    return padded, padded != pad, labels
