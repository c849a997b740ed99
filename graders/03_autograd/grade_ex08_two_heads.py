"""Hidden checks for two_heads."""

import torch

from torchdojo.grading import check, shares_memory, tensor

CONCEPTS = ("G13", "G14", "G15")
KEPT = {
    "each_head_has_its_own_gradient": "the point of the exercise",
    "head_without_the_trunk_gives_zeros": "the edge case that most solutions miss, worth a point of its own",
}


class oracle:
    """Each head in turn as if it were alone, then one pass that frees the graph of the trunk's output."""

    def two_heads(trunk, head_a, head_b, w):
        with torch.enable_grad():
            leaf = w.detach().clone().requires_grad_()
            hidden = trunk(leaf)
            losses = [head_a(hidden), head_b(hidden)]
        found = []
        for loss in losses:
            grad = None
            if loss.requires_grad:
                (grad,) = torch.autograd.grad(loss, leaf, retain_graph=True, allow_unused=True)
            found.append(torch.zeros_like(leaf).detach() if grad is None else grad.clone())
        if hidden.requires_grad:
            torch.autograd.grad(hidden, leaf, torch.ones_like(hidden))
        return tuple(found)


def squared(w):
    return w**2


def cumulative(w):
    return w.reshape(-1).cumsum(0) ** 2


def shifted(w):
    return w + 1


def itself(w):
    return w


def cubed_sum(w):
    return (w**3).sum()


def total(h):
    return h.sum()


def weighted(h):
    numbers = torch.arange(1, h.numel() + 1, dtype=h.dtype, device=h.device)
    return (h.reshape(-1) * numbers).sum() + 1


def square_sum(h):
    return (h**2).sum()


def no_history(h):
    return torch.ones((), dtype=h.dtype, device=h.device)


def own_weight_only(h):
    return (torch.ones(2, dtype=h.dtype, device=h.device, requires_grad=True) ** 2).sum()


def cut_off(h):
    return (h.detach() ** 2).sum()


def in_state(w, state):
    """w as it came, as a leaf with an old gradient or with none, or as the result of an operation."""
    if state == "plain":
        return w
    w.requires_grad_()
    if state == "leaf":
        w.grad = torch.full_like(w, 7.0)
    if "leaf" in state:
        return w
    with torch.enable_grad():
        return w.view_as(w)


def seen(result):
    """The two gradients as constants: whether they require grad has a check of its own."""
    first, second = result
    return {"gradient of head_a": first.detach(), "gradient of head_b": second.detach()}


@check(
    points=3,
    w=tensor("..."),
    trunk=[squared, cumulative, cubed_sum],
    heads=["weighted, square_sum", "square_sum, total", "total, weighted"],
    dtypes=("float64",),
)
def each_head_has_its_own_gradient(solution, w, trunk, heads):
    """Each head has its own gradient."""
    known = {"weighted": weighted, "square_sum": square_sum, "total": total}
    first, second = (known[name] for name in heads.split(", "))
    return seen(solution.two_heads(trunk, first, second, w.detach()))


@check(points=1, w=tensor("n m"), trunk=[shifted, itself], minimum=1)
def trunk_may_save_nothing(solution, w, trunk):
    """A trunk that only adds, or returns w itself, is allowed."""
    return seen(solution.two_heads(trunk, square_sum, total, w.clone()))


@check(points=1, star=True, w=tensor("n m"), head=[no_history, own_weight_only, cut_off], place=["first", "second", "both"], minimum=1)
def head_without_the_trunk_gives_zeros(solution, w, head, place):
    """A head that does not use the trunk's output has the gradient zero."""
    first, second = head if place != "second" else total, head if place != "first" else total
    return seen(solution.two_heads(squared, first, second, w.clone()))


@check(points=3, w=tensor("n m"), minimum=1, trunk=[cumulative, squared], beside=True)
def one_forward_pass_and_its_graph_is_freed(solution, w, trunk):
    """Trunk and heads run once, and the trunk's graph is freed at the end."""
    calls, outputs = [], []

    def noted_trunk(w):
        calls.append("trunk")
        outputs.append(trunk(w))
        return outputs[-1]

    def noted(name, head):
        def call(h):
            calls.append(name)
            return head(h)

        call.__name__ = name
        return call

    answer = solution.two_heads(noted_trunk, noted("head_a", square_sum), noted("head_b", square_sum), w.clone())
    found = {name: calls.count(name) for name in ("trunk", "head_a", "head_b")}
    try:
        with torch.enable_grad():
            outputs[-1].sum().backward()
        error = "no error"
    except RuntimeError:
        error = "RuntimeError"
    return answer[0].clone(), {"calls": found, "one more backward pass": error}


@check(points=1, star=True, w=tensor("n m"), trunk=[squared], state=["leaf", "result", "new leaf", "plain"], minimum=1, beside=True)
def leaves_w_as_it_was(solution, w, trunk, state):
    """w.grad and w.requires_grad do not change, and the results do not require grad."""
    given = in_state(w, state)
    result = solution.two_heads(trunk, square_sum, total, given)
    found = {"requires grad": any(g.requires_grad for g in result)}
    found |= {"w.requires_grad": given.requires_grad, "w.grad": given.grad, "w.is_leaf": given.is_leaf}
    return {"gradient of head_a": result[0]}, found | {"gradient of the leaf behind w": w.grad}


@check(points=0.5, star=True, w=tensor("n m"), minimum=1)
def leaves_other_gradients_alone(solution, w):
    """Weights inside trunk and heads keep their .grad."""
    inner, outer = (torch.full_like(w, 3.0).requires_grad_() for _ in range(2))
    inner.grad = torch.full_like(w, 5.0)

    def trunk(w):
        return w**2 * inner

    def head(h):
        return (h * outer).sum()

    found = {"gradient of head_a": solution.two_heads(trunk, head, head, w.clone())[0].detach()}
    return found | {"weight in the trunk": inner.grad, "weight in a head": outer.grad}


@check(points=0.5, star=True, w=tensor("n m"), minimum=1, head=[total, no_history])
def results_share_no_memory(solution, w, head):
    """The two gradients share no memory with each other."""
    result = solution.two_heads(squared, head, head, w.clone())
    return {"gradient of head_a": result[0].detach(), "memory is shared": shares_memory(*result)}
