"""Hidden checks for bilinear and all_pairs."""

import torch

from torchdojo.grading import check, gradients, operations, tensor, upstream

CONCEPTS = ("C04", "C05", "C06", "C08")

KEPT = {
    "bilinear_agrees_with_the_loop": "the values themselves, worth points without gradients",
    "all_pairs_agrees_with_the_loop": "the values themselves, worth points without gradients",
}


class oracle:
    """The loops of the exercise."""

    def bilinear(x, A, y):
        out = x.new_zeros(len(x))
        for b in range(len(x)):
            for i in range(A.shape[0]):
                for j in range(A.shape[1]):
                    out[b] += x[b, i] * A[i, j] * y[b, j]
        return out

    def all_pairs(x, y):
        out = x.new_zeros(len(x), x.shape[1], y.shape[1])
        for b in range(len(x)):
            for t in range(x.shape[1]):
                for s in range(y.shape[1]):
                    out[b, t, s] = (x[b, t] * y[b, s]).sum()
        return out


@check(points=2, x=tensor("batch I"), A=tensor("I J"), y=tensor("batch J"), minimum=2, tolerance=(1e-5, 1e-5))
def bilinear_agrees_with_the_loop(solution, x, A, y):
    """Each item of the batch gets its own number."""
    return solution.bilinear(x, A, y)


@check(points=2, x=tensor("batch T D"), y=tensor("batch S D"), minimum=2, tolerance=(1e-5, 1e-5))
def all_pairs_agrees_with_the_loop(solution, x, y):
    """Every row of x meets every row of y of the same item."""
    return solution.all_pairs(x, y)


@check(points=1, x=tensor("batch I"), A=tensor("I J"), y=tensor("batch J"), u=tensor("batch I J"), v=tensor("batch T J"), minimum=0, tolerance=(1e-5, 1e-5))
def axes_of_size_one_and_zero_stay(solution, x, A, y, u, v):
    """An axis of size 1 or 0 keeps its place in the result; a sum over nothing is 0."""
    return {"bilinear": solution.bilinear(x, A, y), "all_pairs": solution.all_pairs(u, v)}


@check(points=1, x=tensor("batch I", step=0.1), A=tensor("I J"), y=tensor("batch J", step=0.1), minimum=2, dtypes=("float64",))
def gradients_of_bilinear(solution, x, A, y, rng):
    """Gradients reach x, A and y."""
    inputs = [t.requires_grad_() for t in (x, A, y)]
    found = gradients(z := solution.bilinear(x, A, y), inputs, upstream(z, rng))
    return {"score": z, "gradient of x": found[0], "gradient of A": found[1], "gradient of y": found[2]}


@check(points=1, x=tensor("batch T D", step=0.1), y=tensor("batch S D", step=0.1), minimum=2, dtypes=("float64",))
def gradients_of_all_pairs(solution, x, y, rng):
    """Gradients reach x and y."""
    inputs = [t.requires_grad_() for t in (x, y)]
    found = gradients(z := solution.all_pairs(x, y), inputs, upstream(z, rng))
    return {"scores": z, "gradient of x": found[0], "gradient of y": found[1]}


@check(points=2, sizes=[(3, 2, 4), (2, 5, 3)])
def no_loop_over_any_axis(solution, sizes, device):
    """The number of PyTorch operations does not grow with the sizes."""

    def count(a, b, c):
        x, A, y = (torch.ones(s, device=device) for s in ((a, b), (b, c), (a, c)))
        u, v = torch.ones(a, b, c, device=device), torch.ones(a, b + 1, c, device=device)
        one, two = operations(lambda: solution.bilinear(x, A, y)), operations(lambda: solution.all_pairs(u, v))
        return len(one), len(two)

    def longer(axis, times):
        return count(*(n * times if i == axis else n for i, n in enumerate(sizes)))

    few, many = count(*sizes), [longer(axis, 6) for axis in range(3)]
    more = [longer(axis, 12) if m > few else m for axis, m in enumerate(many)]  # a loop goes on growing, another algorithm does not
    return {name: max(b[n] - a[n] for a, b in zip(many, more, strict=True)) for n, name in enumerate(("bilinear", "all_pairs"))}


@no_loop_over_any_axis.judge
def _(more):
    grown = [name for name, extra in more.items() if extra > 0]
    if grown:
        return f"{' and '.join(grown)}: with larger sizes more PyTorch operations ran, so there is a Python loop"
    return None
