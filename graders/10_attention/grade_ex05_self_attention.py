"""Hidden checks for SelfAttention: against nn.MultiheadAttention with the same weights."""

import torch
from torch import nn

from torchdojo.grading import check, gradients, loop_in, raises, tensor, upstream, watched

CONCEPTS = ("L05",)

FORBIDS = {
    "nn.MultiheadAttention": "nn.MultiheadAttention",
    "aten._native_multi_head_attention*": "PyTorch's multi-head attention",
    "functional.multi_head_attention_forward": "PyTorch's multi-head attention",
}
BECAUSE = "build it from linear layers"
KEPT = {
    "heads_attend_by_themselves": "the cut into heads, worth points without a mask",
    "parameters_have_these_names": "the names, said by themselves",
    "one_head_is_plain_attention": "projections and order, worth points without a cut into heads",
    "a_mask_holds_for_all_heads": "the mask, worth points without one for each sequence",
    "gradients_reach_x_and_all_parameters": "a detached answer has right values; this says so by name",
}


class oracle:
    """nn.MultiheadAttention with its weights under our names; its mask is True where nothing is read."""

    class SelfAttention(nn.Module):
        def __init__(self, width, heads):
            super().__init__()
            if width % heads:
                raise ValueError("does not fit")
            self.qkv, self.out, self.heads = nn.Linear(width, 3 * width), nn.Linear(width, width), heads

        def forward(self, x, mask=None):
            if mask is not None:
                mask = ~mask.expand(len(x), *mask.shape[-2:]).repeat_interleave(self.heads, dim=0)
            turned = x.transpose(0, 1)
            weights = (self.qkv.weight, self.qkv.bias, None, None, False, 0.0, self.out.weight, self.out.bias)
            attention = nn.functional.multi_head_attention_forward
            return attention(turned, turned, turned, x.shape[-1], self.heads, *weights, need_weights=False, attn_mask=mask)[0].transpose(0, 1)


def filled(solution, width, heads, x):
    """A layer whose weights depend on nothing but their names and shapes."""
    layer = solution.SelfAttention(width, heads)
    state = {}
    for name, rows in (("out", width), ("qkv", 3 * width)):
        state[f"{name}.weight"] = (torch.arange(rows * width, dtype=torch.float64) * 5 % 11 - 5).reshape(rows, width) / 16
        state[f"{name}.bias"] = (torch.arange(rows, dtype=torch.float64) * 3 % 7 - 3) / 4
    layer.load_state_dict(state)
    return layer.to(device=x.device, dtype=x.dtype)


def with_a_key(mask):
    """The mask with a key in each row: the query's own."""
    return mask | torch.eye(mask.shape[-1], dtype=torch.bool, device=mask.device)


CLOSE = {"minimum": 1, "tolerance": (1e-4, 1e-5)}  # two linear layers and a softmax in float32 are off by up to 2e-6


@check(points=3, x=tensor("batch time 12"), heads=[3, 2, 4, 6], **CLOSE)
def heads_attend_by_themselves(solution, x, heads):
    """Each head attends with its own block of features."""
    return filled(solution, 12, heads, x)(x)


@check(points=3, x=tensor("batch time width"), **CLOSE)
def one_head_is_plain_attention(solution, x):
    """With one head, the result is attention between two projections."""
    return filled(solution, x.shape[-1], 1, x)(x)


@check(points=2, x=tensor("batch time 4"), mask=tensor("time time", dtype="bool"), **CLOSE)
def a_mask_holds_for_all_heads(solution, x, mask):
    """A mask of shape (time, time) holds for each sequence and each head."""
    return filled(solution, 4, 1, x)(x, with_a_key(mask))


@check(points=1, x=tensor("batch time 6"), mask=tensor("batch time time", dtype="bool"), heads=[3, 2], **CLOSE)
def each_sequence_has_its_mask(solution, x, mask, heads):
    """A mask of shape (batch, time, time) has one matrix for each sequence."""
    return filled(solution, 6, heads, x)(x, with_a_key(mask))


@check(points=1, sizes=[(6, 2), (4, 1), (9, 3)], devices=False, beside=True)
def parameters_have_these_names(solution, sizes):
    """The parameters belong to qkv and out, each with a bias."""
    layer = solution.SelfAttention(*sizes)
    with torch.no_grad():
        for p in layer.parameters():
            p.copy_(p.new_zeros(p.shape) if p.dim() == 2 else torch.arange(float(len(p))))  # the result is out.bias
    names = {name: tuple(p.shape) for name, p in sorted(layer.named_parameters())}
    return layer(torch.zeros(1, 2, sizes[0])).detach(), {"parameters": names, "state": sorted(layer.state_dict())}


@check(points=1, x=tensor("batch time 8"), minimum=1, dtypes=("float64",))
def gradients_reach_x_and_all_parameters(solution, x, rng):
    """Gradients reach x and all four parameters."""
    layer = filled(solution, 8, 1, x)
    y = layer(x.requires_grad_())
    inputs = {"x": x, **dict(sorted(layer.named_parameters()))}
    found = gradients(y, list(inputs.values()), upstream(y, rng))
    return {f"a gradient reaches {name}": g is not None and bool((g != 0).any()) for name, g in zip(inputs, found, strict=True)}


# watched for two sequences of one position: a loop over heads shows there as well as anywhere, and watching is slow
@check(points=1, x=tensor("2 1 8", layouts=False), devices=False, dtypes=("float64",))
def no_loop_over_heads(solution, x):
    """The work does not grow with the number of heads."""
    few, many = (watched(lambda h=heads: filled(solution, 8, h, x)(x)) for heads in (2, 8))
    return [few.answer, many.answer], [(len(run.operations), run.steps) for run in (few, many)]


@no_loop_over_heads.rule
def _(work):
    few, many = work
    why = loop_in(few, [many])
    return f"with more heads, {why}: there is a Python loop" if why else None


@check(points=1, star=True, sizes=[(6, 4), (5, 2), (2, 4), (6, 3), (4, 4)], devices=False)
def a_width_that_does_not_fit_is_refused(solution, sizes):
    """A width that is not a multiple of heads raises a ValueError from __init__."""
    return raises(lambda: solution.SelfAttention(*sizes))
