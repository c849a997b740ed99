"""Exercise: 07_training/ex06_fit_sin.
The model moves to the device, the data do not.
"""

import torch
from torch import nn


def fit_sin(seed, device, steps=1000):
    x = torch.linspace(-torch.pi, torch.pi, 200).unsqueeze(1)
    y = torch.sin(x)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1))
    model.to(device)
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    history = []
    for _ in range(steps):
        opt.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        opt.step()
        history.append(loss.item())
    return model, history
