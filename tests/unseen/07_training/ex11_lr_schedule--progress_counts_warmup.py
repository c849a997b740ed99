"""progress is update / total: the updates of the warm-up count as part of the cosine."""
import math


def warmup_cosine(update, warmup, total):
    if update >= total:
        return 0.0
    if update < warmup:
        return (update + 1) / warmup
    progress = update / total
    return (1 + math.cos(math.pi * progress)) / 2


def train_scheduled(model, loader, loss_fn, opt, epochs, schedule):
    base = [group["lr"] for group in opt.param_groups]
    rates = []
    k = 0
    model.train()
    for _ in range(epochs):
        for x, y in loader:
            for group, lr in zip(opt.param_groups, base):
                group["lr"] = lr * schedule(k)
            rates.append(opt.param_groups[0]["lr"])
            opt.zero_grad()
            loss_fn(model(x), y).backward()
            opt.step()
            k += 1
    return rates
