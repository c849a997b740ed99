"""A small network learns the sine."""

import torch
from torch import nn


def fit_sin(seed: int, device: torch.device | str, steps: int = 1000) -> tuple[nn.Module, list[float]]:
    """Train a small network to compute sin(x) and return it with its loss history."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
    x = torch.linspace(-torch.pi, torch.pi, 200, device=device).unsqueeze(-1)
    y = x.sin()
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    history = []
    for _ in range(steps):
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        history.append(loss.item())
    return model, history
