"""Hidden checks for pairwise_sqdist."""

import torch

from torchdojo.grading import Forbidden, built, check, gradients, loop_in, tensor, upstream, watched

CONCEPTS = ("D02", "E06")
FORBIDS = {"aten.*cdist*": "torch.cdist", "aten._euclidean_dist": "torch.cdist", "aten.*pdist*": "torch.pdist", "aten.pairwise_distance": "torch's own pairwise_distance"}
BECAUSE = "it hides the broadcasting that this exercise is about."
KEPT = {
    "points_far_from_the_origin_stay_apart": "digits that are lost far from zero, said by itself",
    "agrees_with_a_loop": "the distances themselves, worth points without gradients",
    "gradients_flow_to_both": "a detached answer has right values; this says so by name",
}


class oracle:
    """The loop of the exercise."""

    def pairwise_sqdist(a, b):
        rows = [torch.stack([((x - y) ** 2).sum() for y in b]) if len(b) else a.new_zeros(0) for x in a]
        return torch.stack(rows) if rows else a.new_zeros(0, len(b))


@check(points=4, a=tensor("N D"), b=tensor("M D"))
def agrees_with_a_loop(solution, a, b):
    """The result holds the squared distance of every row of a to every row of b."""
    return solution.pairwise_sqdist(a, b)


def far_from_zero(case):
    near = case.tensor("N D", low=-3, high=3, step=1.0)
    return near + 10_000 if case.dtype == torch.float32 else near / 3 * 1e-4 + 10_000


@check(points=1, star=True, a=built(far_from_zero, "N D"), dtypes=("float32", "float64"))
def points_far_from_the_origin_stay_apart(solution, a):
    """Distances between points around 10000 and -10000 are right and never negative."""
    a, b = torch.cat([a, -a]), torch.cat([a.flip(0), a + 1, 1 - a])
    return solution.pairwise_sqdist(a, b)


# a and b have no number in common: equal rows have a check of their own
@check(points=1, star=True, a=tensor("N D", step=0.1), b=tensor("M D", step=0.1, low=-3.95, high=3.95), minimum=1)
def gradients_flow_to_both(solution, a, b, rng):
    """Gradients reach a and b."""
    a.requires_grad_()
    b.requires_grad_()
    y = solution.pairwise_sqdist(a, b)
    found = gradients(y, [a, b], upstream(y, rng))
    return {"gradient of a": found[0], "gradient of b": found[1]}


# numbers that are rounded wherever points are moved or multiplied
ROUNDED = [{"a": torch.arange(60, dtype=dtype).sin().reshape(12, 5)} for dtype in (torch.float32, torch.float64)]


@check(points=1, star=True, a=tensor("N D"), minimum=1, examples=ROUNDED)
def gradient_is_zero_where_rows_are_equal(solution, a, rng):
    """Where two rows are equal, the distance is exactly 0 and the gradient is 0, not nan."""
    a = (a / 3 + 100).requires_grad_()
    table = solution.pairwise_sqdist(a, b := a.detach().clone().requires_grad_())
    y = table.diagonal()
    found = {"gradient": gradients(y, [a], upstream(y, rng), retain_graph=True)[0], "every distance is exactly 0": bool((y == 0).all())}
    both = gradients(table, [a, b], upstream(table, rng))
    found |= {"gradient of a in the whole table": both[0], "gradient of b in the whole table": both[1]}
    return found | {"one tensor for both": solution.pairwise_sqdist(a, a)}


# without layouts: einsum copies transposed rows, which takes a few more operations for some sizes than for others; in float64,
# where lost digits can't be seen; so many times that no two sizes become equal
@check(points=1, a=tensor("N D", layouts=False), b=tensor("M D", layouts=False), times=[4, 5], minimum=2, dtypes=("float64",))
def no_loop_over_rows_or_coordinates(solution, a, b, times):
    """The work does not grow with N, M or D, and stays in PyTorch."""
    larger = {"few": (a, b), "N": (a.repeat(times, 1), b), "M": (a, b.repeat(times, 1)), "D": (a.repeat(1, times), b.repeat(1, times))}
    for pair in larger.values():
        solution.pairwise_sqdist(*(points.flip(0) for points in pair))  # what is made once for these sizes, and kept, is no loop
    runs = {name: watched(lambda pair=pair: solution.pairwise_sqdist(*pair), "tolist", "numpy") for name, pair in larger.items()}
    answers = {f"with more {name}" if name != "few" else "as given": run.answer for name, run in runs.items()}
    work = {name: (len(run.operations), run.steps) for name, run in runs.items()}
    return answers, {"work": work, "left": sorted({name for run in runs.values() for name in run.called})}


@no_loop_over_rows_or_coordinates.rule
def _(seen):
    few, left = seen["work"]["few"], seen["left"]
    for name, work in seen["work"].items():
        if why := name != "few" and loop_in(few, [work]):
            return Forbidden(f"with larger {name}, {why}: there is a Python loop")
    return Forbidden(f"you used {left[0]}(), which leaves PyTorch; a difference of two views is enough") if left else None
