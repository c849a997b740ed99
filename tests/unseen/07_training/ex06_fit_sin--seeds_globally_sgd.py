"""SGD instead of Adam, and the seed is set without fork_rng, so the caller's random numbers change."""
import math
import torch
from torch import nn


def fit_sin(seed, device, steps=1000):
    torch.manual_seed(seed)
    model = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
    x = torch.linspace(-math.pi, math.pi, 200, device=device).unsqueeze(1)
    y = x.sin()
    criterion = nn.MSELoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    history = []
    for step in range(steps):
        prediction = model(x)
        loss = criterion(prediction, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(loss.item())
    return model, history
