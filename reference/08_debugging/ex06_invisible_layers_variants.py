"""Known mistakes and odd-but-correct solutions for LayerStack and prepare_finetuning."""

import torch
from torch import nn

from torchdojo.variants import alternative, mistake

HINTS = (
    "Print the names of the model's parameters, and compare the ids of the optimizer's parameters with the model's.",
    "A module registers modules that are assigned to an attribute. PyTorch has a list of its own that is a "
    "module. And an optimizer holds the tensors that existed when it was made.",
    "Wrap the list of hidden layers in nn.ModuleList. In prepare_finetuning make the head first, with the "
    "dtype and device of the old weight, and the optimizer last.",
)

EQUIVALENT = {
    "in_place-L20-1": "the result of the layer is a tensor of our own, and a linear layer does not need it for backward",
}


def like_old(model, classes):
    """A fresh head in the dtype and on the device of the old one."""
    old = model.head.weight
    return nn.Linear(model.head.in_features, classes).to(device=old.device, dtype=old.dtype)


@mistake()
def hides_the_layers_and_the_head():
    """The hidden layers are in a Python list, which a module does not look into: use nn.ModuleList. And the optimizer was made before
    the new head: make the head first, like the old one, then the optimizer."""
    return {"LayerStack": KeepsThePythonList, "prepare_finetuning": makes_the_optimizer_before_a_plain_head}


def makes_the_optimizer_before_a_plain_head(model, classes, lr):
    """Both mistakes of the file in prepare_finetuning."""
    opt = torch.optim.SGD(model.parameters(), lr=lr)
    model.head = nn.Linear(model.head.in_features, classes)
    return opt


@mistake("LayerStack")
class KeepsThePythonList(nn.Module):
    """The hidden layers are in a Python list, and a module does not look into that: use nn.ModuleList."""

    def __init__(self, sizes):
        super().__init__()
        self.hidden = [nn.Linear(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 2)]
        self.head = nn.Linear(sizes[-2], sizes[-1])

    def forward(self, x):
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.head(x)


@mistake("LayerStack")
class MakesLayersInForward(nn.Module):
    """The hidden layers are made anew in each forward, with new random weights: make them once, in
    __init__."""

    def __init__(self, sizes):
        super().__init__()
        self.sizes = list(sizes)
        self.head = nn.Linear(sizes[-2], sizes[-1])

    def forward(self, x):
        sizes = self.sizes
        self.hidden = nn.ModuleList(nn.Linear(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 2))
        for layer in self.hidden.to(dtype=x.dtype, device=x.device):
            x = torch.relu(layer(x))
        return self.head(x)


@mistake("LayerStack")
class NamesLayersOneByOne(nn.Module):
    """The layers are registered under names of your own: state_dict must have hidden.0.weight and so on, as
    nn.ModuleList gives them."""

    def __init__(self, sizes):
        super().__init__()
        self.count = len(sizes) - 2
        for i in range(self.count):
            self.add_module(f"hidden{i}", nn.Linear(sizes[i], sizes[i + 1]))
        self.head = nn.Linear(sizes[-2], sizes[-1])

    def forward(self, x):
        for i in range(self.count):
            x = torch.relu(getattr(self, f"hidden{i}")(x))
        return self.head(x)


@mistake("LayerStack")
class CountsTheRelus(nn.Module):
    """The relus have numbers in the nn.Sequential too, so the second linear layer is hidden.2: the linear
    layers alone are numbered."""

    def __init__(self, sizes):
        super().__init__()
        layers = []
        for i in range(len(sizes) - 2):
            layers += [nn.Linear(sizes[i], sizes[i + 1]), nn.ReLU()]
        self.hidden = nn.Sequential(*layers)
        self.head = nn.Linear(sizes[-2], sizes[-1])

    def forward(self, x):
        return self.head(self.hidden(x))


@mistake("LayerStack")
class PutsTheHeadIntoTheList(nn.Module):
    """The head is in the list as well, so it has a second name in state_dict: keep it apart."""

    def __init__(self, sizes):
        super().__init__()
        self.hidden = nn.ModuleList(nn.Linear(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 1))
        self.head = self.hidden[-1]

    def forward(self, x):
        for layer in self.hidden[:-1]:
            x = torch.relu(layer(x))
        return self.head(x)


@mistake("LayerStack")
class ReluAfterTheHead(nn.Module):
    """There is a relu after the head: the scores of the classes may be negative."""

    def __init__(self, sizes):
        super().__init__()
        self.hidden = nn.ModuleList(nn.Linear(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 2))
        self.head = nn.Linear(sizes[-2], sizes[-1])

    def forward(self, x):
        for layer in [*self.hidden, self.head]:
            x = torch.relu(layer(x))
        return x


