"""Known mistakes and odd-but-correct solutions for two_heads."""

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


def forward(trunk, head_a, head_b, w):
    leaf = w.detach().requires_grad_()
    hidden = trunk(leaf)
    return leaf, head_a(hidden), head_b(hidden)


def gradient(loss, leaf, **options):
    if not loss.requires_grad:
        return torch.zeros_like(leaf)
    return torch.autograd.grad(loss, leaf, materialize_grads=True, **options)[0]


@mistake("two_heads")
def both_are_the_sum(trunk, head_a, head_b, w):
    """Both results are the sum of the two gradients: backward added them into one .grad. Take each from
    torch.autograd.grad, or clear and clone in between."""
    leaf, loss_a, loss_b = forward(trunk, head_a, head_b, w)
    grad = gradient(loss_a, leaf, retain_graph=True) + gradient(loss_b, leaf)
    return grad, grad.clone()


@mistake("two_heads")
def second_includes_the_first(trunk, head_a, head_b, w):
    """The second gradient contains the first: backward adds to .grad, so clear it between the two passes."""
    leaf, loss_a, loss_b = forward(trunk, head_a, head_b, w)
    grad_a = gradient(loss_a, leaf, retain_graph=True)
    return grad_a, grad_a + gradient(loss_b, leaf)


@mistake("two_heads")
def graph_is_kept_for_ever(trunk, head_a, head_b, w):
    """The graph is still there after the last pass: use retain_graph=True only for the first pass; the second one
    should free the graph."""
    leaf, loss_a, loss_b = forward(trunk, head_a, head_b, w)
    return gradient(loss_a, leaf, retain_graph=True), gradient(loss_b, leaf, retain_graph=True)


@mistake("two_heads")
def graph_is_freed_too_early(trunk, head_a, head_b, w):
    """The second pass failed because the first one freed the trunk's graph: pass retain_graph=True to the
    first."""
    leaf, loss_a, loss_b = forward(trunk, head_a, head_b, w)
    return gradient(loss_a, leaf), gradient(loss_b, leaf)


@mistake("two_heads")
def two_forward_passes(trunk, head_a, head_b, w):
    """The trunk ran twice: run it once, and keep its graph for the second backward pass."""
    grads = []
    for head in (head_a, head_b):
        leaf = w.detach().requires_grad_()
        loss = head(trunk(leaf))
        grads.append(gradient(loss, leaf))
    return tuple(grads)


@mistake("two_heads")
def cuts_the_second_head_off(trunk, head_a, head_b, w):
    """The second gradient is all zeros: head_b was given a detached output, so nothing reaches the trunk from
    it."""
    leaf = w.detach().requires_grad_()
    hidden = trunk(leaf)
    loss_a = head_a(hidden)
    head_b(hidden.detach())
    return gradient(loss_a, leaf), torch.zeros_like(leaf)


@mistake("two_heads")
def adds_to_the_grad_of_w(trunk, head_a, head_b, w):
    """w.grad was changed: work on a detached copy of w, or use torch.autograd.grad."""
    leaf, loss_a, loss_b = forward(trunk, head_a, head_b, w)
    grad_a, grad_b = gradient(loss_a, leaf, retain_graph=True), gradient(loss_b, leaf)
    if w.is_leaf:
        w.requires_grad_()
        w.grad = grad_b.clone() if w.grad is None else w.grad + grad_b
    return grad_a, grad_b


@mistake("two_heads")
def fills_the_grad_of_others(trunk, head_a, head_b, w):
    """Tensors that the trunk or the heads use got something added to their .grad: backward fills every leaf it
    reaches. Use torch.autograd.grad, or backward with inputs=."""
    leaf, loss_a, loss_b = forward(trunk, head_a, head_b, w)
    grads = []
    for loss, keep in ((loss_a, True), (loss_b, False)):
        if loss.requires_grad:
            loss.backward(retain_graph=keep)
        grads.append(torch.zeros_like(leaf) if leaf.grad is None else leaf.grad)
        leaf.grad = None
    return tuple(grads)


