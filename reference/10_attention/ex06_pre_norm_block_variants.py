"""Known mistakes and unusual but correct solutions for Block."""

import torch
from ex06_pre_norm_block import Block
from torch import nn
from torch.nn import functional

from torchdojo.variants import alternative, mistake

HINTS = (
    "Draw one line from x to the result. Two branches leave it, and each comes back in a sum. Where are the norms?",
    "Both branches start with their norm. The second starts from the sum of the first, not from x.",
    "forward has two lines of the form x = x + branch(norm(x)). In the second the branch is up, gelu, down. One nn.Dropout serves both "
    "branches, right before each sum.",
)

READ = "self.dropout(self.attention(self.norm1(x)))"
THINK = "self.dropout(self.down(functional.gelu(self.up(self.norm2(x)))))"

norms_after_the_sums = mistake.edited(
    f"x = x + {READ}",
    "x = self.norm1(x + self.dropout(self.attention(x)))",
    "The norms follow the sums, as in the first transformer (post-norm): put each norm at the start of its branch.",
    also=[(f"x + {THINK}", "self.norm2(x + self.dropout(self.down(functional.gelu(self.up(x)))))")],
    about="attention_reads_the_normalized_x",
    common=True,
    pitfall="The norms are inside the branches",
)

norms_the_first_branch_last = mistake.edited(
    "self.attention(self.norm1(x))",
    "self.norm1(self.attention(x))",
    "norm1 was applied to what attention returned: attention gets the normalized x.",
    about="attention_reads_the_normalized_x",
)

forgets_the_first_sum = mistake.edited(
    f"x = x + {READ}",
    f"x = {READ}",
    "x was not added to what attention returned.",
    about="attention_is_added_to_x",
    common=True,
)

forgets_the_second_sum = mistake.edited(
    f"return x + {THINK}",
    f"return {THINK}",
    "The first sum was not added to what down returned.",
    about="attention_is_added_to_x",
    common=True,
)

adds_the_normalized_x = mistake.edited(
    f"x = x + {READ}",
    f"x = self.norm1(x) + {READ}",
    "The normalized x was added in the first sum: add x itself.",
    about="attention_is_added_to_x",
)

adds_the_normalized_sum = mistake.edited(
    f"return x + {THINK}",
    f"return self.norm2(x) + {THINK}",
    "The normalized first sum was added in the second one: add the sum itself.",
    about="attention_is_added_to_x",
)

both_branches_from_x = mistake.edited(
    f"x = x + {READ}",
    f"y = x + {READ}",
    "Both branches start from x: the second one starts from the sum of the first.",
    also=[(f"return x + {THINK}", f"return y + {THINK}")],
    about="the_second_branch_starts_from_the_sum",
)

adds_x_twice = mistake.edited(
    f"x = x + {READ}",
    f"start, x = x, x + {READ}",
    "The second sum adds x in place of the first sum, so attention reaches the result only through the network.",
    also=[(f"return x + {THINK}", f"return start + {THINK}")],
    about="attention_is_added_to_x",
)

uses_the_first_norm_twice = mistake.edited(
    "self.up(self.norm2(x))",
    "self.up(self.norm1(x))",
    "norm1 was used in both branches: the second branch has norm2.",
    about="the_network_works_on_normalized_numbers",
)

leaves_out_the_second_norm = mistake.edited(
    "self.up(self.norm2(x))",
    "self.up(x)",
    "The second branch has no norm: up gets norm2 of the first sum.",
    about="the_network_works_on_normalized_numbers",
)

relu = mistake.edited(
    "functional.gelu(",
    "functional.relu(",
    "The network uses relu: use gelu.",
    about="the_network_works_on_normalized_numbers",
    common=True,
)

tanh_formula = mistake.edited(
    "self.up(self.norm2(x))",
    'self.up(self.norm2(x)), approximate="tanh"',
    "gelu was approximated with tanh: leave approximate= out.",
    about="the_network_works_on_normalized_numbers",
)

no_activation = mistake.edited(
    "functional.gelu(self.up(self.norm2(x)))",
    "self.up(self.norm2(x))",
    "gelu is missing between up and down, so the two collapse into one linear layer.",
    about="the_network_works_on_normalized_numbers",
)

activates_twice = mistake.edited(
    "self.down(functional.gelu(self.up(self.norm2(x))))",
    "functional.gelu(self.down(functional.gelu(self.up(self.norm2(x)))))",
    "gelu was applied after down as well: it belongs only between up and down.",
    about="the_network_works_on_normalized_numbers",
)

narrow_network = mistake.edited(
    "nn.Linear(width, 4 * width)",
    "nn.Linear(width, width)",
    "Between up and down there are width features: there must be 4 * width.",
    also=[("nn.Linear(4 * width, width)", "nn.Linear(width, width)")],
    about="the_parts_have_these_names",
)

adds_in_place = mistake.edited(
    f"x = x + {READ}",
    f"x += {READ}",
    "You add to x in place, but x belongs to the caller: x = x + ... makes a new tensor.",
    about="attention_is_added_to_x",
)

