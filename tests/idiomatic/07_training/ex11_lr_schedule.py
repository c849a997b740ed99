import math

import torch


def warmup_cosine(update, warmup, total):
    if update < warmup:
        return (update + 1) / warmup
    progress = (update - warmup) / (total - warmup)
    return 0.5 * (1.0 + math.cos(math.pi * progress))


def train_scheduled(model, loader, loss_fn, opt, epochs, schedule):
    scheduler = torch.optim.lr_scheduler.LambdaLR(opt, lr_lambda=schedule)
    lrs = []
    model.train()
    for epoch in range(epochs):
        for x, y in loader:
            lrs.append(opt.param_groups[0]["lr"])
            loss = loss_fn(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            scheduler.step()
    return lrs
