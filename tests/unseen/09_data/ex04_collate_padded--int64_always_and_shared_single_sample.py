"""(1) padded is always int64, because the table of shapes says so, and int32 tokens lose their dtype. (2) A batch of one sample has nothing to pad, and a short cut returns its tokens with a new axis: a view, which shares memory with the dataset. The stub wants a copy."""

import torch


def collate_padded(samples, pad=0):
    labels = torch.tensor([int(label) for _, label in samples], dtype=torch.int64)

    if len(samples) == 1:
        tokens = samples[0][0]
        return tokens.unsqueeze(0), torch.ones(1, len(tokens), dtype=torch.bool), labels

    lengths = [len(tokens) for tokens, _ in samples]
    longest = max(lengths)
    padded = torch.full((len(samples), longest), pad, dtype=torch.int64)
    mask = torch.zeros(len(samples), longest, dtype=torch.bool)
    for row, (tokens, _) in enumerate(samples):
        for col in range(lengths[row]):
            padded[row, col] = tokens[col]
            mask[row, col] = True
    return padded, mask, labels
