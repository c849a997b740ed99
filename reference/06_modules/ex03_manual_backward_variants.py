"""Known mistakes and unusual but correct solutions for mlp_backward."""

import torch

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


forgets_the_two = mistake.edited('d["sq"] * 2 * diff', 'd["sq"] * diff',
    "Everything from diff on is half of what it should be: the derivative of diff * diff is 2 * diff.")

sums_instead_of_averaging = mistake.edited("1 / diff.numel()", "1.0",
    "The gradients belong to the sum of squares: the loss is their mean, so divide by the number of elements.")

divides_by_examples_only = mistake.edited("diff.numel()", "len(diff)",
    "The mean runs over N * n_out numbers, but you divided by N only: with one output the two are the same.")

ones_for_sq = mistake.edited('torch.full_like(diff, 1 / diff.numel())', 'torch.ones_like(diff)',
    "The gradient of sq is too large, though those after it are right: loss is a mean, so each number of sq counts 1 / (N * n_out).",
    also=[('d["sq"] * 2 * diff', '2 * diff / diff.numel()')])

squares_for_sq = mistake.edited('torch.full_like(diff, 1 / diff.numel())', 'diff * diff / diff.numel()',
    "Your sq holds the squares, divided by their count. The gradient of a mean is the same for each number in it: 1 / (N * n_out).",
    also=[('d["sq"] * 2 * diff', '2 * diff / diff.numel()')])

lets_everything_through_relu = mistake.edited("(pre > 0)", "(h >= 0)",
    "The gradient flowed through inactive units: multiply by 1 where pre > 0, else by 0. (h >= 0 is true everywhere.)",
    pitfall="h >= 0 is true everywhere")

passes_at_zero = mistake.edited("(pre > 0)", "(pre >= 0)",
    "The gradient flowed through units whose pre is exactly 0: the derivative of ReLU there is 0, so test pre > 0.")

multiplies_by_the_activation = mistake.edited("(pre > 0)", "h",
    "The gradient was multiplied by h on its way through ReLU: the derivative of ReLU is 1 or 0, not its value.")

x_skips_relu = mistake.edited('d["pre"] @ W1', 'd["h"] @ W1',
    "The gradient of x did not go back through ReLU: it starts from the gradient of pre, not from that of h.")

overwrites_h = mistake.edited('d["h"] * (pre > 0)', 'd["h"].mul_(pre > 0)',
    "Your gradient of h is that of pre: keep the one from before ReLU's mask as h, and make a new tensor for pre.")

averages_the_bias = mistake.edited('d["out"].sum(0)', 'd["out"].mean(0)',
    "The bias gradients were averaged over the examples: one bias serves all of them, so sum.",
    also=[('d["pre"].sum(0)', 'd["pre"].mean(0)')])

keeps_the_batch_axis = mistake.edited('d["out"].sum(0)', 'd["out"].sum(0, keepdim=True)',
    "The bias gradients have shape (1, n): a gradient has the shape of its tensor, so sum without keepdim.",
    also=[('d["pre"].sum(0)', 'd["pre"].sum(0, keepdim=True)')])

one_gradient_per_example = mistake.edited('d["out"].sum(0)', 'd["out"]',
    "The bias gradients still have one row per example: sum them over the batch.",
    also=[('d["pre"].sum(0)', 'd["pre"]')])

same_sign_for_y = mistake.edited('-d["diff"]', 'd["diff"]',
    "The gradient of y has the wrong sign: y is subtracted in diff = out - y.")

no_gradient_for_y = mistake.edited('-d["diff"]', 'torch.zeros_like(y)',
    "The gradient of y is zeros, but y is part of diff = out - y: its gradient is that of diff with the other sign.")

turns_diff_round = mistake.edited("diff = h @ W2.T + b2 - y", "diff = y - (h @ W2.T + b2)",
    "Every gradient from diff on has the wrong sign, as if diff were y - out: it is out - y.")

turns_only_diff_round = mistake.edited('d["diff"] = d["sq"] * 2 * diff', 'd["diff"] = d["sq"] * 2 * -diff',
    "The gradient of diff has the wrong sign, though those after it are right, as if diff were y - out: it is out - y.",
    also=[('d["out"] = d["diff"]', 'd["out"] = -d["diff"]'), ('-d["diff"]', 'd["diff"]')])

uses_pre_for_w2 = mistake.edited('d["out"].T @ h', 'd["out"].T @ pre',
    "W2 was multiplied by h in the forward pass, so its gradient takes h, not pre.")

weights_the_other_way_round = mistake.edited('d["out"].T @ h', 'h.T @ d["out"]',
    "The gradients of W1 and W2 are transposed: take the gradient of the output, transposed, times the input.",
    also=[('d["pre"].T @ x', 'x.T @ d["pre"]')])


@mistake("mlp_backward", forbidden="backward")
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


@mistake("mlp_backward", forbidden="torch.autograd")
@torch.enable_grad()
def asks_autograd_for_all(x, y, W1, b1, W2, b2):
    """torch.autograd computed the gradients: write the eleven lines yourself."""
    leaves = {"x": x, "y": y, "W1": W1, "b1": b1, "W2": W2, "b2": b2}
    leaves = {name: leaf.detach().clone().requires_grad_() for name, leaf in leaves.items()}
    pre = leaves["x"] @ leaves["W1"].T + leaves["b1"]
    h = torch.relu(pre)
    out = h @ leaves["W2"].T + leaves["b2"]
    diff = out - leaves["y"]
    sq = diff * diff
    both = {**leaves, "pre": pre, "h": h, "out": out, "diff": diff, "sq": sq}
    return dict(zip(both, torch.autograd.grad(sq.mean(), list(both.values())), strict=True))


keeps_the_graph = mistake.edited("@torch.no_grad()", "",
    "The results are part of a graph when an input requires grad: compute under no_grad, or detach.")

freezes_the_inputs = mistake.edited("pre = x @ W1.T + b1",
    """
    for t in (x, y, W1, b1, W2, b2):
        t.requires_grad_(False)
    pre = x @ W1.T + b1
    """,
    "The caller's tensors no longer require grad afterwards: leave them alone, and work under torch.no_grad() or on detached ones.")

takes_small_for_zero = mistake.edited("(pre > 0)", "((pre > 0) & ~torch.isclose(pre, torch.zeros_like(pre)))",
    "The gradient was stopped where pre is only close to 0 (isclose, or a small threshold): test pre > 0.")


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
