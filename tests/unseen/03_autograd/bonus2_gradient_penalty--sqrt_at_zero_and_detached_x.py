"""(1) The norm is computed with sqrt and then squared again. The derivative of sqrt at 0 is infinite, so a row with a zero gradient gives nan in the gradients of the penalty. (2) The critic gets a detached copy of x, so nothing before x (a generator, say) can be trained with the penalty. The learner copied the formula of the usual penalty, (norm - 1) ** 2, and the habit of starting from a fresh leaf."""

import torch


def gradient_penalty(critic, x):
    with torch.enable_grad():
        leaf = x.detach().clone().requires_grad_(True)
        scores = critic(leaf)
        if not scores.requires_grad:
            return x.new_zeros(())
        (g,) = torch.autograd.grad(scores.sum(), leaf, create_graph=True, allow_unused=True)
        if g is None:
            return x.new_zeros(())
        g = g.reshape(g.shape[0], -1)
        norms = (g * g).sum(dim=1).sqrt()
        return (norms**2).mean()
