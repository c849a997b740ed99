"""Known mistakes and unusual but correct solutions for pick_per_row, above and replace_below."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "wrong_device: rows = torch.arange(len(x))": "indices may lie on the CPU",
    'wrong_device: rows = torch.arange(len(x), device="cpu")': "indices may lie on the CPU",
    "wrong_name: rows = torch.arange(len(idx), device=x.device)": "x and idx have the same length",
}

HINTS = (
    "Index with tensors: what does x[a, b] give when a and b are two tensors of the same length?",
    "x[a, b] pairs the indices: element n is x[a[n], b[n]]. x[mask] keeps the elements where a bool mask is "
    "True. torch.where(mask, a, b) selects element by element and doesn't change its inputs.",
    "pick_per_row: the row numbers are an arange on x's device, paired with idx. above: index x with a "
    "comparison. replace_below: choose between v and x where x is less than t.",
)


the_columns_of_every_row = mistake.edited(
    "rows = torch.arange(len(x), device=x.device)\nreturn x[rows, idx]", "return x[:, idx]",
    "You returned an (N, N) matrix: x[:, idx] takes these columns from every row. Pair each row number with its index.",
    pitfall="takes the columns idx from every row")

whole_rows = mistake.edited("rows = torch.arange(len(x), device=x.device)\nreturn x[rows, idx]", "return x[idx]",
    "idx was used along the first axis, which picks whole rows: its numbers are columns, one for each row.")

gather_leaves_a_column = mistake.edited(
    "rows = torch.arange(len(x), device=x.device)\nreturn x[rows, idx]",
    "return x.gather(1, idx.long().unsqueeze(1))",
    "Your result is (N, 1): gather keeps the axis along which it picks. Remove that axis, by name.")

squeezes_a_single_row_away = mistake.edited(
    "rows = torch.arange(len(x), device=x.device)\nreturn x[rows, idx]",
    "return x.gather(1, idx.long().unsqueeze(1)).squeeze()",
    "With one row your result has no axis: squeeze() removes every axis of size 1. Name the axis that you mean.")

through_python_numbers = mistake.edited(
    "rows = torch.arange(len(x), device=x.device)",
    "picked = [row[k] for row, k in zip(x.tolist(), idx.tolist(), strict=True)]",
    "Your result is not connected to x: .item() and .tolist() give Python numbers, which have no gradient. Index with "
    "tensors.",
    also=[("return x[rows, idx]", "return torch.tensor(picked, dtype=x.dtype, device=x.device)")])

product_with_a_one_hot_mask = mistake.edited(
    "rows = torch.arange(len(x), device=x.device)",
    "mask = torch.arange(x.shape[1], device=x.device) == idx[:, None]",
    "nan came out where an element that is not picked is inf or nan: 0 times inf is nan, so don't select with a product. "
    "Index x.",
    also=[("return x[rows, idx]", "return (x * mask).sum(1).to(x.dtype)")])

along_the_wrong_axis = mistake.edited(
    "rows = torch.arange(len(x), device=x.device)\nreturn x[rows, idx]",
    "return x.gather(0, idx.long().unsqueeze(0)).squeeze(0)",
    "idx was used as row numbers, as in x[idx[n], n]: it holds column numbers. With gather, give idx an axis with "
    "unsqueeze(1) and use dim=1.")

always_from_the_first_row = mistake.edited(
    "rows = torch.arange(len(x), device=x.device)\nreturn x[rows, idx]",
    "return x.gather(1, idx.long().unsqueeze(0)).squeeze(0)",
    "Every element came from the first row: each row needs its own index. With gather, give idx an axis with unsqueeze(1).")

picks_in_floats = mistake.edited(
    "rows = torch.arange(len(x), device=x.device)",
    "floats = x.double() if x.dtype in (torch.int64, torch.int32) else x",
    "Large integers were rounded, as in floats: keep the dtype.",
    also=[("x[rows, idx]", "floats.gather(1, idx.long().unsqueeze(1)).squeeze(1).to(x.dtype)")])

keeps_equal_elements = mistake.edited("return x[x > t]", "return x[x >= t]",
    "Elements equal to t were kept: only those greater than t belong in the result.")

zeros_for_the_rest = mistake.edited("return x[x > t]", "return x * (x > t)",
    "Your result has the shape of x, and the other elements became 0, as in a product with a mask: that does not select. Index with the mask.")

column_by_column = mistake.edited(
    "return x[x > t]", "turned = x.permute(*reversed(range(x.dim())))\nreturn turned[turned > t]",
    "The elements came out column by column: index x itself, not a transposed x.")

keeps_nan = mistake.edited("return x[x > t]", "return x[~(x <= t)]",
    'nan was kept: nan > t is False, and so is nan <= t. So "not less or equal" is not the same as "greater". Test x'
    " > t.")

writes_into_x = mistake.edited("return torch.where(x < t, v, x)", "with torch.no_grad():\n    x[x < t] = v\nreturn x",
    "You changed the caller's x: x[mask] = v writes in place. Make a new tensor, for example with torch.where.",
    pitfall="writes into the caller's tensor")

replaces_equal_elements = mistake.edited("return torch.where(x < t, v, x)", "return torch.where(x <= t, v, x)",
    "Elements equal to t were replaced: only those less than t become v.")

multiplies_by_masks = mistake.edited("torch.where(x < t, v, x)", "x * ~(x < t) + v * (x < t)",
    "nan appeared where x or v is infinite: 0 times inf is nan, so multiplying can't remove a value. Use torch.where.")

clamps = mistake.edited("return torch.where(x < t, v, x)", "return x.clamp(min=t)",
    "Small elements became t: that is clamp. They should become v.")

hands_x_back_when_nothing_changes = mistake.edited(
    "return torch.where(x < t, v, x)", "return torch.where(x < t, v, x) if (x < t).any() else x",
    "When no element is less than t, you returned x itself: a later change of the result then changes x. Always create a "
    "new tensor.")

copies_the_data = mistake.edited("return torch.where(x < t, v, x)", "y = x.data.clone()\ny[y < t] = v\nreturn y",
    "No gradient reaches x: .data and detach() cut the copy off from the graph. clone() keeps it.")


replaces_nan = mistake.edited(
    "return torch.where(x < t, v, x)",
    "return torch.where(x >= t, x, v)",
    'nan was replaced: nan >= t is False, and so is nan < t. So "not greater or equal" is not the same as "less". '
    "Test x < t.")


the_wrong_ones_stay = mistake.edited(
    "return torch.where(x < t, v, x)",
    "return torch.where(x < t, x, v)",
    "The elements less than t stayed, and all others became v: it should be the other way round.")


replaces_the_larger_elements = mistake.edited(
    "return torch.where(x < t, v, x)",
    "return torch.where(x > t, v, x)",
    "The elements greater than t were replaced: it should be those less than t.")


writes_into_x_with_a_graph = mistake.edited(
    "return torch.where(x < t, v, x)",
    "x[x < t] = v\nreturn x",
    "You wrote into the caller's x, which autograd refuses if x requires grad: x[mask] = v writes in place. Make a "
    "new tensor, for example with torch.where.")


positions_of_the_larger_elements = mistake.edited(
    "return x[x > t]",
    "return torch.where(x > t)",
    "You returned positions, one tensor for each axis: index x with the mask to get the elements.")


positions_as_rows = mistake.edited(
    "return x[x > t]",
    "return (x > t).nonzero()",
    "You returned positions, one row for each element: index x with the mask to get the elements.")


@alternative()
def gather_select_fill():
    """gather, masked_select and masked_fill."""
    return {
        "pick_per_row": lambda x, idx: x.gather(1, idx.long()[:, None])[:, 0],
        "above": lambda x, t: torch.masked_select(x, x.gt(t)),
        "replace_below": lambda x, t, v: x.masked_fill(x < t, v),
    }


@alternative()
def flat_positions_and_clone():
    """Positions in the flat tensor; a clone that is written to."""

    def pick_per_row(x, idx):
        rows, columns = x.shape
        return x.reshape(-1).take(torch.arange(rows, device=x.device) * columns + idx)

    def above(x, t):
        flat = x.reshape(-1)
        return flat[(flat > t).nonzero()[:, 0]]

    def replace_below(x, t, v):
        out = x.clone()
        out[x < t] = v
        return out

    return {"pick_per_row": pick_per_row, "above": above, "replace_below": replace_below}
