"""Known mistakes and unusual but correct solutions for describe."""

import math
from collections import namedtuple
from types import SimpleNamespace  # noqa: F401 (for an edit)

import torch
from ex01_tensor_card import TensorCard, describe

from torchdojo.variants import alternative, mistake

HINTS = (
    "Every field is an attribute or a method without arguments of t. Type t. and look at what your editor "
    "offers.",
    "Some facts are attributes (t.shape, t.dtype), some are methods that you must call (t.dim(), t.numel()). "
    "Bytes are elements times bytes per element, and a tensor can tell you how many bytes one element takes.",
    "Build TensorCard with one keyword per field. rank is the number of axes, not the first size; for "
    "contiguous there is a method whose name starts with is_; for nbytes multiply numel by the element size.",
)


rank_is_the_first_size = mistake.edited("rank=t.dim()", "rank=t.shape[0] if t.dim() else 0",
    "Your rank is the size of the first axis. The rank is the number of axes, t.dim().")

rank_skips_axes_of_size_one = mistake.edited("rank=t.dim()", "rank=t.squeeze().dim()",
    "Your rank leaves out axes of size 1: they count too, so count every entry of the shape.")

four_bytes_each = mistake.edited("nbytes=t.numel() * t.element_size()", "nbytes=4 * t.numel()",
    "You counted 4 bytes for each element, which is right for float32. Other dtypes differ, so use t.element_size().")

bytes_of_the_storage = mistake.edited("nbytes=t.numel() * t.element_size()", "nbytes=t.untyped_storage().nbytes()",
    "You counted the storage of the tensor: a slice uses only a part of it, and an expanded tensor repeats it. Multiply "
    "the number of elements by the bytes of one element.")

always_contiguous = mistake.edited("contiguous=t.is_contiguous()", "contiguous=True",
    "You said that every tensor is contiguous: transposes, strided slices and expanded tensors usually are not. Use "
    "t.is_contiguous().")

contiguous_when_the_storage_is_full = mistake.edited(
    "contiguous=t.is_contiguous()", "contiguous=t.untyped_storage().nbytes() == t.numel() * t.element_size()",
    "Sizes don't tell what is contiguous: a transposed tensor fills its storage, too, but in a different order, and "
    "a slice can be contiguous inside a larger storage. Use t.is_contiguous().")

names_instead_of_objects = mistake.edited("dtype=t.dtype", "dtype=str(t.dtype)",
    "You returned dtype and device as strings: return the objects t.dtype and t.device, so that they can be used again.",
    also=[("device=t.device", "device=str(t.device)")])

requires_grad_means_has_grad_fn = mistake.edited("requires_grad=t.requires_grad", "requires_grad=t.grad_fn is not None",
    "Your requires_grad is True only for results of operations: a leaf can require grad as well. The attribute is "
    "t.requires_grad.")

requires_grad_means_is_leaf = mistake.edited("requires_grad=t.requires_grad", "requires_grad=t.is_leaf",
    "Your requires_grad is True for every plain tensor and False for results, as t.is_leaf is. The attribute is "
    "t.requires_grad.")


@mistake("describe")
def plain_tuple(t):
    """A plain tuple or list has no names for its entries: put them into a TensorCard."""
    return (t.shape, t.ndim, t.numel(), t.dtype, t.device, t.requires_grad, t.is_contiguous(), t.nbytes)


only_leaves_require_grad = mistake.edited(
    "requires_grad=t.requires_grad", "requires_grad=t.requires_grad and t.is_leaf",
    "The result of an operation can require grad too: t.requires_grad says so for every tensor.")

eight_bytes_at_most = mistake.edited(
    "nbytes=t.numel() * t.element_size()", "nbytes=t.numel() * min(t.element_size(), 8)",
    "For complex128 your nbytes is half of what it should be: one number takes 16 bytes. t.element_size() returns "
    "the right size for all.")

contiguous_in_any_format = mistake.edited(
    "contiguous=t.is_contiguous()",
    "contiguous=t.is_contiguous() or (t.dim() == 4 and t.is_contiguous(memory_format=torch.channels_last))",
    "You also counted channels-last images as contiguous: contiguous means row by row, which t.is_contiguous() checks "
    "without arguments.")

