"""(a) The mean divides by N, the number of rows, not by N * n_out: all gradients are n_out times too large. (b) The gradient of y has the wrong sign: diff = out - y, so it is minus the gradient of diff."""
import torch


def _dense_backward(inputs, W, upstream):
    return upstream.T @ inputs, upstream.sum(axis=0), upstream @ W


def mlp_backward(
    x: torch.Tensor,
    y: torch.Tensor,
    W1: torch.Tensor,
    b1: torch.Tensor,
    W2: torch.Tensor,
    b2: torch.Tensor,
) -> dict[str, torch.Tensor]:
    with torch.no_grad():
        # forward
        pre = x @ W1.T + b1
        h = torch.clamp(pre, min=0)
        out = h @ W2.T + b2
        diff = out - y

        # backward
        N = len(x)
        grads = {}
        grads["sq"] = torch.ones_like(diff) / N
        grads["diff"] = 2 * diff * grads["sq"]
        grads["out"] = grads["diff"]
        grads["y"] = grads["diff"]
        grads["W2"], grads["b2"], grads["h"] = _dense_backward(h, W2, grads["out"])
        grads["pre"] = grads["h"] * (pre > 0)
        grads["W1"], grads["b1"], grads["x"] = _dense_backward(x, W1, grads["pre"])
        return grads
