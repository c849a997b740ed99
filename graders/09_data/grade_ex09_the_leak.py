"""Hidden checks for prepare: which rows, whose scale, which labels; each check sees one of the three."""

import torch

from torchdojo.grading import built, check, tensor

CONCEPTS = ("A06", "K01", "K03", "K09")

KEPT = {
    "only_training_rows_are_mirrored": "the first of three repairs, worth points without the others",
    "the_scale_is_the_training_sets": "the second of three repairs, worth points without the others",
    "rows_keep_their_labels": "the third of three repairs, worth points without the others",
    "everything_together": "the numbers that a model gets, with all three repairs",
}


class oracle:
    """Index by index, with the statistics of the rows that are in the training set."""

    def prepare(x, y, val_size, generator):
        order = torch.randperm(len(x), generator=generator).tolist()
        train, val = order[: len(order) - val_size], order[len(order) - val_size :]
        rows = [x[i] for i in train] + [torch.stack([x[i][-1 - j] for j in range(x.shape[1])]) for i in train]
        n = len(rows)
        mean = sum(rows) / n
        std = (sum((row - mean) ** 2 for row in rows) / n).sqrt()
        x_train, x_val = (torch.stack([(row - mean) / std for row in part]) for part in (rows, [x[i] for i in val]))
        return (x_train, torch.stack([y[i] for i in train + train])), (x_val, torch.stack([y[i] for i in val]))


X = tensor("samples features", distinct=True, layouts=False)
ONE = tensor("samples 1", distinct=True, layouts=False)
Y = tensor("samples", dtype="int64", low=0, high=9)
VAL_SIZE = built(lambda case: case.rng.randint(1, case.size("samples") - 2), axes="samples")
LEAST = {"samples": 4, "features": 2}


def unscaled(x_train, x_val):
    """Both sets on the scale on which the columns of the training set go from 0 to 1, whatever scale they had. What is wrong in the
    validation set alone leaves the training set right."""
    low, high = x_train.amin(dim=0), x_train.amax(dim=0)
    return (x_train - low) / (high - low), (x_val - low) / (high - low)


@check(points=3, x=X, y=Y, val_size=VAL_SIZE, minimum=LEAST, dtypes=("float64",), devices=False)
def only_training_rows_are_mirrored(solution, x, y, val_size, rng):
    """The training set has its rows and their mirror images; the validation set has the other rows."""
    (x_train, _), (x_val, _) = solution.prepare(x, y, val_size, rng)
    x_train, x_val = unscaled(x_train, x_val)
    return {"x_train, on a scale from 0 to 1": x_train, "x_val, on the scale of x_train": x_val}


@check(points=3, x=X, y=Y, val_size=VAL_SIZE, minimum=LEAST, dtypes=("float64",), devices=False)
def the_scale_is_the_training_sets(solution, x, y, val_size, rng):
    """Each column of the training set has the mean 0 and the standard deviation 1."""
    (x_train, _), _ = solution.prepare(x, y, val_size, rng)
    return {"mean of each column": x_train.mean(dim=0), "std of each column": x_train.std(dim=0, correction=0)}


def follow(rows, labels, rank):
    """Are the labels of a set in the order of its rows, whatever the scale? rank: the place of each label's row in order."""
    order = rows[:, 0].argsort(stable=True)
    ranks = [rank.get(label, -1) for label in labels[order].tolist()]
    return len(rows) == len(labels) and ranks == sorted(ranks)


@check(points=3, x=ONE, y=Y, val_size=VAL_SIZE, minimum={"samples": 4}, dtypes=("float64",), devices=False)
def rows_keep_their_labels(solution, x, y, val_size, rng):
    """Each row keeps its label, in both sets."""
    y = torch.arange(len(y)) * 10 + y  # no two labels are equal
    rank = {label: k for k, label in enumerate(y[x[:, 0].argsort()].tolist())}
    (x_train, y_train), (x_val, y_val) = solution.prepare(x, y, val_size, rng)
    seen = {label for part in (y_train, y_val) for label in part.tolist()}
    return {
        "training labels follow their rows": follow(x_train, y_train, rank),
        "validation labels follow their rows": follow(x_val, y_val, rank),
        "labels in either set": len(seen & rank.keys()),
    }


@check(points=1, x=X, y=Y, val_size=VAL_SIZE, minimum=LEAST)
def everything_together(solution, x, y, val_size, rng):
    """Rows, labels and scale are right in both sets."""
    (x_train, y_train), (x_val, y_val) = solution.prepare(x, y, val_size, rng)
    return {"x_train": x_train, "y_train": y_train, "x_val": x_val, "y_val": y_val}
