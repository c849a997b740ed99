"""A dropout layer stands between the layers, so the result is random in training."""
import torch
from torch import nn
import torch.nn.functional as F


class TwoLayerMLP(nn.Module):
    def __init__(self, n_in: int = 1, n_hidden: int = 16, n_out: int = 1):
        super(TwoLayerMLP, self).__init__()
        self.fc1 = nn.Linear(n_in, n_hidden)
        self.dropout = nn.Dropout(0.2)
        self.fc2 = nn.Linear(n_hidden, n_out)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        x = self.dropout(x)
        return self.fc2(x)
