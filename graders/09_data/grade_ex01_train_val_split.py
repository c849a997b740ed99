"""Hidden checks for train_val_split: rows, labels, and the two sizes at which a slice goes wrong."""

import torch

from torchdojo.grading import built, check, raises, tensor

CONCEPTS = ("K01",)

KEPT = {
    "training_rows": "the training rows themselves, worth points without the validation set",
    "validation_rows": "the validation rows themselves, worth points without the training set",
}


class oracle:
    """One index after the other."""

    def train_val_split(x, y, order, val_size):
        indices, n = order.tolist(), len(x)
        if not 0 <= val_size <= n:
            raise ValueError("val_size")
        parts = [[i for k, i in enumerate(indices) if (k < n - val_size) == first] for first in (True, False)]
        return tuple((torch.stack([*x[:0], *(x[i] for i in p)]) if p else x[:0].clone(), y.new_tensor([int(y[i]) for i in p])) for p in parts)


def shuffled(case):
    """An order that is not the one of the rows."""
    n = case.size("samples")
    order = case.rng.sample(range(n), n)
    return torch.tensor(order if order != sorted(order) else order[::-1])


X = tensor("samples features", step=0.125, distinct=True)
Y = tensor("samples", dtype="int64", low=0, high=9)
ORDER = built(shuffled, axes="samples")
VAL_SIZE = built(lambda case: case.rng.randint(1, case.size("samples") - 1), axes="samples")
LEAST = {"samples": 3, "features": 1}


@check(points=2, x=X, y=Y, order=ORDER, val_size=VAL_SIZE, minimum=LEAST)
def training_rows(solution, x, y, order, val_size):
    """The training set has the rows of the first entries of order."""
    return {"x_train": solution.train_val_split(x, y, order, val_size)[0][0]}


@check(points=2, x=X, y=Y, order=ORDER, val_size=VAL_SIZE, minimum=LEAST)
def validation_rows(solution, x, y, order, val_size):
    """The validation set has the rows of the last entries of order."""
    return {"x_val": solution.train_val_split(x, y, order, val_size)[1][0]}


def labels_by_row(sets):
    """The labels in the order of their sorted rows: it doesn't matter which set has them, or whether both have."""
    rows, labels = (torch.cat([one[part] for one in sets]) for part in (0, 1))
    return labels[rows[:, 0].argsort(stable=True)].unique_consecutive()


@check(points=2, x=X, y=Y, order=ORDER, val_size=VAL_SIZE, minimum=LEAST)
def labels_stay_with_their_rows(solution, x, y, order, val_size):
    """Each row keeps its label, in both sets."""
    y = torch.arange(len(x), device=x.device) * 10 + y  # no two labels are equal
    return {"labels of both sets, in the order of their sorted rows": labels_by_row(solution.train_val_split(x, y, order, val_size))}


@check(points=1, star=True, x=X, y=Y, order=ORDER, part=["no sample", "all samples"], minimum=LEAST, devices=False)
def a_set_may_be_empty(solution, x, y, order, part):
    """val_size may be 0 or the number of samples."""
    (x_train, _), (x_val, _) = solution.train_val_split(x, y, order, 0 if part == "no sample" else len(x))
    return {"x_train, sorted": x_train.sort(dim=0).values, "x_val, sorted": x_val.sort(dim=0).values}


@check(points=1, star=True, x=X, y=Y, order=ORDER, val_size=VAL_SIZE, minimum=LEAST, devices=False, beside=True)
def sizes_that_do_not_fit_are_refused(solution, x, y, order, val_size):
    """A val_size below 0 or above the number of samples raises ValueError."""
    wrong = {"-1": -1, "samples + 1": len(x) + 1}
    refused = {f"val_size {name}": raises(lambda n=n: solution.train_val_split(x, y, order, n), ValueError) for name, n in wrong.items()}
    numbers = [t.double().sum() for pair in solution.train_val_split(x, y, order, val_size) for t in pair]
    return {"sum of everything": sum(numbers).item()}, refused
