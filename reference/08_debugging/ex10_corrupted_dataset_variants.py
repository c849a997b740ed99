"""Known mistakes and unusual but correct solutions for AugmentedRows."""

import copy  # noqa: F401 (for an edit)

from torchdojo.variants import alternative, mistake

HINTS = (
    "How many tensors and arrays share the memory of the caller's array? Which line writes into it?",
    "from_numpy shares memory and keeps float64, a row of a tensor is a view, and an augmentation may write "
    "into what it gets. So each item needs a copy of its own, in float32.",
    "In __getitem__ build a new tensor from row i with torch.tensor and an explicit dtype, before augment "
    "gets it, and do the same with the label.",
)

EQUIVALENT = {
    "swap_function-L27-1": "an element of an array is a NumPy number, which as_tensor has to copy",
}


SharesMemoryAndDtype = mistake.edited("self.features = features", "self.features = torch.from_numpy(features)",
    "from_numpy shares the memory of the array and keeps its dtype, so augment writes into the caller's data: make a new "
    "float32 tensor in each __getitem__, with torch.tensor and a dtype. The label needs the same.",
    also=[
        ("self.labels = labels", "self.labels = torch.from_numpy(labels)"),
        ('torch.tensor(self.features[i], dtype=torch.float32, device="cpu")', "self.features[i]"),
        ('torch.tensor(self.labels[i], dtype=torch.int64, device="cpu")', "self.labels[i]"),
    ])

CopiesOnce = mistake.edited(
    "self.features = features", 'self.features = torch.tensor(features, dtype=torch.float32, device="cpu")',
    "The caller's array is safe, but all items share the one copy: the second call gets a row that was augmented already. "
    "Copy in __getitem__.",
    also=[('torch.tensor(self.features[i], dtype=torch.float32, device="cpu")', "self.features[i]")])

TrustsFloatToCopy = mistake.edited('torch.tensor(self.features[i], dtype=torch.float32, device="cpu")',
    'torch.from_numpy(np.require(self.features[i], requirements="W")).float()',
    "A conversion to float32, by float() or as_tensor, copies float64 rows but not float32 rows: with a float32 array the "
    "caller's data are overwritten. Use torch.tensor or clone().",
    pitfall=".float() copies a float64 tensor")

KeepsFloat64 = mistake.edited("dtype=torch.float32, ", "",
    "The rows keep the array's dtype: a float64 array must give float32 rows, so name the dtype.")

MakesEverythingDouble = mistake.edited("torch.float32", "torch.float64",
    "The rows are float64 now: convert them to float32, the dtype of the models, instead.")

ConvertsAfterAugmenting = mistake.edited("dtype=torch.float32, ", "",
    "augment got a row in the array's dtype: convert to float32 first, then augment.",
    also=[("return row,", "return row.to(torch.float32),")])

ClonesAfterTheDamage = mistake.edited(
    "self.features = features", 'self.features = torch.tensor(features, dtype=torch.float32, device="cpu")',
    "A copy that is made after augment is too late, because augment has written into the shared memory: copy first.",
    also=[
        ('torch.tensor(self.features[i], dtype=torch.float32, device="cpu")', "self.features[i]"),
        ("return row,", "return row.clone(),"),
    ])

CopiesOnlyForAugment = mistake.edited(
    "self.features = features", 'self.features = torch.tensor(features, dtype=torch.float32, device="cpu")',
    "Without augment the row is a view into the dataset: copy it in both cases.",
    also=[
        ('torch.tensor(self.features[i], dtype=torch.float32, device="cpu")', "self.features[i]"),
        ("self.augment(row)", "self.augment(row.clone())"),
    ])

RemembersItems = mistake.edited("self.augment = augment", "self.augment = augment\nself.items = {}",
    "You create each item once and return the same tensor again, so changes to it are still there the next time: create a new "
    "tensor in each call.",
    also=[
        ("row = torch.tensor(",
        """
        if i in self.items:
            return self.items[i]
        row = torch.tensor(
        """),
        ('return row, torch.tensor(self.labels[i], dtype=torch.int64, device="cpu")',
        """
        self.items[i] = row, torch.tensor(self.labels[i], dtype=torch.int64, device="cpu")
        return self.items[i]
        """),
    ])

LabelsKeepTheirDtype = mistake.edited("dtype=torch.int64, ", "",
    "The label has the dtype of the array: the loss functions expect int64, so name the dtype.")

LabelsThroughInt32 = mistake.edited("torch.tensor(self.labels[i],", 'torch.tensor(int(self.labels.astype("int32")[i]),',
    "Large labels changed: int32 ends near 2 billion. Convert them to int64 directly.")

LabelsArePlainNumbers = mistake.edited('torch.tensor(self.labels[i], dtype=torch.int64, device="cpu")', "int(self.labels[i])",
    "The label is a Python int: return a 0-dim int64 tensor.")

LabelsShareMemory = mistake.edited(
    "self.labels = labels", 'self.labels = torch.tensor(labels, dtype=torch.int64, device="cpu")',
    "The label shares memory with the dataset's labels: use clone() or torch.tensor. An index copies nothing, and neither does .long() if they are int64 already.",
    also=[('torch.tensor(self.labels[i], dtype=torch.int64, device="cpu")', "self.labels[i]")])

