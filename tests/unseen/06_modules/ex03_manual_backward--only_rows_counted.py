"""The mean is over N * n_out numbers, but I divide by N only, so every gradient is n_out times too large. And the gradient of y has no minus sign: I return the one of diff."""

import torch


def mlp_backward(x, y, W1, b1, W2, b2):
    with torch.no_grad():
        # forward again
        pre = x @ W1.T + b1
        h = pre.clamp(min=0)
        out = h @ W2.T + b2
        diff = out - y

        n = x.shape[0]

        # now from the bottom to the top
        d_sq = torch.full_like(diff, 1.0 / n)
        d_diff = d_sq * 2 * diff
        d_out = d_diff.clone()
        d_y = d_diff.clone()

        d_h = d_out @ W2
        d_W2 = d_out.T @ h
        d_b2 = d_out.sum(dim=0)

        d_pre = torch.where(pre > 0, d_h, torch.zeros_like(d_h))
        d_W1 = d_pre.T @ x
        d_b1 = d_pre.sum(dim=0)
        d_x = d_pre @ W1

    grads = {}
    grads["sq"] = d_sq
    grads["diff"] = d_diff
    grads["out"] = d_out
    grads["h"] = d_h
    grads["pre"] = d_pre
    grads["W2"] = d_W2
    grads["b2"] = d_b2
    grads["W1"] = d_W1
    grads["b1"] = d_b1
    grads["x"] = d_x
    grads["y"] = d_y
    return grads
