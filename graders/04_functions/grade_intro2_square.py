"""Hidden checks for Triple and Square."""

from torchdojo.grading import check, raw_gradients, tensor, upstream

CONCEPTS = ("G06", "G30")
FORBIDS = {"autograd.inside": "autograd inside backward"}
BECAUSE = "write the derivative yourself"


class oracle:
    """PyTorch's own operations."""

    class Triple:
        def apply(x):
            return x.mul(3)

    class Square:
        def apply(x):
            return x.square()


@check(points=3, x=tensor("..."), minimum=1)
def three_times_the_upstream_gradient(solution, x, rng):
    """The gradient of Triple is 3 times the upstream gradient."""
    x.requires_grad_()
    y = solution.Triple.apply(x)
    return {"result": y, "gradient": raw_gradients(y, upstream(y, rng), [x])}


@check(points=3, x=tensor("..."), minimum=1)
def twice_x_times_the_upstream_gradient(solution, x, rng):
    """The gradient of Square is the derivative, 2 * x, times the upstream gradient."""
    x.requires_grad_()
    y = solution.Square.apply(x)
    return {"result": y, "gradient": raw_gradients(y, upstream(y, rng), [x])}
