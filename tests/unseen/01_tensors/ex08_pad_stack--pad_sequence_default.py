"""pad_sequence isn't given pad, so padding is always 0; the mask uses <=, so it has one row too many."""
import torch
from torch.nn.utils.rnn import pad_sequence


def pad_stack(seqs, pad=0.0):
    padded = pad_sequence(seqs, batch_first=True)
    lengths = torch.tensor([len(s) for s in seqs], device=padded.device)
    positions = torch.arange(padded.shape[1], device=padded.device)
    mask = positions[None, :] <= lengths[:, None]
    return padded, mask
