"""Known mistakes and unusual but correct solutions for LoRALinear and adapter_state."""

import math

import torch
from ex03_lora import LoRALinear
from torch import nn
from torch.nn import functional as F

from torchdojo.variants import alternative, mistake

HINTS = (
    "Write the shapes under x, a, b and base.weight. In which order can a and b be multiplied to give the shape of base.weight?",
    "requires_grad_(False) freezes a whole module. x goes through a first, to rank numbers, and then through b. Merging adds the scaled product of b and a to a copy of the "
    "base's weight. named_modules() tells which modules are LoRALinear, and how the names of their parameters begin.",
    "a is an nn.Parameter of random numbers, b one of zeros, both made like base.weight. forward adds the scaled product of x, a transposed and b transposed to "
    "base(x). merged copies the base with copy.deepcopy and changes the copy under no_grad. adapter_state collects the names of a and b of each LoRALinear, and keeps "
    "those entries of the state dict.",
)
EQUIVALENT = {}

A = "nn.Parameter(torch.randn_like(base.weight[:1].expand(rank, -1)))"
B = "nn.Parameter(base.weight.new_zeros(base.out_features, rank))"
CHANGE = "self.base(x) + self.scale * (x @ self.a.T @ self.b.T)"
FROZEN = "self.base = base.requires_grad_(False)"
COPY = "result = copy.deepcopy(self.base)"
KEPT = "{name: value for name, value in model.state_dict().items() if name in wanted}"


both_zero = mistake.edited(A, "nn.Parameter(base.weight.new_zeros(rank, base.in_features))",
    "a and b both start as zeros, so the gradients of both are zero for ever: start a with random numbers.",
    common=True,
    pitfall="With zeros in both a and b")

both_random = mistake.edited(B, "nn.Parameter(torch.randn_like(base.weight[:, :1].expand(-1, rank)))",
    "b doesn't start with zeros, so the new module isn't its base: start b with zeros.",
    common=True)

zeros_in_a = mistake.edited(A, "nn.Parameter(base.weight.new_zeros(rank, base.in_features))",
    "a starts with zeros and b doesn't: here it is the other way round, random numbers in a and zeros in b.",
    also=[(B, "nn.Parameter(torch.randn_like(base.weight[:, :1].expand(-1, rank)))")])

not_scaled = mistake.edited("self.scale = alpha / rank", "self.scale = 1.0",
    "alpha has no effect: scale the change by alpha / rank.",
    common=True)

scaled_by_alpha = mistake.edited("self.scale = alpha / rank", "self.scale = alpha",
    "The change was scaled by alpha alone: divide by the rank.",
    common=True)

scaled_the_wrong_way = mistake.edited("self.scale = alpha / rank", "self.scale = rank / alpha",
    "The change was scaled by rank / alpha: it is alpha / rank.")

scaled_by_the_root = mistake.edited("self.scale = alpha / rank", "self.scale = alpha / rank**0.5",
    "The change was scaled by alpha / sqrt(rank), as in a later variant: here it is alpha / rank.")

bias_is_trained = mistake.edited(FROZEN, "self.base = base\nbase.weight.requires_grad_(False)",
    "The bias of the base is trained: freeze all its parameters.",
    about="only_a_and_b_are_trained", common=True)

base_is_trained = mistake.edited(FROZEN, "self.base = base",
    "The base is trained, too: freeze its parameters with requires_grad_(False).",
    about="only_a_and_b_are_trained", common=True)

scale_is_trained = mistake.edited("self.scale = alpha / rank", "self.scale = nn.Parameter(torch.tensor(alpha / rank, dtype=base.weight.dtype, device=base.weight.device))",
    "The scale is a parameter, and is trained and saved with the others: keep it as a number.",
    about="only_a_and_b_are_trained")

base_without_a_graph = mistake.edited(CHANGE, "self.base(x).detach() + self.scale * (x @ self.a.T @ self.b.T)",
    "x gets a part of its gradient only, without that of the base: its parameters are frozen, but gradients pass through its result.",
    about="the_change_is_added")

the_change_alone = mistake.edited(CHANGE, "self.scale * (x @ self.a.T @ self.b.T)",
    "The result is the change alone: add that of the base.")

scales_the_base = mistake.edited(CHANGE, "self.scale * (self.base(x) + x @ self.a.T @ self.b.T)",
    "The base was scaled, too: alpha / rank belongs to the change.")

bias_in_the_scale = mistake.edited(CHANGE, "F.linear(x, self.base.weight + self.scale * (self.b @ self.a), None)",
    "The bias of the base is lost: base(x) adds it.")

merges_without_the_scale = mistake.edited("result.weight += self.scale * (self.b @ self.a)", "result.weight += self.b @ self.a",
    "The scale was left out when merging: add alpha / rank times the product of b and a.",
    about="merged_equals_unmerged", common=True)

merges_into_the_base = mistake.edited(COPY, "result = self.base",
    "merged changed the base itself, so a second merge adds the change again: change a copy.",
    about="merging_leaves_the_base_alone", common=True)

