"""Exercise: 08_debugging/bonus1_double_softmax.
The labels become integers by way of a list, and arrive on the CPU.
"""

import torch
from torch import nn
from torch.nn import functional as F

REPAIRED = True


class SmallClassifier(nn.Module):
    def __init__(self, features, hidden, classes):
        super().__init__()
        self.fc1 = nn.Linear(features, hidden)
        self.fc2 = nn.Linear(hidden, classes)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


def labels_loss(model, x, labels):
    whole = torch.tensor([int(v) for v in labels.tolist()])
    return F.cross_entropy(model(x), whole)


def class_probabilities(model, x):
    return torch.softmax(model(x), dim=1)
