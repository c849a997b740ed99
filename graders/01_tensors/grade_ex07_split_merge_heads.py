"""Hidden checks for split_heads and merge_heads."""

import torch

from torchdojo.grading import built, check, gradients, raises, shares_memory, size, tensor, upstream

CONCEPTS = ("A04", "C07", "E01", "E02", "E04", "E09")

KEPT = {
    "each_head_gets_its_block_of_features": "the values themselves, worth points without gradients",
    "merging_puts_the_heads_side_by_side": "the values themselves, worth points without gradients",
    "merging_one_head_is_contiguous_too": "the pitfall, said by itself",
    "merging_undoes_splitting": "the two functions as they are used, one after the other",
    "any_dtype_is_kept": "the dtype rule, said by itself",
}


class oracle:
    """Head by head."""

    def split_heads(x, heads):
        if x.shape[2] % heads:
            raise ValueError("features is not a multiple of heads")
        return x.unflatten(2, (heads, -1)).transpose(1, 2)

    def merge_heads(x):
        return torch.cat(list(x.unbind(1)), dim=2).clone(memory_format=torch.contiguous_format)


def wide(case):
    """(batch, time, heads * width), in the layout of the case."""
    heads, width = max(case.size("heads"), 1), max(case.size("width"), 1)
    return case.tensor([case.size("batch"), case.size("time"), heads * width])


@check(points=2, x=built(wide, "batch time heads width"), heads=size("heads"), minimum={"heads": 1, "width": 1})
def each_head_gets_its_block_of_features(solution, x, heads):
    """Head h holds the h-th block of neighbouring features, as a view."""
    y = solution.split_heads(x, heads)
    return {"heads": y, "same memory": shares_memory(x, y) or x.numel() == 0}


@check(points=2, x=tensor("batch heads time width"), minimum={"heads": 1, "width": 1}, aliasing="any")
def merging_puts_the_heads_side_by_side(solution, x):
    """The heads stand side by side again, contiguous in memory."""
    y = solution.merge_heads(x)
    return {"merged": y, "result is contiguous": y.is_contiguous()}


@check(points=1, x=tensor("batch 1 time width"), minimum=1, aliasing="any")
def merging_one_head_is_contiguous_too(solution, x):
    """A single head of any layout gives a contiguous result."""
    y = solution.merge_heads(x)
    z = solution.merge_heads(x.transpose(0, 2))
    return {"merged": y, "result is contiguous": [y.is_contiguous(), z.is_contiguous()]}


@check(points=1, x=built(wide, "batch time heads width"), heads=size("heads"), minimum={"heads": 1, "width": 1}, aliasing="any")
def merging_undoes_splitting(solution, x, heads):
    """Split and merged again, x is what it was."""
    return solution.merge_heads(solution.split_heads(x, heads))


@check(points=1, case=[(4, 3), (5, 2), (2, 4), (6, 4), (6, 3)], batch=[2, 0])
def features_must_be_a_multiple_of_heads(solution, case, batch, device):
    """A number of features that cannot be divided is a ValueError."""
    features, heads = case
    return raises(lambda: solution.split_heads(torch.zeros(batch, 3, features, device=device), heads))


@check(points=1, x=tensor("2 3 4"), dtype=[torch.int64, torch.float16, torch.bool, torch.float64], aliasing="any")
def any_dtype_is_kept(solution, x, dtype):
    """Integers, bools and floats are cut and merged as they are."""
    x = x.to(dtype) + 2**60 if dtype == torch.int64 else (x / 3).to(dtype)
    y = solution.split_heads(x[:, 1:], 2)  # begins further on in its memory
    return {"split": y, "merged": solution.merge_heads(y)}


@check(points=1, x=tensor("batch time 6", layouts=False), minimum=1)
def gradients_flow_back(solution, x, rng):
    """Gradients reach x through both functions."""
    x.requires_grad_()
    y = solution.split_heads(x, 3)
    z = solution.merge_heads(y)
    return {
        "through split": gradients(y, [x], upstream(y, rng), retain_graph=True)[0],
        "through both": gradients(z, [x], upstream(z, rng))[0],
    }
