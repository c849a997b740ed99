"""Reference solution: a row of padding, and the tokens written into it."""

import torch


def collate_padded(
    samples: list[tuple[torch.Tensor, int]], pad: int = 0
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the samples as one batch: padded tokens, a mask of the real ones, and labels."""
    lengths = torch.tensor([len(tokens) for tokens, _ in samples])
    longest = int(lengths.max())
    padded = samples[0][0].new_full((len(samples), longest), pad)
    for row, (tokens, _) in zip(padded, samples, strict=True):
        row[: len(tokens)] = tokens
    mask = torch.arange(longest) < lengths.unsqueeze(1)
    return padded, mask, torch.tensor([int(label) for _, label in samples])
