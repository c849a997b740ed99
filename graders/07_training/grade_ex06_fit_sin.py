"""Hidden checks for fit_sin: its trajectory from its own start, recomputed here."""

import copy
import math

import torch
from torch import nn

from torchdojo.grading import check

CONCEPTS = ("F02", "F08", "I07", "I15")

SHAPES = [(1,), (1, 16), (16,), (16, 1)]


def parameters(model):
    """Copies of the parameters, on the CPU, by their shape."""
    return {str(tuple(p.shape)): p.detach().cpu().clone() for p in model.parameters()}


def places(model):
    return sorted({str(p.device) for p in model.parameters()})


def random_numbers(seed):
    """Set the global generator; returns the state that it then has."""
    torch.manual_seed(seed)
    return torch.get_rng_state()


def by_hand(weights, x):
    """The network, written out."""
    hidden = (x * weights["(16, 1)"].T + weights["(16,)"]).clamp(min=0)
    return hidden @ weights["(1, 16)"].T + weights["(1,)"]


def expected_losses(weights, steps):
    """The losses before each of so many steps of Adam, and the loss after them, from these weights."""
    weights = {name: w.clone().requires_grad_() for name, w in weights.items()}
    dtype = weights["(1,)"].dtype
    x = torch.tensor([[-math.pi + 2 * math.pi * k / 199] for k in range(200)], dtype=dtype)
    moments = {name: [torch.zeros_like(w), torch.zeros_like(w)] for name, w in weights.items()}
    losses = []
    for step in range(1, steps + 2):
        loss = ((by_hand(weights, x) - x.sin()) ** 2).mean()
        losses.append(loss.item())
        grads = torch.autograd.grad(loss, list(weights.values()))
        with torch.no_grad():
            for (name, w), grad in zip(weights.items(), grads, strict=True):
                mean, square = moments[name]
                mean.mul_(0.9).add_(grad, alpha=0.1)
                square.mul_(0.999).add_(grad**2, alpha=0.001)
                w.sub_(0.01 * (mean / (1 - 0.9**step)) / ((square / (1 - 0.999**step)).sqrt() + 1e-8))
    return losses


def wrong_weights(weights):
    if sorted(weights) != sorted(str(shape) for shape in SHAPES):
        return f"the parameters have the shapes {', '.join(sorted(weights))}; wanted those of two linear layers, 1 to 16 and 16 to 1"


@check(points=3, seed=[1, 2, 3], steps=[1, 12, 30])
def follows_adam_from_its_own_start(solution, seed, steps, device):
    """The history is that of Adam with learning rate 0.01 on all the data."""
    with torch.random.fork_rng(devices=[]):
        start, _ = solution.fit_sin(seed, device, 0)
        found = {"start": parameters(start)}
        model, history = solution.fit_sin(seed=seed, device=device, steps=steps)
    x = torch.linspace(-3.0, 3.0, 21, device=device).unsqueeze(-1)
    y = model(x).detach().cpu()
    return found | {"history": history, "end": parameters(model), "y": y, "on": places(model), "device": places(torch.zeros(1)) }
