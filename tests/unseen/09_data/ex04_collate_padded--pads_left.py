"""The sequences stand at the end of their rows, with the padding in front."""
import torch


def collate_padded(samples, pad=0):
    longest = max(len(tokens) for tokens, _ in samples)
    dtype = samples[0][0].dtype
    padded = torch.full((len(samples), longest), pad, dtype=dtype)
    mask = torch.zeros(len(samples), longest, dtype=torch.bool)
    for i, (tokens, _) in enumerate(samples):
        start = longest - len(tokens)
        padded[i, start:] = tokens
        mask[i, start:] = True
    labels = torch.tensor([int(label) for _, label in samples])
    return padded, mask, labels
