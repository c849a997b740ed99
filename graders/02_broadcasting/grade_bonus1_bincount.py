"""Hidden checks for bincount."""

import torch

from torchdojo.grading import called, check, operations, python_steps, size, tensor

CONCEPTS = ("D01", "C01")
KEPT = {
    "agrees_with_the_loop": "the counts themselves",
    "int32_values_give_int64_counts": "the dtype rule, said by itself",
    "repeated_values_count_each_time": "the pitfall, said by itself",
}


class oracle:
    """The loop of the exercise."""

    def bincount(values, bins):
        counts = [0] * bins
        for value in values.tolist():
            if 0 <= value < bins:
                counts[value] += 1
        return torch.tensor(counts, dtype=torch.int64, device=values.device)


@check(points=3, values=tensor("N", dtype="int64", low=-3, high=9), bins=size("bins"))
def agrees_with_the_loop(solution, values, bins):
    """Every number from 0 to bins - 1 is counted, nothing else."""
    return solution.bincount(values, bins)


@check(points=1, values=tensor("N", dtype="int32", low=-2, high=3), bins=[4, 1, 0, 6])
def int32_values_give_int64_counts(solution, values, bins):
    """int32 values are counted too, and the counts are int64."""
    return solution.bincount(values, bins)


@check(points=1, values=tensor("N", dtype="int64", low=0, high=1), minimum=5)
def repeated_values_count_each_time(solution, values):
    """A value that occurs often is counted as often."""
    return solution.bincount(torch.cat([values, values, values]), 3)


@check(points=1, value=[2**32 + 1, 2 - 2**32, 2**53 + 1, -(2**63)])
def large_values_lie_outside(solution, value, device):
    """Values that only int64 can hold lie outside as well."""
    return solution.bincount(torch.tensor([1, value, 3], device=device), 4)


@check(points=1, often=[70_000])
def a_count_may_be_large(solution, often, device):
    """A count may be larger than a small dtype can hold."""
    return solution.bincount(torch.ones((), dtype=torch.int64, device=device).expand(often), 3)


@check(
    points=2,
    n=[40],
    forbids={
        "aten.bincount": "torch.bincount", "aten.histc": "torch.histc", "aten.histogram": "torch.histogram",
        "aten._unique2": "torch.unique", "aten.unique_dim": "torch.unique", "aten.unique_consecutive": "torch.unique_consecutive",
    },
    because="a table of comparisons and one sum will do.",
)  # fmt: skip
def no_loop_over_values_or_bins(solution, n, device):
    """The work does not grow with the values or the bins."""
    few = torch.arange(3, device=device)
    many = torch.arange(n, device=device) % 7

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
