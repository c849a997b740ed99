"""Hidden checks for residuals and learn_line: every prediction meets its own target."""

import torch

from torchdojo.grading import check, gradients, raises, tensor, upstream

CONCEPTS = ("A02", "A05", "A06", "D03", "D04", "D06", "E05")


class oracle:
    """Columns minus columns; the line by the two derivatives that one writes on paper, in Python floats."""

    def residuals(prediction, target):
        if list(target.shape) not in ([len(prediction)], [len(prediction), 1]):
            raise ValueError("shapes differ")
        return prediction - target.reshape(-1, 1)

    def learn_line(x, y, lr=0.1, steps=100):
        if steps and list(y.shape) not in ([len(x)], [len(x), 1]):
            raise ValueError("shapes differ")
        points = list(zip(x.reshape(-1).tolist(), y.reshape(-1).tolist(), strict=True))
        slope, intercept, history = 0.0, 0.0, []
        for _ in range(steps):
            gaps = [slope * a + intercept - b for a, b in points]
            history.append(sum(gap * gap for gap in gaps) / len(gaps))
            slope -= lr * 2 * sum(gap * a for gap, (a, _) in zip(gaps, points, strict=True)) / len(gaps)
            intercept -= lr * 2 * sum(gaps) / len(gaps)
        return slope, intercept, history


def flat(y):
    return y


def column(y):
    return y.unsqueeze(1)


SHORT = torch.tensor([0.5, -2.0, 3.0], dtype=torch.bfloat16)


@check(
    points=3, prediction=tensor("samples 1"), target=tensor("samples"), form=[flat, column],
    examples=[{"prediction": SHORT.unsqueeze(1), "target": SHORT.flip(0), "form": flat}],
)  # fmt: skip
def pairs_each_sample(solution, prediction, target, form, rng):
    """Each prediction is compared with its own target, and both get a gradient."""
    prediction.requires_grad_(), target.requires_grad_()
    result = solution.residuals(prediction, form(target))
    found = gradients(result, [prediction, target], upstream(result, rng))
    return {"result": result, "gradient of prediction": found[0], "gradient of target": found[1]}


def sized(shape, n):
    """The shape that is written as "(N, 1)" or "(N + 1,)", for N samples."""
    sizes = (part.strip() for part in shape.strip("()").split(","))
    words = {"N": n, "N + 1": n + 1, "N - 1": n - 1}
    return tuple(words[size] if size in words else int(size) for size in sizes if size)


SHAPES = ["(1, N)", "(N, 2)", "()", "(N, 0)", "(N, N)", "(N, 1, 1)", "(1, N, 1)", "(1, 1, N)", "(N + 1,)", "(N + 1, 1)", "(1,)", "(1, 1)", "(N - 1,)", "(N - 1, 1)"]
ONE_SAMPLE = [{"prediction": torch.ones(1, 1), "target_shape": shape} for shape in ("(N + 1,)", "(N + 1, 1)", "(N, 2)", "(1, N, 1)", "()", "(N - 1,)")]
NO_SAMPLES = [{"prediction": torch.ones(0, 1), "target_shape": shape} for shape in ("(1,)", "(1, 1)")]  # a row that broadcasts away


@check(points=2, star=True, prediction=tensor("samples 1", layouts=False), target_shape=SHAPES, minimum=2, examples=ONE_SAMPLE + NO_SAMPLES)
def refuses_other_shapes(solution, prediction, target_shape):
    """residuals raises ValueError for a target of any other shape."""
    target = prediction.new_zeros(sized(target_shape, len(prediction)))
    return {"error": raises(lambda: solution.residuals(prediction, target), ValueError)}


SETTINGS = [{"lr": 0.25, "steps": 2}, {"lr": 0.5, "steps": 1}, {}, {"lr": 0.125, "steps": 20}, {"steps": 0}, {"lr": 0.25}]


# float64 throughout: a right solution was never more than 1e-15 off.
@check(
    points=2, x=tensor("samples 1", low=-1, high=1), y=tensor("samples"), form=[flat, column], settings=SETTINGS,
    minimum=1, dtypes=("float64",), tolerance=(1e-10, 1e-10),
)  # fmt: skip
def follows_the_descent(solution, x, y, form, settings):
    """Slope, intercept and every loss match gradient descent."""
    return solution.learn_line(x, form(y), **settings)


# In float32 the sums of a right solution may run in another order: up to 4e-7 apart after 5 steps were seen.
@check(
    points=1, x=tensor("samples 1", low=-1, high=1), y=tensor("samples"), form=[flat, column], minimum=1,
    dtypes=("float32",), tolerance=(1e-4, 1e-5),
)  # fmt: skip
def works_in_float32(solution, x, y, form):
    """float32 data are fitted in the same way."""
    return solution.learn_line(x, form(y), lr=0.25, steps=5)


@check(points=1, star=True, x=tensor("samples 1"), y_shape=["(1, N)", "(N, 1, 1)", "(N + 1,)", "(1,)", "()"], minimum=2, dtypes=("float64",))
def learning_refuses_other_shapes(solution, x, y_shape):
    """learn_line raises ValueError for a y of any other shape."""
    y = x.new_ones(sized(y_shape, len(x)))
    return {"error": raises(lambda: solution.learn_line(x, y, lr=0.1, steps=1), ValueError)}
