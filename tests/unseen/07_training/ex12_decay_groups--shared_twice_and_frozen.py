"""The parameters are collected module by module, so a shared one is listed twice, and frozen ones are not left out."""


def decay_groups(model, weight_decay):
    decay, no_decay = [], []
    for module in model.modules():
        for p in module.parameters(recurse=False):
            if p.ndim >= 2:
                decay.append(p)
            else:
                no_decay.append(p)
    return [
        {"params": decay, "weight_decay": weight_decay},
        {"params": no_decay, "weight_decay": 0.0},
    ]
