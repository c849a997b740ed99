"""Known mistakes and unusual but correct solutions for pad_stack."""

import torch
from ex08_pad_stack import pad_stack as right

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "change_dim: mask = torch.arange(longest, device=device) < torch.tensor(lengths, device=device).unsqueeze(-1)": "axis 1 is the last one",
    "swap_function: mask = torch.arange(longest, device=device) < torch.as_tensor(lengths, device=device).unsqueeze(1)": "a list has no memory to share",
}

HINTS = (
    "First bring every sequence to the same length, then make one tensor of them.",
    "A sequence and its padding are joined along an existing axis (cat); the equal pieces get a new axis "
    "(stack). new_full makes the padding with the dtype and device of the sequence. A mask is a comparison of "
    "positions with lengths.",
    "For each sequence, cat it with a new_full block of (longest - length) rows; stack the results. For the "
    "mask, compare arange(longest) with the lengths as a column, both on the sequences' device.",
)


joins_instead_of_stacking = mistake.edited("return padded, mask", "return torch.cat(list(padded)), mask",
    "Your result has two axes, with the sequences one below the other. A batch needs a new axis: stack.",
    pitfall="cat joins along an existing axis")

mask_is_turned_round = mistake.edited("return padded, mask", "return padded, ~mask",
    "Your mask is True on the padding: here True means that a row is real.")

fills_up_in_front = mistake.edited(
    "torch.cat([seq, seq.new_full((longest - len(seq), seq.shape[1]), pad)])",
    "torch.cat([seq.new_full((longest - len(seq), seq.shape[1]), pad), seq])",
    "The padding comes before the sequence: put the real rows first and the padding after them.",
    also=[("mask = torch.arange(longest, device=device) < torch.tensor(lengths, device=device).unsqueeze(1)",
         "mask = torch.arange(longest, device=device) >= longest - torch.tensor(lengths, device=device).unsqueeze(1)")])


@mistake("pad_stack")
def starts_from_default_zeros(seqs, pad=0.0):
    """padded has the default dtype and device: create it with those of the sequences."""
    longest = max(len(s) for s in seqs)
    out = torch.full((len(seqs), longest, seqs[0].shape[1]), float(pad))
    for row, s in zip(out, seqs, strict=True):
        row[: len(s)] = s
    return out, right(seqs, pad)[1]


forgets_pad = mistake.edited("seq.shape[1]), pad)", "seq.shape[1]), 0.0)",
    "The padding is always 0: use the value of pad.")

mask_from_the_values = mistake.edited(
    "mask = torch.arange(longest, device=device) < torch.tensor(lengths, device=device).unsqueeze(1)",
    "mask = (padded != pad).any(-1)",
    "Your mask depends on the values: a real row may hold pad, and nan equals nothing. Use the lengths.")

mask_of_one_row = mistake.edited("return padded, mask", "return padded, mask.any(0).expand(mask.shape)",
    "All rows of your mask are equal: each sequence needs True up to its own length only. One reason is expand: all "
    "its rows share the same memory.")

mask_of_numbers = mistake.edited("return padded, mask", "return padded, mask.to(torch.int64)",
    "Your mask holds numbers: a mask is bool, so that it can be used as an index and with ~.")

cuts_to_the_shortest = mistake.edited(
    "lengths = [len(",
    "shortest = min(len(seq) for seq in seqs)\nseqs = [seq[:shortest] for seq in seqs]\nlengths = [len(",
    "Long sequences were cut off: use the largest length, not the smallest, and pad the others.")

time_comes_first = mistake.edited("return padded, mask", "return padded.transpose(0, 1), mask.T",
    "Your result is (longest, batch, features): the batch axis comes first here.")

cuts_the_gradient = mistake.edited("lengths = [len(", "seqs = [seq.detach() for seq in seqs]\nlengths = [len(",
    "No gradient reaches the sequences: detach, .data and .tolist() cut the graph. Build the result from the tensors "
    "themselves.")

grows_the_given_list = mistake.edited("return padded, mask", "seqs[:] = list(padded)\nreturn padded, mask",
    "The caller's list has changed: collect the padded sequences in a new list.")

one_row_needs_no_filling = mistake.edited(
    "return padded, mask", "return padded, torch.ones_like(mask) if longest == 1 else mask",
    "When the longest length is 1, everything counted as real: an empty sequence must be padded then, too.")

asks_the_first_sequence = mistake.edited(
    "lengths = [len(",
    "seqs = seqs if seqs[0].requires_grad else [seq.detach() for seq in seqs]\nlengths = [len(",
    "A sequence gets its gradient only if the first one requires grad: build the result from the tensors themselves,"
    " without detaching any.")

longest_first_in_long_lists = mistake.edited(
    "lengths = [len(", "if len(seqs) > 4:\n    seqs.sort(key=len, reverse=True)\nlengths = [len(",
    "The list was sorted, longest first: sequence b belongs at index b, and the caller's list must not change.",
    about=("sequences_are_filled_up_at_the_end", "the_list_is_not_changed"))

one_row_too_many_is_real = mistake.edited("< torch.tensor(lengths", "<= torch.tensor(lengths",
    "Your mask is True for one row too many: row t is real while t < length, and rows are counted from 0.")

leaves_empty_sequences_out = mistake.edited(
    "lengths = [len(", "seqs = [seq for seq in seqs if len(seq)] or seqs\nlengths = [len(",
    "Sequences of length 0 were left out: each keeps its index in the batch, as rows of padding.")

