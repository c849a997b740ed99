"""Tensors 8 of 9: sequences of different lengths in one batch.

Difficulty 3 of 5, about 10 minutes.
"""

import torch


def pad_stack(seqs: list[torch.Tensor], pad: float = 0.0) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the sequences as one tensor, filled up at the end, and a mask of what is real.

    Shapes:
        seqs    a list of at least one tensor, (length, features) each; lengths differ, features is the same
        padded  (len(seqs), longest, features), longest being the largest length
        mask    (len(seqs), longest), bool, True where the row comes from a sequence, False where it was
                filled up

    Returns the pair (padded, mask). All sequences have one dtype and one device: padded has both, and mask is
    on that device. Rows that are added hold pad in every feature, and stand after the sequence's own rows.

    Edge cases:
        A length may be 0, also every length (then longest is 0). features may be 1. The dtype may be an
        integer one; pad is then a whole number, perhaps given as a float. pad may be inf or -inf for floats.
        The mask depends on lengths alone: a real row may happen to hold the value pad. Sequences may be
        transposed or sliced. The list and its tensors are not changed, and padded shares no memory with them.
        Gradients flow from padded to each sequence that requires grad.

    Example:
        >>> padded, mask = pad_stack([torch.tensor([[1.0], [2.0]]), torch.tensor([[3.0]])])
        >>> padded.squeeze(-1)
        tensor([[1., 2.],
                [3., 0.]])
        >>> mask
        tensor([[ True,  True],
                [ True, False]])

    Pitfall:
        cat joins along an axis that exists, stack makes a new one. The batch axis is new.
    """
    raise NotImplementedError("01_tensors/ex08_pad_stack: write pad_stack()")
