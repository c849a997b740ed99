"""Autograd bonus 1: read the graph that autograd recorded.

Difficulty 4 of 5, about 15 minutes.
"""

import torch


def graph_ops(t: torch.Tensor) -> list[str]:
    """Return the names of the operations that backward from t would visit, the last operation first.

    The nodes of the graph are t.grad_fn and everything that can be reached from it: node.next_functions is
    a tuple of pairs (node, number), one for each input of the operation, in order; None stands for an input that
    needs no gradient. The name of a node is the name of its type, such as "MulBackward0", or "AccumulateGrad" for
    a leaf. Each node is listed once; without a grad_fn the list is empty.

    Order: starting at t.grad_fn, go into the inputs of a node from left to right; write a node down when all of its inputs
    are written down; at the end, reverse the list. So a node comes before every node that it passes gradients to.

    Example:
        >>> x = torch.tensor(2.0, requires_grad=True)
        >>> y = x.exp()
        >>> graph_ops(y * y.sin())
        ['MulBackward0', 'SinBackward0', 'ExpBackward0', 'AccumulateGrad']

    Pitfall:
        Writing a node down when you first meet it is too early: ExpBackward0 is met first here.

    For full marks:
        * the graph may be many thousand operations deep, deeper than Python lets a function call itself
        * it may have very many paths but few nodes (t = t + t, forty times)
        * t, the graph and all .grad stay as they are: a backward pass from t still works afterwards
    """
    raise NotImplementedError("03_autograd/bonus1_graph_ops: write graph_ops()")
