"""Hidden checks for Block: each branch alone, both, names, gradients, dropout."""

import torch
from torch import nn

from torchdojo.grading import check, gradients, tensor, upstream

CONCEPTS = ("L06", "I18")

KEPT = {
    "attention_reads_the_normalized_x": "what attention gets, worth points without the sums",
    "attention_is_added_to_x": "the first sum, worth points without the network",
    "the_network_works_on_normalized_numbers": "the second branch, worth points without the sums",
    "the_parts_have_these_names": "the names, said by themselves",
}


class oracle:
    """nn.TransformerEncoderLayer's formula with norm_first=True, written with PyTorch's functions."""

    class Block(nn.Module):
        def __init__(self, width, attention, dropout=0.0):
            super().__init__()
            self.attention, self.norm1, self.norm2 = attention, nn.LayerNorm(width), nn.LayerNorm(width)
            self.up, self.down, self.dropout = nn.Linear(width, 4 * width), nn.Linear(4 * width, width), nn.Dropout(dropout)

        def forward(self, x):
            y = x + self.dropout(self.attention(self.norm1(x)))
            return y + self.dropout(self.down(nn.functional.gelu(self.up(self.norm2(y)))))


class Earlier(nn.Module):
    """A stand-in for attention: what is here, and half of what was one position earlier. It keeps what it got."""

    got = None

    def forward(self, x):
        self.got = x.detach().clone()
        return x + x.roll(1, 1) / 2


class Known(nn.Module):
    """A stand-in for attention that returns the same tensor, whatever it gets."""

    def __init__(self, answer):
        super().__init__()
        self.answer = answer

    def forward(self, x):
        return self.answer.clone()


def filled(solution, x, attention, layers=("norm1", "norm2", "up", "down")):
    """A block whose weights depend on nothing but their names and shapes; down gives zeros if it is not among the layers."""
    block = solution.Block(x.shape[-1], attention)
    with torch.no_grad():
        for k, name in enumerate(("norm1", "norm2", "up", "down")):
            for p in getattr(block, name).parameters() if name != "norm1" or name in layers else ():
                numbers = (torch.arange(p.numel(), dtype=torch.float64) * 5 + k) % 11 - 4.5
                p.copy_(numbers.reshape(p.shape) / 4 * (name in layers))
    return block.to(device=x.device, dtype=x.dtype)


# of width 2 and up: the norm of a single number is 0; nn.LayerNorm in float32 is off by up to 1e-5 where x hardly varies
CLOSE = {"minimum": {"width": 2, "batch": 1, "time": 1}, "tolerance": (1e-4, 1e-4)}
X = tensor("batch time width", distinct=True)


@check(points=2, x=X, **CLOSE)
def attention_reads_the_normalized_x(solution, x):
    """attention gets norm1(x)."""
    attention = Earlier()
    filled(solution, x, attention)(x)
    return {"what attention got": attention.got}


@check(points=2, x=X, **CLOSE)
def attention_is_added_to_x(solution, x):
    """If down gives zeros, the result is x plus the output of attention."""
    return filled(solution, x, Known(x.roll(1, 1)), ("norm1", "norm2", "up"))(x)


@check(points=2, x=X, **CLOSE)
def the_network_works_on_normalized_numbers(solution, x):
    """The second branch adds down(gelu(up(norm2(...)))), compared with a block whose down gives zeros."""
    parts = []
    for layers in (("norm2", "up", "down"), ("norm2", "up")):
        block = filled(solution, x, Known(x), layers)
        block.norm1.eps = block.norm2.eps = 0.0  # then both norms give the same for x, 2 * x and x + norm1(x)
        parts.append(block(x))
    return {"the result, less that with a down of zeros": parts[0] - parts[1]}


@check(points=1, x=X, **CLOSE)
def the_second_branch_starts_from_the_sum(solution, x):
    """The complete block is right: its second branch starts from the first branch's sum."""
    return filled(solution, x, Earlier())(x)


@check(points=2, width=[4, 2, 6], devices=False, beside=True)
def the_parts_have_these_names(solution, width):
    """The parameters belong to norm1, norm2, up, down and attention."""
    block = solution.Block(width, nn.Linear(width, width))
    with torch.no_grad():
        for name, p in block.named_parameters():
            p.fill_(10.0 if name in ("norm2.bias", "down.bias") else 0.0)  # the result is 10, whatever the order of norms and sums
    names = {name: tuple(p.shape) for name, p in sorted(block.named_parameters())}
    return block(torch.zeros(1, 2, width)).detach(), {"parameters": names, "state": sorted(block.state_dict())}


# width 3 and up: LayerNorm makes 1 and -1 of two numbers, and a gradient through it may round to 0
@check(points=2, x=X, minimum={"width": 3, "batch": 1, "time": 1}, dtypes=("float64",))
def gradients_reach_x_and_all_parameters(solution, x, rng):
    """Gradients reach x and all parameters, including those of attention."""
    block = filled(solution, x, nn.Linear(x.shape[-1], x.shape[-1]))
    y = block(x.requires_grad_())
    inputs = {"x": x, **dict(sorted(block.named_parameters()))}
    found = gradients(y, list(inputs.values()), upstream(y, rng))
    return {f"a gradient reaches {name}": g is not None and bool((g != 0).any()) for name, g in zip(inputs, found, strict=True)}


@check(points=1, star=True, training=[True, False], random=True)
def dropout_is_inside_the_branches(solution, training, device):
    """In training mode each branch drops a fraction of about `dropout`; in eval mode nothing is dropped."""
    x = torch.zeros(1, 4000, 4, device=device)
    block = solution.Block(4, nn.Identity(), dropout=0.25)
    with torch.no_grad():
        for layer, bias in ((block.norm1, 1.0), (block.norm2, 0.0), (block.up, 0.0), (block.down, 10.0)):
            layer.weight.zero_()
            layer.bias.fill_(bias)
    added = block.to(device).train(training)(x)
    ones, tens = (added / (4 / 3 if training else 1)).round(decimals=2).remainder(10), (added > 5)
    return {"branch 1": (ones == 0).double().mean().item(), "branch 2": 1 - tens.double().mean().item(),
            "together": ((ones == 0) & ~tens).double().mean().item(), "largest": added.max().item(), "least": added.min().item()}  # fmt: skip


@dropout_is_inside_the_branches.judge
def _(seen, training):
    p, largest, sum_of_both = (0.25, 44 / 3, "(1 + 10) / (1 - 0.25)") if training else (0.0, 11.0, "1 + 10")
    if seen["least"] < -0.01:
        return f"a result is {seen['least']:.2f}, but x is 0 here, and the branches give 1 and 10: none may be below 0"
    if abs(seen["largest"] - largest) > 0.01:
        found = f"the largest result is {seen['largest']:.2f}"
        return f"x is 0 here, and the branches give 1 and 10: {found}, wanted {sum_of_both} = {largest:.2f}"
    for name in ("branch 1", "branch 2"):
        if abs(seen[name] - p) > 0.03:  # 16,000 numbers: eight standard deviations
            return f"{seen[name]:.2f} of {name} became 0, wanted about {p}"
    if abs(seen["together"] - p * p) > 0.03:
        return f"both branches lose the same number in {seen['together']:.2f} of all positions, wanted about {p * p:.2f}; let dropout draw for each branch"
    return None
