"""Known mistakes and odd-but-correct solutions for AugmentedRows."""

import copy

import numpy as np
import torch
from torch.utils.data import Dataset

from torchdojo.variants import alternative, mistake

HINTS = (
    "How many tensors and arrays look at the memory of the caller's array? Which line writes into it?",
    "from_numpy shares memory and keeps float64, a row of a tensor is a view, and an augmentation may write "
    "into what it gets. So each item needs a copy of its own, in float32.",
    "In __getitem__ build a new tensor from row i with torch.tensor and an explicit dtype, before augment "
    "gets it, and do the same with the label.",
)

EQUIVALENT = {
    "swap_function-L27-1": "an element of an array is a NumPy number, which as_tensor has to copy",
}


class Base(Dataset):
    """Keeps the arrays as they are."""

    def __init__(self, features, labels, augment=None):
        self.features = features
        self.labels = labels
        self.augment = augment

    def __len__(self):
        return len(self.labels)

    def label(self, i):
        """The label as a new tensor."""
        return torch.tensor(self.labels[i], dtype=torch.int64, device="cpu")

    def augmented(self, row):
        """The row as augment returns it."""
        return row if self.augment is None else self.augment(row)


@mistake("AugmentedRows")
class SharesMemoryAndDtype(Base):
    """from_numpy shares the memory of the array and keeps its dtype, so augment writes into the caller's data: make a new float32 tensor
    in each __getitem__, with torch.tensor and a dtype. The label needs the same."""

    def __init__(self, features, labels, augment=None):
        super().__init__(torch.from_numpy(features), torch.from_numpy(labels), augment)

    def __getitem__(self, i):
        return self.augmented(self.features[i]), self.labels[i]


@mistake("AugmentedRows")
class CopiesOnce(Base):
    """The caller's array is safe, but all items share the one copy: the second call gets a row that was
    augmented already. Copy in __getitem__."""

    def __init__(self, features, labels, augment=None):
        super().__init__(torch.tensor(features, dtype=torch.float32, device="cpu"), labels, augment)

    def __getitem__(self, i):
        return self.augmented(self.features[i]), self.label(i)


@mistake("AugmentedRows")
class TrustsFloatToCopy(Base):
    """A conversion to float32, by float() or as_tensor, copies float64 rows but not float32 rows: with a float32 array the caller's
    data are overwritten. Use torch.tensor or clone()."""

    def __getitem__(self, i):
        row = torch.from_numpy(np.require(self.features[i], requirements="W"))
        return self.augmented(row.float()), self.label(i)


@mistake("AugmentedRows")
class KeepsFloat64(Base):
    """The rows keep the array's dtype: a float64 array must give float32 rows, so name the dtype."""

    def __getitem__(self, i):
        return self.augmented(torch.tensor(self.features[i], device="cpu")), self.label(i)


@mistake("AugmentedRows")
class MakesEverythingDouble(Base):
    """The rows are float64 now: convert them to float32, the dtype of the models, instead."""

    def __getitem__(self, i):
        row = torch.tensor(self.features[i], dtype=torch.float64, device="cpu")
        return self.augmented(row), self.label(i)


@mistake("AugmentedRows")
class ConvertsAfterAugmenting(Base):
    """augment got a row in the array's dtype: convert to float32 first, then augment."""

    def __getitem__(self, i):
        return self.augmented(torch.tensor(self.features[i], device="cpu")).to(torch.float32), self.label(i)


@mistake("AugmentedRows")
class ClonesAfterTheDamage(Base):
    """The clone comes after augment, which has written into the shared memory by then: copy first."""

    def __init__(self, features, labels, augment=None):
        super().__init__(torch.tensor(features, dtype=torch.float32, device="cpu"), labels, augment)

    def __getitem__(self, i):
        return self.augmented(self.features[i]).clone(), self.label(i)


@mistake("AugmentedRows")
class CopiesOnlyForAugment(Base):
    """Without augment the row is a view into the dataset: copy it in both cases."""

    def __init__(self, features, labels, augment=None):
        super().__init__(torch.tensor(features, dtype=torch.float32, device="cpu"), labels, augment)

    def __getitem__(self, i):
        row = self.features[i]
        if self.augment is not None:
            row = self.augment(row.clone())
        return row, self.label(i)


