"""Hidden scores are replaced by -1e4, which fits into float16, and the softmax is multiplied by the mask at the end. If the real scores of a row are below -1e4 themselves, the hidden keys get all the weight, the product is 0, and the row no longer sums to 1. The fill has to lie below every real score, not below the usual ones."""

import torch
from torch import Tensor

# Large enough to vanish in the softmax, small enough for half precision.
MASK_VALUE = -1e4


def attention_mask(real: Tensor, causal: bool) -> Tensor:
    """Combine key padding and (optionally) causality into a ``(batch, time, time)`` mask."""
    time = real.shape[-1]
    mask = real.unsqueeze(1).expand(-1, time, -1)
    if causal:
        mask = mask & torch.ones(time, time, dtype=torch.bool, device=real.device).tril()
    return mask


def masked_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """Softmax over the last axis, restricted to the positions where ``mask`` is ``True``.

    Fully masked rows are all zeros. Since the fill value is finite, neither the result nor its gradient contains ``nan``.
    """
    weights = scores.masked_fill(~mask, MASK_VALUE).softmax(dim=-1)
    return weights * mask
