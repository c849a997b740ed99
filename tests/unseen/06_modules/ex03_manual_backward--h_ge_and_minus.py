"""pre: use h > 0. y: its sign is reversed."""
import torch

def mlp_backward(x, y, W1, b1, W2, b2):
    with torch.no_grad():
        pre = x @ W1.T + b1
        h = pre.clamp(min=0)
        out = h @ W2.T + b2
        diff = out - y
        g = {}
        g["sq"] = torch.ones_like(diff) / diff.numel()
        g["diff"] = 2 * diff * g["sq"]
        g["out"] = g["diff"].clone()
        g["y"] = g["diff"].clone()
        g["W2"] = g["out"].T @ h
        g["b2"] = g["out"].sum(0)
        g["h"] = g["out"] @ W2
        g["pre"] = g["h"] * (h >= 0)
        g["W1"] = g["pre"].T @ x
        g["b1"] = g["pre"].sum(0)
        g["x"] = g["pre"] @ W1
        return g
