"""train_parts puts a module without any parameters, such as dropout, in evaluation mode too, because all() of an empty list is True."""

from torch import nn


def fine_tune_groups(model, rates):
    everything = list(model.named_parameters(remove_duplicate=False))
    groups = []
    taken = set()
    for part, rate in rates.items():
        mine = []
        for name, p in everything:
            if name == part or name.startswith(part + "."):
                if id(p) not in taken:
                    taken.add(id(p))
                    mine.append(p)
        if len(mine) == 0:
            raise ValueError("no parameters in part " + part)
        groups.append({"params": mine, "lr": rate})

    for name, p in everything:
        if id(p) in taken:
            p.requires_grad_(True)
        else:
            p.requires_grad_(False)
            p.grad = None
    return groups


def count_trained(model):
    trained = 0
    total = 0
    for p in model.parameters():
        total += p.numel()
        if p.requires_grad:
            trained += p.numel()
    return trained, total


def train_parts(model):
    model.train()
    for module in model.modules():
        frozen = [not p.requires_grad for p in module.parameters()]
        if all(frozen):
            module.eval()