three_axes_at_most = mistake.edited("numel=t.numel()", "numel=math.prod(t.shape[:4])",
    "With five axes your numel leaves one out: a tensor may have any number of axes. t.numel() works for every "
    "shape.",
    also=[("nbytes=t.numel() * t.element_size()", "nbytes=math.prod(t.shape[:4]) * t.element_size()")])

two_facts_changed_places = mistake.edited("requires_grad=t.requires_grad", "requires_grad=t.is_contiguous()",
    "requires_grad and contiguous are swapped: the card takes its fields in order. With names (requires_grad=...) the "
    "order does not matter.",
    also=[("contiguous=t.is_contiguous()", "contiguous=t.requires_grad")])

a_plain_dict = mistake.edited("return TensorCard(", "return dict(",
    "A dict is not a card: its entries are not attributes, so card.rank fails. Put the facts into a TensorCard.")

an_object_with_the_same_names = mistake.edited("return TensorCard(", "return SimpleNamespace(",
    "The names are right, but the result is not a TensorCard, which is also a tuple: put the facts into the given class.")


@mistake()
def the_class_is_written_anew():
    """Your TensorCard has its fields in a different order: leave the given class as it is, and fill it."""
    card = namedtuple("TensorCard", sorted(TensorCard._fields))
    return {"TensorCard": card, "describe": lambda t: card(**describe(t)._asdict())}


rank_is_len = mistake.edited(
    "rank=t.dim()",
    "rank=len(t)",
    "Your rank is the size of the first axis, as len(t) is, which fails for a tensor without axes. The rank is the number of axes, t.dim().",
    pitfall="len(t) is the size of the first axis")


bytes_of_one_element = mistake.edited(
    "nbytes=t.numel() * t.element_size()",
    "nbytes=t.element_size()",
    "Your nbytes is the size of one element: multiply it by the number of elements.")


the_method_itself = mistake.edited(
    "contiguous=t.is_contiguous()",
    "contiguous=t.is_contiguous",
    "Your contiguous is a method, not its answer: call it, with parentheses.")


contiguous_by_the_last_stride = mistake.edited(
    "contiguous=t.is_contiguous()",
    "contiguous=t.dim() == 0 or t.stride(-1) == 1",
    "Your contiguous says True where only the last axis has stride 1: between the rows there may still be gaps. Use "
    "t.is_contiguous().")


contiguous_when_strides_descend = mistake.edited(
    "contiguous=t.is_contiguous()",
    "contiguous=all(left >= right for left, right in zip(t.stride(), t.stride()[1:]))",
    "Your contiguous is True wherever the strides descend: a slice can still have gaps, and an expanded tensor "
    "repeats elements. Use t.is_contiguous().")


requires_grad_means_has_a_gradient = mistake.edited(
    "requires_grad=t.requires_grad",
    "requires_grad=t.grad is not None",
    "Your requires_grad is False even for a tensor that requires grad. t.grad is None before backward; the attribute"
    " is t.requires_grad.")


@alternative("describe")
def other_spellings(t):
    """The old-fashioned or shorter name of each fact."""
    return TensorCard(
        tuple(t.size()), t.ndim, t.nelement(), t.dtype, t.device, t.requires_grad, t.is_contiguous(), t.nbytes
    )


@alternative("describe")
def worked_out_by_hand(t):
    """Shape arithmetic only: contiguous is worked out from the strides."""
    shape = tuple(t.shape[axis] for axis in range(len(t.shape)))
    numel = math.prod(shape)
    expected, contiguous = 1, True
    for size, stride in zip(reversed(shape), reversed(t.stride()), strict=True):
        contiguous = contiguous and (size == 1 or stride == expected)
        expected *= size
    return TensorCard(
        shape=shape,
        rank=len(shape),
        numel=numel,
        dtype=t.dtype,
        device=torch.device(t.device),
        requires_grad=bool(t.requires_grad),
        contiguous=contiguous or numel == 0,
        nbytes=numel * t.itemsize,
    )
