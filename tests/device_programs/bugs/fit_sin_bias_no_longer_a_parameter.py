"""Exercise: 07_training/ex06_fit_sin.
nn.Parameter(...).to(device) is a plain tensor once it has to move: the biases are not registered and not trained.
"""

import torch
from torch import nn


class SinNet(nn.Module):
    def __init__(self, device):
        super().__init__()
        first, second = nn.Linear(1, 16), nn.Linear(16, 1)
        self.w1 = nn.Parameter(first.weight.detach().to(device))
        self.b1 = nn.Parameter(first.bias.detach()).to(device)
        self.w2 = nn.Parameter(second.weight.detach().to(device))
        self.b2 = nn.Parameter(second.bias.detach()).to(device)

    def forward(self, x):
        return torch.relu(x @ self.w1.T + self.b1) @ self.w2.T + self.b2


def fit_sin(seed, device, steps=1000):
    x = torch.linspace(-torch.pi, torch.pi, 200, device=device)[:, None]
    y = torch.sin(x)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = SinNet(device)
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    history = []
    for _ in range(steps):
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        history.append(loss.item())
    return model, history
