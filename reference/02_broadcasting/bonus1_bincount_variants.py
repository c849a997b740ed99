"""Known mistakes and unusual but correct solutions for bincount."""

import numpy  # noqa: F401 (for an edit)
import torch
from bonus1_bincount import bincount as right

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "change_dim: hits = values.unsqueeze(-1) == torch.arange(bins, device=values.device)": "axis 1 is the last one",
    "add_detach: return hits.sum(dim=0).detach()": "counts have no gradient",
}

HINTS = (
    "Ask one question for every pair of a value and a bin. How many answers are yes, bin by bin?",
    "values as a column against arange(bins) as a row gives an (N, bins) matrix of True and False. True "
    "counts as 1 in a sum.",
    "Add an axis at the end of values, compare with arange(bins) on the same device, and sum over the axis of "
    "the values.",
)


def inside(values, bins):
    """The values that have a bin, as int64."""
    return values[(values >= 0) & (values < bins)].long()


@mistake("bincount", pitfall="counts[values] += 1")
def repeats_count_once(values, bins):
    """Repeated values were counted once: with counts[i] += 1 repeated indices overwrite each other, and any or isin
    only say whether a value occurs. Compare and sum instead."""
    counts = torch.zeros(bins, dtype=torch.int64, device=values.device)
    counts[inside(values, bins)] += 1
    return counts


sums_the_wrong_axis = mistake.edited("dim=0", "dim=1",
    "You summed over the bins, which gives one number per value: sum over the axis of the values.")


@mistake("bincount")
def negative_values_count_from_the_end(values, bins):
    """Negative values were counted in the last bins, as an index would do: they belong to no bin here."""
    return right(torch.where(values < 0, values + bins, values), bins)


@mistake("bincount")
def outsiders_go_to_the_border(values, bins):
    """Values outside were counted in the first or last bin: clamping moves them inside, but they must not
    count."""
    return right(values.clamp(0, bins - 1), bins) if bins else right(values, bins)


as_long_as_the_largest_value = mistake.edited(
    "hits = values.unsqueeze(1) == torch.arange(bins, device=values.device)", "kept = inside(values, bins)",
    "The length of your result depends on the values, but must always be bins.",
    also=[("return hits.sum(dim=0)", "return right(kept, int(kept.max()) + 1 if len(kept) else 0)")])

bins_begin_at_one = mistake.edited("values.unsqueeze(1)", "(values - 1).unsqueeze(1)",
    "Your bins begin at 1: they are 0 to bins - 1, which is what arange(bins) gives.")

counts_as_floats = mistake.edited("return hits.sum(dim=0)", "return hits.sum(dim=0).float()",
    "Your counts are floating point numbers: counts are int64. A sum of bools is int64 automatically.",
    about="int32_values_give_int64_counts")

bins_on_the_default_device = mistake.edited("torch.arange(bins, device=values.device)", "torch.arange(bins)",
    "You made something on the default device: give arange (or zeros) the device of values.")

one_bin_at_a_time = mistake.edited(
    "hits = values.unsqueeze(1) == torch.arange(bins, device=values.device)",
    "counts = [(values == k).sum() for k in range(bins)]",
    "You loop over the bins in Python, so the number of operations grows with them: compare with all bins at once.",
    also=[("hits.sum(dim=0)",
         "torch.stack(counts) if counts else torch.zeros(0, dtype=torch.int64, device=values.device)")],
    forbidden="a Python loop over values or bins")


@mistake("bincount", forbidden=("a Python loop over values or bins", "tolist()"))
def counts_in_a_list(values, bins):
    """A Python loop goes through the values or the bins as plain numbers: compare the tensor with all bins at once."""
    counts = [0] * bins
    for value in values.tolist():
        if 0 <= value < bins:
            counts[value] += 1
    return torch.tensor(counts, dtype=torch.int64, device=values.device)


@mistake("bincount", forbidden="tolist()")
def counted_by_a_list(values, bins):
    """The values became a Python list, with tolist(): compare the tensor with all bins at once instead."""
    return torch.tensor(list(map(values.tolist().count, range(bins))), dtype=torch.int64, device=values.device)


counted_by_numpy = mistake.edited(
    "hits = values.unsqueeze(1) == torch.arange(bins, device=values.device)",
    "counts = numpy.bincount(inside(values, bins).cpu().numpy(), minlength=bins)",
    "NumPy does the work: compare the tensor with all bins at once.",
    also=[("return hits.sum(dim=0)", "return torch.from_numpy(counts).to(values.device)")],
    forbidden="numpy()")


