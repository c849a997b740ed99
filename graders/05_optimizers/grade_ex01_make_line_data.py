"""Hidden checks for make_line_data."""

import torch

from torchdojo.grading import check, default_dtype

CONCEPTS = ("H01", "B15")

KEPT = {"points_lie_around_the_line": "it is the task itself; the check of the dtype compares points too, and says it less well"}


class oracle:
    """Two draws, then one point at a time in Python numbers."""

    def make_line_data(n, w, b, noise, *, generator):
        xs, errors = (torch.randn(n, generator=generator, device=generator.device).tolist() for _ in range(2))
        ys = [w * x + b + noise * error for x, error in zip(xs, errors, strict=True)]
        X, y = torch.tensor(xs, device=generator.device), torch.tensor(ys, device=generator.device)
        return X.reshape(n, 1), y.reshape(n, 1)


def seeded(number):
    return torch.Generator().manual_seed(number)


# a draw of 16 numbers or more goes through another routine of PyTorch, so one draw of 2 n shows up for n from 8 to 15
@check(
    points=2,
    devices=False,
    n=[5, 1, 0, 2, 8, 12, 15, 40],
    line=[(3.0, 2.0, 0.5), (-1.5, 0.25, 1.0), (0.5, -4.0, 0.0), (0.0, 1.0, 2.0)],
)
def points_lie_around_the_line(solution, n, line):
    """X is the first draw, and y is w * X + b + noise * the second draw."""
    w, b, noise = line
    X, y = solution.make_line_data(n, w, b, noise, generator=seeded(100 + n))
    return {"X": X, "y": y}


@check(points=1, devices=False, noise=[0.5, 0.0], n=[4, 9])
def generator_moves_on(solution, n, noise):
    """Each call moves the generator on by two draws, with noise or without."""
    generator, other = seeded(7), seeded(8)
    points = [solution.make_line_data(n, 3.0, 2.0, noise, generator=other)[0] for _ in range(2)]
    seen = {"new random points at the second call": not torch.equal(*points)}
    for call in (1, 2):
        solution.make_line_data(n, 3.0, 2.0, noise, generator=generator)
        seen[f"the generator's next number after call {call}"] = torch.randn((), generator=generator).item()
    return seen


@check(points=1, devices=False, n=[6, 20])
def global_random_state_is_left_alone(solution, n):
    """torch's global random state is neither used nor changed."""
    before = torch.get_rng_state()
    solution.make_line_data(n, 3.0, 2.0, 0.5, generator=seeded(3))
    return {"global random state unchanged": torch.equal(torch.get_rng_state(), before)}


@check(points=1, devices=False, dtype=[torch.float64, torch.float32], n=[5, 0, 20])
def dtype_is_the_default(solution, dtype, n):
    """X and y are drawn in torch's default dtype and do not require grad."""
    with default_dtype(dtype):
        X, y = solution.make_line_data(n, 3.0, 2.0, 0.5, generator=seeded(11))
    seen = {"dtype of X": X.dtype, "dtype of y": y.dtype, "requires_grad": [X.requires_grad, y.requires_grad]}
    return seen | {"inference tensors": [X.is_inference(), y.is_inference()], "X": X, "y": y}


@check(points=1, n=[6])
def results_are_on_the_generators_device(solution, n, device):
    """X and y are made where the generator lives, and by it."""
    generator, other = (torch.Generator(device=device).manual_seed(5) for _ in range(2))
    X, y = solution.make_line_data(n, 3.0, 2.0, 0.5, generator=generator)
    first, _, third = (torch.randn(n, 1, generator=other, device=device) for _ in range(3))
    return {
        "device of X": X.device.type,
        "device of y": y.device.type,
        "X is the generator's first draw": X.tolist() == first.tolist(),
        "the generator moved on by two draws": torch.equal(torch.randn(n, 1, generator=generator, device=device), third),
    }
