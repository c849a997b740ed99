"""Hidden checks for bilinear and all_pairs."""

import torch

from torchdojo.grading import Forbidden, check, gradients, loop_in, tensor, upstream, watched

CONCEPTS = ("C04", "C05", "C06", "C08")

KEPT = {
    "bilinear_agrees_with_the_loop": "the values themselves, worth points without gradients",
    "all_pairs_agrees_with_the_loop": "the values themselves, worth points without gradients",
}


class oracle:
    """The products of the exercise, one item at a time."""

    def bilinear(x, A, y):
        rows = [(x[b, :, None] * A * y[b, None, :]).sum() for b in range(len(x))]
        return torch.stack(rows) if rows else x.new_zeros(0)

    def all_pairs(x, y):
        rows = [(x[b, :, None] * y[b, None, :]).sum(-1) for b in range(len(x))]
        return torch.stack(rows) if rows else x.new_zeros(0, x.shape[1], y.shape[1])


@check(points=3, x=tensor("batch I"), A=tensor("I J"), y=tensor("batch J"), minimum=2, tolerance=(1e-5, 1e-5))
def bilinear_agrees_with_the_loop(solution, x, A, y):
    """Each item of the batch gets its own number."""
    return solution.bilinear(x, A, y)


@check(points=3, x=tensor("batch T D"), y=tensor("batch S D"), minimum=2, tolerance=(1e-5, 1e-5))
def all_pairs_agrees_with_the_loop(solution, x, y):
    """Every row of x is paired with every row of y of the same item."""
    return solution.all_pairs(x, y)


@check(points=1, star=True, x=tensor("batch I"), A=tensor("I J"), y=tensor("batch J"), tolerance=(1e-5, 1e-5))
def bilinear_takes_sizes_one_and_zero(solution, x, A, y):
    """bilinear keeps a batch of one item or none; a sum over nothing is 0."""
    return solution.bilinear(x, A, y)


@check(points=1, star=True, x=tensor("batch T D"), y=tensor("batch S D"), tolerance=(1e-5, 1e-5))
def all_pairs_takes_sizes_one_and_zero(solution, x, y):
    """all_pairs keeps every axis of size 1 or 0; a sum over nothing is 0."""
    return solution.all_pairs(x, y)


@check(
    points=1, star=True, x=tensor("batch I", step=0.1), A=tensor("I J"), y=tensor("batch J", step=0.1), minimum=2, dtypes=("float64",)
)
def gradients_of_bilinear(solution, x, A, y, rng):
    """Gradients reach x, A and y."""
    inputs = [t.requires_grad_() for t in (x, A, y)]
    found = gradients(z := solution.bilinear(x, A, y), inputs, upstream(z, rng))
    return {"score": z, "gradient of x": found[0], "gradient of A": found[1], "gradient of y": found[2]}


@check(points=1, star=True, x=tensor("batch T D", step=0.1), y=tensor("batch S D", step=0.1), minimum=2, dtypes=("float64",))
def gradients_of_all_pairs(solution, x, y, rng):
    """Gradients reach x and y."""
    inputs = [t.requires_grad_() for t in (x, y)]
    found = gradients(z := solution.all_pairs(x, y), inputs, upstream(z, rng))
    return {"scores": z, "gradient of x": found[0], "gradient of y": found[1]}


AWAY = ("tolist", "numpy")


def growth(few, more, most):
    """The work for each axis, which must not grow, and go on growing: another algorithm may cost more once, a loop always."""
    return [[(len(run.operations), run.steps) for run in runs] for runs in zip([few] * len(more), more, most, strict=True)]


def left(*runs):
    """Which functions that leave PyTorch were called."""
    return sorted({name for run in runs for name in run.called})


def wider(tensors, *axes, times):
    """The tensors, with each group of axes `times` as large: one (number of the axis or None) for each tensor."""
    return [
        [t if axis is None else t.repeat([times if n == axis else 1 for n in range(t.dim())]) for t, axis in zip(tensors, group, strict=True)]
        for group in axes
    ]


def seen(function, tensors):
    """The second call for these sizes: what is made once, and kept, is no loop."""
    function(*(t.flip(0) for t in tensors))
    return watched(lambda: function(*tensors), *AWAY)


@check(points=1, x=tensor("batch I"), A=tensor("I J"), y=tensor("batch J"), minimum=2, tolerance=(1e-4, 1e-4), devices=False)
def bilinear_has_no_loop(solution, x, A, y):
    """In bilinear the work does not grow with the sizes, and stays in PyTorch."""
    axes = (0, None, 0), (1, 0, None), (None, 1, 1)
    few, *more = [seen(solution.bilinear, t) for t in [(x, A, y), *wider((x, A, y), *axes, times=5)]]
    most = [seen(solution.bilinear, t) for t in wider((x, A, y), *axes, times=9)]
    return [run.answer for run in (few, *more, *most)], (growth(few, more, most), left(few, *more, *most))


@check(points=1, x=tensor("batch T D"), y=tensor("batch S D"), minimum=2, tolerance=(1e-4, 1e-4), devices=False)
def all_pairs_has_no_loop(solution, x, y):
    """In all_pairs the work does not grow with the sizes, and stays in PyTorch."""
    axes = (0, 0), (1, None), (None, 1), (2, 2)
    few, *more = [seen(solution.all_pairs, t) for t in [(x, y), *wider((x, y), *axes, times=5)]]
    most = [seen(solution.all_pairs, t) for t in wider((x, y), *axes, times=9)]
    return [run.answer for run in (few, *more, *most)], (growth(few, more, most), left(few, *more, *most))


def verdict(seen):
    """A sentence if there are axes along which the work grows."""
    work, away = seen
    for few, more, most in work:
        if why := loop_in(few, [more]) and loop_in(more, [most]):
            return Forbidden(f"with larger sizes {why}, so there is a Python loop")
    return Forbidden(f"you used {away[0]}(), which leaves PyTorch; a product of tensors is enough") if away else None


bilinear_has_no_loop.rule(verdict)
all_pairs_has_no_loop.rule(verdict)
