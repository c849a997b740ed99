"""padded is made with torch.full and its default dtype: int32 tokens become int64."""
import torch


def collate_padded(
    samples: list[tuple[torch.Tensor, int]], pad: int = 0
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    sequences, labels = zip(*samples)
    lengths = torch.tensor([len(tokens) for tokens in sequences])
    longest = int(lengths.max())
    padded = torch.full((len(samples), longest), pad)
    for row, tokens in zip(padded, sequences):
        row[: len(tokens)] = tokens
    mask = torch.arange(longest) < lengths[:, None]
    return padded, mask, torch.tensor([int(label) for label in labels])
