def train_step(model, batch, loss_fn, opt):
    model.train()
    x, y = batch
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    return loss.item()
