"""Hidden checks for AugmentedRows: a fresh float32 row each time, and the caller's arrays untouched."""

import itertools
import warnings

import numpy as np
import torch

from torchdojo.grading import check, default_dtype, raises, tensor

CONCEPTS = ("A02", "A06", "B02", "B07")

KEPT = {"rows_are_float32": "the rows themselves, worth points without augment and labels"}


class oracle:
    """Numbers read from the arrays one by one."""

    class AugmentedRows:
        def __init__(self, features, labels, augment=None):
            self.features, self.labels, self.augment = features, labels, augment

        def __len__(self):
            return self.features.shape[0]

        def __getitem__(self, i):
            if not -len(self) <= i < len(self):
                raise IndexError(i)
            row = torch.empty(self.features.shape[1], device="cpu", dtype=torch.float32)
            for k in range(len(row)):
                row[k] = float(self.features[i, k])
            label = torch.zeros((), dtype=torch.int64, device="cpu") + int(self.labels[i])
            return (self.augment(row) if self.augment else row), label


def plain(a):
    return a.copy()


def read_only(a):
    a = a.copy()
    a.flags.writeable = False
    return a


def transposed(a):
    return np.asfortranarray(a).copy(order="F")


def part(a):
    """Every second element of a larger array."""
    big = np.zeros([2 * n + 1 for n in a.shape], dtype=a.dtype)
    view = big[tuple(slice(1, None, 2) for _ in a.shape)]
    view[...] = a
    return view


def adds_in_place(row):
    return row.add_(1)


def makes_a_new_row(row):
    return row * 2 + 1


def squares_and_shortens(row):
    row.mul_(row)
    return row[:1]


LAYOUTS = [plain, read_only, transposed, part]
AUGMENTS = [None, adds_in_place, makes_a_new_row, squares_and_shortens]
INTEGERS = ["int64", "int32", "uint8", "int8", "int16", "uint16"]
X = tensor("samples columns", layouts=False)
Y = tensor("samples", dtype="int64", low=0, high=9, layouts=False)


class Watched:
    """An augmentation that notes what it is given."""

    def __init__(self, augment):
        self.augment, self.seen = augment, []

    def __call__(self, row):
        self.seen.append((str(row.dtype), tuple(row.shape), str(row.device)))
        return self.augment(row)


def dataset(solution, x, y, layout=plain, augment=None):
    """(dataset, features, labels) for these numbers."""
    features, labels = layout(x.numpy()), y.numpy()
    return solution.AugmentedRows(features, labels, augment=augment), features, labels


def numbers(items):
    """Rows and labels as plain numbers: of which dtype they are is asked elsewhere."""
    return [(row.tolist(), int(label)) for row, label in items]


@check(points=2, x=X, y=Y, layout=LAYOUTS, minimum={"columns": 1}, devices=False)
def rows_are_float32(solution, x, y, layout):
    """Each item is a row of numbers, converted to float32, and a 0-dim tensor with its label."""
    data, _, _ = dataset(solution, x / 3, y, layout)
    items = [data[i] for i in range(len(x))]
    return {"rows": [row for row, _ in items], "labels are 0-dim tensors": [isinstance(t, torch.Tensor) and t.ndim == 0 for _, t in items]}


@check(points=1, star=True, x=X, y=Y, integers=INTEGERS, layout=[plain, read_only, part], minimum={"columns": 1}, devices=False)
def labels_are_int64(solution, x, y, integers, layout):
    """Labels of every integer dtype come out as 0-dim int64 tensors."""
    numbers = y.numpy().astype(integers)
    numbers[:1] = np.iinfo(integers).max
    labels = layout(numbers)
    data = solution.AugmentedRows(x.numpy(), labels)
    return {"length": len(data), "labels": [data[i][1] for i in range(len(x))]}


