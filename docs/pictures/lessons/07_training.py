"""The pictures of 07_training."""

import torch
from drawn import reference
from svg import BLUE, GREEN, INK, ORANGE, RED, Chart, Drawing
from torch import nn
from torch.nn.functional import mse_loss


def three_fits() -> Drawing:
    """What three networks learn of a sine: a right one, one without an activation, one whose loss broadcasts."""
    d = Drawing()
    x = torch.linspace(-torch.pi, torch.pi, 200).unsqueeze(-1)
    right, _ = reference("07_training/ex06").fit_sin(0, "cpu", 400)

    def trained(model: nn.Module, target: torch.Tensor) -> nn.Module:
        opt = torch.optim.Adam(model.parameters(), lr=0.01)
        for _ in range(400):
            opt.zero_grad()
            difference = model(x) - target
            difference.square().mean().backward()
            opt.step()
        return model

    models = (
        (trained(nn.Sequential(nn.Linear(1, 16), nn.Linear(16, 1)), x.sin()), ORANGE, "without an activation"),
        (trained(nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1)), x.sin().squeeze(-1)), RED, "targets of shape (N,)"),
        (right, BLUE, "right: follows the sine"),
    )
    chart = Chart(
        d, 0, 0, 330, 170, xlim=(-3.3, 3.3), ylim=(-1.3, 1.3), xticks=(-3, 0, 3), yticks=(-1, 0, 1), xlabel="x", ylabel="prediction"
    )
    chart.curve(zip(x.flatten().tolist()[::5], x.sin().flatten().tolist()[::5], strict=True), INK, "sin(x)", width=6)
    for model, color, label in models:
        with torch.no_grad():
            chart.curve(zip(x.flatten().tolist()[::5], model(x).flatten().tolist()[::5], strict=True), color, label)
    return d


def schedule() -> Drawing:
    """Warm-up and cosine over 100 updates."""
    d, factor = Drawing(), reference("07_training/ex11").warmup_cosine
    chart = Chart(
        d,
        0,
        0,
        360,
        130,
        xlim=(0, 100),
        ylim=(0, 1.35),
        xticks=range(0, 101, 20),
        yticks=(0, 0.5, 1),
        xlabel="update",
        ylabel="factor of the learning rate",
    )
    chart.curve([(k, factor(k, 20, 100)) for k in range(101)], BLUE)
    d.line([chart.at(20, 0), chart.at(20, 1.35)], dashed=True)
    d.text(chart.at(10, 0)[0], chart.at(0, 1.22)[1], "warm-up", size=13)
    d.text(chart.at(60, 0)[0], chart.at(0, 1.22)[1], "half a cosine", size=13)
    return d


def early_stopping() -> Drawing:
    """The losses of a network with more parameters than samples, the best epoch, and where a patience of 20 stops."""
    d = Drawing()
    x = torch.linspace(-1, 1, 24, dtype=torch.float64).unsqueeze(1)
    y = (3 * x).sin() + 0.4 * torch.randn(24, 1, dtype=torch.float64)
    train, val = slice(0, None, 2), slice(1, None, 2)
    model = nn.Sequential(nn.Linear(1, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1)).double()
    opt, falling = torch.optim.Adam(model.parameters(), lr=0.005), []

    def train_epoch() -> None:
        for _ in range(4):
            opt.zero_grad()
            loss = mse_loss(model(x[train]), y[train])
            loss.backward()
            opt.step()
        falling.append(loss.item())

    def validate() -> float:
        with torch.no_grad():
            return mse_loss(model(x[val]), y[val]).item()

    losses = reference("07_training/ex14").train_until_best(model, train_epoch, validate, 20, 200)
    best, n = min(range(len(losses)), key=losses.__getitem__), len(losses)
    chart = Chart(
        d, 0, 0, 360, 150, xlim=(0, n), ylim=(0, 0.5), xticks=range(0, n, 10), yticks=(0, 0.25, 0.5), xlabel="epoch", ylabel="loss"
    )
    chart.curve(enumerate(losses), ORANGE, "validation")
    chart.curve(enumerate(falling), BLUE, "training")
    d.line([chart.at(best, 0), chart.at(best, 0.5)], color=GREEN, dashed=True)
    d.text(chart.at(best, 0)[0] + 6, chart.at(0, 0.47)[1], "best: go back here", color=GREEN, size=13, anchor="start")
    d.text(chart.at(n, 0)[0], chart.at(0, losses[-1])[1] + 18, "stop", color=ORANGE, size=13, anchor="end")
    return d


def smoothing() -> Drawing:
    """The loss by the logit of the right class, without and with label smoothing."""
    d, loss = Drawing(), reference("07_training/ex15").smoothed_cross_entropy
    chart = Chart(
        d,
        0,
        0,
        330,
        150,
        xlim=(0, 16),
        ylim=(0, 1.4),
        xticks=range(0, 17, 4),
        yticks=(0, 0.5, 1),
        xlabel="logit of the right class, the other three are 0",
        ylabel="loss",
    )
    for amount, color in ((0.0, BLUE), (0.1, ORANGE)):
        points = []
        for step in range(65):
            logits = torch.zeros(1, 4, dtype=torch.float64)
            logits[0, 2] = step / 4
            points.append((step / 4, loss(logits, torch.tensor([2]), amount).item()))
        chart.curve(points, color, f"smoothing {amount:g}")
    lowest = min(points, key=lambda p: p[1])
    d.dot(*chart.at(*lowest), color=ORANGE, radius=5)
    d.text(chart.at(*lowest)[0] + 30, chart.at(*lowest)[1] - 34, f"lowest at {lowest[0]:g}", color=ORANGE, size=13)
    return d