@mistake("bincount", forbidden="torch.bincount")
def counted_by_pytorch(values, bins):
    """torch.bincount does all the work: compare the tensor with all bins at once."""
    return torch.bincount(inside(values, bins), minlength=bins)


@mistake("bincount", forbidden="torch.histc, torch.histogram")
def counted_by_a_histogram(values, bins):
    """PyTorch's histogram does all the work: compare the tensor with all bins at once."""
    if bins == 0:
        return torch.zeros(0, dtype=torch.int64, device=values.device)
    return torch.histc(inside(values, bins).double(), bins, -0.5, bins - 0.5).long()


@mistake("bincount", forbidden="torch.unique")
def counted_by_unique(values, bins):
    """torch.unique does all the work: compare the tensor with all bins at once."""
    which, counts = torch.unique(inside(values, bins), return_counts=True)
    return torch.zeros(bins, dtype=torch.int64, device=values.device).index_put((which,), counts)

values_cut_to_int32 = mistake.edited(
    "hits = values.unsqueeze(1) == torch.arange(bins, device=values.device)",
    "hits = values.to(torch.int32)[:, None] == torch.arange(bins, dtype=torch.int32, device=values.device)",
    "Large values were cut to a smaller integer dtype, and came out as small ones: compare them without conversion.")

negative_values_without_their_sign = mistake.edited("values.unsqueeze(1)", "values.unsqueeze(1).abs()",
    "Negative values were counted like the positive ones, as after abs: values outside 0 to bins - 1 are not counted.")

values_outside_wrap_round = mistake.edited("values.unsqueeze(1)", "values.unsqueeze(1) % max(bins, 1)",
    "Values outside were counted in the bin of their remainder, as after % bins: values outside 0 to bins - 1 are not "
    "counted.")


@mistake("bincount")
def negative_values_are_an_index(values, bins):
    """Negative values are not filtered out: as an index, -1 is the last bin, and numbers below -bins raise an error.
    Keep only values from 0 to bins - 1."""
    kept = values[values < bins].long()
    counts = torch.zeros(bins, dtype=torch.int64, device=values.device)
    return counts.index_put_((kept,), torch.ones_like(kept), accumulate=True)


@mistake("bincount")
def zero_is_left_out(values, bins):
    """0 is never counted: the bins are 0 to bins - 1, so keep the values that are 0 or greater."""
    kept = values[(values > 0) & (values < bins)].long()
    counts = torch.zeros(bins, dtype=torch.int64, device=values.device)
    return counts.index_put_((kept,), torch.ones_like(kept), accumulate=True)


@mistake("bincount")
def one_value_too_many(values, bins):
    """The value bins has no bin, and raises an error as an index: the bins end with bins - 1."""
    kept = values[(values >= 0) & (values <= bins)].long()
    counts = torch.zeros(bins, dtype=torch.int64, device=values.device)
    return counts.index_put_((kept,), torch.ones_like(kept), accumulate=True)


@mistake("bincount")
def int32_meets_int64(values, bins):
    """int32 values raise an error: scatter_add_ and index_add_ need an int64 index, and ones of the dtype of the
    counts. Convert the values first."""
    kept = values[(values >= 0) & (values < bins)]
    counts = torch.zeros(bins, dtype=torch.int64, device=values.device)
    return counts.scatter_add_(0, kept, torch.ones_like(kept))


@alternative("bincount")
def a_product_with_ones(values, bins):
    """Bins down the rows; the sum is a product with a column of ones, in floating point because it is a
    product."""
    table = torch.arange(bins, device=values.device)[:, None] == values[None, :]
    ones = torch.ones(len(values), dtype=torch.float64, device=values.device)
    return (table.double() @ ones).long()


@alternative("bincount")
def added_one_by_one(values, bins):
    """index_add_ adds every repetition, after the values outside are gone."""
    counts = torch.zeros(bins, dtype=torch.int64, device=values.device)
    kept = inside(values, bins)
    return counts.index_add_(0, kept, torch.ones_like(kept))


@alternative("bincount")
def sorted_and_searched(values, bins):
    """In a sorted list, a count is the distance between two places."""
    ordered = values.contiguous().sort().values
    edges = torch.arange(bins + 1, device=values.device, dtype=values.dtype)
    return torch.searchsorted(ordered, edges).diff()


@alternative("bincount")
def printed_on_the_way(values, bins):
    """A print that was left in: PyTorch calls tolist() to show a tensor."""
    table = values[:, None] == torch.arange(bins, device=values.device)
    print("values", values, "table", table)
    return table.sum(dim=0)
