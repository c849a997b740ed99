"""(a) The mask comes from padded != pad, so a real token that equals pad is marked as padding. (b) padded is always int64: int32 tokens become int64."""
import torch


def collate_padded(
    samples: list[tuple[torch.Tensor, int]], pad: int = 0
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    sequences, labels = zip(*samples)
    longest = max(map(len, sequences))
    padded = torch.full((len(samples), longest), pad, dtype=torch.int64)
    for row, tokens in zip(padded, sequences):
        row[: len(tokens)] = tokens
    mask = padded.ne(pad)
    return padded, mask, torch.tensor([int(label) for label in labels])
