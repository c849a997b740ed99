"""padded is always int64, so int32 tokens come back as int64."""
import torch


def collate_padded(
    samples: list[tuple[torch.Tensor, int]], pad: int = 0
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    lengths = torch.tensor([len(tokens) for tokens, _ in samples])
    longest = int(lengths.max())
    padded = torch.full((len(samples), longest), pad, dtype=torch.int64)
    for row, (tokens, _) in zip(padded, samples):
        row[: len(tokens)] = tokens
    mask = torch.arange(longest) < lengths.unsqueeze(1)
    labels = torch.tensor([int(label) for _, label in samples], dtype=torch.int64)
    return padded, mask, labels
