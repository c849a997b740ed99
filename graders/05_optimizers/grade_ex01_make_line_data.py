"""Hidden checks for make_line_data."""

import torch

from torchdojo.grading import check

CONCEPTS = ("H01", "B15")

KEPT = {
    "generator_moves_on": "one part of the task by itself; the check without noise sees the same draws",
    "x_is_the_first_draw": "one part of the task by itself; the checks of the generator and of sizes see the same draws",
    "n_may_be_zero_or_large": "odd sizes by themselves; the check of the global state has sizes of both routines as well",
    "errors_are_the_second_draw": "one part of the task by itself; the check of sizes sees the same draws",
    "points_without_noise_lie_on_the_line": "one part of the task by itself; with noise the errors have to be right as well",
}


class oracle:
    """Two draws, then one point at a time in Python numbers."""

    def make_line_data(n, w, b, noise, *, generator):
        xs, errors = (torch.randn(n, generator=generator, device=generator.device).tolist() for _ in range(2))
        ys = [w * x + b + noise * error for x, error in zip(xs, errors, strict=True)]
        X, y = torch.tensor(xs, device=generator.device), torch.tensor(ys, device=generator.device)
        return X.reshape(n, 1), y.reshape(n, 1)


def seeded(number):
    return torch.Generator().manual_seed(number)


LINES = [(3.0, 2.0), (-1.5, 0.25), (0.5, -4.0), (2.0, 1.0)]


@check(points=3, devices=False, random=True, n=[5, 3, 6], line=LINES)
def x_is_the_first_draw(solution, n, line):
    """X is a column of n numbers, the first draw."""
    X, y = solution.make_line_data(n, *line, 0.5, generator=seeded(100 + n))
    return {"X": X}


@check(points=3, devices=False, random=True, n=[5, 3, 6], line=LINES, tolerance=(1e-5, 1e-5))  # y is rounded: measured gap 1e-6
def points_without_noise_lie_on_the_line(solution, n, line):
    """Without noise, y is the column w * X + b."""
    w, b = line
    X, y = solution.make_line_data(n, w, b, 0.0, generator=seeded(200 + n))
    return {"y - (w * X + b)": y - (w * X + b)}


@check(points=2, devices=False, random=True, n=[5, 3, 6], noise=[0.5, 1.0, 2.0], tolerance=(1e-5, 1e-5))  # gap as above
def errors_are_the_second_draw(solution, n, noise):
    """y differs from the line by noise times the second draw."""
    X, y = solution.make_line_data(n, 1.5, 1.5, noise, generator=seeded(300 + n))
    return {"shape of X": tuple(X.shape), "(y - (w * X + b)) / noise": (y.reshape(n, 1) - (1.5 * X + 1.5)) / noise}


def two_calls(solution, n, noise):
    generator, other = seeded(7), seeded(8)
    points = [solution.make_line_data(n, 3.0, 2.0, noise, generator=other)[0] for _ in range(2)]
    seen = {"new random points at the second call": not torch.equal(*points)}
    for call in (1, 2):
        solution.make_line_data(n, 3.0, 2.0, noise, generator=generator)
        seen[f"the generator's next number after call {call}"] = torch.randn((), generator=generator).item()
    return seen


@check(points=1, devices=False, random=True, noise=[0.5, 1.0], n=[4, 9])
def generator_moves_on(solution, n, noise):
    """Each call advances the generator by two draws."""
    return two_calls(solution, n, noise)


@check(points=1, star=True, devices=False, random=True, n=[4, 9])
def errors_are_drawn_without_noise(solution, n):
    """Each call advances the generator by two draws, even with noise 0."""
    return two_calls(solution, n, 0.0)


# a draw of 16 numbers or more goes through another routine of PyTorch, so one draw of 2 n shows up for n from 8 to 15
@check(points=1, star=True, devices=False, random=True, n=[0, 1, 8, 12, 15, 16, 40], beside=True)
def n_may_be_zero_or_large(solution, n):
    """n may be 0 or 1; two draws of n numbers are not one draw of 2 * n numbers."""
    X, y = solution.make_line_data(n, 1.5, 1.5, 0.5, generator=seeded(11))
    return {"X": X, "y": y.reshape(n, 1)}, {"requires_grad": [X.requires_grad, y.requires_grad]}


@check(points=1, star=True, devices=False, n=[6, 20], beside=True)
def global_random_state_is_left_alone(solution, n):
    """torch's global random state is neither used nor changed."""
    before = torch.get_rng_state()
    X, y = solution.make_line_data(n, 1.5, 1.5, 0.5, generator=seeded(3))
    unchanged = torch.equal(torch.get_rng_state(), before)
    torch.rand(1)
    again = solution.make_line_data(n, 1.5, 1.5, 0.5, generator=seeded(3))
    same = [torch.equal(a, b) for a, b in zip((X, y), again, strict=True)]
    return {"X": X, "y": y.reshape(n, 1)}, {"global random state unchanged": unchanged, "the same after other random numbers": same}


@check(points=1, star=True, n=[6], random=True, about_device=True, beside=True)
def results_are_on_the_generators_device(solution, n, device):
    """X and y are drawn from the generator, on its device."""
    generator, other = (torch.Generator(device=device).manual_seed(5) for _ in range(2))
    X, y = solution.make_line_data(n, 3.0, 2.0, 0.5, generator=generator)
    first = torch.randn(n, 1, generator=other, device=device)
    found = {"shape of X": tuple(X.shape), "X is the generator's first draw": X.reshape(-1).tolist() == first.reshape(-1).tolist()}
    return found, {"device of X": X.device.type, "device of y": y.device.type}
