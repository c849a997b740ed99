"""Reference solution: names decide what is trained, and what is trained decides the modes."""

from torch import nn


def fine_tune_groups(model: nn.Module, rates: dict[str, float]) -> list[dict]:
    """Freeze all but some parts of the model, and return a parameter group for each."""
    named, groups = list(model.named_parameters(remove_duplicate=False)), []
    for part, rate in rates.items():
        params = [p for name, p in named if f"{name}.".startswith(f"{part}.")]
        if not params:
            raise ValueError(f"the model has no part {part!r} with parameters")
        groups.append({"params": list(dict.fromkeys(params)), "lr": rate})
    trained = {p for group in groups for p in group["params"]}
    for p in model.parameters():
        p.requires_grad_(p in trained)
        if p not in trained:
            p.grad = None
    return groups


def count_trained(model: nn.Module) -> tuple[int, int]:
    """Return how many numbers are trained, and how many the model's parameters have."""
    sizes = [(p.numel() * p.requires_grad, p.numel()) for p in model.parameters()]
    return sum(trained for trained, _ in sizes), sum(size for _, size in sizes)


def train_parts(model: nn.Module) -> None:
    """Put the model in training mode, and each module whose parameters are all frozen in evaluation mode, with all inside it."""
    model.train()
    for module in model.modules():
        wanted = [p.requires_grad for p in module.parameters()]
        if wanted and not any(wanted):
            module.eval()
