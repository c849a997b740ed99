"""Hidden checks for as_shared and as_owned."""

import warnings

import numpy as np
import torch

from torchdojo.grading import check, raises, tensor

CONCEPTS = ("B02",)

KEPT = {
    "owning_keeps_every_dtype": "the dtypes, said by themselves",
    "arrays_without_axes": "an edge case of both functions, said by itself",
    "read_only_arrays_are_copied": "an edge case, said by itself",
    "shared_means_the_same_memory": "the point of as_shared, worth points of its own",
    "owned_means_other_memory": "the point of as_owned, worth points of its own",
    "sharing_keeps_every_dtype": "the dtype rule, said by itself",
    "views_of_arrays_are_shared_too": "the layouts, said by themselves",
}

DTYPES = ["float64", "float32", "int32", "int64", "uint8", "float16", "bool"]


class oracle:
    """from_numpy on the array itself, and on a copy."""

    def as_shared(a):
        return torch.from_numpy(a)

    def as_owned(a):
        return torch.from_numpy(np.array(a, order="C"))


def array(x, dtype=None):
    """A NumPy array with the values and the layout of x, in memory of its own."""
    a = np.copy(x.numpy(), order="K")
    return a if dtype is None else a.astype(dtype)


def story(make, a):
    """What tensor and array show after each was written to."""
    before = a.copy()
    try:
        t = make(a)
        first = t.clone()
        a[...] = ~a if a.dtype == bool else a + 1
        second = t.clone()
        t.zero_()
        return {
            "tensor": first,
            "tensor after writing to the array": second,
            "array after writing to the tensor": torch.from_numpy(np.array(a, order="C")),
        }
    finally:
        a[...] = before  # the message shows the array as it was handed over


@check(points=2, x=tensor("... a"), devices=False, aliasing="any")
def shared_means_the_same_memory(solution, x):
    """Writing to the array or the tensor changes the other, for any shape and layout."""
    return story(solution.as_shared, array(x))


DIGITS = [
    {"x": torch.tensor([[0.1, -1e30 / 3]], dtype=torch.float64), "dtype": "float64"},
    {"x": torch.tensor([[2**53 + 1, 5 - 2**62]]), "dtype": "int64"},
]


@check(points=1, x=tensor("a b", low=0, high=3), dtype=DTYPES, devices=False)
def sharing_keeps_every_dtype(solution, x, dtype):
    """Arrays of every dtype are shared without conversion."""
    return story(solution.as_shared, array(x, dtype))


@check(points=1, x=tensor("a b"), minimum=2, devices=False)
def views_of_arrays_are_shared_too(solution, x):
    """Transposed and strided arrays are shared."""
    a, b = array(x), np.repeat(array(x), 2, axis=1)
    return {"transposed": story(solution.as_shared, a.T), "every second column": story(solution.as_shared, b[:, ::2])}


@check(points=1, star=True, x=tensor("a b"), minimum=2, devices=False)
def sharing_a_reversed_array_raises(solution, x):
    """A reversed array can't be shared and raises ValueError."""
    return {
        "shared": story(solution.as_shared, array(x)),
        "reversed": raises(lambda: solution.as_shared(array(x)[::-1])),
        "columns reversed": raises(lambda: solution.as_shared(array(x)[:, ::-1])),
    }


@check(points=1, star=True, number=[2.0, 3.0], dtype=["float64", "int32", "bool"], devices=False)
def arrays_without_axes(solution, number, dtype):
    """An array of shape () can be shared and copied, too."""
    a = np.array(number, dtype=dtype)
    return {"shared": story(solution.as_shared, a), "owned": story(solution.as_owned, a)}


@check(points=2, x=tensor("... a"), devices=False)
def owned_means_other_memory(solution, x):
    """Writing to the array or the tensor never changes the other."""
    return story(solution.as_owned, array(x)[...])  # a view, as a slice of a larger array is one


@check(points=1, x=tensor("a b", low=0, high=3), dtype=DTYPES, devices=False, examples=DIGITS)
def owning_keeps_every_dtype(solution, x, dtype):
    """Arrays of every dtype are copied without conversion, with all digits."""
    return story(solution.as_owned, array(x, dtype))


@check(points=1, star=True, x=tensor("a b"), minimum=2, devices=False)
def reversed_arrays_are_copied(solution, x):
    """Arrays with negative strides are copied in their own order."""
    return {"reversed": solution.as_owned(array(x)[::-1]), "columns reversed": solution.as_owned(array(x)[:, ::-1])}


@check(points=1, star=True, x=tensor("a b"), minimum=2, devices=False)
def read_only_arrays_are_copied(solution, x):
    """A read-only array is copied without a warning and stays read-only."""
    locked = array(x)
    locked.flags.writeable = False
    often = torch.is_warn_always_enabled()
    torch.set_warn_always(True)  # or PyTorch says what it has to say once in the life of the process
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = solution.as_owned(locked)
    torch.set_warn_always(often)
    found.add_(1)
    left = {"array afterwards": torch.from_numpy(locked.copy()), "array still read-only": not locked.flags.writeable}
    return {"copy": found, **left, "warnings": len(caught)}
