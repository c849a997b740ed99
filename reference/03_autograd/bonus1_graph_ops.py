"""Walk the graph of operations, deepest inputs first, without recursion."""

import torch


def graph_ops(t: torch.Tensor) -> list[str]:
    """Return the names of the operations that backward from t would visit, the last operation first."""
    finished, seen = [], set()
    stack = [(t.grad_fn, False)]
    while stack:
        node, inputs_done = stack.pop()
        if inputs_done:
            finished.append(type(node).__name__)
        elif node is not None and node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((parent, False) for parent, _ in reversed(node.next_functions))
    return finished[::-1]