@mistake("LayerStack")
class HidesParametersFromNames(nn.Module):
    """The layers are still in a Python list; only parameters() was told of them. state_dict and
    to() do not see them: use nn.ModuleList."""

    def __init__(self, sizes):
        super().__init__()
        self.hidden = [nn.Linear(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 2)]
        self.head = nn.Linear(sizes[-2], sizes[-1])

    def parameters(self, recurse=True):
        for layer in [*self.hidden, self.head]:
            yield from layer.parameters()

    def forward(self, x):
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.head(x)


@mistake("LayerStack")
class GivesEverySampleABatch(nn.Module):
    """A single sample came back with an axis more: leave x as it is, nn.Linear takes any number of axes before the last."""

    def __init__(self, sizes):
        super().__init__()
        self.hidden = nn.ModuleList(nn.Linear(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 2))
        self.head = nn.Linear(sizes[-2], sizes[-1])

    def forward(self, x):
        if x.ndim == 1:
            x = x.unsqueeze(0)
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.head(x)


@mistake("prepare_finetuning")
def takes_every_name_with_head(model, classes, lr):
    """Parameters with "head" somewhere in their name were taken for those of model.head, and so are in no group:
    take all of model.parameters()."""
    model.head = like_old(model, classes)
    rest = [p for name, p in model.named_parameters() if "head" not in name]
    opt = torch.optim.SGD(model.head.parameters(), lr=lr)
    if rest:
        opt.add_param_group({"params": rest})
    return opt


@mistake("prepare_finetuning")
def takes_every_name_that_begins_with_head(model, classes, lr):
    """Parameters whose name begins with "head" were taken for those of model.head, and so are in no group: another
    layer may be called header. Take all of model.parameters()."""
    model.head = like_old(model, classes)
    rest = [p for name, p in model.named_parameters() if not name.startswith("head")]
    opt = torch.optim.SGD(model.head.parameters(), lr=lr)
    if rest:
        opt.add_param_group({"params": rest})
    return opt


@mistake("prepare_finetuning")
def makes_the_optimizer_first(model, classes, lr):
    """The optimizer was made before the new head, so it holds the old head's parameters: make it last."""
    opt = torch.optim.SGD(model.parameters(), lr=lr)
    model.head = like_old(model, classes)
    return opt


@mistake("prepare_finetuning")
def adds_the_head_and_keeps_the_old_one(model, classes, lr):
    """The new head was added, but the optimizer still holds the parameters of the old one: make the optimizer
    last."""
    opt = torch.optim.SGD(model.parameters(), lr=lr)
    model.head = like_old(model, classes)
    opt.add_param_group({"params": model.head.parameters()})
    return opt


@mistake("prepare_finetuning")
def trains_the_head_only(model, classes, lr):
    """The optimizer holds the head alone: it must hold every parameter of the model."""
    model.head = like_old(model, classes)
    return torch.optim.SGD(model.head.parameters(), lr=lr)


@mistake("prepare_finetuning")
def leaves_out_frozen_parameters(model, classes, lr):
    """Frozen parameters are missing from the optimizer: it must hold every parameter of the model."""
    model.head = like_old(model, classes)
    return torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=lr)


@mistake("prepare_finetuning")
def head_in_the_default_dtype(model, classes, lr):
    """The new head has the default dtype and lies on the CPU: give it the dtype and the device of the old
    head."""
    model.head = nn.Linear(model.head.in_features, classes)
    return torch.optim.SGD(model.parameters(), lr=lr)


@mistake("prepare_finetuning")
def keeps_a_head_that_fits(model, classes, lr):
    """The old head was kept because its size fits: the new task starts from a new one."""
    if model.head.out_features != classes:
        model.head = like_old(model, classes)
    return torch.optim.SGD(model.parameters(), lr=lr)


@mistake("prepare_finetuning")
def unfreezes_everything(model, classes, lr):
    """All parameters require grad now: those that the caller froze stay frozen."""
    model.head = like_old(model, classes)
    return torch.optim.SGD(model.requires_grad_(True).parameters(), lr=lr)


@mistake("prepare_finetuning")
def adds_weight_decay(model, classes, lr):
    """The optimizer got a weight decay that nobody asked for: a step subtracts lr times the gradient and nothing else."""
    model.head = like_old(model, classes)
    return torch.optim.SGD(model.parameters(), lr=lr, weight_decay=1e-2)


@mistake("prepare_finetuning")
def starts_the_head_at_zero(model, classes, lr):
    """The new head does not start with the values that nn.Linear chooses: take them as they come."""
    model.head = like_old(model, classes)
    for parameter in model.head.parameters():
        nn.init.zeros_(parameter)
    return torch.optim.SGD(model.parameters(), lr=lr)


