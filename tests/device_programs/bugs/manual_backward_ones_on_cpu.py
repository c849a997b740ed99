"""Exercise: 06_modules/ex03_manual_backward.
The sums over the examples are products with ones made on the CPU.
"""

import torch


def mlp_backward(x, y, W1, b1, W2, b2):
    with torch.no_grad():
        ones = torch.ones(x.shape[0], dtype=x.dtype)
        pre = x @ W1.T + b1
        h = pre.clamp(min=0)
        diff = h @ W2.T + b2 - y
        g = {"sq": torch.full_like(diff, 1 / diff.numel())}
        g["diff"] = 2 * diff * g["sq"]
        g["out"] = g["diff"]
        g["y"] = -g["diff"]
        g["W2"] = g["out"].T @ h
        g["b2"] = ones @ g["out"]
        g["h"] = g["out"] @ W2
        g["pre"] = g["h"] * (pre > 0)
        g["W1"] = g["pre"].T @ x
        g["b1"] = ones @ g["pre"]
        g["x"] = g["pre"] @ W1
    return g