@mistake("AugmentedRows")
class RemembersItems(Base):
    """You create each item once and return the same tensor again, so changes to it are still there the next time: create
    a new tensor in each call."""

    def __init__(self, features, labels, augment=None):
        super().__init__(features, labels, augment)
        self.items = {}

    def __getitem__(self, i):
        if i not in self.items:
            row = torch.tensor(self.features[i], dtype=torch.float32, device="cpu")
            self.items[i] = self.augmented(row), self.label(i)
        return self.items[i]


@mistake("AugmentedRows")
class LabelsKeepTheirDtype(Base):
    """The label has the dtype of the array: the loss functions want int64, so name the dtype."""

    def __getitem__(self, i):
        row = torch.tensor(self.features[i], dtype=torch.float32, device="cpu")
        return self.augmented(row), torch.tensor(self.labels[i], device="cpu")


@mistake("AugmentedRows")
class LabelsThroughInt32(Base):
    """Large labels changed: int32 ends near 2 billion. Convert them to int64 directly."""

    def __getitem__(self, i):
        row = torch.tensor(self.features[i], dtype=torch.float32, device="cpu")
        return self.augmented(row), torch.tensor(int(self.labels.astype("int32")[i]), dtype=torch.int64, device="cpu")


@mistake("AugmentedRows")
class LabelsArePlainNumbers(Base):
    """The label is a Python int: return a 0-dim int64 tensor."""

    def __getitem__(self, i):
        row = torch.tensor(self.features[i], dtype=torch.float32, device="cpu")
        return self.augmented(row), int(self.labels[i])


@mistake("AugmentedRows")
class LabelsShareMemory(Base):
    """The row is a copy, but the label is a view of the dataset's labels: copy it as well."""

    def __init__(self, features, labels, augment=None):
        super().__init__(features, torch.tensor(labels, dtype=torch.int64, device="cpu"), augment)

    def __getitem__(self, i):
        row = torch.tensor(self.features[i], dtype=torch.float32, device="cpu")
        return self.augmented(row), self.labels[i]


@mistake("AugmentedRows")
class GoesRoundInCircles(Base):
    """Every index is taken modulo the number of samples, so a for loop never ends: outside of the data raise IndexError, as
    the arrays do by themselves."""

    def __getitem__(self, i):
        if not len(self):
            raise IndexError(i)
        i %= len(self)
        row = torch.tensor(self.features[i], dtype=torch.float32, device="cpu")
        return self.augmented(row), self.label(i)


@mistake("AugmentedRows")
class WarnsAboutReadOnlyArrays(Base):
    """from_numpy warns about an array that is read-only, because it shares its memory: let torch.tensor copy it."""

    def __getitem__(self, i):
        row = torch.from_numpy(self.features[i]).to(torch.float32, copy=True)
        return self.augmented(row), self.label(i)


@mistake("AugmentedRows")
class LocksTheArrays(Base):
    """The caller's arrays were made read-only: leave them as they are, and protect the data with a copy of each row."""

    def __init__(self, features, labels, augment=None):
        features.flags.writeable = labels.flags.writeable = False
        super().__init__(features, labels, augment)

    def __getitem__(self, i):
        return self.augmented(torch.tensor(self.features[i], dtype=torch.float32, device="cpu")), self.label(i)


@alternative("AugmentedRows")
class ClonesEachRow(Base):
    """One float32 copy of all data, and a clone of each row."""

    def __init__(self, features, labels, augment=None):
        super().__init__(
            torch.tensor(features, dtype=torch.float32, device="cpu"),
            torch.tensor(labels, dtype=torch.int64, device="cpu"),
            augment,
        )

    def __getitem__(self, i):
        return self.augmented(self.features[i].clone()), self.labels[i].clone()


@alternative("AugmentedRows")
class CopiesInNumpy(Base):
    """astype makes the copy before torch sees the row."""

    def __getitem__(self, i):
        row = torch.from_numpy(self.features[i].astype(np.float32))
        return self.augmented(row), torch.from_numpy(np.array(self.labels[i], dtype=np.int64))


@alternative("AugmentedRows")
class DeepCopies(Base):
    """A list of float32 rows, each deep-copied when it is asked for."""

    def __init__(self, features, labels, augment=None):
        rows = [torch.tensor(row, dtype=torch.float32, device="cpu") for row in features]
        super().__init__(rows, labels, augment)

    def __getitem__(self, i):
        return self.augmented(copy.deepcopy(self.features[i])), self.label(i)
