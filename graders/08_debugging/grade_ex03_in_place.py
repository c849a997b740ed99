"""Hidden checks for sigmoid_shares and gated_block: right gradients, and nobody's tensor changes."""

import torch

from torchdojo.grading import check, gradients, tensor, upstream

CONCEPTS = ("A02", "A06", "C02", "G16", "G17")


class oracle:
    """The two formulas, a new tensor for each result."""

    def sigmoid_shares(scores):
        parts = 1 / (1 + torch.exp(-scores))
        return parts / parts.sum(dim=-1, keepdim=True)

    def gated_block(x, gate):
        return x * gate + torch.nn.functional.relu(x)


def leaf(x):
    """The tensor itself, with gradients wanted."""
    return x.requires_grad_()


def result(x):
    """A result of another operation, with gradients wanted for what it came from."""
    return x.requires_grad_() * 1


def constant(x):
    """The tensor itself, with no gradient wanted."""
    return x


@check(points=3, scores=tensor("... classes", low=-20, high=20), made=[leaf, result], minimum={"classes": 1})
def shares_and_their_gradient(solution, scores, made, rng):
    """The shares and their gradient match the formula in the task."""
    given = made(scores)
    shares = solution.sigmoid_shares(given)
    found = gradients(shares, [scores], upstream(shares, rng))
    return {"shares": shares, "gradient": found[0], "scores afterwards": given.clone()}


@check(
    points=3, x=tensor("...", low=-1, high=1, step=0.25, avoid=[0.0]), gate=tensor("..."), made=[leaf, result],
    wanted=["x gate", "x", "gate"],
)  # fmt: skip
def block_and_its_gradients(solution, x, gate, made, wanted, rng):
    """The block and the requested gradients are right."""
    sources = {name: t for name, t in (("x", x), ("gate", gate)) if name in wanted.split()}
    given = {"x": x, "gate": gate} | {name: made(t) for name, t in sources.items()}
    block = solution.gated_block(given["x"], given["gate"])
    found = gradients(block, sources.values(), upstream(block, rng))
    after = {f"{name} afterwards": t.detach().clone() for name, t in given.items()}
    return {"result": block, "gradients": dict(zip(sources, found, strict=True)), **after}


@check(points=1, star=True, scores=tensor("... classes"), made=[constant, leaf, result], minimum={"classes": 1})
def shares_without_a_graph(solution, scores, made):
    """Under no_grad the shares are the same, and scores stays as it was."""
    given = made(scores)
    with torch.no_grad():
        shares = solution.sigmoid_shares(given)
    return {"shares": shares, "has a graph": shares.requires_grad, "scores afterwards": given.detach().clone()}


@check(points=1, star=True, x=tensor("n", low=-1, high=1, step=1), gate=tensor("n"), minimum=2)
def positive_part_is_flat_at_zero(solution, x, gate, rng):
    """Where x is 0, the positive part has the derivative 0."""
    x = x.clone()
    x[0] = 0
    x.requires_grad_()
    block = solution.gated_block(x, gate)
    return {"gradient of x[0], which is 0": gradients(block, [x], upstream(block, rng))[0][:1]}


@check(points=1, star=True, x=tensor("...", low=-16, high=16), gate=tensor("..."), made=[constant, leaf, result])
def block_without_a_graph(solution, x, gate, made):
    """Under no_grad the block is the same, and x and gate stay as they were."""
    given = made(x), made(gate)
    with torch.no_grad():
        block = solution.gated_block(*given)
    after = [t.detach().clone() for t in given]
    return {"result": block, "has a graph": block.requires_grad, "x and gate afterwards": after}
