"""(a) Off by one: position <= length marks the first padding position of each shorter row as real. (b) padded is always int64 (from torch.full with an int), so int32 tokens change their dtype."""
import torch


def collate_padded(
    samples: list[tuple[torch.Tensor, int]], pad: int = 0
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    sequences, labels = zip(*samples)
    lengths = torch.tensor([len(s) for s in sequences])
    longest = int(lengths.max())
    padded = torch.full((len(sequences), longest), pad)
    for row, s in zip(padded, sequences):
        row[: len(s)] = s
    mask = torch.arange(longest)[None, :] <= lengths[:, None]
    return padded, mask, torch.tensor([int(label) for label in labels])
