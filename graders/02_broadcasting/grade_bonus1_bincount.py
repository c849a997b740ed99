"""Hidden checks for bincount."""

import torch

from torchdojo.grading import called, check, operations, python_steps, size, tensor

CONCEPTS = ("D01", "C01")
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


@check(points=2, values=tensor("N", dtype="int64", low=-3, high=9), bins=[4, 2, 6], far=[2**32 + 1, 2 - 2**32, 2**53 + 1, -(2**63)], minimum=1, devices=False)
def values_outside_are_not_counted(solution, values, bins, far):
    """Negative values, and values from bins on, are not counted."""
    outside = torch.tensor([-1, bins, -bins, far])
    return counted(solution, torch.cat([values, outside]), bins)


@check(points=1, values=tensor("N", dtype="int32", low=0, high="bins"), bins=size("bins"), minimum=2, devices=False)
def int32_values_give_int64_counts(solution, values, bins):
    """int32 values are counted too, and the counts are int64."""
    return solution.bincount(values, bins)


@check(points=1, values=[()], bins=[0, 3, 1], devices=False)
def nothing_to_count(solution, values, bins):
    """There may be no value, and no bin."""
    given = torch.tensor(values, dtype=torch.int64)
    return [counted(solution, given, bins), counted(solution, torch.tensor([1, 0, 1]), 2)]


@check(points=1, values=[(1, 3, 1)])
def the_counts_lie_on_the_device_of_values(solution, values, device):
    """The counts are on the device of values."""
    return solution.bincount(torch.tensor(values, device=device), 4)


@check(
    points=2,
    n=[40],
    forbids={
        "aten.bincount": "torch.bincount", "aten.histc": "torch.histc", "aten.histogram": "torch.histogram",
        "aten._unique2": "torch.unique", "aten.unique_dim": "torch.unique", "aten.unique_consecutive": "torch.unique_consecutive",
    },
    because="a table of comparisons and one sum will do.", devices=False,
)  # fmt: skip
def no_loop_over_values_or_bins(solution, n):
    """The work does not grow with the values or the bins."""
    few = torch.arange(3)
    many = torch.arange(n) % 7

    def more(count):
        def of(values, bins):
            return count(lambda: solution.bincount(values, bins))

        start = of(few, 3)
        return {"values": of(many, 3) - start, "bins": of(few, n) - start}

    left = called(lambda: solution.bincount(few, 3), "tolist", "numpy")
    return {"left": left, "operations": more(lambda function: len(operations(function))), "steps": more(python_steps)}


@no_loop_over_values_or_bins.judge
def _(found):
    for kind, said in (("operations", "more PyTorch operations ran"), ("steps", "Python took more steps")):
        grown = [name for name, extra in found[kind].items() if extra > 0]
        if grown:
            return f"with more {' and '.join(grown)}, {said}: there is a Python loop"
    if found["left"]:
        return f"{found['left'][0]}() was used, which leaves PyTorch; a table of comparisons and one sum will do"
    return None
