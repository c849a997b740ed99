"""Hidden checks for describe."""

from collections import namedtuple

import torch

from torchdojo.grading import check, operations, tensor

CONCEPTS = ("A04", "B01", "B06", "B07", "B08", "B09", "B10", "B11")
KEPT = {
    "every_field_for_any_layout": "the card itself, worth points of its own",
    "bytes_follow_the_dtype": "the dtypes, said by themselves",
    "values_are_never_read": "right fields by reading values break a promise of the exercise",
}

DTYPES = [
    *(torch.bool, torch.complex64, torch.bfloat16, torch.uint8, torch.float64, torch.int16, torch.int64, torch.float16),
    *(torch.complex128, torch.int32, torch.int8),
]
FIELDS = "shape rank numel dtype device requires_grad contiguous nbytes".split()
Card = namedtuple("Card", FIELDS)


class oracle:
    """PyTorch's own attributes."""

    def describe(t):
        return Card(tuple(t.shape), t.ndim, t.numel(), t.dtype, t.device, t.requires_grad, t.is_contiguous(), t.nbytes)


def card(solution, t):
    """The card as a dict, whatever kind of tuple it is."""
    found = solution.describe(t)
    values = {name: getattr(found, name) for name in FIELDS}
    return values | {"shape": tuple(values["shape"]) if isinstance(values["shape"], torch.Size) else values["shape"]}


@check(points=3, t=tensor("..."))
def every_field_for_any_layout(solution, t):
    """The card is right for tensors of any rank and layout."""
    return card(solution, t) | {"fields in order": list(getattr(solution.describe(t), "_fields", ()))}


@check(points=1, x=tensor("a b"), dtype=DTYPES)
def bytes_follow_the_dtype(solution, x, dtype):
    """Every dtype is reported, and nbytes counts its own size."""
    return card(solution, x.to(dtype))


@check(points=1, kind=["leaf", "result", "slice", "column", "part", "transposed batch", "ones between", "channels last", "five axes"])
def leaves_results_and_slices(solution, kind, device):
    """Leaves and results that require grad, and parts of larger tensors, are described."""
    base = torch.zeros(4, 6, device=device)
    leaf = torch.zeros(2, 1, 3, device=device, requires_grad=True)
    made = {
        "leaf": leaf,
        "result": leaf * 2,
        "slice": base[:, 1:4],
        "column": base[:, 2],
        "part": base[1:3],
        "transposed batch": torch.zeros(2, 5, 3, device=device).transpose(0, 1),
        "ones between": torch.zeros(3, 1, 4, device=device).transpose(0, 1),
        "channels last": torch.zeros(2, 4, 5, 3, device=device).permute(0, 3, 1, 2),
        "five axes": torch.zeros(2, 1, 3, 2, 4, device=device),
    }
    return card(solution, made[kind])


@check(points=1, x=tensor("a b"))
def values_are_never_read(solution, x):
    """Only facts are read: the values are neither looked at nor copied."""
    ran = operations(lambda: solution.describe(x))
    return [name for name in ran if name in ("aten._local_scalar_dense", "aten.clone", "aten._to_copy")]


@values_are_never_read.judge
def _(ran):
    return f"the values were read or copied ({ran[0]}); every fact is an attribute or a method of the tensor" if ran else None
