def _inputs(node):
    return [parent for parent, _ in node.next_functions if parent is not None]


def graph_ops(t):
    if t.grad_fn is None:
        return []

    finished = []
    known = {t.grad_fn}
    # recursion would be nicer to read, but graphs can be thousands of nodes deep
    todo = [(t.grad_fn, 0, _inputs(t.grad_fn))]
    while todo:
        node, position, inputs = todo.pop()
        while position < len(inputs) and inputs[position] in known:
            position += 1
        if position == len(inputs):
            finished.append(type(node).__name__)
        else:
            child = inputs[position]
            known.add(child)
            todo.append((node, position + 1, inputs))
            todo.append((child, 0, _inputs(child)))

    return finished[::-1]
