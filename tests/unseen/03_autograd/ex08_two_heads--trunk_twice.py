"""The trunk is called twice, once for each head, and the graph is kept."""
import torch


def two_heads(trunk, head_a, head_b, w):
    grads = []
    for head in (head_a, head_b):
        leaf = w.detach().clone().requires_grad_(True)
        loss = head(trunk(leaf))
        if loss.requires_grad:
            g = torch.autograd.grad(loss, leaf, retain_graph=True, allow_unused=True)[0]
        else:
            g = None
        grads.append(torch.zeros_like(leaf) if g is None else g)
    return tuple(grads)
