"""Tensors 8 of 9: sequences of different lengths in one batch.

Difficulty 3 of 5, about 10 minutes.
"""

import torch


def pad_stack(seqs: list[torch.Tensor], pad: float = 0.0) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the sequences as one tensor, padded at the end, and a mask of what is real.

    Shapes:
        seqs    a list of at least one tensor, (length, features) each; lengths differ, features is the same
        padded  (len(seqs), longest, features), longest being the largest length
        mask    (len(seqs), longest), bool, True where the row comes from a sequence, False where it is padding

    Returns the pair (padded, mask). Padding rows hold pad in every feature. The mask depends on lengths alone: a
    real row may happen to hold the value pad.

    Example:
        >>> padded, mask = pad_stack([torch.tensor([[1.0], [2.0]]), torch.tensor([[3.0]])])
        >>> padded.squeeze(-1)
        tensor([[1., 2.],
                [3., 0.]])
        >>> mask
        tensor([[ True,  True],
                [ True, False]])

    Pitfall:
        cat joins along an existing axis; stack makes a new one. The batch axis is new.

    For full marks:
        * padded has the dtype of the sequences, including float64, float16 and integers (pad is then a whole number)
        * padded and mask are on the device of the sequences
        * a length may be 0, and so may every length (then longest is 0)
        * gradients flow from padded to each sequence that requires grad
        * the given list keeps its tensors
    """
    raise NotImplementedError("01_tensors/ex08_pad_stack: write pad_stack()")
