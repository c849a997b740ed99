"""Exercise: 07_training/ex02_train.
Model and batch go to the CPU for each update, and the model goes back before the step: nothing is computed on the device.
"""


def train(model, loader, loss_fn, opt, epochs):
    home = next(model.parameters()).device
    history = []
    for _ in range(epochs):
        model.train()
        total, count = 0.0, 0
        for x, y in loader:
            opt.zero_grad()
            model.cpu()
            loss = loss_fn(model(x.cpu()), y.cpu())
            loss.backward()
            model.to(home)
            opt.step()
            total += loss.item() * len(x)
            count += len(x)
        if count == 0:
            raise ValueError("no batch")
        history.append(total / count)
    return history
