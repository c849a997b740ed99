"""The optimizer race, run by your code: how many updates each contestant needs for each loss."""

import torch
from matplotlib.figure import Figure

CONTESTANTS = {
    "SGD, lr 0.01": lambda params: torch.optim.SGD(params, lr=0.01),
    "SGD, lr 0.1": lambda params: torch.optim.SGD(params, lr=0.1),
    "Adam, lr 0.001": lambda params: torch.optim.Adam(params, lr=0.001),
    "Adam, lr 0.01": lambda params: torch.optim.Adam(params, lr=0.01),
}


def draw(solution):
    """One line for each optimizer; a line that ends never came lower."""
    x = torch.linspace(-3, 3, 64).unsqueeze(-1)
    thresholds = [0.25, 0.15, 0.1, 0.05]

    def make_model():
        torch.manual_seed(0)
        return torch.nn.Sequential(torch.nn.Linear(1, 16), torch.nn.ReLU(), torch.nn.Linear(16, 1))

    steps = [solution.race(make_model, CONTESTANTS, threshold, (x, x.sin()), 300) for threshold in thresholds]
    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    for name in CONTESTANTS:
        reached = [(found[name], threshold) for found, threshold in zip(steps, thresholds, strict=True) if found[name] is not None]
        axes.plot([s for s, _ in reached], [t for _, t in reached], marker="o", label=name)
    axes.set(xlabel="updates until the loss was lower", ylabel="loss", title="300 updates at most", xlim=(0, 300), ylim=(0, 0.3))
    axes.legend()
    return figure
