"""Bias gradients are averaged, and W2's gradient uses pre for h."""
import torch

def mlp_backward(x, y, W1, b1, W2, b2):
    with torch.no_grad():
        z = x @ W1.T + b1
        a = torch.relu(z)
        d = a @ W2.T + b2 - y
        n = d.numel()
        dsq = torch.full_like(d, 1 / n)
        dd = 2 * d / n
        dh = dd @ W2
        dz = torch.where(z > 0, dh, torch.zeros_like(dh))
        return {
            "sq": dsq, "diff": dd, "out": dd.clone(), "y": -dd,
            "W2": dd.T @ z, "b2": dd.mean(0), "h": dh, "pre": dz,
            "W1": dz.T @ x, "b1": dz.mean(0), "x": dz @ W1,
        }
