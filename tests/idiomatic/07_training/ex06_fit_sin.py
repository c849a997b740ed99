import torch
from torch import nn


def fit_sin(seed, device, steps=1000):
    torch.manual_seed(seed)
    model = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
    x = torch.linspace(-torch.pi, torch.pi, 200, device=device).unsqueeze(1)
    y = torch.sin(x)
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    history = []
    for _ in range(steps):
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        history.append(loss.item())
    return model, history
