"""Exercise: 07_training/ex06_fit_sin.
The targets are computed before x moves, and stay behind.
"""

import torch
from torch import nn


def fit_sin(seed, device, steps=1000):
    x = torch.linspace(-torch.pi, torch.pi, 200).reshape(200, 1)
    y = x.sin()
    x = x.to(device)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    loss_fn = nn.MSELoss()
    history = []
    for _ in range(steps):
        loss = loss_fn(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        history.append(loss.item())
    return model, history