@mistake("two_heads")
def results_keep_a_graph(trunk, head_a, head_b, w):
    """The gradients require grad and keep their graph: create_graph=True is only for gradients of gradients."""
    leaf, loss_a, loss_b = forward(trunk, head_a, head_b, w)
    return gradient(loss_a, leaf, create_graph=True), gradient(loss_b, leaf, create_graph=True)


@mistake("two_heads")
def stumbles_over_constants(trunk, head_a, head_b, w):
    """A head that does not use the trunk's output raised an error: its gradient is all zeros, but autograd raises
    an error unless you handle that case."""
    leaf, loss_a, loss_b = forward(trunk, head_a, head_b, w)
    (grad_a,) = torch.autograd.grad(loss_a, leaf, retain_graph=True)
    (grad_b,) = torch.autograd.grad(loss_b, leaf)
    return grad_a, grad_b


@mistake("two_heads")
def leaf_counts_as_a_constant(trunk, head_a, head_b, w):
    """A trunk that returns w itself is a trunk, too: its output is a leaf without grad_fn, but it requires grad."""
    leaf = w.detach().requires_grad_()
    hidden = trunk(leaf)
    loss_a, loss_b = head_a(hidden), head_b(hidden)
    if hidden.grad_fn is None:
        return torch.zeros_like(leaf), torch.zeros_like(leaf)
    return gradient(loss_a, leaf, retain_graph=True), gradient(loss_b, leaf)


@mistake("two_heads")
def works_on_w_itself(trunk, head_a, head_b, w):
    """w.grad changed: w itself was used as the leaf because it already required grad. Use a detached copy in every
    case."""
    leaf = w if w.requires_grad else w.detach().requires_grad_()
    results = []
    hidden = trunk(leaf)
    losses = head_a(hidden), head_b(hidden)
    for last, loss in enumerate(losses):
        leaf.grad = None
        if loss.requires_grad:
            loss.backward(inputs=[leaf], retain_graph=not last)
        results.append(torch.zeros_like(leaf).detach() if leaf.grad is None else leaf.grad)
    return tuple(results)


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


@mistake("two_heads")
def one_tensor_of_zeros(trunk, head_a, head_b, w):
    """Both results are the same tensor of zeros, so changing one changes the other: create zeros for each."""
    leaf, loss_a, loss_b = forward(trunk, head_a, head_b, w)
    zeros = torch.zeros_like(leaf)

    def found(loss, keep):
        grad = None
        if loss.requires_grad:
            (grad,) = torch.autograd.grad(loss, leaf, retain_graph=keep, allow_unused=True)
        return zeros if grad is None else grad

    return found(loss_a, True), found(loss_b, False)


@mistake("two_heads")
def results_exchanged(trunk, head_a, head_b, w):
    """The two gradients are swapped: head_a's comes first."""
    leaf, loss_a, loss_b = forward(trunk, head_a, head_b, w)
    return gradient(loss_b, leaf, retain_graph=True), gradient(loss_a, leaf)


@mistake("two_heads")
def clears_the_grad_of_w(trunk, head_a, head_b, w):
    """w.grad was cleared, but it belongs to the caller: leave it unchanged."""
    leaf, loss_a, loss_b = forward(trunk, head_a, head_b, w)
    found = gradient(loss_a, leaf, retain_graph=True), gradient(loss_b, leaf)
    if w.is_leaf:
        w.grad = None
    return found


@mistake("two_heads")
def along_the_trunks_output(trunk, head_a, head_b, w):
    """These are the gradients with respect to the trunk's output: continue the chain rule through the trunk to w."""
    leaf = trunk(w.detach()).detach().requires_grad_()
    loss_a, loss_b = head_a(leaf), head_b(leaf)
    return gradient(loss_a, leaf, retain_graph=True), gradient(loss_b, leaf)


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
