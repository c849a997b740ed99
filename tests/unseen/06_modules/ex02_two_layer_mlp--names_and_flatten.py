"""The first layer has another name, and forward flattens the leading axes."""
import torch
from torch import nn


class TwoLayerMLP(nn.Module):
    def __init__(self, n_in=1, n_hidden=16, n_out=1):
        super().__init__()
        self.hidden = nn.Linear(n_in, n_hidden)
        self.fc2 = nn.Linear(n_hidden, n_out)

    def forward(self, x):
        x = x.view(-1, x.size(-1))
        x = torch.relu(self.hidden(x))
        return self.fc2(x)