merges_the_change_alone = mistake.edited("result.weight += self.scale", "result.weight[:] = self.scale",
    "The merged weight is the change alone: add it to that of the base.")

shares_the_bias = mistake.edited(COPY, "result = copy.deepcopy(self.base)\nresult.bias = self.base.bias",
    "The merged layer and the base share the bias, so an edit of one changes the other: copy it.",
    about="merging_leaves_the_base_alone")

loses_the_bias = mistake.edited(COPY, "result = copy.deepcopy(self.base)\nresult.bias = None",
    "The merged layer has no bias: copy that of the base.",
    about="merged_equals_unmerged", common=True)

always_a_bias = mistake.edited(COPY, """
result = nn.Linear(self.base.in_features, self.base.out_features).to(self.base.weight)
result.load_state_dict({"bias": torch.zeros_like(result.bias), **self.base.state_dict()})
    """.strip("\n"),
    "Without a bias in the base, the merged layer has one: it must have none either, as nn.Linear has none with bias=False.",
    about="the_base_may_have_no_bias")

in_the_default_dtype = mistake.edited(A, "nn.Parameter(torch.randn(rank, base.in_features) / rank)",
    "a and b have the default dtype and are on the CPU: make them like base.weight.",
    also=[(B, "nn.Parameter(torch.zeros(base.out_features, rank))")],
    about="the_change_follows_the_base", common=True)

saves_everything = mistake.edited(KEPT, "model.state_dict()",
    "The whole state was returned: keep the a and b of the LoRALinear modules.",
    common=True)

names_alone = mistake.edited(" if name in wanted}", ' if name.rpartition(".")[2] in ("a", "b")}',
    "Parameters of other modules that are called a or b were saved, too: keep those of LoRALinear modules alone.",
    about="the_adapter_is_saved_alone")

names_with_a_path = mistake.edited(" if name in wanted}", ' if name.endswith((".a", ".b"))}',
    "Parameters of other modules that are called a or b were saved, and those of a model that is a LoRALinear itself were not: look for LoRALinear modules.",
    about="the_adapter_is_saved_alone")

whatever_is_not_the_base = mistake.edited(" if name in wanted}", ' if ".base." not in f".{name}"}',
    "All but the bases was saved: parameters of other modules don't belong to the adapter.",
    about="the_adapter_is_saved_alone")

saves_the_base_too = mistake.edited(" if name in wanted}", " if any(name.startswith(layer) for layer in layers)}",
    "The frozen bases were saved with the adapter: keep a and b alone.",
    about="the_adapter_is_saved_alone", common=True)

drops_the_path = mistake.edited("{name: value for name, value", '{name.rpartition(".")[2]: value for name, value',
    "The names lost their path, so the adapters of several layers overwrite each other: keep the names of state_dict().",
    about="the_adapter_is_saved_alone")


a_dot_before_the_name = mistake.edited('.lstrip(".")', "",
    'If the model itself is a LoRALinear, its a and b are not found: named_modules() calls it "", so their names have no dot: a and b.',
    about="the_model_may_be_the_layer", common=True)


@alternative("LoRALinear")
class TwoLayers(nn.Module):
    """The change by two calls of F.linear; merging by a new layer."""

    def __init__(self, base, rank, alpha):
        super().__init__()
        self.base, self.rank, self.alpha = base, rank, alpha
        like = {"dtype": base.weight.dtype, "device": base.weight.device}
        for p in base.parameters():
            p.requires_grad = False
        self.a = nn.Parameter(torch.empty(rank, base.in_features, **like))
        self.b = nn.Parameter(torch.zeros(base.out_features, rank, **like))
        nn.init.kaiming_uniform_(self.a, a=math.sqrt(5))

    def forward(self, x):
        return self.base(x) + F.linear(F.linear(x, self.a), self.b) * (self.alpha / self.rank)

    @torch.no_grad()
    def merged(self):
        with_bias = self.base.bias is not None
        layer = nn.Linear(self.base.in_features, self.base.out_features, bias=with_bias, dtype=self.a.dtype, device=self.a.device)
        layer.weight.copy_(self.base.weight + self.alpha / self.rank * self.b.mm(self.a))
        if with_bias:
            layer.bias.copy_(self.base.bias)
        return layer


@alternative("adapter_state")
def module_by_module(model):
    """Each LoRALinear gives its two parameters."""
    state = {}
    for name, module in model.named_modules():
        if isinstance(module, LoRALinear):
            prefix = name + "." if name else ""
            state |= {prefix + "a": module.a.detach(), prefix + "b": module.b.detach()}
    return state


one_weight = alternative.edited(CHANGE, "F.linear(x, self.base.weight + self.scale * (self.b @ self.a), self.base.bias)",
    "The weights are added before x comes in.")

by_einsum = alternative.edited("x @ self.a.T @ self.b.T", 'torch.einsum("...i,ri,or->...o", x, self.a, self.b)',
    "One contraction.")
