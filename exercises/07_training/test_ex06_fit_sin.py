"""Visible tests for fit_sin: pytest exercises/07_training -k fit_sin"""

import torch

from ex06_fit_sin import fit_sin


def test_fit_sin_learns_the_sine():
    """After 1000 steps the curve is close to the sine everywhere."""
    model, history = fit_sin(seed=1, device="cpu")
    x = torch.linspace(-3.0, 3.0, 50).unsqueeze(-1)

    error = (model(x) - x.sin()).detach().pow(2).mean()

    assert len(history) == 1000
    assert error < 0.01


def test_fit_sin_has_16_hidden_units():
    """16 + 16 + 16 + 1 numbers are learned."""
    model, history = fit_sin(seed=1, device="cpu", steps=0)

    assert sum(p.numel() for p in model.parameters()) == 49
    assert history == []


def test_fit_sin_is_reproducible():
    """The same seed gives the same history, to the last digit."""
    first = fit_sin(seed=3, device="cpu", steps=5)[1]
    second = fit_sin(seed=3, device="cpu", steps=5)[1]

    assert first == second and len(first) == 5
