"""head_b gets the detached output of the trunk, so its gradient is always zeros."""
import torch


def two_heads(trunk, head_a, head_b, w):
    leaf = w.detach().clone().requires_grad_()
    h = trunk(leaf)
    loss_a = head_a(h)
    loss_b = head_b(h.detach())
    grads = []
    for loss in (loss_a, loss_b):
        g = None
        if loss.requires_grad and leaf.requires_grad:
            (g,) = torch.autograd.grad(loss, leaf, allow_unused=True)
        grads.append(torch.zeros_like(w.detach()) if g is None else g)
    return grads[0], grads[1]
