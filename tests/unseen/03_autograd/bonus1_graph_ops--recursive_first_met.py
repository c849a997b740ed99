"""Nodes are written down when they are first met, and the function calls itself, which fails for deep graphs."""
import torch


def graph_ops(t):
    names, seen = [], set()

    def visit(node):
        if node is None or node in seen:
            return
        seen.add(node)
        names.append(type(node).__name__)
        for parent, _ in node.next_functions:
            visit(parent)

    visit(t.grad_fn)
    return names
