"""The optimizer's own closure."""


def train_step(model, batch, loss_fn, opt):
    device = next((p.device for p in model.parameters()), None)
    x, y = (t if device is None else t.to(device) for t in batch)
    model.train(mode=True)

    def closure():
        opt.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        return loss

    return float(opt.step(closure))
