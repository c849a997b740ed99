"""Hidden checks for differences and largest_error."""

import torch

from torchdojo.grading import check, tensor

CONCEPTS = ("A02", "A05", "D04", "D05")


class oracle:
    """Sets of facts, and numbers one by one."""

    def differences(a, b):
        facts = [{"shape": list(t.shape), "dtype": str(t.dtype), "device": str(t.device)} for t in (a, b)]
        return [word for word, mine in facts[0].items() if facts[1][word] != mine]

    def largest_error(a, b):
        return max(abs(p - q) for p, q in zip(a.flatten().tolist(), b.flatten().tolist(), strict=True))


@check(points=2, shapes=[((3, 1), (3,)), ((2, 3), (3, 2)), ((2, 3), (2, 3)), ((1,), ()), ((4,), (5,)), ((0, 2), (0, 2))])
def shapes_are_compared(solution, shapes, device):
    """Shapes can differ even with the same number of axes or elements."""
    a, b = (torch.zeros(shape, device=device) for shape in shapes)
    return solution.differences(a, b)


@check(points=3, shape=[(2,), (3,)], dtype=["float32", "int64", "float64"], device_name=["cpu", "meta"], devices=False)
def each_difference_is_named(solution, shape, dtype, device_name):
    """The list has every difference, in the order shape, dtype, device."""
    return solution.differences(torch.ones(2), torch.zeros(shape, dtype=getattr(torch, dtype), device=device_name))


@check(points=3, a=tensor("..."), b=tensor("..."), minimum=1, examples=[{"a": torch.zeros(3), "b": torch.tensor([1.0, -5.0, 2.0])}, {"a": torch.zeros(2), "b": torch.tensor([7.0, 1.0])}])
def the_largest_error_is_found(solution, a, b):
    """The largest difference counts, whichever tensor is larger."""
    return solution.largest_error(a, b)