sorted_by_length = mistake.edited("lengths = [len(", "seqs = sorted(seqs, key=len, reverse=True)\nlengths = [len(",
    "The sequences were sorted by length, longest first: sequence b belongs at index b.")

fills_up_in_front_of_real_rows = mistake.edited(
    "torch.cat([seq, seq.new_full((longest - len(seq), seq.shape[1]), pad)])",
    "torch.cat([seq.new_full((longest - len(seq), seq.shape[1]), pad), seq])",
    "The padding comes before the sequence, but your mask says that it comes after: put the real rows first. The numbers "
    "of F.pad start with the last axis, in the order front, end: (0, 0, 0, missing).")

fills_up_the_features = mistake.edited(
    "torch.cat([seq, seq.new_full((longest - len(seq), seq.shape[1]), pad)])",
    "torch.cat([seq, seq.new_full((len(seq), longest - len(seq)), pad)], dim=1)",
    "The features were padded instead of the rows, so the sequences still have different shapes: the numbers of F.pad "
    "start with the last axis; (0, 0, 0, missing) adds rows at the end.")


@mistake("pad_stack")
def stacks_them_as_they_are(seqs, pad=0.0):
    """Sequences of different lengths cannot be stacked: pad each one to the longest length first, then stack."""
    return torch.stack(seqs), torch.ones(len(seqs), len(seqs[0]), dtype=torch.bool, device=seqs[0].device)


the_mask_comes_first = mistake.edited("return padded, mask", "return mask, padded",
    "padded and mask are swapped: return (padded, mask).")

lengths_in_place_of_a_mask = mistake.edited("return padded, mask", "return padded, mask.sum(1)",
    "Your second result holds one length for each sequence: a mask says True or False for each row.")

no_mask_at_all = mistake.edited("return padded, mask", "return padded",
    "You returned only the padded tensor: return the pair (padded, mask).")

rows_of_zeros_are_no_rows = mistake.edited(
    "mask = torch.arange(longest, device=device) < torch.tensor(lengths, device=device).unsqueeze(1)",
    "mask = (padded != 0).any(-1)",
    "Your mask asks which rows are not 0: a real row may hold zeros, and padding may hold another number. Use the lengths.")


mask_on_the_default_device = mistake.edited(
    "mask = torch.arange(longest, device=device) < torch.tensor(lengths, device=device).unsqueeze(1)",
    "mask = torch.arange(longest) < torch.tensor(lengths).unsqueeze(1)",
    "Your mask is on the default device: create it, and what it is made of, on the device of the sequences.")


mask_element_by_element = mistake.edited(
    "mask = torch.arange(longest, device=device) < torch.tensor(lengths, device=device).unsqueeze(1)",
    "mask = padded != pad",
    "Your mask has an axis for the features: it needs one True or False for each row. Make it from the lengths, not "
    "from the values.")


time_comes_first_in_padded = mistake.edited(
    "return padded, mask",
    "return padded.transpose(0, 1), mask",
    "Your padded is (longest, batch, features): the batch axis comes first. pad_sequence needs batch_first=True for "
    "that.")


mask_is_transposed = mistake.edited(
    "return padded, mask",
    "return padded, mask.T",
    "Your mask is (longest, batch): the batch axis comes first, so the lengths must be a column.")


the_first_is_not_the_longest = mistake.edited(
    "longest = max(lengths)",
    "longest = lengths[0]",
    "The first sequence need not be the longest: take the maximum of all lengths.")


@mistake("pad_stack")
def both_made_with_defaults(seqs, pad=0.0):
    """padded has the default dtype, and both results are on the default device: create them with the dtype and device
    of the sequences."""
    padded, mask = starts_from_default_zeros(seqs, pad)
    return padded, mask.cpu()


@alternative("pad_stack")
def pad_sequence_does_it(seqs, pad=0.0):
    """The ready-made helper, and a mask built row by row."""
    padded = torch.nn.utils.rnn.pad_sequence(seqs, batch_first=True, padding_value=pad)
    mask = torch.zeros(padded.shape[:2], dtype=torch.bool, device=padded.device)
    for row, seq in zip(mask, seqs, strict=True):
        row[: len(seq)] = True
    return padded, mask


@alternative("pad_stack")
def written_into_a_full_tensor(seqs, pad=0.0):
    """A tensor full of padding into which the sequences are written."""
    longest = max(seq.size(0) for seq in seqs)
    first = seqs[0]
    out = torch.full((len(seqs), longest, first.size(1)), pad, dtype=first.dtype, device=first.device)
    mask = torch.full((len(seqs), longest), False, device=first.device)
    for i, seq in enumerate(seqs):
        out[i, : seq.size(0)] = seq
        mask[i, : seq.size(0)] = True
    return out, mask


@alternative("pad_stack")
def functional_pad(seqs, pad=0.0):
    """F.pad counts axes from the last one."""
    longest = max(map(len, seqs))
    rows = [torch.nn.functional.pad(s, (0, 0, 0, longest - len(s)), value=pad) for s in seqs]
    flags = [[t < len(s) for t in range(longest)] for s in seqs]
    mask = torch.tensor(flags, dtype=torch.bool, device=seqs[0].device).reshape(len(seqs), longest)
    return torch.stack(rows, dim=0), mask
