"""Exercise: 07_training/ex06_fit_sin.
The argument is overwritten by "cuda if available": the caller's device does not count.
"""

import torch
from torch import nn


def fit_sin(seed, device, steps=1000):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x = torch.linspace(-torch.pi, torch.pi, 200, device=device)[:, None]
    y = torch.sin(x)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1))
    model = model.to(device)
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    history = []
    for _ in range(steps):
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        history.append(loss.item())
    return model, history
