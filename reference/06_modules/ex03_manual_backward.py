"""Reference solution for mlp_backward."""

import torch


@torch.no_grad()
def mlp_backward(
    x: torch.Tensor,
    y: torch.Tensor,
    W1: torch.Tensor,
    b1: torch.Tensor,
    W2: torch.Tensor,
    b2: torch.Tensor,
) -> dict[str, torch.Tensor]:
    """Return the gradient of the loss for every tensor of the computation, by name."""
    pre = x @ W1.T + b1
    h = pre.clamp(min=0)
    diff = h @ W2.T + b2 - y

    d = {"sq": torch.full_like(diff, 1 / diff.numel())}
    d["diff"] = d["sq"] * 2 * diff
    d["out"] = d["diff"]
    d["y"] = -d["diff"]
    d["W2"] = d["out"].T @ h
    d["b2"] = d["out"].sum(0)
    d["h"] = d["out"] @ W2
    d["pre"] = d["h"] * (pre > 0)
    d["W1"] = d["pre"].T @ x
    d["b1"] = d["pre"].sum(0)
    d["x"] = d["pre"] @ W1
    return d
