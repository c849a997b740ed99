"""Hidden checks for attention_mask and masked_softmax: each mask alone, both, rows without keys, gradients."""

import torch

from torchdojo.grading import check, gradients, tensor, upstream

CONCEPTS = ("L03",)

KEPT = {
    "no_token_reads_a_later_one": "the causal mask, worth points without padding",
    "weights_are_spread_over_allowed_keys": "the weights, worth points where the mask has the shape of scores",
}


class oracle:
    """Pair by pair, and row by row."""

    def attention_mask(real, causal):
        batch, time = real.shape
        rows = [[[bool(real[b, j]) and (j <= i or not causal) for j in range(time)] for i in range(time)] for b in range(batch)]
        return torch.tensor(rows, dtype=torch.bool, device=real.device)

    def masked_softmax(scores, mask):
        mask = mask.expand(scores.shape)
        some = mask.any(dim=-1, keepdim=True)
        hidden = scores.masked_fill(~mask & some, float("-inf"))  # a row without keys is left as it is, then multiplied by 0
        return torch.softmax(hidden, dim=-1) * some


def with_a_key(mask):
    """The mask with at least one key in each row: its diagonal, and the first key."""
    mask = mask.clone()
    mask[..., 0] = True
    return mask


REAL = tensor("batch time", dtype="bool")
SCORES, MASK = tensor("batch queries keys"), tensor("batch queries keys", dtype="bool")


@check(points=2, real=REAL, minimum=1, aliasing="any")
def padding_is_not_read(solution, real):
    """With causal=False a query may read each real key."""
    return {"mask": solution.attention_mask(real, False)}


@check(points=2, real=REAL, minimum=1)
def no_token_reads_a_later_one(solution, real):
    """With causal=True and no padding, a query may read only itself and earlier positions."""
    return {"mask": solution.attention_mask(torch.ones_like(real), causal=True)}


@check(points=1, real=REAL, minimum=1)
def both_masks_hold(solution, real):
    """With causal=True a key must be real and not later than the query."""
    return {"mask": solution.attention_mask(real, causal=True)}


@check(points=3, scores=SCORES, mask=MASK, minimum=1)
def weights_are_spread_over_allowed_keys(solution, scores, mask):
    """Masked keys get the weight 0, and the weights of the others sum to 1."""
    return {"weights": solution.masked_softmax(scores, with_a_key(mask))}


@check(points=3, scores=SCORES, mask=MASK, minimum=1)
def a_row_without_keys_is_zero(solution, scores, mask):
    """Rows whose mask is all False are all zeros, beside rows that have keys."""
    mask = with_a_key(mask)
    mask[..., -1, :] = False
    return {"weights": solution.masked_softmax(scores, mask)}


@check(points=1, star=True, scores=SCORES, mask=MASK, empty=[True, False], minimum=1, dtypes=("float64",))
def no_nan_in_the_gradient(solution, scores, mask, empty, rng):
    """The gradient of scores is right, and 0 in rows whose mask is all False."""
    mask = with_a_key(mask)
    mask[:, 0] &= not empty
    scores.requires_grad_()
    weights = solution.masked_softmax(scores, mask)
    return {"gradient of scores": gradients(weights, [scores], upstream(weights, rng))[0]}


@check(points=1, star=True, scores=SCORES, mask=MASK, minimum=1)
def scores_may_be_very_low(solution, scores, mask):
    """The weights are right if all scores are about -20000."""
    return {"weights": solution.masked_softmax(scores - 20000, with_a_key(mask))}


@check(
    points=1, star=True, scores=tensor("batch heads queries keys"), square=tensor("queries keys", dtype="bool"),
    padding=tensor("batch keys", dtype="bool"), minimum=1,
)  # fmt: skip
def the_mask_broadcasts(solution, scores, square, padding):
    """Masks of the shapes (queries, keys) and (batch, 1, 1, keys) broadcast to scores with four axes."""
    return {
        "a mask of shape (queries, keys)": solution.masked_softmax(scores, with_a_key(square)),
        "a mask of shape (batch, 1, 1, keys)": solution.masked_softmax(scores, with_a_key(padding)[:, None, None]),
    }
