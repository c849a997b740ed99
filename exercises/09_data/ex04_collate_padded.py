"""Data 4 of 10: one batch of sequences of unequal lengths, with a mask.

Difficulty 2 of 5, about 10 minutes.
"""

import torch


def collate_padded(
    samples: list[tuple[torch.Tensor, int]], pad: int = 0
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the samples as one batch: padded tokens, a mask of the real ones, and labels.

    Shapes:
        samples  a list of at least one pair (tokens, label): tokens is int64 of shape (length,), label an int
        padded   (batch, longest), int64; a sequence comes first in its row, then pad fills the row
        mask     (batch, longest), bool, True where the token is real, False where it is padding
        labels   (batch,), int64
        result   (padded, mask, labels)

    batch is the number of samples, and longest the largest length among them. A DataLoader calls such a function
    with the items of each batch: DataLoader(data, batch_size=4, collate_fn=collate_padded).

    Example:
        >>> padded, mask, labels = collate_padded([(torch.tensor([5, 6, 7]), 1), (torch.tensor([8]), 0)])
        >>> padded
        tensor([[5, 6, 7],
                [8, 0, 0]])
        >>> mask
        tensor([[ True,  True,  True],
                [ True, False, False]])
        >>> labels
        tensor([1, 0])

    Pitfall:
        A real token may equal pad. So the mask comes from the lengths, not from padded != pad.

    For full marks:
        * a sequence may be empty, and so may all of them: then padded has the shape (batch, 0)
        * a label may also be a tensor of shape (), as a Dataset over tensors gives it
        * the tokens keep their dtype (int32 stays int32), and padded shares no memory with them
    """
    raise NotImplementedError("09_data/ex04_collate_padded: write collate_padded()")
