"""A part is matched by startswith without the dot, so "head" takes "header.weight" too; frozen parameters keep their old .grad."""
from torch import nn


def fine_tune_groups(model, rates):
    for p in model.parameters():
        p.requires_grad_(False)
    groups = []
    for part, lr in rates.items():
        params = []
        seen = set()
        for name, p in model.named_parameters(remove_duplicate=False):
            if name.startswith(part) and id(p) not in seen:
                seen.add(id(p))
                p.requires_grad_(True)
                params.append(p)
        if not params:
            raise ValueError(f"no parameters in {part!r}")
        groups.append({"params": params, "lr": lr})
    return groups


def count_trained(model):
    params = list(model.parameters())
    return sum(p.numel() for p in params if p.requires_grad), sum(p.numel() for p in params)


def train_parts(model):
    model.train()
    for m in model.modules():
        params = list(m.parameters())
        if params and not any(p.requires_grad for p in params):
            m.eval()
