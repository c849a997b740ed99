"""How your line finds its way, and how the loss falls."""

import torch
from matplotlib.figure import Figure


def draw(solution):
    """The line after 1, 5, 20 and 100 epochs through the points, and the loss curve."""
    generator = torch.Generator().manual_seed(42)
    X = torch.linspace(-1, 1, 40).unsqueeze(-1)
    y = 3 * X + 2 + 0.5 * torch.randn(40, 1, generator=generator)

    figure = Figure(figsize=(9, 3.5), layout="constrained")
    line, loss = figure.subplots(1, 2)
    line.scatter(X.squeeze(-1).tolist(), y.squeeze(-1).tolist(), s=12, color="0.6", label="data")
    for epochs, shade in ((1, 0.2), (5, 0.4), (20, 0.7), (100, 1.0)):
        w, b, history = solution.fit_line(X, y, torch.zeros(1), torch.zeros(1), lr=0.1, epochs=epochs)
        ends = [w.item() * x + b.item() for x in (-1.0, 1.0)]
        line.plot([-1, 1], ends, color="tab:red", alpha=shade, label="after 1 epoch" if epochs == 1 else f"after {epochs} epochs")
    line.set(xlabel="X", ylabel="y", title="3 X + 2 and noise")
    line.legend()
    loss.plot(history, color="tab:red")
    loss.set(xlabel="epoch", ylabel="mean squared error", title="loss", ylim=(0, None))
    return figure
