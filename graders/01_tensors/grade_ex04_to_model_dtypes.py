"""Hidden checks for to_model_dtypes."""

import torch

from torchdojo.grading import check, tensor

CONCEPTS = ("B01", "B07", "B12", "B13")

KEPT = {
    "the_given_batch_is_not_changed": "a promise of the exercise, said by itself",
    "right_dtypes_stay": "the third rule, worth points without the identity of the tensors",
    "floats_become_float32": "the first rule, worth points of its own",
    "a_new_dict_with_the_names_in_order": "the dict, said by itself",
}

FLOATS = [torch.float64, torch.float16, torch.bfloat16]
INTEGERS = [torch.uint8, torch.int8, torch.int16, torch.int32]
UNSIGNED = ["uint16", "uint32", "uint64"]
UNCHANGED = [torch.float32, torch.int64, torch.bool]


class oracle:
    """The rules, one after the other."""

    def to_model_dtypes(batch):
        def converted(t):
            if t.dtype.is_floating_point:
                return t if t.dtype == torch.float32 else t.to(torch.float32)
            whole = not t.dtype.is_complex and t.dtype != torch.bool
            return t.to(torch.int64) if whole and t.dtype != torch.int64 else t

        return {name: converted(t) for name, t in batch.items()}


@check(points=2, x=tensor("..."), dtype=FLOATS, aliasing="any")
def floats_become_float32(solution, x, dtype):
    """Every floating point dtype becomes float32; values and shape stay the same."""
    return solution.to_model_dtypes({"x": x.to(dtype), "wide": x.double() + 70001.25})


@check(points=2, x=tensor("...", low=0, high=3, dtype="int64"), dtype=INTEGERS, aliasing="any")
def integers_become_int64(solution, x, dtype):
    """Integers become int64; large values stay exact."""
    return solution.to_model_dtypes(whole_numbers(x, dtype))


def whole_numbers(x, dtype):
    """Small numbers, and the largest that both dtypes hold."""
    top = min(torch.iinfo(dtype).max, torch.iinfo(torch.int64).max)
    return {"ids": x.to(dtype), "label": (x + (top - 3)).to(dtype)}


@check(points=1, star=True, x=tensor("...", low=0, high=3, dtype="int64"), dtype=UNSIGNED, aliasing="any")
def wide_unsigned_integers_become_int64(solution, x, dtype):
    """uint16, uint32 and uint64 become int64 too."""
    return solution.to_model_dtypes(whole_numbers(x, getattr(torch, dtype)))


@check(points=2, x=tensor("...", low=0, high=3), dtype=UNCHANGED, aliasing="any")
def right_dtypes_stay(solution, x, dtype):
    """bool, float32 and int64 tensors keep their dtype."""
    return solution.to_model_dtypes({"a": x.to(dtype), "b": x.double()})


@check(points=1, star=True, x=tensor("...", low=0, high=3), dtype=UNCHANGED, aliasing="any", beside=True)
def right_dtypes_are_not_copied(solution, x, dtype):
    """A tensor with the right dtype is returned as the same tensor object."""
    t = x.to(dtype).clone()
    found = solution.to_model_dtypes({"a": t, "b": x.double()})
    copied = found["a"].dtype == dtype and found["a"] is not t  # another dtype is no copy; right_dtypes_stay asks about it
    return {"value": found["a"], "float64 beside it": found["b"]}, {"copied": copied}


@check(points=1, star=True, x=tensor("...", low=0, high=3), dtype=[torch.complex64, torch.complex128], aliasing="any")
def complex_numbers_stay(solution, x, dtype):
    """Complex tensors stay complex."""
    return solution.to_model_dtypes({"a": x.to(dtype) * 1j, "b": x.double()})


@check(points=1, names=[["z", "a", "m"], ["y"], []], aliasing="any", beside=True)
def a_new_dict_with_the_names_in_order(solution, names, device):
    """The result is a new dict with the names in the same order."""
    batch = {name: torch.ones(2, dtype=torch.float64, device=device) for name in names}
    found = solution.to_model_dtypes(batch)
    return list(found.values()), {"names": list(found), "a dict": isinstance(found, dict), "new": found is not batch}


@check(points=1, rows=[3, 1], aliasing="any", devices=False, beside=True)
def the_given_batch_is_not_changed(solution, rows):
    """The given dict keeps its tensors, their dtypes and their values."""
    batch = {"x": torch.arange(rows, dtype=torch.float64), "z": torch.arange(rows, dtype=torch.bfloat16)}
    found = solution.to_model_dtypes(batch)
    return found, {"given batch": batch}
