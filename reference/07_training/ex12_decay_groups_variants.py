"""Known mistakes and unusual but correct solutions for decay_groups."""

from torch import nn

from torchdojo.variants import alternative, mistake

HINTS = (
    "What do biases and the weights of norm layers have in common that no matrix has? Their names won't tell you.",
    "Biases and gains are vectors, with one axis. An optimizer takes a list of dicts: each has its parameters, and settings of its own, which go before "
    "those that you pass to the optimizer.",
    "Go through model.parameters(), which lists a shared parameter once, and keep those with requires_grad. Make two lists by p.dim(). "
    "Each dict says its weight decay; the second one has to, too, because AdamW's default isn't 0.",
)

TRAINED = "trained = [p for p in model.parameters() if p.requires_grad]"
BOTH = """
return [
    {"params": [p for p in trained if p.dim() >= 2], "weight_decay": weight_decay},
    {"params": [p for p in trained if p.dim() < 2], "weight_decay": 0.0},
]
"""


def by_name(text):
    return f"""
    named = [(n, p) for n, p in model.named_parameters() if p.requires_grad]
    return [
        {{"params": [p for n, p in named if not ({text})], "weight_decay": weight_decay}},
        {{"params": [p for n, p in named if {text}], "weight_decay": 0.0}},
    ]
    """


asks_for_bias = mistake.edited(
    BOTH, by_name('n.rpartition(".")[2] == "bias"'),
    "The weights of norm layers decay, because only what is called bias was left out: let the number of axes decide.",
    about="norms_do_not_decay", common=True,
    pitfall="The name doesn't tell")

finds_bias_in_names = mistake.edited(
    BOTH, by_name('"bias" in n'),
    "A name that contains \"bias\" decided, so a table with that name doesn't decay, and the weights of norm layers do: let the number of axes decide.",
    about="norms_do_not_decay", common=True)

finds_norm_in_names = mistake.edited(
    BOTH, by_name('n.endswith("bias") or "norm" in n'),
    "The name decided, and most norm layers aren't called norm: let the number of axes decide.",
    about="norms_do_not_decay", common=True)


@mistake("decay_groups", about="norms_do_not_decay", common=True)
def asks_for_kinds_of_layers(model, weight_decay):
    """The kind of layer decided, so parameters of layers that you didn't list are in the wrong group: let the number of axes decide."""
    norms = (nn.LayerNorm, nn.BatchNorm1d, nn.GroupNorm)
    groups = [{"params": [], "weight_decay": weight_decay}, {"params": [], "weight_decay": 0.0}]
    placed = set()
    for module in model.modules():
        for name, p in module.named_parameters(recurse=False):
            if p.requires_grad and id(p) not in placed:
                placed.add(id(p))
                groups[isinstance(module, norms) or name == "bias"]["params"].append(p)
    return groups


@mistake("decay_groups", about="weights_decay_and_biases_do_not")
def only_linear_layers_decay(model, weight_decay):
    """Only the weights of linear layers decay: those of convolutions and embeddings have two or more axes, too."""
    chosen = {id(m.weight) for m in model.modules() if isinstance(m, nn.Linear)}
    trained = [p for p in model.parameters() if p.requires_grad]
    return [
        {"params": [p for p in trained if id(p) in chosen], "weight_decay": weight_decay},
        {"params": [p for p in trained if id(p) not in chosen], "weight_decay": 0.0},
    ]


exactly_two_axes = mistake.edited(
    BOTH, BOTH.replace(">= 2", "== 2").replace("< 2", "!= 2"),
    "Weights of convolutions have three or four axes, and they don't decay: ask for two or more.",
    about="weights_decay_and_biases_do_not", common=True)

groups_are_swapped = mistake.edited(
    BOTH, BOTH.replace(">= 2", "<< 2").replace("p.dim() < 2", "p.dim() >= 2").replace("<< 2", "< 2"),
    "The groups are swapped: the first one has the parameters with two or more axes, and they decay.",
    about="weights_decay_and_biases_do_not")

second_group_has_the_default = mistake.edited(
    '"weight_decay": 0.0}', "}",
    "The second group doesn't say its weight decay, so it gets the optimizer's default, which is 0.01 for AdamW: say 0.0.",
    about="an_optimizer_gets_both_values", common=True)

both_decay = mistake.edited(
    '"weight_decay": 0.0}', '"weight_decay": weight_decay}',
    "Both groups decay: the second one has a weight decay of 0.0.",
    about="an_optimizer_gets_both_values")

ignores_the_argument = mistake.edited(
    '"weight_decay": weight_decay', '"weight_decay": 0.1',
    "The weight decay of the first group is a constant: use the argument.",
    about="an_optimizer_gets_both_values")

frozen_ones_are_in = mistake.edited(
    TRAINED, "trained = list(model.parameters())",
    "Frozen parameters are in the groups: leave out those that don't require gradients.",
    about="frozen_parameters_are_left_out", common=True)

shared_ones_come_twice = mistake.edited(
    TRAINED, "trained = [p for m in model.modules() for p in m.parameters(recurse=False) if p.requires_grad]",
    "A shared parameter is in a group twice, and an optimizer refuses that: model.parameters() lists it once.",
    about="shared_parameters_come_once", common=True)

copies_the_parameters = mistake.edited(
    TRAINED, "trained = [p.detach().clone().requires_grad_() for p in model.parameters() if p.requires_grad]",
    "The groups have copies, so an optimizer would train the copies: put the model's own parameters in.",
    about="weights_decay_and_biases_do_not")

only_the_outermost = mistake.edited(
    "model.parameters()", "model.parameters(recurse=False)",
    "The parameters of submodules are missing: model.parameters() lists them all.",
    about="weights_decay_and_biases_do_not")


@alternative("decay_groups")
def one_loop(model, weight_decay):
    """One loop over names and parameters, and a tuple of axes."""
    groups = [dict(params=[], weight_decay=weight_decay), dict(params=[], weight_decay=0.0)]
    for _, p in model.named_parameters():
        if p.requires_grad:
            groups[p.ndim < 2]["params"].append(p)
    return groups


@alternative("decay_groups")
def by_shape_in_a_dict(model, weight_decay):
    """A dict by name, filtered twice, and the axes counted by the shape."""
    named = {name: p for name, p in model.named_parameters() if p.requires_grad}
    decayed = {name for name in named if len(named[name].shape) > 1}
    return [
        {"weight_decay": weight_decay, "params": [p for name, p in named.items() if name in decayed]},
        {"weight_decay": 0.0, "params": [p for name, p in named.items() if name not in decayed]},
    ]
