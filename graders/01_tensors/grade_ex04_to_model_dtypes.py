"""Hidden checks for to_model_dtypes."""

import torch

from torchdojo.grading import check, default_dtype, tensor

CONCEPTS = ("B01", "B07", "B12", "B13")

KEPT = {
    "a_new_dict_with_the_names_in_order": "the dict, said by itself",
    "given_tensors_are_not_changed": "a promise of the exercise, said by itself",
    "too_large_for_float32_becomes_infinite": "an edge case of the exercise, said by itself",
}

FLOATS = [torch.float64, torch.float16, torch.bfloat16]
INTEGERS = [torch.uint8, torch.int8, torch.int16, torch.int32]
UNCHANGED = [torch.float32, torch.int64, torch.bool, torch.complex64, torch.complex128]


class oracle:
    """The rules, one after the other."""

    def to_model_dtypes(batch):
        def converted(t):
            if t.dtype.is_floating_point:
                return t if t.dtype == torch.float32 else t.to(torch.float32)
            whole = not t.dtype.is_complex and t.dtype != torch.bool
            return t.to(torch.int64) if whole and t.dtype != torch.int64 else t

        return {name: converted(t) for name, t in batch.items()}


def kept(before, after):
    """Was the given dict left with the same tensors under the same names?"""
    return list(before) == list(after) and all(before[k] is after[k] for k in before)


@check(points=2, x=tensor("...", low=0, high=3), dtype=FLOATS + INTEGERS, aliasing="any")
def floats_and_integers_are_converted(solution, x, dtype):
    """Floats become float32, integers int64, values and shape stay."""
    large = x if dtype.is_floating_point else x.long() + torch.iinfo(dtype).max - 3
    batch = {"label": large.to(dtype), "other": x.to(torch.float64)}
    before = dict(batch)
    found = solution.to_model_dtypes(batch)
    return {"batch": found, "names": list(found), "argument unchanged": kept(before, batch)}


@check(points=2, x=tensor("...", low=0, high=3), dtype=UNCHANGED, aliasing="any")
def right_dtypes_stay_the_same_object(solution, x, dtype):
    """What is right already comes back as the very same tensor."""
    t = x.to(dtype).clone()
    found = solution.to_model_dtypes({"a": t})
    return {"value": found["a"], "same object": found["a"] is t}


@check(points=1, names=[[], ["z", "a", "m"], ["y"]], aliasing="any")
def a_new_dict_with_the_names_in_order(solution, names, device):
    """The result is a new dict with the names in the same order."""
    batch = {name: torch.ones(2, dtype=torch.int32, device=device) for name in names}
    before = dict(batch)
    other = solution.to_model_dtypes({})
    found = solution.to_model_dtypes(batch)
    new = found is not batch and found is not other  # nor the one of another call
    facts = {"names": list(found), "a dict": isinstance(found, dict), "new": new, "argument unchanged": kept(before, batch)}
    return facts | {"dtypes": [str(t.dtype) for t in found.values()]}  # whatever the names are


@check(points=1, x=tensor("a", dtype="float32"), aliasing="any")
def default_dtype_changes_nothing(solution, x):
    """float32 is meant also where the default dtype is another one."""
    with default_dtype(torch.float64):
        return solution.to_model_dtypes({"a": x.half(), "b": x, "c": x.double()})


@check(points=1, kind=["double"], aliasing="any")
def too_large_for_float32_becomes_infinite(solution, kind, device):
    """A float64 number that float32 cannot hold becomes inf, what it can hold stays."""
    return solution.to_model_dtypes({"a": torch.tensor([1e300, -1e300, 70001.25], dtype=torch.float64, device=device)})


@check(points=1, rows=[3, 1], aliasing="any", devices=False)
def given_tensors_are_not_changed(solution, rows):
    """The tensors of the given batch keep their dtype and values."""
    batch = {"x": torch.arange(rows, dtype=torch.float64), "y": torch.arange(rows, dtype=torch.int16)}
    solution.to_model_dtypes(batch)
    return batch
