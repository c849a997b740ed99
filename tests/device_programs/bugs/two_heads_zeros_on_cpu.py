"""Exercise: 03_autograd/ex08_two_heads.
A head that does not use the trunk gets zeros on the CPU.
"""

import torch


def two_heads(trunk, head_a, head_b, w):
    with torch.enable_grad():
        leaf = w.detach().clone().requires_grad_()
        shared = trunk(leaf)
        losses = [head_a(shared), head_b(shared)]
    grads = []
    for k, loss in enumerate(losses):
        grad = None
        if loss.requires_grad:
            (grad,) = torch.autograd.grad(loss, leaf, retain_graph=(k == 0), allow_unused=True)
        grads.append(torch.zeros(w.shape, dtype=w.dtype) if grad is None else grad.clone())
    if shared.requires_grad and not losses[1].requires_grad:
        with torch.enable_grad():
            torch.autograd.grad(shared.sum(), leaf, allow_unused=True)
    return grads[0], grads[1]
