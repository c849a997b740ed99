"""(a) "sq" is 1 / N instead of 1 / (N * n_out), so all gradients are too large by the factor n_out. (b) The gradient of y has the sign of that of diff; it should be its negative."""
import torch


def mlp_backward(
    x: torch.Tensor,
    y: torch.Tensor,
    W1: torch.Tensor,
    b1: torch.Tensor,
    W2: torch.Tensor,
    b2: torch.Tensor,
) -> dict[str, torch.Tensor]:
    with torch.no_grad():
        N = x.shape[0]
        pre = x @ W1.T + b1
        h = torch.relu(pre)
        out = h @ W2.T + b2
        diff = out - y

        grads = {}
        grads["sq"] = torch.full_like(diff, 1 / N)
        grads["diff"] = 2 * diff * grads["sq"]
        grads["out"] = grads["diff"].clone()
        grads["y"] = grads["diff"].clone()
        grads["W2"] = grads["out"].T @ h
        grads["b2"] = grads["out"].sum(dim=0)
        grads["h"] = grads["out"] @ W2
        grads["pre"] = grads["h"] * (pre > 0)
        grads["W1"] = grads["pre"].T @ x
        grads["b1"] = grads["pre"].sum(dim=0)
        grads["x"] = grads["pre"] @ W1
    return grads
