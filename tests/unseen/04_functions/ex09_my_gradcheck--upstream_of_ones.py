"""The upstream gradient is all ones, and only count, none, shape and values are looked for."""
import torch


def my_gradcheck(function, inputs):
    args = [t.detach().clone().requires_grad_(t.requires_grad) if isinstance(t, torch.Tensor) else t for t in inputs]
    out = function.apply(*args)
    upstream = torch.ones_like(out)
    got = out.grad_fn.apply(upstream)
    if not isinstance(got, tuple):
        got = (got,)
    if len(got) != len(inputs):
        return ["count"]
    problems = set()
    for k, (g, t) in enumerate(zip(got, args)):
        if not isinstance(t, torch.Tensor):
            if g is not None:
                problems.add("none")
            continue
        if not t.requires_grad:
            continue
        if g is None:
            problems.add("none")
            continue
        if g.shape != t.shape:
            problems.add("shape")
            continue
        want = torch.zeros_like(t.detach())
        for i in range(t.numel()):
            values = []
            for step in (1e-6, -1e-6):
                moved = [a.detach().clone() if isinstance(a, torch.Tensor) else a for a in args]
                flat = moved[k].contiguous().flatten()
                flat[i] += step
                moved[k] = flat.reshape(t.shape)
                values.append((function.apply(*moved) * upstream).sum())
            want.view(-1)[i] = (values[0] - values[1]) / 2e-6
        if not torch.allclose(g, want, rtol=1e-4, atol=1e-5):
            problems.add("values")
    return [p for p in ("count", "none", "shape", "values") if p in problems]