@check(points=3, x=X, y=Y, layout=LAYOUTS, augment=AUGMENTS[1:], minimum={"columns": 1}, devices=False)
def each_item_starts_afresh(solution, x, y, layout, augment):
    """Every item is augmented once, from the original row, at every call."""
    data, features, labels = dataset(solution, x, y, layout, augment)
    order = [*range(len(x)), *reversed(range(len(x)))]
    return {
        "items": numbers(data[i] for i in order),
        "features afterwards": torch.tensor(features.tolist()),
        "labels afterwards": labels.tolist(),
    }


@check(points=1, x=X, y=Y, augment=AUGMENTS[1:], minimum={"columns": 1}, devices=False)
def augment_gets_float32_rows(solution, x, y, augment):
    """augment is called once for each item, with a float32 row."""
    watched = Watched(augment)
    data, _, _ = dataset(solution, x / 3, y, plain, watched)
    items = [data[i] for i in [*range(len(x)), *range(len(x))]]
    rows = [row.float() for row, _ in items[: len(x)]]  # later ones may be wrong for another reason
    return {"rows": rows, "what augment was given": watched.seen}


@check(points=1, star=True, x=X, y=Y, augment=[None, makes_a_new_row], minimum={"columns": 1}, devices=False)
def rows_share_no_memory(solution, x, y, augment):
    """When you change a row, nothing else changes."""
    data, features, labels = dataset(solution, x, y, plain, augment)
    first = [data[i] for i in range(len(x))]
    second = [data[i] for i in range(len(x))]
    for row, _ in first:
        row.fill_(77)
    return {
        "items taken before the change": numbers(second),
        "items taken after the change": numbers(data[i] for i in range(len(x))),
        "features afterwards": torch.tensor(features.tolist()),
    }


@check(points=0.5, star=True, x=X, y=Y, minimum={"columns": 1}, devices=False)
def labels_share_no_memory(solution, x, y):
    """When you change a label, nothing else changes, and the arrays can still be written to."""
    data, features, labels = dataset(solution, x, y)
    first = [torch.as_tensor(data[i][1]) for i in range(len(x))]
    second = [data[i][1] for i in range(len(x))]
    for label in first:
        label.fill_(77)
    return {
        "labels taken before the change": [int(label) for label in second],
        "labels taken after the change": [int(data[i][1]) for i in range(len(x))],
        "labels afterwards": labels.tolist(),
        "the arrays can be written to": [array.flags.writeable for array in (features, labels)],
    }


@check(points=0.5, star=True, x=X, y=Y, minimum={"columns": 1}, devices=False, beside=True)
def ends_where_the_data_end(solution, x, y):
    """len is right, -1 is the last sample, an index out of range raises IndexError, and a loop ends."""
    data, _, _ = dataset(solution, x, y)
    n = len(x)
    outside = {f"data[{i}] of {n}": raises(lambda i=i: data[i], IndexError) for i in (n, n + 3, -n - 1)}
    rounds = len(list(itertools.islice(data, n + 2)))
    return numbers(data[i] for i in range(-n, n)), {"length": len(data), **outside, "rounds of a for loop": rounds}


@check(points=0.5, star=True, x=X, y=Y, layout=LAYOUTS, augment=AUGMENTS, surroundings=["float64", "meta"], minimum=1, devices=False)
def does_not_depend_on_defaults(solution, x, y, layout, augment, surroundings):
    """Another default dtype or default device changes nothing."""
    with default_dtype(torch.float64 if surroundings == "float64" else torch.get_default_dtype()):
        with torch.device("meta" if surroundings == "meta" else "cpu"):
            data, _, _ = dataset(solution, x.float(), y, layout, augment)
            return [(row, int(label)) for row, label in (data[i] for i in range(len(x)))]


@check(points=0.5, star=True, x=X, y=Y, layout=LAYOUTS, labels=LAYOUTS, minimum=1, devices=False, beside=True)
def raises_no_warning(solution, x, y, layout, labels):
    """No warning is raised, not even for read-only arrays."""
    always = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            data = solution.AugmentedRows(layout(x.numpy()), labels(y.numpy()), makes_a_new_row)
            items = [data[i] for i in range(len(x))]
    finally:
        torch.set_warn_always(always)
    return numbers(items), {"warnings": ", ".join(sorted({w.category.__name__ for w in caught})) or "none"}
