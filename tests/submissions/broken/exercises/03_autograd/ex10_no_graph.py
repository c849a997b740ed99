"""Vorhersage ohne Graph, für die Prüfung"""

import torch

TITLE = "Prüfung"


def predict(model, x):
    with torch.no_grad():
        return model(x)
