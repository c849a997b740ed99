"""Recursion in a thread with a large stack."""
import sys
import threading

import torch


def graph_ops(t):
    names, seen = [], set()

    def visit(node):
        seen.add(node)
        for child, _ in node.next_functions:
            if child is not None and child not in seen:
                visit(child)
        names.append(node.__class__.__name__)

    def run():
        visit(t.grad_fn)

    if t.grad_fn is not None:
        limit = sys.getrecursionlimit()
        size = threading.stack_size(256 * 1024 * 1024)
        sys.setrecursionlimit(10**6)
        try:
            thread = threading.Thread(target=run)
            thread.start()
            thread.join()
        finally:
            sys.setrecursionlimit(limit)
            threading.stack_size(size)
    names.reverse()
    return names
