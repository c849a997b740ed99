"""The losses are given as x and the steps as y; the data are not sorted."""
import torch


def plot_history(ax, history):
    losses = [float(h) for h in history]
    ax.plot(losses, range(len(losses)))
    ax.set_xlabel("step")
    ax.set_ylabel("loss")


def plot_fit(ax, model, x, y):
    flags = [(m, m.training) for m in model.modules()]
    model.eval()
    try:
        with torch.no_grad():
            pred = model(x.to(next(model.parameters()).device))
    finally:
        for m, f in flags:
            m.training = f
    ax.scatter(x.detach().cpu().flatten(), y.detach().cpu().flatten(), label="data")
    ax.plot(x.detach().cpu().flatten(), pred.cpu().flatten(), label="model")
    ax.set_xlabel("x")
    ax.set_ylabel("y")
    ax.legend()
