"""Known mistakes and unusual but correct solutions for graph_ops."""

from collections import deque

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "swap_statements: stack.append((node, True))": "remembering and pushing a node do not meet",
}

HINTS = (
    "Start at t.grad_fn. Which nodes must be in the list before you may add this one?",
    "A depth-first search adds a node after all of its inputs, and remembers which nodes it has seen. "
    "Reversed, that list is the order of backward. Deep graphs need your own stack instead of recursion.",
    "Keep a list as a stack of pairs: a node, and whether its inputs are done. Pop a pair; if done, add the "
    "name; if new, remember it, push it again as done, then push its inputs so that the left one is popped "
    "first. Reverse the list at the end.",
)


def parents(node):
    return [parent for parent, _ in node.next_functions if parent is not None]


leaf_end_first = mistake.edited("finished[::-1]", "finished",
    "The list runs from the leaves to the result: reverse it, because backward starts at the last operation.")

written_down_when_first_met = mistake.edited("stack.append((node, True))", "finished.append(type(node).__name__)",
    "A node comes before another node that passes gradients to it, as when each is added at the first visit. Add it "
    "only after all of its inputs, and reverse the list at the end.",
    also=[("finished[::-1]", "finished")],
    pitfall="Writing a node down when you first meet it")

level_by_level = mistake.edited("stack.pop()", "stack.pop(0)",
    "Nodes are listed by their shortest distance from the result. A node with a short and a long path to the result then "
    "comes too early: it has to wait for all of its users.",
    also=[
        ("stack.append((node, True))", "finished.append(type(node).__name__)"),
        ("reversed(node.next_functions)", "node.next_functions"),
        ("finished[::-1]", "finished"),
    ])


@mistake("graph_ops")
def shared_nodes_again_and_again(t):
    """A node that is used twice was listed twice: remember which nodes you have seen."""
    names = []

    def visit(node):
        if len(names) > 5000:
            raise RecursionError("too many nodes")
        for parent in parents(node):
            visit(parent)
        names.append(type(node).__name__)

    if t.grad_fn is not None:
        visit(t.grad_fn)
    return names[::-1]


each_name_once = mistake.edited("finished[::-1]", "list(dict.fromkeys(finished))[::-1]",
    "Two operations of the same kind were treated as one: remember the nodes themselves, not their names.")


@mistake("graph_ops")
def calls_itself(t):
    """In a deep graph the recursion is too deep for Python: keep your own stack in a list."""
    names, seen = [], set()

    def visit(node):
        if node is None or node in seen:
            return
        seen.add(node)
        for parent, _ in node.next_functions:
            visit(parent)
        names.append(type(node).__name__)

    visit(t.grad_fn)
    return names[::-1]


forgets_the_leaves = mistake.edited("finished[::-1]", '[name for name in finished[::-1] if name != "AccumulateGrad"]',
    "The AccumulateGrad nodes are missing: they are part of the graph, where the leaves collect their gradients.")

first_input_only = mistake.edited(
    "reversed(node.next_functions)", "[pair for pair in node.next_functions if pair[0] is not None][:1]",
    "Only the first input of each operation was followed: go through all of next_functions.")

right_input_first = mistake.edited("reversed(node.next_functions)", "node.next_functions",
    "The inputs were visited from right to left: visit them from left to right. On a stack, push them in reverse "
    "order.")

trips_over_none = mistake.edited("elif node is not None and node not in seen:", "elif node not in seen:",
    "None is not a node: skip it, for inputs that need no gradient and for a tensor without grad_fn.")

long_names = mistake.edited("type(node).__name__", "node.name()",
    "Leaves have the long name that node.name() returns: use the name of the type.")


@mistake("graph_ops")
def another_order_of_backward(t):
    """This is an order in which backward could run, but not the one that was described: go depth first and from
    left to right, and reverse the list of finished nodes."""
    if t.grad_fn is None:
        return []
    users, todo = {t.grad_fn: 0}, [t.grad_fn]
    while todo:
        for parent in parents(todo.pop()):
            if parent not in users:
                todo.append(parent)
            users[parent] = users.get(parent, 0) + 1
    names, ready = [], deque([t.grad_fn])
    while ready:
        node = ready.popleft()
        names.append(type(node).__name__)
        for parent in parents(node):
            users[parent] -= 1
            if users[parent] == 0:
                ready.append(parent)
    return names


remembers_when_pushed = mistake.edited(
    "elif node is not None and node not in seen:\n    seen.add(node)", "elif node is not None:",
    "A node that several paths reach is in the wrong position, as when it counts as visited as soon as it is seen as "
    "an input. Mark it when its own turn comes.",
    also=[("stack.extend((parent, False) for parent, _ in reversed(node.next_functions))",
        """
        for parent, _ in reversed(node.next_functions):
            if parent not in seen:
                seen.add(parent)
                stack.append((parent, False))
        """)])

leaf_has_an_operation = mistake.edited("finished, seen = [], set()",
    """
    if t.grad_fn is None and t.requires_grad:
        return ["AccumulateGrad"]
    finished, seen = [], set()
    """,
    "A leaf was not made by an operation: without a grad_fn the list is empty.")

retains_the_gradient = mistake.edited("finished, seen = [], set()",
    """
    if t.grad_fn is not None:
        t.retain_grad()
    finished, seen = [], set()
    """,
    "t.retain_grad() stays in effect, so the next backward fills t.grad: the names can be read without it.")

remembers_from_call_to_call = mistake.edited("t: torch.Tensor)", "t: torch.Tensor, seen=set())",
    "Nodes of an earlier call count as seen, and a second call lists nothing: begin with an empty set in each call.",
    also=[("finished, seen = [], set()", "finished = []")])


@alternative("graph_ops")
def stack_of_iterators(t):
    """Each open node keeps an iterator over the inputs that are left."""
    if t.grad_fn is None:
        return []
    names, seen, stack = [], {t.grad_fn}, [(t.grad_fn, iter(parents(t.grad_fn)))]
    while stack:
        node, rest = stack[-1]
        for parent in rest:
            if parent not in seen:
                seen.add(parent)
                stack.append((parent, iter(parents(parent))))
                break
        else:
            stack.pop()
            names.append(type(node).__name__)
    return list(reversed(names))


@alternative("graph_ops")
def front_of_a_deque(t):
    """Marks nodes by their state, and adds each finished one in front."""
    result, state = deque(), {}
    todo = [t.grad_fn] if t.grad_fn is not None else []
    while todo:
        node = todo[-1]
        if state.get(node) is None:
            state[node] = "open"
            todo += [p for p in parents(node)[::-1] if p not in state]
        else:
            todo.pop()
            if state[node] == "open":
                state[node] = "closed"
                result.appendleft(type(node).__name__)
    return list(result)
