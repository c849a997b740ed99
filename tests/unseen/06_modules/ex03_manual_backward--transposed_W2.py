"""The gradient of W2 is h.T @ d_out, which has the transposed shape."""
import torch


def mlp_backward(x, y, W1, b1, W2, b2):
    with torch.no_grad():
        pre = x @ W1.T + b1
        h = pre.clamp(min=0)
        out = h @ W2.T + b2
        diff = out - y
        d_sq = torch.ones_like(diff) / diff.numel()
        d_diff = 2 * diff * d_sq
        d_out = d_diff
        d_h = d_out @ W2
        d_pre = d_h * (pre > 0)
        return {
            "sq": d_sq, "diff": d_diff, "out": d_out, "h": d_h, "pre": d_pre,
            "W2": h.T @ d_out, "b2": d_out.sum(0),
            "W1": d_pre.T @ x, "b1": d_pre.sum(0),
            "x": d_pre @ W1, "y": -d_diff,
        }
