"""What your network has learned, beside the sine that it was shown."""

import math

import torch
from matplotlib.figure import Figure


def draw(solution):
    """The fit after 1000 steps, and the loss on the way there."""
    model, history = solution.fit_sin(0, "cpu")
    x = torch.linspace(-math.pi, math.pi, 300).unsqueeze(-1)
    with torch.no_grad():
        learned = model(x).squeeze(-1)

    figure = Figure(figsize=(9, 3.5), layout="constrained")
    fit, loss = figure.subplots(1, 2)
    fit.plot(x.squeeze(-1).tolist(), x.sin().squeeze(-1).tolist(), color="0.6", linewidth=5, label="sin(x)")
    fit.plot(x.squeeze(-1).tolist(), learned.tolist(), color="tab:red", label="your network")
    fit.set(xlabel="x", ylabel="y", title=f"after {len(history)} steps")
    fit.legend()
    loss.semilogy(history, color="tab:red")
    loss.set(xlabel="step", ylabel="loss", title="loss")
    return figure
