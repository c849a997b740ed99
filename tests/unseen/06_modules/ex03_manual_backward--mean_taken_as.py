"""(a) The mean is taken as a division by N, not by N * n_out, so with several outputs all gradients are n_out times too large. (b) The gradient of y has the sign of diff's gradient; the minus of diff = out - y is forgotten."""
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
        x, y, W1, b1, W2, b2 = (t.detach() for t in (x, y, W1, b1, W2, b2))
        n = len(x)

        # forward
        pre = torch.addmm(b1, x, W1.T)
        h = torch.relu(pre)
        out = torch.addmm(b2, h, W2.T)
        diff = out - y

        # backward
        grads = {}
        grads["sq"] = torch.full_like(diff, 1 / n)
        grads["diff"] = 2 * diff * grads["sq"]
        grads["out"] = grads["diff"].clone()
        grads["y"] = grads["diff"].clone()
        grads["W2"] = grads["out"].T @ h
        grads["b2"] = grads["out"].sum(dim=0)
        grads["h"] = grads["out"] @ W2
        grads["pre"] = torch.where(pre > 0, grads["h"], torch.zeros_like(pre))
        grads["W1"] = grads["pre"].T @ x
        grads["b1"] = grads["pre"].sum(dim=0)
        grads["x"] = grads["pre"] @ W1
    return grads