GoesRoundInCircles = mistake.edited("row = torch.tensor(",
    """
    if not len(self):
        raise IndexError(i)
    i %= len(self)
    row = torch.tensor(
    """,
    "Every index is taken modulo the number of samples, so a for loop never ends: outside the data raise IndexError, as the arrays do by themselves.")

WarnsAboutReadOnlyArrays = mistake.edited('torch.tensor(self.features[i], dtype=torch.float32, device="cpu")',
    "torch.from_numpy(self.features[i]).to(torch.float32, copy=True)",
    "from_numpy warns about an array that is read-only, because it shares its memory: let torch.tensor copy it.")

LocksTheArrays = mistake.edited(
    "self.features = features", "features.flags.writeable = labels.flags.writeable = False\nself.features = features",
    "The caller's arrays were made read-only: leave them as they are, and protect the data with a copy of each row.")

ClonesEachRow = alternative.edited(
    "self.features = features", 'self.features = torch.tensor(features, dtype=torch.float32, device="cpu")',
    "One float32 copy of all data, and a clone of each row.",
    also=[
        ("self.labels = labels", 'self.labels = torch.tensor(labels, dtype=torch.int64, device="cpu")'),
        ('torch.tensor(self.features[i], dtype=torch.float32, device="cpu")', "self.features[i].clone()"),
        ('torch.tensor(self.labels[i], dtype=torch.int64, device="cpu")', "self.labels[i].clone()"),
    ])

CopiesInNumpy = alternative.edited(
    'torch.tensor(self.features[i], dtype=torch.float32, device="cpu")', "torch.from_numpy(self.features[i].astype(np.float32))",
    "astype makes the copy before torch sees the row.",
    also=[('torch.tensor(self.labels[i], dtype=torch.int64, device="cpu")',
        "torch.from_numpy(np.array(self.labels[i], dtype=np.int64))")])

DeepCopies = alternative.edited(
    "self.features = features", 'self.features = [torch.tensor(row, dtype=torch.float32, device="cpu") for row in features]',
    "A list of float32 rows, each deep-copied when it is asked for.",
    also=[('torch.tensor(self.features[i], dtype=torch.float32, device="cpu")', "copy.deepcopy(self.features[i])")])

WarnsInTheConstructor = mistake.edited("self.features = features", "self.features = torch.from_numpy(features)",
    "from_numpy warns about an array that is read-only, because it shares its memory: let torch.tensor copy it.",
    also=[('torch.tensor(self.features[i], dtype=torch.float32, device="cpu")', "self.features[i].to(torch.float32, copy=True)")])

CopiesOnceAndConverts = mistake.edited("self.features = features", "self.features = features.copy()",
    "With float32 data the row shares memory with the dataset's copy, and the second call gets an augmented row: copy each row.",
    also=[('torch.tensor(self.features[i], dtype=torch.float32, device="cpu")', 'torch.as_tensor(self.features[i], dtype=torch.float32, device="cpu")')])

IgnoresWhatAugmentReturns = mistake.edited("row = self.augment(row)", "self.augment(row)",
    "The result of augment is lost: augment may return a new tensor, so the row is what it returns.")

AugmentsInTheConstructor = mistake.edited("self.augment = augment",
    """
    self.augment = None
    rows = [torch.tensor(row, dtype=torch.float32, device="cpu") for row in features]
    self.features = rows if augment is None else [augment(row) for row in rows]
    """,
    "augment runs only once for each row: call it each time that an item is requested.",
    also=[('torch.tensor(self.features[i], dtype=torch.float32, device="cpu")', "self.features[i].clone()")])

LabelsWithAnAxis = mistake.edited("torch.tensor(self.labels[i],", "torch.tensor([self.labels[i]],",
    "The label has shape (1,): return a 0-dim tensor.")

RefusesNegativeIndices = mistake.edited("row = torch.tensor(",
    """
    if not 0 <= i < len(self):
        raise IndexError(i)
    row = torch.tensor(
    """,
    "A negative index raises IndexError: it counts from the end, down to minus the number of samples.")

FollowsTheDefaultDevice = mistake.edited('dtype=torch.float32, device="cpu"', "dtype=torch.float32",
    'A row or a label is made on the default device, which may be another one: give device="cpu" for both.',
    also=[('dtype=torch.int64, device="cpu"', "dtype=torch.int64")])

CopiesToTheDefaultDevice = mistake.edited("self.features = features", "self.features = torch.tensor(features, dtype=torch.float32)",
    'A row or a label is made on the default device, which may be another one: give device="cpu" for both.',
    also=[
        ("self.labels = labels", "self.labels = torch.tensor(labels, dtype=torch.int64)"),
        ('torch.tensor(self.features[i], dtype=torch.float32, device="cpu")', "self.features[i].clone()"),
        ('torch.tensor(self.labels[i], dtype=torch.int64, device="cpu")', "self.labels[i].clone()"),
    ])
