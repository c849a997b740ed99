"""Hidden checks for bincount."""

import torch

from torchdojo.grading import Forbidden, check, loop_in, size, tensor, watched

CONCEPTS = ("D01", "C01")
FORBIDS = {"aten.*bincount*": "torch.bincount", "aten.*hist*": "torch.histc or torch.histogram", "aten.*unique*": "torch.unique"}
BECAUSE = "a matrix of comparisons and one sum will do."
KEPT = {
    "every_value_is_counted": "the counts themselves",
    "int32_values_give_int64_counts": "the dtype rule, said by itself",
    "the_counts_lie_on_the_device_of_values": "a slip that shows on another device costs this check alone",
    "nothing_to_count": "the smallest inputs, said by themselves",
}


class oracle:
    """The loop of the exercise."""

    def bincount(values, bins):
        counts = [0] * bins
        for value in values.tolist():
            if 0 <= value < bins:
                counts[value] += 1
        return torch.tensor(counts, dtype=torch.int64, device=values.device)


def counted(solution, values, bins):
    """The counts as int64: their dtype has a check of its own."""
    return solution.bincount(values, bins).to(torch.int64)


@check(points=4, values=tensor("N", dtype="int64", low=0, high="bins"), bins=size("bins"), minimum=2, devices=False)
def every_value_is_counted(solution, values, bins):
    """Every number from 0 to bins - 1 is counted as often as it occurs."""
    return counted(solution, torch.cat([values, values[:1], values[:1] * 0 + bins - 1]), bins)


@check(points=2, values=[(3, 0, -2, 7, 1), (5,), (-3, 2, 8, 1, 4, 0)], bins=[4, 2, 6], far=[2**32 + 1, 2 - 2**32, 2**53 + 1, -(2**63)], devices=False)
def values_outside_are_not_counted(solution, values, bins, far):
    """Values below 0, and values equal to bins or greater, are not counted."""
    return counted(solution, torch.tensor([*values, -1, bins, -bins, far]), bins)


@check(points=1, star=True, values=tensor("N", dtype="int32", low=0, high="bins"), bins=size("bins"), minimum=2, devices=False, beside=True)
def int32_values_give_int64_counts(solution, values, bins):
    """int32 values are counted too, and the counts are int64."""
    found, wide = solution.bincount(values, bins), solution.bincount(values.long(), bins)
    return found, {"dtype": found.dtype, "the same as with int64 values": torch.equal(found, wide)}


@check(points=1, star=True, values=[()], bins=[0, 3, 1], devices=False)
def nothing_to_count(solution, values, bins):
    """values may be empty, and bins may be 0."""
    given = torch.tensor(values, dtype=torch.int64)
    return [counted(solution, given, bins), counted(solution, torch.tensor([1, 0, 1]), 2)]


@check(points=1, star=True, values=[(1, 3, 1), (0, 3, 2)], about_device=True, beside=True)
def the_counts_lie_on_the_device_of_values(solution, values, device):
    """The counts are on the device of values."""
    found = counted(solution, torch.tensor(values, device=device), 4)
    return found, {"device": found.device}


@check(points=1, values=tensor("N", dtype="int64", low=0, high=2), times=[20, 31], minimum=2, devices=False)
def no_loop_over_values_or_bins(solution, values, times):
    """The work does not grow with the values or the bins, and stays in PyTorch."""
    given = {"few": (values, 3), "values": (values.repeat(times), 3), "bins": (values, times)}
    for numbers, bins in given.values():
        solution.bincount(numbers.flip(0), bins)  # what is made once for these sizes, and kept, is no loop
    runs = {name: watched(lambda t=t: counted(solution, *t), "tolist", "numpy") for name, t in given.items()}
    facts = {name: (len(run.operations), run.steps) for name, run in runs.items()}
    return {name: run.answer for name, run in runs.items()}, facts | {"left": runs["few"].called}


@no_loop_over_values_or_bins.rule
def _(found):
    for name in ("values", "bins"):
        if why := loop_in(found["few"], [found[name]]):
            return Forbidden(f"with more {name}, {why}: there is a Python loop")
    if found["left"]:
        return Forbidden(f"you used {found['left'][0]}(), which leaves PyTorch; a matrix of comparisons and one sum will do")
    return None
