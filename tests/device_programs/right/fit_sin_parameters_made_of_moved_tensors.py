"""Exercise: 07_training/ex06_fit_sin.
The drawn tensors move first and become nn.Parameter afterwards.
"""

import torch
from torch import nn


class SinNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(1, 16)
        self.out = nn.Linear(16, 1)

    def forward(self, x):
        return self.out(torch.relu(self.hidden(x)))


def fit_sin(seed, device, steps=1000):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = SinNet()
    for layer in (model.hidden, model.out):
        layer.weight = nn.Parameter(layer.weight.detach().to(device))
        layer.bias = nn.Parameter(layer.bias.detach().to(device))
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    with torch.device(device):
        x = torch.linspace(-torch.pi, torch.pi, 200)[:, None]
    y = torch.sin(x)
    history = []
    for _ in range(steps):
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        history.append(float(loss.detach().cpu().numpy()))
    return model, history
