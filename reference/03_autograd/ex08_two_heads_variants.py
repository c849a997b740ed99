"""Known mistakes and unusual but correct solutions for two_heads."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "flip_minus: return -torch.zeros_like(leaf)": "minus zero is zero",
}

HINTS = (
    "Both losses depend on the same trunk. How many backward passes go through it, and what does the first "
    "one leave behind?",
    "The first pass must keep the graph, the second one may free it. torch.autograd.grad returns a gradient "
    "without adding it to any .grad, so the two stay apart.",
    "Make a detached copy of w that requires grad, run the trunk once, and both heads on its output. Then the "
    "gradient of the first loss with the graph retained, and that of the second loss without; return zeros "
    "for a loss that has no graph or does not reach w.",
)


def gradient(loss, leaf, **options):
    if not loss.requires_grad:
        return torch.zeros_like(leaf)
    return torch.autograd.grad(loss, leaf, materialize_grads=True, **options)[0]


both_are_the_sum = mistake.edited("return gradient(losses[0], keep=True), gradient(losses[1], keep=False)",
    """
    grad = gradient(losses[0], keep=True) + gradient(losses[1], keep=False)
    return grad, grad.clone()
    """,
    "Both results are the sum of the two gradients. Compute one for each loss: with torch.autograd.grad, or clone"
    " .grad and clear it between the passes.",
    pitfall="leave the sum of both gradients in one tensor")

second_includes_the_first = mistake.edited("return gradient(losses[0], keep=True), gradient(losses[1], keep=False)",
    """
    grad = gradient(losses[0], keep=True)
    return grad, grad + gradient(losses[1], keep=False)
    """,
    "The second gradient contains the first: backward adds to .grad, so clear it between the two passes.",
    pitfall="backward adds to .grad")

second_overwrites_the_first = mistake.edited("return gradient(losses[0], keep=True), gradient(losses[1], keep=False)",
    """
    grad = gradient(losses[0], keep=True)
    grad.copy_(gradient(losses[1], keep=False))
    return grad, grad
    """,
    "Both results are the second gradient, in one tensor: if you take .grad for the first, clone it before you clear .grad and "
    "fill it again.")

graph_is_kept_for_ever = mistake.edited("keep=False", "keep=True",
    "The graph is still there after the last pass: use retain_graph=True only for the first pass; the second one should free "
    "the graph.")

graph_is_freed_too_early = mistake.edited("keep=True", "keep=False",
    "The second pass failed because the first one freed the trunk's graph: pass retain_graph=True to the first.")

two_forward_passes = mistake.edited("head_b(hidden)", "head_b(trunk(leaf))",
    "The trunk ran twice: run it once, and keep its graph for the second backward pass.")

cuts_the_second_head_off = mistake.edited("head_b(hidden)", "head_b(hidden.detach())",
    "The second gradient is all zeros, but head_b's loss must reach w: give both heads the trunk's output, without detach.",
    also=[("keep=True", "keep=False")])

adds_to_the_grad_of_w = mistake.edited("return gradient(losses[0], keep=True), gradient(losses[1], keep=False)",
    """
    grad_a, grad_b = gradient(losses[0], keep=True), gradient(losses[1], keep=False)
    if w.is_leaf:
        w.requires_grad_()
        w.grad = grad_b.clone() if w.grad is None else w.grad + grad_b
    return grad_a, grad_b
    """,
    "w.grad was changed: work on a detached copy of w, or use torch.autograd.grad.")

fills_the_grad_of_others = mistake.edited(
    "return torch.autograd.grad(loss, leaf, retain_graph=keep, materialize_grads=True)[0]",
    """
    loss.backward(retain_graph=keep)
    grad, leaf.grad = leaf.grad, None
    return torch.zeros_like(leaf) if grad is None else grad
    """,
    "Tensors that the trunk or the heads use got something added to their .grad: backward fills every leaf it reaches. Use "
    "torch.autograd.grad, or backward with inputs=.")

results_keep_a_graph = mistake.edited("retain_graph=keep", "create_graph=True",
    "The gradients require grad and keep their graph: create_graph=True is only for gradients of gradients.",
    about=("one_forward_pass_and_its_graph_is_freed", "leaves_w_as_it_was"))

stumbles_over_constants = mistake.edited("if not loss.requires_grad:", "if False:",
    "A head that does not use the trunk's output raised an error: its gradient is all zeros, but autograd raises an error "
    "unless you handle that case.",
    also=[(", materialize_grads=True", "")])

none_for_an_unused_head = mistake.edited("materialize_grads=True", "allow_unused=True",
    "For a head that does not use the trunk's output you returned None: return zeros in the shape of w.")

makes_w_require_grad = mistake.edited("w.detach().requires_grad_()", "w.requires_grad_()",
    "w requires grad afterwards but did not before: turn it on for a detached copy, not for the caller's tensor.")

clone_is_not_a_leaf = mistake.edited("w.detach().requires_grad_()", "w.clone().requires_grad_()",
    "Where w requires grad, its clone is the result of an operation: backward goes on into w, and the clone keeps no .grad. "
    "Detach first.",
    also=[("return torch.autograd.grad(loss, leaf, retain_graph=keep, materialize_grads=True)[0]",
        """
        (grad,) = torch.autograd.grad(loss, leaf, retain_graph=True, materialize_grads=True)
        if leaf.is_leaf:
            return torch.autograd.grad(loss, leaf, retain_graph=keep, materialize_grads=True)[0]
        leaf.backward(grad, retain_graph=keep)
        return torch.zeros_like(leaf).detach()
        """)])

leaf_counts_as_a_constant = mistake.edited("if not loss.requires_grad:", "if not loss.requires_grad or hidden.grad_fn is None:",
    "A trunk that returns w itself is a trunk, too: its output is a leaf without grad_fn, but it requires grad.")

works_on_w_itself = mistake.edited("leaf = w.detach()", "leaf = w if w.requires_grad else w.detach()",
    "w.grad changed: your backward pass reached w itself. Work on a detached copy of w in every case, also where "
    "w already requires grad.",
    also=[
        ("if not loss.requires_grad:", "leaf.grad = None\nif not loss.requires_grad:"),
        ("return torch.autograd.grad(loss, leaf, retain_graph=keep, materialize_grads=True)[0]",
        """
        loss.backward(retain_graph=keep, inputs=[leaf])
        return torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        """),
    ])


@mistake("two_heads")
def puts_back_what_there_was(trunk, head_a, head_b, w):
    """w.grad was None before and is a gradient now: restore None, too, or better, use a detached copy of w."""
    mine = w.requires_grad and w.is_leaf
    leaf, old = w if mine else w.detach().requires_grad_(), w.grad if mine else None
    results = []
    hidden = trunk(leaf)
    losses = head_a(hidden), head_b(hidden)
    for last, loss in enumerate(losses):
        leaf.grad = None
        if loss.requires_grad:
            loss.backward(inputs=[leaf], retain_graph=not last)
        results.append(torch.zeros_like(leaf).detach() if leaf.grad is None else leaf.grad.clone())
    if old is not None:
        leaf.grad = old
    return tuple(results)


one_tensor_of_zeros = mistake.edited("def gradient(",
    """
    zeros = torch.zeros_like(leaf)

    def gradient(
    """,
    "Both results are the same tensor of zeros, so changing one changes the other: create zeros for each.",
    also=[
        ("return torch.zeros_like(leaf)", "return zeros"),
        ("return torch.autograd.grad(loss, leaf, retain_graph=keep, materialize_grads=True)[0]",
        """
        (grad,) = torch.autograd.grad(loss, leaf, retain_graph=keep, allow_unused=True)
        return zeros if grad is None else grad
        """),
    ])

results_exchanged = mistake.edited("gradient(losses[0], keep=True), gradient(losses[1], keep=False)",
    "gradient(losses[1], keep=True), gradient(losses[0], keep=False)",
    "The two gradients are swapped: head_a's comes first.")

clears_the_grad_of_w = mistake.edited("return gradient(losses[0], keep=True), gradient(losses[1], keep=False)",
    """
    grads = gradient(losses[0], keep=True), gradient(losses[1], keep=False)
    if w.is_leaf:
        w.grad = None
    return grads
    """,
    "w.grad was cleared, but it belongs to the caller: leave it unchanged.")

along_the_trunks_output = mistake.edited(
    "leaf = w.detach().requires_grad_()\nhidden = trunk(leaf)", "leaf = hidden = trunk(w.detach()).detach().requires_grad_()",
    "These are the gradients with respect to the trunk's output: continue the chain rule through the trunk to w.")


@alternative("two_heads")
def stops_at_the_trunks_output(trunk, head_a, head_b, w):
    """Heads back to a cut copy of the trunk's output first, then the trunk twice."""
    leaf = w.detach().clone().requires_grad_()
    hidden = trunk(leaf)
    cut = hidden.detach().requires_grad_()
    losses = [head_a(cut), head_b(cut)]
    upstream = [gradient(loss, cut) for loss in losses]
    if not hidden.requires_grad:
        return torch.zeros_like(leaf), torch.zeros_like(leaf)
    (grad_a,) = torch.autograd.grad(hidden, leaf, upstream[0], retain_graph=True)
    (grad_b,) = torch.autograd.grad(hidden, leaf, upstream[1], retain_graph=False)
    return grad_a.clone(), grad_b.clone()


@alternative("two_heads")
def backward_into_a_private_leaf(trunk, head_a, head_b, w):
    """backward with inputs=, the .grad cloned and cleared in between."""
    leaf = w.detach().clone()
    leaf.requires_grad_(True)
    results = []
    hidden = trunk(leaf)
    first, second = head_a(hidden), head_b(hidden)
    for last, loss in enumerate((first, second)):
        leaf.grad = torch.zeros_like(leaf)
        if loss.requires_grad:
            loss.backward(inputs=[leaf], retain_graph=not last)
        results.append(leaf.grad.clone())
    return results[0], results[1]