ignores_dropout = mistake.edited(
    "nn.Dropout(dropout)",
    "nn.Dropout(0.0)",
    "dropout has no effect: apply nn.Dropout to each branch before the sum.",
    about="dropout_is_inside_the_branches",
    common=True,
)

drops_the_sums = mistake.edited(
    f"x + {READ}",
    "self.dropout(x + self.attention(self.norm1(x)))",
    "Dropout was applied to the sums, so parts of x are lost: apply it to each branch before the sum.",
    also=[(f"x + {THINK}", "self.dropout(x + self.down(functional.gelu(self.up(self.norm2(x)))))")],
    about="dropout_is_inside_the_branches",
)

drops_in_eval = mistake.edited(
    "self.dropout(self.attention(self.norm1(x)))",
    "functional.dropout(self.attention(self.norm1(x)), self.dropout.p)",
    "Numbers are dropped in eval mode, too: drop only if self.training is True. An nn.Dropout knows the mode itself.",
    also=[("self.dropout(self.down(functional.gelu(self.up(self.norm2(x)))))", "functional.dropout(self.down(functional.gelu(self.up(self.norm2(x)))), self.dropout.p)")],
    about="dropout_is_inside_the_branches",
    common=True,
)

drops_one_branch = mistake.edited(
    THINK,
    "self.down(functional.gelu(self.up(self.norm2(x))))",
    "Dropout is missing on what one branch adds to x: apply it last, in both branches.",
    about="dropout_is_inside_the_branches",
)

norms_the_skip_path = mistake.edited(
    f"x = x + {READ}",
    "x = self.norm1(x)\nx = x + self.dropout(self.attention(x))\nx = self.norm2(x)",
    "Both sums start from a tensor that a norm has changed: only the branches get the output of a norm, and x itself is added.",
    also=[("self.up(self.norm2(x))", "self.up(x)")],
    about="attention_is_added_to_x",
    pitfall="there is no norm",
)

norms_the_first_skip_path = mistake.edited(
    f"x = x + {READ}",
    "x = self.norm1(x)\nx = x + self.attention(x)\nx = self.norm2(x)",
    "Both sums start from a tensor that a norm has changed, and attention has no dropout: add x itself, and drop parts of each branch.",
    also=[("self.up(self.norm2(x))", "self.up(x)")],
    about="attention_is_added_to_x",
)

drops_only_the_second_branch = mistake.edited(
    READ,
    "self.attention(self.norm1(x))",
    "Dropout is missing on what one branch adds to x: apply it last, in both branches.",
    about="dropout_is_inside_the_branches",
)

activates_before_up = mistake.edited(
    "functional.gelu(self.up(self.norm2(x)))",
    "self.up(functional.gelu(self.norm2(x)))",
    "gelu was applied before up: it belongs between up and down.",
    about="the_network_works_on_normalized_numbers",
)

drops_the_last_sum = mistake.edited(
    READ,
    "self.attention(self.norm1(x))",
    "Dropout was applied to the last sum, so parts of x are lost: apply it to each branch before its sum.",
    also=[(f"x + {THINK}", "self.dropout(x + self.down(functional.gelu(self.up(self.norm2(x)))))")],
    about="dropout_is_inside_the_branches",
)


@alternative("Block")
class WithSequential(nn.Module):
    """Each branch as one module that shares its layers with the attributes."""

    def __init__(self, width, attention, dropout=0.0):
        super().__init__()
        self.attention, self.p = attention, dropout
        self.up, self.down = nn.Linear(width, width * 4), nn.Linear(width * 4, width)
        self.norm1, self.norm2 = (nn.LayerNorm([width]) for _ in range(2))

    def forward(self, x):
        for branch in (nn.Sequential(self.norm1, self.attention), nn.Sequential(self.norm2, self.up, nn.GELU(), self.down)):
            x = torch.add(x, functional.dropout(branch(x), self.p, self.training))
        return x


@alternative("Block")
class WithWeightsOfTheNorms(Block):
    """Norms and layers through their weights, gelu by its formula, the sums in place on tensors of their own."""

    def norm(self, layer, t):
        return functional.layer_norm(t, t.shape[-1:], layer.weight, layer.bias, layer.eps)

    def forward(self, x):
        y = x.clone()
        y += self.dropout(self.attention(self.norm(self.norm1, x)))
        inner = self.up(self.norm(self.norm2, y))
        inner = inner * 0.5 * (1 + torch.erf(inner / 2**0.5))
        return self.dropout(self.down(inner)).add(y)


@alternative("Block")
class TwoDropouts(Block):
    """A dropout module for each branch, and none at p = 0."""

    def __init__(self, width, attention, dropout=0.0):
        super().__init__(width, attention)
        self.drop1, self.drop2 = (nn.Dropout(dropout) if dropout else nn.Identity() for _ in range(2))
        self.act = nn.GELU()

    def forward(self, x):
        y = x + self.drop1(self.attention(self.norm1(x)))
        return self.drop2(self.down(self.act(self.up(self.norm2(y))))) + y
