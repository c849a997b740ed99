"""Hidden checks for graph_ops."""

import torch

from torchdojo.grading import check, gradients

CONCEPTS = ("G02", "G03", "G06")
KEPT = {
    "lists_a_chain_from_the_end": "graphs without a branch, worth points of their own",
    "lists_branches_in_the_order_of_backward": "graphs that one can draw, worth points of their own",
    "inputs_without_gradient_are_skipped": "an edge case of the exercise, said by itself",
    "lists_shared_nodes_once": "a walk along every path never ends here",
    "lists_a_random_graph": "other graphs for each seed, so that no list learnt by heart passes",
}


class oracle:
    """The rule of the exercise, with the number of the next input kept for each open node."""

    def graph_ops(t):
        if t.grad_fn is None:
            return []
        written, met, path = [], {t.grad_fn}, [[t.grad_fn, 0]]
        while path:
            node, number = path[-1]
            if number == len(node.next_functions):
                written.append(type(node).__name__)
                path.pop()
                continue
            path[-1][1] += 1
            target = node.next_functions[number][0]
            if target is not None and target not in met:
                met.add(target)
                path.append([target, 0])
        written.reverse()
        return written


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, grad_output):
        return 2 * grad_output


def chain(x, w):
    return x.exp().sin().tanh().sum()


def diamond(x, w):
    y = x.exp()
    return y * y.sin()


def long_and_short_way(x, w):
    y = x * w
    return y + y.exp().tanh().cos()


def short_way_first(x, w):
    y = x.tanh()
    return torch.stack([y, w.exp(), y.sin().exp()])


def left_and_right(x, w):
    return x.sin() * (w.exp() - w.cos())


def constants_among_the_inputs(x, w):
    return torch.where(x > 0, 2.0 * x, w.detach()) / torch.full_like(x, 3.0) - w.detach() * 2


def same_kind_often(x, w):
    return ((x + w) + (w + x)) + (x + x)


def list_of_inputs(x, w):
    return torch.cat([x.exp(), w, x.sin(), x]).sum()


def two_outputs_of_one(x, w):
    a, b = torch.stack([x, w]).unbind()
    return b * a.cos() + b


def own_operation(x, w):
    return Doubled.apply(x.sin()) * w


def in_place(x, w):
    y = x.exp() + 1
    y.add_(w)
    return y.neg_().view(-1).clone()


def leaf(x, w):
    return x


def constant(x, w):
    return (x * w).detach()


def constant_leaf(x, w):
    return torch.ones(2)


BRANCHES = {
    f.__name__: f
    for f in (diamond, long_and_short_way, short_way_first, left_and_right, same_kind_often, list_of_inputs)
    + (two_outputs_of_one, own_operation, in_place)
}
WITHOUT = {f.__name__: f for f in (leaf, constant, constant_leaf)}


STEPS = (
    lambda first, second: first.sin(),
    lambda first, second: first.tanh(),
    lambda first, second: first.cos(),
    lambda first, second: first * second,
    lambda first, second: first - second,
    lambda first, second: second + first,
)


def leaves(device):
    """Two leaves with an old gradient each."""
    found = []
    for numbers in ([0.5, 1.0, -2.0], [2.0, -1.0, 0.25]):
        x = torch.tensor(numbers, dtype=torch.float64, device=device, requires_grad=True)
        x.grad = torch.full_like(x, 3.0)
        found.append(x)
    return found


def made(program, device):
    """The tensor of a program, with its two leaves."""
    x, w = leaves(device)
    with torch.enable_grad():
        return program(x, w), x, w


def bare(names):
    """The operations alone: the leaves' nodes and the form of a name have a check of their own."""
    return [name.rpartition(".")[2] for name in names if not name.endswith("AccumulateGrad")]


@check(points=2, more=[0, 1, 4])
def lists_a_chain_from_the_end(solution, more, device):
    """A chain of operations is listed from the last one to the leaf."""
    t, _, _ = made(chain, device)
    with torch.enable_grad():
        for step in (torch.exp, torch.cos, torch.sqrt, torch.sigmoid)[:more]:
            t = step(t)
    return solution.graph_ops(t)


@check(points=3, program=list(BRANCHES))
def lists_branches_in_the_order_of_backward(solution, program, device):
    """Every operation comes before those that it passes gradients to."""
    t, _, _ = made(BRANCHES[program], device)
    return bare(solution.graph_ops(t))


@check(points=1, size=[5, 8, 12, 20, 30, 12, 20, 30])
def lists_a_random_graph(solution, size, rng, device):
    """In graphs with many branches, the order is the one given in the task."""
    found = leaves(device)
    with torch.enable_grad():
        for kind in torch.randint(0, 6, (size,), generator=rng).tolist():
            first, second = (found[-1 - int(torch.randint(0, min(6, len(found)), (), generator=rng))] for _ in range(2))
            found.append(STEPS[kind](first, second))
        t = sum(found[-4:], found[0])
        t = t.sin() * t  # in every graph a long and a short way to one node
    return bare(solution.graph_ops(t))


@check(points=1, program=["constants_among_the_inputs"])
def inputs_without_gradient_are_skipped(solution, program, device):
    """An input that needs no gradient is skipped."""
    t, _, _ = made(constants_among_the_inputs, device)
    return sorted(bare(solution.graph_ops(t)))


@check(points=1, program=list(WITHOUT))
def nothing_to_list(solution, program, device):
    """For a leaf or a constant, the list is empty."""
    return {program: solution.graph_ops(made(WITHOUT[program], device)[0]), "x.exp()": bare(solution.graph_ops(made(lambda x, w: x.exp(), device)[0]))}


@check(points=1, star=True, program=["chain"])
def the_graph_stays_as_it_is(solution, program, device):
    """A second call gives the same list, and a backward pass from t still works."""
    t, x, w = made(chain, device)
    first = solution.graph_ops(t)
    found = {"operations": sorted(bare(first)), "the same when asked again": solution.graph_ops(t) == first, ".grad": [x.grad, w.grad]}
    found |= {"requires_grad": t.requires_grad, "t keeps its gradient": t.retains_grad, "hooks on t": len(t._backward_hooks or ())}
    return found | {"backward afterwards": gradients(t, [x], torch.ones_like(t))}


@check(points=1, star=True, steps=[40, 300], seconds=3)
def lists_shared_nodes_once(solution, steps, device):
    """A graph with a great many paths and few nodes is listed quickly."""
    x, w = leaves(device)
    with torch.enable_grad():
        t = x * w
        for _ in range(steps):
            t = t + t
    return {"operations": len(bare(solution.graph_ops(t)))}


@check(points=1, star=True, steps=[1500], seconds=5)
def walks_a_very_deep_graph(solution, steps, device):
    """A graph of more than a thousand operations in a row is listed without an error."""
    x, w = leaves(device)
    with torch.enable_grad():
        t = x * w
        for _ in range(steps):
            t = t.neg()
    return {"operations": len(bare(solution.graph_ops(t)))}
