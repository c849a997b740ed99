"""Exercise: 07_training/ex10_plots.
The model runs where it is; what is drawn comes to the CPU, as .tolist() or as NumPy.
"""

import torch


def plot_history(ax, history):
    ax.plot(range(len(history)), [float(loss) for loss in history])
    ax.set_xlabel("step")
    ax.set_ylabel("loss")


def plot_fit(ax, model, x, y):
    modes = [(m, m.training) for m in model.modules()]
    try:
        model.eval()
        with torch.no_grad():
            prediction = model(x.to(next(model.parameters()).device)).flatten().cpu()
    finally:
        for m, mode in modes:
            m.training = mode
    xs, ys = x.detach().flatten().cpu(), y.detach().flatten().cpu()
    order = xs.argsort()
    ax.scatter(xs.numpy(), ys.numpy(), label="data")
    ax.plot(xs[order].numpy(), prediction[order].numpy(), label="model")
    ax.set_xlabel("x")
    ax.set_ylabel("y")
    ax.legend()
