"""Hidden checks for RowDataset: items, length, batches, and where the data end."""

import itertools

import torch
from torch.utils.data import DataLoader

from torchdojo.grading import check, raises, tensor

CONCEPTS = ("K02",)

KEPT = {
    "items_are_rows_with_their_labels": "the items themselves, worth points without the right length",
    "the_length_is_the_number_of_samples": "the length, said by itself",
    "a_loader_makes_batches": "what the class is for, said by itself",
}


class oracle:
    """TensorDataset's behavior for single indices, written out."""

    class RowDataset:
        def __init__(self, x, y):
            if len(x) != len(y):
                raise ValueError("lengths")
            self.rows, self.labels = list(x.unbind(0)), list(y.unbind(0))

        def __len__(self):
            return len(self.rows)

        def __getitem__(self, i):
            return self.rows[i], self.labels[i]


X = tensor("samples features", distinct=True)
Y = tensor("samples", dtype="int64", low=0, high=9)
LEAST = {"samples": 2, "features": 1}


def pairs(items):
    """Rows and labels; whether a pair is a tuple or a list doesn't matter."""
    found = []
    for item in items:
        found.append({"row": own(item[0]), "label": own(item[1])})
    return found


def own(value):
    """A copy, if it is a tensor: it may share memory with an argument."""
    return value.clone() if isinstance(value, torch.Tensor) else value


def numbers(items):
    """Rows and labels as plain numbers: which shape and type they have is asked elsewhere."""
    found = []
    for item in items:
        found.append([item[0].flatten().tolist(), int(item[1])])
    return found


@check(points=3, x=X, y=Y, minimum=LEAST)
def items_are_rows_with_their_labels(solution, x, y):
    """data[i] is row i and label i, with the shapes (features,) and ()."""
    y = y + 10 * y.new_tensor(range(len(y)))
    data = solution.RowDataset(x, y)
    return pairs(data[i] for i in range(len(x)))


@check(points=2, x=X, y=Y, minimum=LEAST, devices=False, beside=True)
def the_length_is_the_number_of_samples(solution, x, y):
    """len(data) counts samples."""
    data = solution.RowDataset(x, y)
    return numbers([data[0], data[len(x) - 1]]), {"len(data)": len(data)}


@check(points=1, x=X, y=Y, batch_size=[2, 3], minimum=LEAST, devices=False)
def a_loader_makes_batches(solution, x, y, batch_size):
    """A DataLoader makes batches of shape (batch, features) and (batch,) from it."""
    found = []
    for batch in DataLoader(solution.RowDataset(x, y), batch_size=batch_size):
        found.append({"rows": batch[0], "labels": batch[1]})
    return found


@check(points=1, star=True, x=X, y=Y, minimum=LEAST, devices=False)
def negative_indices_count_from_the_end(solution, x, y):
    """data[-1] is the last sample."""
    data = solution.RowDataset(x, y)
    return numbers(data[-i] for i in range(1, len(x) + 1))


@check(points=1, star=True, x=X, y=Y, minimum=LEAST, devices=False, beside=True)
def a_loop_ends_where_the_data_end(solution, x, y):
    """An index out of range raises IndexError, so a for loop ends."""
    data, n = solution.RowDataset(x, y), len(x)
    outside = {f"data[{i}] of {n}": raises(lambda i=i: data[i], IndexError) for i in (n, n + 3, -n - 1)}
    return numbers(data[i] for i in range(n)), {**outside, "rounds of a for loop": len(list(itertools.islice(data, n + 2)))}


@check(points=1, star=True, x=X, y=Y, minimum=LEAST, devices=False, beside=True)
def different_lengths_are_refused(solution, x, y):
    """x and y with different numbers of rows raise ValueError at once."""
    data = solution.RowDataset(x, y)
    wrong = {"a label is missing": (x, y[:-1]), "a row is missing": (x[:-1], y)}
    return numbers([data[1]]), {name: raises(lambda p=p: solution.RowDataset(*p), ValueError) for name, p in wrong.items()}
