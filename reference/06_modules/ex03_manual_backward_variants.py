"""Known mistakes and odd-but-correct solutions for mlp_backward."""

import torch
from ex03_manual_backward import mlp_backward

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "in_place: h = pre.clamp_(min=0)": "pre is a temporary tensor, and after clamping it is above 0 in the same places",
}

HINTS = (
    "Start at the loss and go back one line at a time. After each line compare the shape of your gradient "
    "with the shape of the tensor it belongs to.",
    "For out = h @ W.T + b: the gradient of h is d_out @ W, that of W is d_out transposed @ h, and that of b "
    "is the sum of d_out over the examples. The gradient flows through ReLU where pre was above 0.",
    "sq: one over the number of elements. diff: that times two times diff. out: the same, y: its negative. "
    "Then the three rules of the linear layer, the mask of ReLU, and the three rules again with W1, pre and "
    "x.",
)


@torch.no_grad()
def _backward(x, y, W1, b1, W2, b2, *, two=2, count=None, mask=None, bias=lambda d: d.sum(0), flip=False, seen=None):
    """The reference with its lines as arguments, so that each mistake shows its line."""
    pre = x @ W1.T + b1
    h = pre.clamp(min=0)
    diff = h @ W2.T + b2 - y
    d = {"sq": torch.full_like(diff, 1 / (count(diff) if count else diff.numel()))}
    d["diff"] = d["out"] = d["sq"] * two * diff
    d["y"] = d["diff"] if flip else -d["diff"]
    d["W2"] = d["out"].T @ (seen(pre, h) if seen else h)
    d["b2"] = bias(d["out"])
    d["h"] = d["out"] @ W2
    d["pre"] = d["h"] * (mask(pre, h) if mask else pre > 0)
    d["W1"] = d["pre"].T @ x
    d["b1"] = bias(d["pre"])
    d["x"] = d["pre"] @ W1
    return d


@mistake("mlp_backward")
def forgets_the_two(x, y, W1, b1, W2, b2):
    """Everything from diff on is half of what it should be: the derivative of diff * diff is 2 * diff."""
    return _backward(x, y, W1, b1, W2, b2, two=1)


@mistake("mlp_backward")
def sums_instead_of_averaging(x, y, W1, b1, W2, b2):
    """The gradients belong to the sum of squares: the loss is their mean,
    divide by the number of elements.
    """
    return _backward(x, y, W1, b1, W2, b2, count=lambda diff: 1)


@mistake("mlp_backward")
def divides_by_examples_only(x, y, W1, b1, W2, b2):
    """The mean runs over N * n_out numbers, but you divided by N only:
    with one output the two are the same.
    """
    return _backward(x, y, W1, b1, W2, b2, count=len)


@mistake("mlp_backward")
def lets_everything_through_relu(x, y, W1, b1, W2, b2):
    """The gradient flowed through inactive units: multiply by 1 where pre > 0, else by 0. (h >= 0 is true
    everywhere.)"""
    return _backward(x, y, W1, b1, W2, b2, mask=lambda pre, h: h >= 0)


@mistake("mlp_backward")
def passes_at_zero(x, y, W1, b1, W2, b2):
    """The gradient flowed through units whose pre is exactly 0: the derivative of ReLU there is 0, so test pre > 0."""
    return _backward(x, y, W1, b1, W2, b2, mask=lambda pre, h: pre >= 0)


@mistake("mlp_backward")
def multiplies_by_the_activation(x, y, W1, b1, W2, b2):
    """The gradient was multiplied by h on its way through ReLU: the derivative of ReLU is 1 or 0, not its value."""
    return _backward(x, y, W1, b1, W2, b2, mask=lambda pre, h: h)


@mistake("mlp_backward")
def averages_the_bias(x, y, W1, b1, W2, b2):
    """The bias gradients were averaged over the examples: one bias serves all of them, so sum."""
    return _backward(x, y, W1, b1, W2, b2, bias=lambda d: d.mean(0))


@mistake("mlp_backward")
def keeps_the_batch_axis(x, y, W1, b1, W2, b2):
    """The bias gradients have shape (1, n): a gradient has the shape of its tensor, sum without keepdim."""
    return _backward(x, y, W1, b1, W2, b2, bias=lambda d: d.sum(0, keepdim=True))


@mistake("mlp_backward")
def one_gradient_per_example(x, y, W1, b1, W2, b2):
    """The bias gradients still have one row per example: sum them over the batch."""
    return _backward(x, y, W1, b1, W2, b2, bias=lambda d: d)


@mistake("mlp_backward")
def same_sign_for_y(x, y, W1, b1, W2, b2):
    """The gradient of y has the wrong sign: y is subtracted in diff = out - y."""
    return _backward(x, y, W1, b1, W2, b2, flip=True)


