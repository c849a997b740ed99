"""Hidden checks for describe."""

from collections import namedtuple

import torch

from torchdojo.grading import check, tensor

CONCEPTS = ("A04", "B01", "B06", "B07", "B08", "B09", "B10", "B11")
KEPT = {
    "shape_rank_and_number_of_elements": "the first three fields, worth points of their own",
    "dtype_and_device_are_objects": "two more fields, worth points of their own",
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


def facts(solution, t, *names):
    """Some fields of the card, found by name or else by position: what kind of object the card is has a check of its own."""
    found = solution.describe(t)
    by_name = found if isinstance(found, dict) else {name: getattr(found, name) for name in FIELDS if hasattr(found, name)}
    by_name = by_name or dict(zip(FIELDS, found, strict=True))
    values = {name: by_name[name] for name in names}
    return {name: tuple(value) if isinstance(value, torch.Size) else value for name, value in values.items()}


@check(points=2, t=tensor("..."), examples=[{"t": torch.zeros(2, 1, 3, 2, 4)}])
def shape_rank_and_number_of_elements(solution, t):
    """The shape, the rank and the number of elements are right for any number of axes."""
    return facts(solution, t, "shape", "rank", "numel")


@check(points=1, x=tensor("a b"), dtype=DTYPES)
def dtype_and_device_are_objects(solution, x, dtype):
    """dtype and device are reported as torch objects."""
    return facts(solution, x.to(dtype), "numel", "dtype", "device")


@check(points=1, x=tensor("a b", layouts=False), dtype=DTYPES, minimum=1)
def nbytes_knows_every_dtype(solution, x, dtype):
    """nbytes is the number of elements times the bytes per element, for every dtype."""
    return facts(solution, x.to(dtype).clone(), "numel", "nbytes")


@check(points=1, star=True, x=tensor("a b"), minimum=1)
def nbytes_counts_elements_not_memory(solution, x):
    """nbytes counts the elements of a slice and each repetition of an expanded tensor."""
    return [facts(solution, part, "numel", "nbytes") for part in (x[:, 1:], x[:1].expand(3, -1))]


@check(points=2, t=tensor("..."), part=["rows", "columns", "one column", "swapped", "ones between", "channels last"])
def contiguous_means_row_by_row(solution, t, part):
    """contiguous is right for transposed, sliced and expanded tensors."""
    base = torch.zeros(4, 6, device=t.device)
    made = {
        "rows": base[1:3],
        "columns": base[:, 1:4],
        "one column": base[:, 2],
        "swapped": torch.zeros(2, 5, 3, device=t.device).transpose(0, 1),
        "ones between": torch.zeros(3, 1, 4, device=t.device).transpose(0, 1),
        "channels last": torch.zeros(2, 4, 5, 3, device=t.device).permute(0, 3, 1, 2),
    }
    return {"t": facts(solution, t, "contiguous"), part: facts(solution, made[part], "contiguous")}


@check(points=1, x=tensor("a b"))
def requires_grad_of_leaves_and_results(solution, x):
    """requires_grad is True for a leaf that requires grad and for its results, False otherwise."""
    leaf = x.detach().clone().requires_grad_()
    return {name: facts(solution, t, "rank", "requires_grad") for name, t in {"plain": x, "leaf": leaf, "result": leaf * 2}.items()}


@check(points=1, t=tensor("a b"))
def the_card_is_a_tensor_card(solution, t):
    """The card is a TensorCard, with the fields in order."""
    card = solution.describe(t)
    return {"fields in order": list(getattr(card, "_fields", ())), "the first three": [tuple(card[0]), card[1], card[2]]}
