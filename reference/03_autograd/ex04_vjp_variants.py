"""Known mistakes and unusual but correct solutions for vjp."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "flip_minus: return -torch.zeros_like(leaf)": "minus zero is zero",
}

HINTS = (
    "backward from a vector needs one more argument. What does it mean?",
    "backward(v) and torch.autograd.grad(y, x, v) weight output i by v[i] and add up. Work on your own leaf "
    "with the values of x, and use the function that returns gradients rather than the one that writes into "
    ".grad.",
    "Detach x, make it require grad, call f. Compare shapes yourself, and return zeros if the output has no "
    "graph. Then one call of torch.autograd.grad with v as grad_outputs, which must not mind an unused leaf.",
)


ignores_v = mistake.edited("grad(y, leaf, v,", "grad(y, leaf, torch.ones_like(y),",
    "The result does not depend on v: f(x).sum() weights every output by 1. Pass v as the upstream gradient.",
    pitfall="f(x).sum() is the special case")

clears_the_old_grad = mistake.edited("if not y.requires_grad:",
    """
    if x.is_leaf:
        x.grad = None
    if not y.requires_grad:
    """,
    "The old .grad was cleared, which belongs to the caller: use your own leaf, which has its own .grad.")

zeroes_the_old_grad = mistake.edited("if not y.requires_grad:",
    """
    if x.is_leaf and x.grad is not None:
        x.grad.zero_()
    if not y.requires_grad:
    """,
    "The old .grad was set to zero, which belongs to the caller: use your own leaf, which has its own .grad.")

averages_the_outputs = mistake.edited("grad(y, leaf, v,", "grad(y, leaf, v / max(y.numel(), 1),",
    "The result is too small by the number of outputs: differentiate the sum of v * f(x), not the mean.")

pushes_v_forward = mistake.edited("if not y.requires_grad:", "if True:",
    "You computed the Jacobian times v, which pushes v forward from input to output. Here v belongs to the outputs and goes "
    "backward: pass it to grad or backward.",
    also=[("torch.zeros_like(leaf)", "torch.func.jvp(f, (x.detach(),), (v.detach(),))[1].detach()")])

weights_after_the_sum = mistake.edited("grad(y, leaf, v,", "grad(y, leaf, torch.ones_like(y),",
    "You multiplied by v after the gradient was taken. That is right only if output i depends on x[i] alone: the weights must "
    "be applied before the derivatives are added up.",
    also=[("return grad", "return grad * v.detach()")])


@mistake("vjp")
def writes_into_x_grad(f, x, v):
    """x.grad was changed: backward on x itself adds to whatever is there. Work on your own copy made with detach,
    or use torch.autograd.grad."""
    if not x.requires_grad:
        x.requires_grad_()
    if not x.is_leaf:
        x.retain_grad()
    y = f(x)
    if y.shape != v.shape:
        raise ValueError("v and f(x) differ in shape")
    if y.requires_grad:
        y.backward(v.detach())
    return torch.zeros_like(x) if x.grad is None else x.grad


leaves_x_requiring_grad = mistake.edited("x.detach().requires_grad_()", "x.requires_grad_()",
    "x requires grad afterwards but did not before: turn it on for a detached copy, not for the caller's tensor.")

fills_the_grad_of_others = mistake.edited(
    """
    (grad,) = torch.autograd.grad(y, leaf, v, materialize_grads=True)
    return grad
    """,
    """
    y.backward(v.detach())
    return torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
    """,
    "Other tensors that f uses got something added to their .grad: backward fills every leaf it reaches. Use "
    "torch.autograd.grad, or backward with inputs=.")

lets_v_broadcast = mistake.edited("if y.shape != v.shape:", "if False:",
    "A v of a different shape was silently broadcast against the outputs: compare the two shapes and raise a ValueError.",
    also=[("grad(y, leaf, v,", "grad((y * v.detach()).sum(), leaf,")])

stumbles_over_constants = mistake.edited("if not y.requires_grad:", "if False:",
    "A function that does not depend on x raised an error: its gradient is all zeros, but autograd raises an error unless you "
    "handle that case.",
    also=[(", materialize_grads=True", "")])

none_for_an_unused_x = mistake.edited("materialize_grads=True", "allow_unused=True",
    "For an x that f does not use you returned None: return zeros in the shape of x.")

leaf_counts_as_a_constant = mistake.edited("if not y.requires_grad:", "if y.grad_fn is None:",
    "A function that returns its input got the gradient zero: a leaf has no grad_fn, but it requires grad. Check requires_grad.")

constants_before_the_shape = mistake.edited(
    """
    if y.shape != v.shape:
        raise ValueError(f"v has shape {tuple(v.shape)}, but f(x) has shape {tuple(y.shape)}")
    if not y.requires_grad:
        return torch.zeros_like(leaf)
    """,
    """
    if not y.requires_grad:
        return torch.zeros_like(leaf)
    if y.shape != v.shape:
        raise ValueError(f"v has shape {tuple(v.shape)}, but f(x) has shape {tuple(y.shape)}")
    """,
    "Where f(x) has no graph, a v of another shape was accepted: compare the shapes first, in every case.")

zeros_in_the_shape_of_the_output = mistake.edited("return torch.zeros_like(leaf)", "return torch.zeros_like(y)",
    "For a function that does not depend on x the zeros have the shape of f(x): they need the shape of x.")

leaves_the_shapes_to_pytorch = mistake.edited(
    """
    if y.shape != v.shape:
        raise ValueError(f"v has shape {tuple(v.shape)}, but f(x) has shape {tuple(y.shape)}")
    """,
    "",
    "A v of another shape raised PyTorch's error and not a ValueError: compare the two shapes yourself, before the backward pass.")

keeps_a_graph = mistake.edited("grad(y, leaf, v,", "grad(y, leaf, v.detach(), create_graph=True,",
    "The result requires grad, so it still has a graph: treat v as a constant, and return the gradient detached, "
    "without create_graph.")

needs_a_contiguous_v = mistake.edited("if not y.requires_grad:", "flat = v.detach().view(-1)\nif not y.requires_grad:",
    "An expanded or transposed v raised an error: view needs elements in memory order. Use reshape, or pass v "
    "unchanged.",
    also=[("grad(y, leaf, v,", "grad(y.reshape(-1), leaf, flat,")])

works_on_x_itself = mistake.edited("leaf = x.detach()", "leaf = x if x.requires_grad else x.detach()",
    "x.grad changed: your backward pass reached x itself. Work on a detached copy of x in every case, also where "
    "x already requires grad.",
    also=[
        ("if not y.requires_grad:", "leaf.grad = None\nif not y.requires_grad:"),
        ("""
        (grad,) = torch.autograd.grad(y, leaf, v, materialize_grads=True)
        return grad
        """,
        """
        y.backward(v.detach(), inputs=[leaf])
        return torch.zeros_like(x) if leaf.grad is None else leaf.grad
        """),
    ])


@mistake("vjp")
def puts_back_what_there_was(f, x, v):
    """x.grad was None before and is a gradient now: restore None, too, or better, use a detached copy of x."""
    mine = x.requires_grad and x.is_leaf
    leaf, old = x if mine else x.detach().requires_grad_(), x.grad if mine else None
    y = f(leaf)
    if y.shape != v.shape:
        raise ValueError("v and f(x) differ in shape")
    leaf.grad = None
    if y.requires_grad:
        y.backward(v.detach(), inputs=[leaf])
    result = torch.zeros_like(x).detach() if leaf.grad is None else leaf.grad.clone()
    if old is not None:
        leaf.grad = old
    return result


calls_f_twice = mistake.edited("if y.shape != v.shape:", "if f(x.detach()).shape != v.shape:",
    "f was called twice: call it once, and use that result for the shape and for the gradient.")


@mistake("vjp", forbidden="torch.func")
def takes_the_ready_made_one(f, x, v):
    """A ready-made function (torch.func, torch.autograd.functional) does all the work here: write it with backward or
    torch.autograd.grad instead."""
    y, pull_back = torch.func.vjp(f, x.detach())
    if y.shape != v.shape:
        raise ValueError("v and f(x) differ in shape")
    return pull_back(v.detach())[0].detach()


@mistake("vjp", forbidden="torch.autograd.functional")
def takes_the_ready_made_one_of_autograd(f, x, v):
    """torch.autograd.functional does all the work here: write it with backward or torch.autograd.grad instead."""
    with torch.no_grad():
        y = f(x.detach())
    if y.shape != v.shape:
        raise ValueError("v and f(x) differ in shape")
    return torch.autograd.functional.vjp(f, x.detach(), v.detach())[1]


compares_numbers_of_elements = mistake.edited("y.shape != v.shape", "y.numel() != v.numel()",
    "A v with the right number of elements but a different shape was accepted: compare the shapes themselves.",
    also=[("grad(y, leaf, v,", "grad(y, leaf, v.detach().reshape(y.shape),")])


@alternative("vjp")
def sums_the_weighted_outputs(f, x, v):
    """Reduces to one number with v inside, then differentiates that."""
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    if y.shape != v.shape:
        raise ValueError(f"{v.shape} is not {y.shape}")
    total = (y * v.detach()).sum() + 0 * leaf.sum()
    return torch.autograd.grad(total, leaf)[0].detach()


@alternative("vjp")
def backward_into_a_private_leaf(f, x, v):
    """Uses backward with inputs=, so that only the private leaf collects."""
    leaf = x.detach().clone()
    leaf.requires_grad = True
    before = torch.is_grad_enabled()
    torch.set_grad_enabled(True)
    try:
        y = f(leaf)
    finally:
        torch.set_grad_enabled(before)
    if list(y.shape) != list(v.shape):
        raise ValueError("shapes differ")
    if y.requires_grad:
        y.backward(gradient=v.detach().clone(), inputs=[leaf])
    if leaf.grad is None:
        return torch.zeros(x.shape, dtype=x.dtype, device=x.device)
    return leaf.grad
