"""Hidden checks for split_heads and merge_heads."""

import torch

from torchdojo.grading import built, check, gradients, raises, shares_memory, size, tensor, upstream

CONCEPTS = ("A04", "C07", "E01", "E02", "E04", "E09")

KEPT = {
    "each_head_gets_its_block_of_features": "the values themselves, worth points without the memory",
    "merging_puts_the_heads_side_by_side": "the values themselves, worth points without the layout",
    "gradients_flow_back": "a promise of the exercise, said by itself",
    "batch_and_time_may_be_empty": "the smallest inputs, said by themselves",
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


@check(points=3, x=built(wide, "batch time heads width"), heads=size("heads"), minimum=1, aliasing="any")
def each_head_gets_its_block_of_features(solution, x, heads):
    """Head h holds the h-th block of neighboring features."""
    return solution.split_heads(x, heads)


@check(points=1, x=built(wide, "batch time heads width"), heads=size("heads"), minimum=1, beside=True)
def splitting_copies_nothing(solution, x, heads):
    """The heads share memory with x, for any layout of x."""
    y = solution.split_heads(x, heads)
    return {"heads": y}, {"same memory": shares_memory(x, y)}


@check(points=1, star=True, case=[(4, 3), (5, 2), (2, 4), (6, 4), (6, 3)])
def features_must_be_a_multiple_of_heads(solution, case, device):
    """A number of features that is not divisible by heads raises ValueError."""
    features, heads = case
    return raises(lambda: solution.split_heads(torch.zeros(2, 3, features, device=device), heads))


@check(points=3, x=tensor("batch heads time width"), minimum=1, aliasing="any")
def merging_puts_the_heads_side_by_side(solution, x):
    """The heads of each time step are side by side again."""
    return solution.merge_heads(x)


@check(points=1, star=True, x=tensor("batch heads time width"), swap=[(0, 0), (0, 2)], heads=[1, 2], minimum=2, aliasing="any", beside=True)
def the_merged_tensor_is_contiguous(solution, x, swap, heads):
    """The merged result is contiguous for any layout of x, even with a single head."""
    y = solution.merge_heads(x[:, :heads].transpose(*swap))
    return {"merged": y}, {"is contiguous": y.is_contiguous()}


@check(points=1, star=True, x=tensor("batch time 6", layouts=False), minimum=1)
def gradients_flow_back(solution, x, rng):
    """Gradients reach x through both functions."""
    x.requires_grad_()
    heads = x.detach().reshape(x.shape[0], 3, x.shape[1], 2).requires_grad_()
    y, z = solution.split_heads(x, 3), solution.merge_heads(heads)
    return {
        "through split_heads": gradients(y, [x], upstream(y, rng))[0],
        "through merge_heads": gradients(z, [heads], upstream(z, rng))[0],
    }


@check(points=1, star=True, x=tensor("batch time 6"), aliasing="any")
def batch_and_time_may_be_empty(solution, x):
    """Splitting and then merging gives x again, even with no items or no time steps."""
    heads = solution.split_heads(x, 3)
    return {"shape of the heads": tuple(heads.shape), "merged again": solution.merge_heads(heads)}
