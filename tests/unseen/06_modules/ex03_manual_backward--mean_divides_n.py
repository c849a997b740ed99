"""(a) The mean divides by N, the number of rows, not by N * n_out: all gradients are n_out times too large. (b) The gradient of y has the wrong sign: diff = out - y, so it is minus the gradient of diff."""
import torch


def _dense_backward(inputs, W, upstream):
    """Gradients of inputs @ W.T + b: (dW, db, dinputs)."""
    return upstream.T @ inputs, upstream.sum(axis=0), upstream @ W


def mlp_backward(
    x: torch.Tensor,
    y: torch.Tensor,
    W1: torch.Tensor,
    b1: torch.Tensor,
    W2: torch.Tensor,
    b2: torch.Tensor,
) -> dict[str, torch.Tensor]:
    """Return the gradient of the loss for every tensor of the computation, by name.

    The forward pass, with N examples:
        pre  = x @ W1.T + b1
        h    = pre where pre > 0, else 0       (ReLU; its derivative at 0 is 0)
        out  = h @ W2.T + b2
        diff = out - y
        sq   = diff * diff
        loss = the mean of all N * n_out numbers in sq

    Shapes:
        x  (N, n_in)           y  (N, n_out)
        W1 (n_hidden, n_in)    b1 (n_hidden,)
        W2 (n_out, n_hidden)   b2 (n_out,)
        result: a dict with the keys "sq", "diff", "out", "h", "pre", "W2", "b2", "W1", "b1",
        "x", "y", in any order. The value is the derivative of loss by that tensor: same shape and dtype.

    Example:
        >>> one = torch.ones(1, 1)
        >>> grads = mlp_backward(one, 5 * one, 2 * one, torch.zeros(1), 3 * one, torch.zeros(1))
        >>> {name: grads[name].item() for name in ("diff", "W2", "W1", "x")}
        {'diff': 2.0, 'W2': 4.0, 'W1': 6.0, 'x': 12.0}

    Pitfall:
        h is never negative, so the test h >= 0 is true everywhere and stops nothing.
        Look at pre, or at h > 0.

    Not allowed: backward and torch.autograd; compute the gradients by hand.

    For full marks:
        * Inputs may require grad and have a .grad: both stay as they were, and the result still has no
          graph.
        * The function also works inside torch.no_grad().
    """
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
