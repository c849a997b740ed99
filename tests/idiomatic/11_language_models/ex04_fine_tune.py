def fine_tune_groups(model, rates):
    model.requires_grad_(False)
    groups = []
    for part, lr in rates.items():
        params = [p for name, p in model.named_parameters() if name == part or name.startswith(part + ".")]
        for p in params:
            p.requires_grad_(True)
        groups.append({"params": params, "lr": lr})
    return groups


def count_trained(model):
    trained = sum(p.numel() for p in model.parameters() if p.requires_grad)
    total = sum(p.numel() for p in model.parameters())
    return trained, total


def train_parts(model):
    model.train()
    for module in model.modules():
        params = list(module.parameters())
        if params and not any(p.requires_grad for p in params):
            module.eval()
