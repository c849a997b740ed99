"""class_probabilities returns log probabilities."""
import torch
from torch import nn
from torch.nn import functional as F

REPAIRED = True


class SmallClassifier(nn.Module):
    def __init__(self, features: int, hidden: int, classes: int):
        super().__init__()
        self.fc1 = nn.Linear(features, hidden)
        self.fc2 = nn.Linear(hidden, classes)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


def labels_loss(model, x, labels):
    return F.cross_entropy(model(x), labels.long())


def class_probabilities(model, x):
    return F.log_softmax(model(x), dim=1)
