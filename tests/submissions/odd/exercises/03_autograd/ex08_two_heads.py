import torch


def two_heads(trunk, head_a, head_b, w):
    """Both gradients in one backward pass: a batch of two upstream gradients through the trunk would need vmap, so
    the trunk is cut off with a leaf, each head gives its own gradient at the cut, and the trunk is walked twice."""
    torch_was = torch.is_grad_enabled()
    torch.set_grad_enabled(True)
    try:
        start = torch.empty_like(w).copy_(w.detach()).requires_grad_(True)
        h = trunk(start)
        cut = h.detach().requires_grad_(True)
        upstreams = []
        for head in (head_a, head_b):
            cut.grad = None
            loss = head(cut)
            g = None
            if loss.requires_grad:
                g = torch.autograd.grad(loss, cut, allow_unused=True)[0]
            upstreams.append(torch.zeros_like(cut) if g is None else g)
        results = []
        for last, g in enumerate(upstreams):
            got = None
            if h.requires_grad:
                got = torch.autograd.grad(h, start, g, retain_graph=not last, allow_unused=True)[0]
            results.append(torch.zeros_like(start).detach() if got is None else got.clone())
        return results[0], results[1]
    finally:
        torch.set_grad_enabled(torch_was)
