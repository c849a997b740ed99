"""Hidden checks for contiguous_strides, is_contiguous and flat_view."""

import itertools

import torch

from torchdojo.grading import check, shares_memory, tensor, watched

CONCEPTS = ("B11", "E01", "E02", "E03")

KEPT = {
    "strides_of_a_new_tensor": "the first function, worth points of its own",
    "contiguous_means_row_by_row": "the second function, worth points without special sizes",
    "arithmetic_makes_no_tensor": "right numbers from a tensor break the rule of the exercise",
    "flat_view_of_slices_and_columns": "the pitfall, said by itself",
    "flat_view_is_a_view_or_none": "the rule itself, worth points without odd slices",
}

SHAPES = [s for rank in range(5) for s in itertools.product((1, 2, 3), repeat=rank)]
LARGE = [(7, 11, 13), (100,), (2, 3, 4, 5, 6), torch.Size([4, 5, 6])]
BY_RANK = [[s for s in SHAPES if len(s) == rank] for rank in (2, 3, 1, 0, 4)] + [LARGE]
STRIDES = [s for rank in range(4) for s in itertools.product((0, 1, 2, 3, 6), repeat=rank)]


class oracle:
    """Ask a real tensor."""

    def contiguous_strides(shape):
        return torch.empty(shape, device="meta").stride()

    def is_contiguous(shape, stride):
        return torch.empty_strided(shape, stride, device="cpu").is_contiguous()

    def flat_view(t):
        try:
            return t.view(-1)
        except RuntimeError:
            return None


@check(points=2, shapes=BY_RANK, devices=False)
def strides_of_a_new_tensor(solution, shapes):
    """The strides match those of a new tensor, for any number of axes."""
    return {str(shape): solution.contiguous_strides(shape) for shape in shapes}


@check(points=1, star=True, shape=[(2, 0, 3), (5, 1, 0, 4), (0,), (3, 0), (0, 0, 2)], devices=False)
def a_size_of_zero_counts_as_one(solution, shape):
    """An axis of size 0 is counted as if its size were 1."""
    return solution.contiguous_strides(shape)


@check(points=2, shape=[(2, 3), (3, 2), (4,), (2, 2, 2)], devices=False)
def contiguous_means_row_by_row(solution, shape):
    """Strides are contiguous when the elements lie row by row, without gaps."""
    return {f"{shape} {s}": solution.is_contiguous(shape, s) for s in STRIDES if len(s) == len(shape)}


@check(points=1, star=True, shape=[(), (1, 3), (3, 1), (2, 1, 3), (1, 1), (0, 3), (1, 2, 3), (1,), (0,), (2, 0), (3, 0, 2)], devices=False)
def sizes_one_and_zero_are_special(solution, shape):
    """The stride of an axis of size 1 does not matter; a tensor without elements is contiguous."""
    return {f"{shape} {s}": solution.is_contiguous(shape, s) for s in STRIDES if len(s) == len(shape)}


HUGE = (2, 1000003, 1000033, 99991)


@check(points=1, star=True, shape=[(2, 3), (4, 3, 2), (2, 2, 5)], devices=False)
def arithmetic_makes_no_tensor(solution, shape):
    """The first two functions calculate with ints, exactly; they make no tensor."""
    strides = watched(lambda: [solution.contiguous_strides(s) for s in (shape, HUGE)])
    yes_or_no = [watched(lambda s=s: solution.is_contiguous(shape, s)) for s in STRIDES if len(s) == len(shape)]
    runs = [strides, *yes_or_no]
    return [run.answer for run in runs], [name for run in runs for name in run.operations][:3]


@arithmetic_makes_no_tensor.rule
def _(ran):
    return f"a tensor was made ({ran[0]}); a few ints and their products are enough" if ran else None


@check(points=2, t=tensor("..."), aliasing="any")
def flat_view_is_a_view_or_none(solution, t):
    """The result has one axis and shares the memory of t, or is None."""
    return told(solution.flat_view(t), t)


def told(view, x):
    """The view's values and whether it uses the memory of x."""
    if view is None:
        return {"answer": "None", "values": None, "same memory": None}
    return {"answer": "a tensor", "values": view, "same memory": shares_memory(view, x) or x.numel() == 0}


def layouts(device):
    base = torch.arange(24.0, device=device).reshape(4, 6)
    deep = torch.arange(24.0, device=device).reshape(2, 3, 4)
    return {
        "every second of a vector": base.reshape(-1)[::2], "a column": base[:, 2], "a block": base[:, :3], "rows": base[1:3],
        "transposed": base.T, "one row, transposed": base[:1].T, "expanded": base[:1].expand(4, 6), "expanded number": base[0, 0].expand(3),
        "permuted": deep.permute(2, 0, 1), "last axis cut": deep[:, :, ::2], "last axis shortened": deep[:, :, :3], "middle axis shortened": deep[:, :2], "first axis cut": deep[:, 1:2], "with a one": deep[:, 1:2, :].transpose(0, 1),
        "empty": base[:0], "empty and permuted": deep[:, :0].permute(2, 1, 0), "a number": base[0, 0], "expanded in front": base[0].expand(1, 6), "integers, transposed": base.long().T,
        "integers": base.long() + 2**60, "booleans, every second": (base > 5).reshape(-1)[::2],
    }  # fmt: skip


@check(points=2, name=list(layouts("cpu")), aliasing="any")
def flat_view_of_slices_and_columns(solution, name, device):
    """Vectors with gaps and single columns are already flat; transposed matrices are not."""
    x = layouts(device)[name]
    return told(solution.flat_view(x), x)
