# honest
import torch


def two_heads(trunk, head_a, head_b, w):
    with torch.enable_grad():
        leaf = w.detach().clone().requires_grad_()
        h = trunk(leaf)
        losses = head_a(h), head_b(h)
    out = []
    for loss, keep in zip(losses, (True, False)):
        if loss.requires_grad:
            g = torch.autograd.grad(loss, leaf, retain_graph=keep, materialize_grads=True)[0]
        else:
            g = torch.zeros_like(leaf).detach()
        out.append(g.detach().clone())
    return tuple(out)
