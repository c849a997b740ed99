"""Hidden checks for pick_per_row, above and replace_below."""

import torch

from torchdojo.grading import check, gradients, tensor, upstream

CONCEPTS = ("E07", "E08")

KEPT = {
    "one_row_or_none_any_dtype_and_int32": "the smallest inputs and the dtypes, said by themselves",
    "nan_stays": "the special numbers, said by themselves",
    "above_leaves_nan_out": "the special numbers, said by themselves",
    "equal_elements_stay": "the limit itself, said by itself",
    "above_leaves_equal_out": "the limit itself, said by itself",
    "one_element_of_each_row": "the values themselves, worth points without gradients",
    "larger_elements_in_reading_order": "the elements themselves, worth points without nan",
    "smaller_elements_are_replaced": "the values themselves, worth points without gradients",
}

ORDINARY = [-1.0, 0.5, 1.0, 2.0, 2.0, -3.0]
SPECIAL = [float("-inf"), -1.0, 0.5, float("nan"), 1.0, float("inf"), 2.0, 2.0]


class oracle:
    """Element by element."""

    def pick_per_row(x, idx):
        picked = [x[n, i] for n, i in enumerate(idx.tolist())]
        return torch.stack(picked) if picked else x.new_zeros(0)

    def above(x, t):
        return torch.tensor([v for v in x.reshape(-1).tolist() if v > t], dtype=x.dtype, device=x.device)

    def replace_below(x, t, v):
        return torch.where(x < t, torch.full_like(x, v), x)


@check(points=2, x=tensor("N C"), idx=tensor("N", dtype="int64", low=0, high="C"), minimum=2)
def one_element_of_each_row(solution, x, idx):
    """Row n gives its element idx[n]."""
    return solution.pick_per_row(x, idx)


@check(
    points=1, star=True, x=tensor("N C"), idx=tensor("N", dtype="int32", low=0, high="C"), dtype=[torch.int64, torch.float32, torch.bool],
    minimum={"C": 1},
)  # fmt: skip
def one_row_or_none_any_dtype_and_int32(solution, x, idx, dtype):
    """x may have one row or none and any dtype, and indices may be int32."""
    return solution.pick_per_row(x.to(dtype) + 2**60 if dtype == torch.int64 else x.to(dtype), idx)


@check(points=1, star=True, idx=[[1, 1], [2, 0], [1, 3]], special=[float("inf"), float("nan"), float("-inf")])
def other_elements_do_not_matter(solution, idx, special, device):
    """Elements that are not picked may be inf or nan."""
    x = torch.tensor([[special, 1.0, 2.0, special], [4.0, 5.0, special, 7.0]], device=device)
    return solution.pick_per_row(x, torch.tensor(idx, device=device))


@check(points=1, star=True, x=tensor("N C"), idx=tensor("N", dtype="int64", low=0, high="C"), minimum=2)
def picked_elements_get_the_gradient(solution, x, idx, rng):
    """The gradient goes to the picked elements; the others get 0."""
    x.requires_grad_()
    y = solution.pick_per_row(x, idx)
    return {"gradient": gradients(y, [x], upstream(y, rng))[0]}


@check(points=2, x=tensor("...", step=0.5), t=[0.25, -1.25, 9.25, -9.25])
def larger_elements_in_reading_order(solution, x, t):
    """The elements greater than t are returned row by row."""
    return solution.above(x, t)


@check(points=1, t=[1.0, 0.5, 2.0], dtype=[torch.float32, torch.float64])
def above_leaves_equal_out(solution, t, dtype, device):
    """Elements equal to t are left out."""
    return solution.above(torch.tensor(ORDINARY, dtype=dtype, device=device), t)


@check(points=1, star=True, t=[1.0, 0.5, 0.0, float("-inf"), float("inf")], dtype=[torch.float32, torch.float64])
def above_leaves_nan_out(solution, t, dtype, device):
    """nan is left out; infinities are compared."""
    return solution.above(torch.tensor(SPECIAL, dtype=dtype, device=device), t)


@check(points=2, x=tensor("...", step=0.5), t=[0.25, -1.25], v=[0.0, -1.25], aliasing="any", mutates=("x",))
def smaller_elements_are_replaced(solution, x, t, v):
    """Elements less than t become v; the others stay."""
    return solution.replace_below(x, t, v)


@check(points=1, x=tensor("a b", step=0.5), t=[0.25, -9.0], minimum=1, beside=True)
def the_result_is_a_copy(solution, x, t):
    """x does not change, and the result has its own memory, even when nothing is replaced."""
    return solution.replace_below(x, t, 7.0), {}


@check(points=1, t=[1.0, 0.5, 2.0], v=[0.0, 7.0], dtype=[torch.float32, torch.float64])
def equal_elements_stay(solution, t, v, dtype, device):
    """Elements equal to t stay."""
    return solution.replace_below(torch.tensor(ORDINARY, dtype=dtype, device=device), t, v)


@check(
    points=1, star=True, t=[1.0, float("inf"), float("-inf")], v=[0.0, float("inf"), float("-inf")], dtype=[torch.float32, torch.float64]
)
def nan_stays(solution, t, v, dtype, device):
    """nan stays; infinities are compared, and v may be infinite."""
    return solution.replace_below(torch.tensor(SPECIAL, dtype=dtype, device=device), t, v)


@check(points=1, star=True, x=tensor("a b", step=0.5), t=[0.25, -1.25], minimum=1, mutates=("x",))
def kept_elements_get_the_gradient(solution, x, t, rng):
    """The gradient goes to the elements that stay; the replaced ones get 0."""
    x.requires_grad_()
    y = solution.replace_below(x, t, 3.0)
    return {"gradient": gradients(y, [x], upstream(y, rng))[0]}
