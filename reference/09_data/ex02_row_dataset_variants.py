"""Known mistakes and unusual but correct solutions for RowDataset."""

from torch.utils.data import Dataset, Subset, TensorDataset

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "add_detach: self.x = x.detach()": "data have no history",
    "add_detach: self.y = y.detach()": "data have no history",
}

HINTS = (
    "Three small methods: keep the tensors, count the samples, index both tensors.",
    "x[i] of a tensor is its row i. It raises IndexError outside of the data, and it takes negative numbers. "
    "You don't need to write any of that.",
    "__init__ compares the two lengths and keeps both tensors in attributes. __len__ counts the rows. "
    "__getitem__ indexes both with i and returns a tuple.",
)


CountsFeatures = mistake.edited("return len(self.x)", "return self.x.shape[1]",
    "len(data) is the number of features: count the rows of x.",
    about=("the_length_is_the_number_of_samples", "a_loader_makes_batches"),
    pitfall="x.shape[1] counts features")

CountsNumbers = mistake.edited("return len(self.x)", "return self.x.numel()",
    "len(data) counts all numbers of x: a sample is a whole row.",
    about=("the_length_is_the_number_of_samples", "a_loader_makes_batches"),
    pitfall="x.numel() counts numbers")

CountsOneLess = mistake.edited("return len(self.x)", "return len(self.x) - 1",
    "len(data) is one less than the number of samples, so a loader never sees the last one: return the number itself.",
    about=("the_length_is_the_number_of_samples", "a_loader_makes_batches"))

KeepsAnAxisOfOne = mistake.edited(
    "return self.x[i], self.y[i]", "i = range(len(self))[i]\nreturn self.x[i : i + 1], self.y[i : i + 1]",
    "The row has the shape (1, features) and its label the shape (1,): a slice keeps the axis, an index drops it.",
    about="items_are_rows_with_their_labels")

LabelsArePythonNumbers = mistake.edited("return self.x[i], self.y[i]", "return self.x[i], self.y[i].item()",
    "The label is a Python number: index y and leave the result a tensor.",
    about="items_are_rows_with_their_labels")

ForgetsTheLabel = mistake.edited("return self.x[i], self.y[i]", "return self.x[i]",
    "You returned only the row: return a pair, the row and its label.")

GivesADict = mistake.edited("return self.x[i], self.y[i]", 'return {"x": self.x[i], "y": self.y[i]}',
    "You returned a dict: return a pair, the row and its label.")

GivesAllLabels = mistake.edited("return self.x[i], self.y[i]", "return self.x[i], self.y",
    "Each item came with all labels: index y, too.")

TakesColumns = mistake.edited("return self.x[i], self.y[i]", "return self.x[:, i], self.y[i]",
    "data[i] reads column i of x: the first axis is the samples, so x[i] is the sample.")

LabelComesFirst = mistake.edited("return self.x[i], self.y[i]", "return self.y[i], self.x[i]",
    "The label came first: return the row, then the label.")

RefusesNegativeIndices = mistake.edited(
    "return self.x[i], self.y[i]",
    "if not 0 <= i < len(self):\n    raise IndexError(i)\nreturn self.x[i], self.y[i]",
    "A negative index raised an error: let it count from the end, as in a list.",
    about="negative_indices_count_from_the_end")

GoesRoundInCircles = mistake.edited(
    "return self.x[i], self.y[i]", "return self.x[i % len(self)], self.y[i % len(self)]",
    "An index outside the data wraps around to another sample, so a for loop never ends: let it raise IndexError.",
    about="a_loop_ends_where_the_data_end")

RaisesValueErrorAtTheEnd = mistake.edited(
    "return self.x[i], self.y[i]",
    "if not -len(self) <= i < len(self):\n    raise ValueError(i)\nreturn self.x[i], self.y[i]",
    "An index outside the data raised a different error: a for loop ends only at an IndexError.",
    about="a_loop_ends_where_the_data_end")

RepeatsTheLastSample = mistake.edited(
    "return self.x[i], self.y[i]", "i = min(i, len(self) - 1)\nreturn self.x[i], self.y[i]",
    "An index behind the last sample gave the last sample again: let it raise IndexError.",
    about="a_loop_ends_where_the_data_end")

AcceptsDifferentLengths = mistake.edited("if len(x) != len(y):", "if False:",
    "x and y of different lengths were accepted when the dataset was made: compare the lengths in __init__ and raise ValueError.",
    about="different_lengths_are_refused")

AssertsTheLengths = mistake.edited(
    'if len(x) != len(y):\n    raise ValueError(f"there are {len(x)} rows and {len(y)} labels")',
    "assert len(x) == len(y)",
    "Different lengths raised AssertionError, as an assert does: compare the lengths yourself and raise ValueError.",
    about="different_lengths_are_refused")

AddsTheLengthToANegativeIndex = mistake.edited(
    "return self.x[i], self.y[i]",
    """
    if i < 0:
        i += len(self)
    return self.x[i], self.y[i]
    """,
    "An index below -samples gave a sample. One reason: with the number of samples added it is still negative, so it counts "
    "from the end again. Let it raise IndexError.",
    about="a_loop_ends_where_the_data_end",
)

SqueezesTheRow = mistake.edited(
    "return self.x[i], self.y[i]",
    "return self.x[i].squeeze(), self.y[i]",
    "A row of one feature has the shape (), and (1,) is wanted: x[i] has the right shape as it is.",
    about="items_are_rows_with_their_labels",
)

LabelsAreFloats = mistake.edited(
    "return self.x[i], self.y[i]",
    "return self.x[i], self.y[i].float()",
    "The label became a float: return it as it is in y.",
    about="items_are_rows_with_their_labels",
)


@alternative("RowDataset")
class ListOfPairs(Dataset):
    """The pairs are made once and kept in a list."""

    def __init__(self, x, y):
        self.items = list(zip(x.unbind(0), y.unbind(0), strict=True))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


@alternative("RowDataset")
class AroundTensorDataset(Dataset):
    """PyTorch's own class inside."""

    def __init__(self, x, y):
        if x.shape[0] != y.shape[0]:
            raise ValueError("lengths")
        self.data = TensorDataset(x, y)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return self.data[i]


@alternative("RowDataset")
class CopiesEachItem(Dataset):
    """Rows that share no memory with x, in a list in place of a tuple."""

    def __init__(self, x, y):
        if len(x) - len(y):
            raise ValueError("lengths")
        self.tensors = (x, y)

    def __len__(self):
        return self.tensors[1].shape[0]

    def __getitem__(self, i):
        return [t[i].clone() for t in self.tensors]


@alternative("RowDataset")
class WithASubset(Subset):
    """A subset that holds everything, which checks the index itself."""

    def __init__(self, x, y):
        if len(x) != len(y):
            raise ValueError("lengths")
        super().__init__(TensorDataset(x, y), range(len(x)))
