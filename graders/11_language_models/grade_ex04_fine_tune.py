"""Hidden checks for fine-tuning: groups, frozen parameters, counts, modes, and what must not drift."""

import torch
from torch import nn

from torchdojo.grading import check, mode_of, raises

CONCEPTS = ("L19", "I21")

KEPT = {
    "parts_are_whole_names": "what the name of a part means, said by itself",
    "nothing_else_drifts": "what freezing is for, said by itself",
}


class oracle:
    """Looks each part up in the model, and compares objects."""

    def fine_tune_groups(model, rates):
        groups = []
        for part, rate in rates.items():
            found = model
            for step in part.split("."):
                found = getattr(found, step, None)
            inside = [found] if isinstance(found, nn.Parameter) else [] if found is None else list(found.parameters())
            if not inside:
                raise ValueError(part)
            groups.append({"params": [p for p in model.parameters() if any(p is q for q in inside)], "lr": rate})
        for p in model.parameters():
            p.requires_grad = any(p is q for group in groups for q in group["params"])
            p.grad = p.grad if p.requires_grad else None
        return groups

    def count_trained(model):
        every = list(model.parameters())
        return sum(len(p.flatten()) for p in every if p.requires_grad), sum(len(p.flatten()) for p in every)

    def train_parts(model, frozen=False):
        every = list(model.parameters())
        frozen = frozen or bool(every and all(not p.requires_grad for p in every))
        model.training = not frozen
        for child in model.children():
            oracle.train_parts(child, frozen)


def plain():
    return nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.LayerNorm(4), nn.Linear(4, 2))


def language():
    """Embedding, two blocks with batch norm and dropout, a head; a parameter of its own."""
    block = lambda: nn.ModuleDict({"norm": nn.BatchNorm1d(3), "drop": nn.Dropout(0.5), "net": nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.5))})  # noqa: E731
    model = nn.ModuleDict({"embed": nn.Embedding(5, 3), "blocks": nn.ModuleList([block(), block()]), "head": nn.Linear(3, 5), "drop": nn.Dropout(0.2)})
    model.scale = nn.Parameter(torch.ones(2))
    return model


def similar():
    """Names that begin with other names, or contain them."""
    parts = {name: nn.Linear(2, 2) for name in ("head", "header", "my_head")}
    return nn.ModuleDict(parts | {"blocks": nn.ModuleList([nn.Linear(k, 1) for k in range(1, 13)]), "body": nn.ModuleDict({"head": nn.Linear(2, 1)})})


def tied():
    model = nn.ModuleDict({"embed": nn.Embedding(5, 3), "body": nn.Linear(3, 3), "head": nn.Linear(3, 5)})
    model.head.weight = model.embed.weight
    return model


def names(model, groups):
    """Which parameters each group has, and its learning rate."""
    by_id = {id(p): name for name, p in model.named_parameters()}
    return [{"lr": group["lr"], "params": sorted(by_id.get(id(p), "not a parameter of the model") for p in group["params"])} for group in groups]


def trained(model):
    return [name for name, p in model.named_parameters() if p.requires_grad]


PARTS = [{"blocks.1": 0.5, "head": 0.1}, {"head": 0.1, "embed": 0.01, "scale": 1.0}, {"blocks": 0.25}]


@check(points=2, rates=PARTS, devices=False)
def each_part_has_its_group(solution, rates):
    """Each part has a group with its parameters and its learning rate, in the order of rates."""
    model = language()
    return names(model, solution.fine_tune_groups(model, dict(rates)))


@check(points=2, rates=PARTS, before=[True, False], devices=False)
def all_others_are_frozen(solution, rates, before):
    """Afterwards exactly the parameters of the parts require gradients, whatever was frozen before."""
    model = language().requires_grad_(before)
    solution.fine_tune_groups(model, dict(rates))
    return trained(model)


@check(points=1, rates=[{"head": 0.1}, {"blocks.1": 0.1}, {"body": 1.0, "blocks.2": 2.0}, {"head.weight": 0.1}], devices=False)
def parts_are_whole_names(solution, rates):
    """A part is a whole name: head is neither header nor body.head, and blocks.1 is not blocks.10."""
    model = similar()
    solution.fine_tune_groups(model, dict(rates))
    return trained(model)


@check(points=1, build=[plain, language, tied], frozen=[0, 1, 3], devices=False)
def numbers_are_counted(solution, build, frozen):
    """The numbers in trained parameters and in all parameters are counted."""
    model = build()
    for p in list(model.parameters())[:frozen]:
        p.requires_grad_(False)
    return solution.count_trained(model)


@check(points=3, keep=[["head"], ["blocks.1"], ["blocks.0.norm", "head"], ["blocks.1.net.0.bias"], [], ["embed", "blocks", "head", "scale"]], mode=[True, False], devices=False)
def frozen_modules_are_in_evaluation_mode(solution, keep, mode):
    """Modules whose parameters are all frozen are in evaluation mode, with all inside; all others train."""
    model = language().train(mode)
    for name, p in model.named_parameters():
        p.requires_grad_(any(name.startswith(part + ".") or name == part for part in keep))
    solution.train_parts(model)
    return {f"mode of {name or 'the model'}": mode_of(module) for name, module in model.named_modules()}


def small():
    """A model that can run, with a batch norm in its body."""
    model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)), nn.Linear(4, 2))
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(((torch.arange(p.numel()) * 3 % 7 - 2.5) / 4).reshape(p.shape))
    return model


def run(model, opt):
    """Two steps on fixed numbers."""
    x = torch.arange(12.0).reshape(4, 3) % 5
    for _ in range(2):
        opt.zero_grad()
        model(x).square().mean().backward()
        opt.step()


@check(points=2, part=["3", "2"], devices=False)
def nothing_else_drifts(solution, part):
    """Two steps with momentum and weight decay change the part, and nothing else in the state dict."""
    model = small()
    opt = torch.optim.SGD(solution.fine_tune_groups(model, {part: 0.1}), lr=0.5, momentum=0.9, weight_decay=0.1)
    solution.train_parts(model)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    run(model, opt)
    return {"changed": [name for name, value in model.state_dict().items() if not torch.equal(value, before[name])]}


@check(points=1, star=True, part=["3", "2"], devices=False)
def an_older_optimizer_leaves_them_alone(solution, part):
    """Frozen parameters have no .grad left, so an optimizer made before doesn't move them."""
    model = small()
    opt = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9, weight_decay=0.1)
    run(model, opt)
    solution.fine_tune_groups(model, {part: 0.1})
    before = {name: value.detach().clone() for name, value in model.named_parameters() if not name.startswith(part)}
    opt.step()
    return {"frozen parameters that moved": [name for name, value in before.items() if not torch.equal(value, model.get_parameter(name))]}


@check(points=1, star=True, rates=[{"head": 0.1}, {"embed": 0.1}, {"body": 0.1}], devices=False)
def shared_parameters_have_two_names(solution, rates):
    """A shared parameter is trained, once, if one of its names is in a part."""
    model = tied()
    return names(model, solution.fine_tune_groups(model, dict(rates)))


@check(points=1, star=True, rates=[{"haed": 0.1}, {"head": 0.1, "blocks.2": 0.1}, {"blocks.1.": 0.1}, {"drop": 0.1}, {"hea": 0.1}], devices=False)
def unknown_parts_are_refused(solution, rates):
    """A part without parameters raises a ValueError."""
    return raises(lambda: solution.fine_tune_groups(language(), dict(rates)))
