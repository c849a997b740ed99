import torch


def _gradient(loss, w, keep):
    """The gradient of a loss along w, zeros if there is no way from w to the loss."""
    if not loss.requires_grad:
        return torch.zeros_like(w).detach()
    (grad,) = torch.autograd.grad(loss, w, retain_graph=keep, allow_unused=True)
    if grad is None:
        return torch.zeros_like(w).detach()
    return grad.detach().clone()


def two_heads(trunk, head_a, head_b, w):
    stand_in = w.detach().clone().requires_grad_()
    with torch.enable_grad():
        hidden = trunk(stand_in)
        loss_a = head_a(hidden)
        loss_b = head_b(hidden)

    grad_a = _gradient(loss_a, stand_in, keep=True)
    grad_b = _gradient(loss_b, stand_in, keep=False)  # the last one: let go of the graph
    return grad_a, grad_b
