"""f is called inside the same try block as backward. The block was meant for results without history, but it also swallows every error of f itself, and the caller gets zeros instead of the exception."""

import torch


def derivative(f, *xs):
    leaves = []
    for x in xs:
        leaves.append(torch.tensor(float(x), dtype=torch.float64, requires_grad=True))

    try:
        y = f(*leaves)
        y.backward()
    except Exception:
        # a plain number, or a tensor without a graph: nothing to do, the grads stay None
        pass

    answers = []
    for leaf in leaves:
        if leaf.grad is None:
            answers.append(0.0)
        else:
            answers.append(leaf.grad.item())

    if len(answers) == 1:
        return answers[0]
    return tuple(answers)
