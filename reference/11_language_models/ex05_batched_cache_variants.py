"""Known mistakes and unusual but correct solutions for StaticCache.append, token_positions and allowed_keys."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "wrong_name: end = self.length + values.shape[2]": "there are as many values as keys",
    "change_dim: return (real.cumsum(dim=-1) - 1).clamp(min=0)": "there are two axes",
    "in_place: return (real.cumsum(dim=1) - 1).clamp_(min=0)": "the counts are a new tensor",
    "in_place: not_later = torch.ones(new, time, dtype=torch.bool, device=real.device).tril_(time - new)": "the ones are a new tensor",
}

HINTS = (
    "Write down a batch of two texts, one with two columns of padding. Which number has the first word of each text, and which columns may each column read?",
    "The cache is one tensor: length says where the next positions begin and where the view ends that you return. A cumulative sum over the columns counts the "
    "real tokens. For the mask, combine a condition for pairs of columns with one for each text's keys.",
    "Compute the end of the new positions, check that it fits, write both slices, store the end as the length, return both views. Positions: the cumulative sum "
    "minus 1, at least 0. Mask: tril with a diagonal of time - new, and real with two more axes.",
)


concatenates = mistake.edited(
    """
    self.keys[:, :, self.length : end] = keys
    self.values[:, :, self.length : end] = values
    """,
    """
    self.keys = torch.cat([self.keys[:, :, : self.length], keys, self.keys[:, :, end:]], dim=2)
    self.values = torch.cat([self.values[:, :, : self.length], values, self.values[:, :, end:]], dim=2)
    """,
    "Each call puts the keys and values into newly allocated tensors: write them into slices of self.keys and self.values.",
    about="nothing_is_allocated_again", common=True)

returns_copies = mistake.edited(
    "return self.keys[:, :, :end], self.values[:, :, :end]",
    "return self.keys[:, :, :end].clone(), self.values[:, :, :end].clone()",
    "What is returned is a copy, made for every token: return views of self.keys and self.values.",
    about="nothing_is_allocated_again")

returns_the_whole_tensor = mistake.edited(
    "return self.keys[:, :, :end], self.values[:, :, :end]",
    "return self.keys, self.values",
    "The unused rest of the cache is returned, too. Its keys of zeros get weights: return the positions in use.",
    common=True)

returns_the_new_ones = mistake.edited(
    "return self.keys[:, :, :end], self.values[:, :, :end]",
    "return self.keys[:, :, end - keys.shape[2] : end], self.values[:, :, end - keys.shape[2] : end]",
    "Only the new keys and values are returned: a new position reads the earlier ones, too.",
    common=True)

writes_at_the_front = mistake.edited(
    "self.keys[:, :, self.length : end] = keys\nself.values[:, :, self.length : end] = values",
    "self.keys[:, :, : keys.shape[2]] = keys\nself.values[:, :, : keys.shape[2]] = values",
    "New positions overwrite the first ones: they belong behind the positions in use.",
    common=True)

length_stays = mistake.edited("self.length = end", "",
    "The length doesn't grow, so the next positions overwrite these.",
    common=True)

length_counts_calls = mistake.edited("self.length = end", "self.length += 1",
    "The length grows by 1 in each call: it grows by the number of new positions.")

one_position_for_each_call = mistake.edited(
    """
    self.keys[:, :, self.length : end] = keys
    self.values[:, :, self.length : end] = values
    self.length = end
    return self.keys[:, :, :end], self.values[:, :, :end]
    """,
    """
    self.keys[:, :, self.length] = keys[:, :, 0]
    self.values[:, :, self.length] = values[:, :, 0]
    self.length += 1
    return self.keys[:, :, : self.length], self.values[:, :, : self.length]
    """,
    "Of several new positions only the first is stored: a call may bring a whole prompt.")

values_are_the_keys = mistake.edited("= values", "= keys",
    "The values are those of the keys: each of the two tensors gets its own numbers.")

exchanged = mistake.edited(
    "return self.keys[:, :, :end], self.values[:, :, :end]",
    "return self.values[:, :, :end], self.keys[:, :, :end]",
    "Keys and values are exchanged in what is returned.")

does_not_look_whether_it_fits = mistake.edited(
    'if end > self.keys.shape[2]:\n    raise ValueError(f"{end} positions are needed, and the cache has {self.keys.shape[2]}")', "",
    "New positions that don't fit are not refused with a ValueError. A single one is even lost silently, because a slice behind the end is empty.",
    about="what_does_not_fit_is_refused", common=True)

counts_before_it_refuses = mistake.edited("if end > self.keys.shape[2]:", "self.length = end\nif end > self.keys.shape[2]:",
    "The length changed although the new positions were refused: check first, then change the cache.",
    also=[("self.length : end] = keys", "end - keys.shape[2] : end] = keys"), ("self.length : end] = values", "end - keys.shape[2] : end] = values")],
    about="what_does_not_fit_is_refused")

refuses_the_last_position = mistake.edited("if end > self.keys.shape[2]:", "if end >= self.keys.shape[2]:",
    "The last position of the cache is never used: as many positions as the cache has do fit.")

counts_columns = mistake.edited(
    "(real.cumsum(dim=1) - 1).clamp(min=0)", "torch.arange(real.shape[1], device=real.device).expand(real.shape)",
    "The positions are the columns of the tensor: a text behind padding begins at position 0, too.",
    common=True, pitfall="not position 3 of the text")

counts_from_one = mistake.edited("(real.cumsum(dim=1) - 1).clamp(min=0)", "real.cumsum(dim=1)",
    "The first token has position 1: count from 0.",
    common=True)

padding_has_minus_one = mistake.edited("(real.cumsum(dim=1) - 1).clamp(min=0)", "real.cumsum(dim=1) - 1",
    "A position, perhaps that of padding, is no row of an embedding, such as -1: give padding one that exists, such as 0.",
    common=True)

counts_over_the_batch = mistake.edited("real.cumsum(dim=1)", "real.cumsum(dim=0)",
    "The tokens were counted over the batch: count along the columns.")

reads_padding = mistake.edited("not_later & real[:, None, None, :]", "not_later.expand(len(real), 1, new, time)",
    "Padding may be read: a key must also be real.",
    common=True)

reads_later_columns = mistake.edited("not_later & real[:, None, None, :]", "real[:, None, None, :].expand(len(real), 1, new, time)",
    "Later columns may be read: a column reads itself and those before it.",
    common=True)

diagonal_of_the_first_column = mistake.edited(".tril(time - new)", ".tril()",
    "The first row of the mask belongs to column 0: if others are in the cache, the last row belongs to the last column.",
    common=True)

square_of_the_new_columns = mistake.edited("torch.ones(new, time, dtype=torch.bool, device=real.device).tril(time - new)",
    "torch.ones(new, new, dtype=torch.bool, device=real.device).tril()",
    "With a cache and several new columns, the part of the mask that hides later columns has no room for the columns in the cache: it is (new, time), not (new, new).",
    about="new_columns_read_the_cache", common=True)

not_its_own_column = mistake.edited(".tril(time - new)", ".tril(time - new - 1)",
    "A column doesn't read its own key: it may, so the mask is True there.")

one_column_too_late = mistake.edited(".tril(time - new)", ".tril(time - new + 1)",
    "Each column reads the column behind it: the last key that it may read is its own.")

mask_is_inverted = mistake.edited("return not_later & real[:, None, None, :]", "return ~(not_later & real[:, None, None, :])",
    "The mask is True where a key may not be read: scaled_dot_product_attention takes True where it may.",
    common=True)

padding_of_the_rows = mistake.edited("real[:, None, None, :]", "real[:, None, -new:, None]",
    "Columns that are padding read nothing, but others read them: the padding is a matter of the keys, the last axis.",
    common=True)

either_condition = mistake.edited("not_later & real", "not_later | real",
    "A key may be read if one of the two conditions holds: both must hold.")

without_an_axis_for_heads = mistake.edited("real[:, None, None, :]", "real[:, None, :]",
    "The mask has no axis for the heads: its shape is (batch, 1, new, time).",
    common=True)

a_mask_of_numbers = mistake.edited("return not_later & real[:, None, None, :]", "return (not_later & real[:, None, None, :]).float()",
    "The mask has the numbers 0 and 1, which attention adds to the scores: return bool.")

ones_on_the_cpu = mistake.edited(", device=real.device)", ")",
    "A tensor that your code creates is on the CPU although real isn't: make it on the device of real.",
    about="masks_and_positions_on_the_device")


@alternative("token_positions")
def from_the_amount_of_padding(real):
    """Columns minus padding."""
    columns = torch.arange(real.size(1), device=real.device)
    padding = (~real).sum(1, keepdim=True)
    return (columns - padding).clamp_min(0)


@alternative("token_positions")
def as_a_known_library_does(real):
    """A count with padding filled in afterwards, by another position."""
    positions = real.long().cumsum(-1) - 1
    return positions.masked_fill(real == 0, 1)


@alternative("allowed_keys")
def comparing_columns(real, new):
    """Numbers of columns, compared."""
    columns = torch.arange(real.shape[-1], device=real.device)
    mask = columns[None, :] <= columns[-new:, None]
    return (real.unsqueeze(1) * mask).unsqueeze(1)


@alternative("allowed_keys")
def last_rows_of_all(real, new):
    """The whole square, of which the last rows are used, and scores that are finite."""
    batch, time = real.shape
    scores = torch.zeros(batch, time, time, device=real.device)
    scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -torch.inf)
    scores = scores.masked_fill(~real[:, None, :], -torch.inf)
    return torch.isfinite(scores)[:, None, -new:]


in_place_by_copy = alternative.edited(
    "self.keys[:, :, self.length : end] = keys\nself.values[:, :, self.length : end] = values",
    "for whole, part in ((self.keys, keys), (self.values, values)):\n    whole.narrow(2, self.length, part.shape[2]).copy_(part)",
    "narrow and copy_, in a loop over the two tensors.")

by_index_copy = alternative.edited(
    "self.keys[:, :, self.length : end] = keys\nself.values[:, :, self.length : end] = values",
    "where = torch.arange(self.length, end, device=keys.device)\nself.keys.index_copy_(2, where, keys)\nself.values.index_copy_(2, where, values)",
    "index_copy_, as compiled programs have it.")
