import torch


def my_gradcheck(function, inputs):
    problems = []
    out = function.apply(*inputs)
    grads = out.grad_fn.apply(torch.ones_like(out))
    if len(grads) != len(inputs):
        problems.append("count")
    for x, g in zip(inputs, grads):
        if g is None:
            problems.append("none")
        elif g.shape != x.shape:
            problems.append("shape")
        else:
            h = 1e-6
            want = (function.apply(x + h) - function.apply(x - h)) / (2 * h)
            if not torch.allclose(g, want):
                problems.append("values")
    return problems