@mistake("LayerStack")
class SharesLayersOfOneSize(nn.Module):
    """Hidden layers of one size are one and the same layer: make a layer of its own for each place."""

    def __init__(self, sizes):
        super().__init__()
        made = {pair: nn.Linear(*pair) for pair in zip(sizes, sizes[1:-1])}  # noqa: B905
        self.hidden = nn.ModuleList(made[pair] for pair in zip(sizes, sizes[1:-1]))  # noqa: B905
        self.head = nn.Linear(sizes[-2], sizes[-1])

    def forward(self, x):
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.head(x)


@mistake("prepare_finetuning")
def copies_the_old_rows(model, classes, lr):
    """The rows of the old head were copied into the new one: it starts afresh, with what nn.Linear draws."""
    old = model.head.weight.detach()
    model.head = like_old(model, classes)
    with torch.no_grad():
        model.head.weight[: len(old)] = old[:classes]
    return torch.optim.SGD(model.parameters(), lr=lr)


@mistake("prepare_finetuning")
def takes_the_layers_one_by_one(model, classes, lr):
    """A parameter that two layers share was given to the optimizer twice: model.parameters() gives each one once."""
    model.head = like_old(model, classes)
    return torch.optim.SGD([{"params": list(part.parameters(recurse=False))} for part in model.modules()], lr=lr)


@mistake("prepare_finetuning")
def takes_the_children_only(model, classes, lr):
    """Parameters that belong to the model itself, and to none of its layers, are missing from the optimizer: take all of
    model.parameters()."""
    model.head = like_old(model, classes)
    return torch.optim.SGD([p for part in model.children() for p in part.parameters()], lr=lr)


@mistake("prepare_finetuning")
def casts_the_whole_model(model, classes, lr):
    """The whole model was moved and converted, so parameters of another dtype than the head's changed theirs: only the new
    head is made like the old one."""
    old = model.head.weight
    model.head = nn.Linear(model.head.in_features, classes)
    return torch.optim.SGD(model.to(device=old.device, dtype=old.dtype).parameters(), lr=lr)


@mistake("prepare_finetuning")
def head_like_the_first_parameter(model, classes, lr):
    """The new head was made like the first parameter of the model, which may have another dtype: ask the old head."""
    first = next(model.parameters())
    model.head = nn.Linear(model.head.in_features, classes).to(device=first.device, dtype=first.dtype)
    return torch.optim.SGD(model.parameters(), lr=lr)


@alternative("LayerStack")
class SequentialOfLinears(nn.Module):
    """An nn.Sequential used as a list; the relus are in forward."""

    def __init__(self, sizes):
        super().__init__()
        self.hidden = nn.Sequential(*[nn.Linear(a, b) for a, b in zip(sizes[:-2], sizes[1:-1], strict=True)])
        self.head = nn.Linear(*sizes[-2:])

    def forward(self, x):
        for layer in self.hidden:
            x = layer(x).clamp(min=0)
        return self.head(x)


@alternative("LayerStack")
class AppendsOneByOne(nn.Module):
    """An empty ModuleList that is filled in a loop, and an index in forward."""

    def __init__(self, sizes):
        super().__init__()
        self.hidden = nn.ModuleList()
        for i in range(len(sizes) - 2):
            self.hidden.append(nn.Linear(sizes[i], sizes[i + 1]))
        self.head = nn.Linear(sizes[-2], sizes[-1])

    def forward(self, x):
        for i in range(len(self.hidden)):
            x = nn.functional.relu(self.hidden[i](x))
        return self.head(x)


@mistake("prepare_finetuning")
def knows_float64_only(model, classes, lr):
    """The new head is float64 if the old one was, and else float32, for a bfloat16 head too: take the dtype of the old weight."""
    old = model.head.weight
    model.head = nn.Linear(model.head.in_features, classes, device=old.device)
    if old.dtype == torch.float64:
        model.head.double()
    return torch.optim.SGD(model.parameters(), lr=lr)


@alternative("prepare_finetuning")
def one_group_for_the_head(model, classes, lr):
    """The head first, then the body in a group of its own."""
    model.head = like_old(model, classes)
    head = {id(parameter) for parameter in model.head.parameters()}
    opt = torch.optim.SGD(model.head.parameters(), lr=lr)
    body = [parameter for parameter in model.parameters() if id(parameter) not in head]
    if body:
        opt.add_param_group({"params": body})
    return opt


@alternative("prepare_finetuning")
def says_what_is_usual(model, classes, lr):
    """Names the settings that are the default, and gives each parameter a group."""
    model.head = like_old(model, classes)
    groups = [{"params": [parameter]} for parameter in model.parameters()]
    return torch.optim.SGD(groups, lr=lr, momentum=0.0, weight_decay=0.0, nesterov=False)