@mistake("mlp_backward")
def uses_pre_for_w2(x, y, W1, b1, W2, b2):
    """W2 was multiplied by h in the forward pass, so its gradient takes h, not pre."""
    return _backward(x, y, W1, b1, W2, b2, seen=lambda pre, h: pre)


@mistake("mlp_backward")
def weights_the_other_way_round(x, y, W1, b1, W2, b2):
    """The gradients of W1 and W2 are transposed: take the gradient of the output,
    transposed, times the input.
    """
    d = _backward(x, y, W1, b1, W2, b2)
    return {**d, "W1": d["W1"].T, "W2": d["W2"].T}


@mistake("mlp_backward")
@torch.enable_grad()
def lets_autograd_do_it(x, y, W1, b1, W2, b2):
    """backward() did the work and filled the .grad of the inputs: write the eleven lines yourself."""
    leaves = {"x": x, "y": y, "W1": W1, "b1": b1, "W2": W2, "b2": b2}
    for leaf in leaves.values():
        leaf.requires_grad_()
    pre = x @ W1.T + b1
    h = torch.relu(pre)
    out = h @ W2.T + b2
    diff = out - y
    sq = diff * diff
    middle = {"pre": pre, "h": h, "out": out, "diff": diff, "sq": sq}
    for tensor in middle.values():
        tensor.retain_grad()
    sq.mean().backward()
    return {name: tensor.grad for name, tensor in {**leaves, **middle}.items()}


@mistake("mlp_backward")
def keeps_the_graph(x, y, W1, b1, W2, b2):
    """The results are part of a graph when an input requires grad: compute under no_grad, or detach."""
    d = mlp_backward(x, y, W1, b1, W2, b2)
    zero = 0 * W1.sum()
    return {name: value + zero for name, value in d.items()}


@mistake("mlp_backward")
def freezes_the_inputs(x, y, W1, b1, W2, b2):
    """requires_grad_(False) was called on the caller's tensors, which stay frozen: work under torch.no_grad(), or on detached ones."""
    for t in (x, y, W1, b1, W2, b2):
        t.requires_grad_(False)
    return mlp_backward(x, y, W1, b1, W2, b2)


@mistake("mlp_backward")
def takes_small_for_zero(x, y, W1, b1, W2, b2):
    """The gradient was stopped where pre is only close to 0 (isclose, or a small threshold): test pre > 0."""
    return _backward(x, y, W1, b1, W2, b2, mask=lambda pre, h: (pre > 0) & ~torch.isclose(pre, torch.zeros_like(pre)))


@alternative("mlp_backward")
def one_example_at_a_time(x, y, W1, b1, W2, b2):
    """Outer products, one example at a time, added up."""
    x, y, W1, b1, W2, b2 = (t.detach() for t in (x, y, W1, b1, W2, b2))
    rows = {name: [] for name in ("sq", "diff", "h", "pre", "x")}
    dW1, db1, dW2, db2 = (torch.zeros_like(t) for t in (W1, b1, W2, b2))
    for xi, yi in zip(x, y, strict=True):
        pre = W1 @ xi + b1
        h = torch.relu(pre)
        diff = W2 @ h + b2 - yi
        sq = torch.ones_like(diff) / y.numel()
        d_out = 2 * diff * sq
        d_h = W2.T @ d_out
        d_pre = torch.where(pre > 0, d_h, torch.zeros_like(d_h))
        dW2 += torch.outer(d_out, h)
        db2 += d_out
        dW1 += torch.outer(d_pre, xi)
        db1 += d_pre
        for name, row in zip(rows, (sq, d_out, d_h, d_pre, W1.T @ d_pre), strict=True):
            rows[name].append(row)
    d = {name: torch.stack(values) for name, values in rows.items()}
    return {**d, "out": d["diff"].clone(), "y": -d["diff"], "W1": dW1, "b1": db1, "W2": dW2, "b2": db2}


@alternative("mlp_backward")
@torch.no_grad()
def einsum_and_sign(x, y, W1, b1, W2, b2):
    """einsum for every product; the sign of h is the mask."""
    pre = torch.einsum("ni,hi->nh", x, W1) + b1
    h = torch.maximum(pre, torch.zeros_like(pre))
    diff = torch.einsum("nh,oh->no", h, W2) + b2 - y
    scale = 2.0 / (diff.shape[0] * diff.shape[1])
    d_out = scale * diff
    d_h = torch.einsum("no,oh->nh", d_out, W2)
    d_pre = d_h * torch.sign(h)
    return {
        "x": torch.einsum("nh,hi->ni", d_pre, W1),
        "y": d_out.neg(),
        "W1": torch.einsum("nh,ni->hi", d_pre, x),
        "b1": torch.einsum("nh->h", d_pre),
        "W2": torch.einsum("no,nh->oh", d_out, h),
        "b2": torch.einsum("no->o", d_out),
        "pre": d_pre,
        "h": d_h,
        "out": d_out,
        "diff": d_out,
        "sq": torch.zeros_like(diff) + scale / 2,
    }
