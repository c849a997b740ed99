"""Known mistakes and unusual but correct solutions for collate_padded."""

import torch
from torch.nn.utils.rnn import pad_sequence

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "swap_function: lengths = torch.as_tensor([len(tokens) for tokens, _ in samples])": "a list has no memory to share",
    "swap_builtin: longest = lengths.max()": "new_full takes a tensor of one number as a size",
    "drop_keyword: for row, (tokens, _) in zip(padded, samples):": "there are as many rows as samples",
    "change_dim: mask = torch.arange(longest) < lengths.unsqueeze(-1)": "lengths has one axis",
    "swap_function: return padded, mask, torch.as_tensor([int(label) for _, label in samples])": "a list has no memory to share",
    "swap_builtin: return padded, mask, torch.tensor([label for _, label in samples])": "torch.tensor takes tensors of one number in a list",
}

HINTS = (
    "Three results, each with one row or one number for each sample. Start with the lengths: they decide the shape and the mask.",
    "Make a tensor that is all padding and write each sequence to the front of its row. A position is real if it is smaller than the "
    "length of its row: compare arange with a column of lengths.",
    "padded: new_full with (batch, longest), then a loop over rows and samples. mask: arange(longest) against lengths with an axis of "
    "size 1 at the end. labels: a list of plain ints in torch.tensor.",
)


compares_with_pad = mistake.edited("mask = torch.arange(longest) < lengths.unsqueeze(1)", "mask = padded != pad",
    "A real token that equals pad was masked out: make the mask from the lengths.",
    about="a_real_token_may_equal_pad", common=True,
    pitfall="not from padded != pad")

always_pads_with_zero = mistake.edited("(len(samples), longest), pad)", "(len(samples), longest), 0)",
    "The rows were filled with 0: fill them with pad.",
    about="pad_fills_the_rows", common=True)

inverts_the_mask = mistake.edited("return padded, mask,", "return padded, ~mask,",
    "The mask is True at padding: here True means a real token. (PyTorch's key_padding_mask is the opposite.)",
    about="the_mask_is_true_at_real_tokens", common=True)

pads_at_the_front = mistake.edited("row[: len(tokens)] = tokens", "row[longest - len(tokens) :] = tokens",
    "The padding comes first in each row, and the tokens after it: put the tokens first.",
    about="short_rows_are_padded_at_the_end")

puts_the_batch_second = mistake.edited("return padded, mask,", "return padded.T, mask.T,",
    "The result has the shape (longest, batch): each sequence must be a row. For pad_sequence, pass batch_first=True.")

cuts_to_the_shortest = mistake.edited("lengths.max()", "lengths.min()",
    "Longer sequences were cut off: the batch is as long as its longest sequence.",
    also=[("row[: len(tokens)] = tokens", "row[:] = tokens[:longest]")])

pads_to_a_fixed_length = mistake.edited("int(lengths.max())", "max(16, int(lengths.max()))",
    "The batch is longer than its longest sequence: pad to the largest length in this batch, not to a fixed one.")

returns_lengths_for_a_mask = mistake.edited("return padded, mask,", "return padded, lengths,",
    "You returned the lengths instead of the mask: compare positions with them.",
    about="the_mask_is_true_at_real_tokens")

mask_of_numbers = mistake.edited("return padded, mask,", "return padded, mask.float(),",
    "The mask holds the numbers 1 and 0: it must be bool.",
    about="the_mask_is_true_at_real_tokens")

mask_is_one_too_long = mistake.edited("< lengths", "<= lengths",
    "One position too many is True in short rows: positions count from 0, so they must be smaller than the length.",
    about="the_mask_is_true_at_real_tokens")

labels_stay_a_list = mistake.edited(
    "torch.tensor([int(label) for _, label in samples])", "[label for _, label in samples]",
    "The labels are a list: a loss function needs one tensor.",
    about="labels_are_one_tensor")

labels_are_a_column = mistake.edited(
    "torch.tensor([int(label) for _, label in samples])",
    "torch.tensor([int(label) for _, label in samples]).unsqueeze(1)",
    "The labels have the shape (batch, 1): one number for each sample is the shape (batch,).",
    about="labels_are_one_tensor")

labels_are_floats = mistake.edited(
    "torch.tensor([int(label) for _, label in samples])",
    "torch.tensor([int(label) for _, label in samples]).float()",
    "The labels are floats: they must be int64. From a list of integers, torch.tensor makes int64.",
    about="labels_are_one_tensor")

makes_everything_int64 = mistake.edited("return padded, mask,", "return padded.long(), mask,",
    "The tokens became int64: make padded in the dtype of the tokens, for instance with new_full.",
    about="tokens_keep_their_dtype")

sorts_by_length = mistake.edited(
    "lengths = torch.tensor(",
    "samples = sorted(samples, key=lambda sample: -len(sample[0]))\nlengths = torch.tensor(",
    "The samples were sorted by their length: keep them in their order.")

labels_must_be_ints = mistake.edited(
    "lengths = torch.tensor(",
    """
    if any(isinstance(label, torch.Tensor) for _, label in samples):
        raise TypeError("only integer labels")
    lengths = torch.tensor(
    """,
    "Labels that are tensors were not accepted: a Dataset over tensors gives each label as a tensor of shape ().",
    about="a_loader_calls_it")

refuses_empty_sequences = mistake.edited("row[: len(tokens)] = tokens", "tokens[0]\nrow[: len(tokens)] = tokens",
    "An empty sequence raised an error: it is a row of padding.",
    about="sequences_may_be_empty")

stacks_the_labels = mistake.edited(
    "torch.tensor([int(label) for _, label in samples])",
    "torch.stack([label for _, label in samples])",
    "A label may be a plain int, and torch.stack takes only tensors: make one tensor from the list of labels.",
    about="labels_are_one_tensor",
)

pads_in_float = mistake.edited(
    "samples[0][0].new_full((len(samples), longest), pad)",
    "torch.full((len(samples), longest), float(pad))",
    "padded became float32: make it in the dtype of the tokens.",
    about=("short_rows_are_padded_at_the_end", "tokens_keep_their_dtype"),
)

sorts_from_the_shortest = mistake.edited(
    "lengths = torch.tensor(",
    """
    samples = sorted(samples, key=lambda sample: len(sample[0]))
    lengths = torch.tensor(
    """,
    "The samples were sorted by their length, the shortest first: keep them in their order.",
)


@alternative("collate_padded")
def with_pad_sequence(samples, pad=0):
    """PyTorch's own padding, for tokens and for the mask."""
    sequences, labels = zip(*samples, strict=True)
    padded = pad_sequence(list(sequences), batch_first=True, padding_value=pad)
    mask = pad_sequence([torch.ones_like(s, dtype=torch.bool) for s in sequences], batch_first=True)
    return padded, mask, torch.as_tensor([int(label) for label in labels])


@alternative("collate_padded")
def with_cat_and_stack(samples, pad=0):
    """Each row is filled up, then all rows are stacked."""
    longest = max(tokens.shape[0] for tokens, _ in samples)
    rows, masks, labels = [], [], []
    for tokens, label in samples:
        missing = longest - tokens.shape[0]
        rows.append(torch.nn.functional.pad(tokens, (0, missing), value=pad))
        masks.append(torch.tensor([True] * len(tokens) + [False] * missing, dtype=torch.bool))
        labels.append(torch.as_tensor(label))
    return torch.stack(rows), torch.stack(masks), torch.stack(labels)


@alternative("collate_padded")
def with_a_masked_write(samples, pad=0):
    """All tokens at once, written to where the mask is True."""
    lengths = torch.tensor([[len(tokens)] for tokens, _ in samples])
    mask = torch.arange(int(lengths.max())).expand(len(samples), -1) < lengths
    padded = torch.full(mask.shape, pad, dtype=samples[0][0].dtype)
    padded[mask] = torch.cat([tokens for tokens, _ in samples])
    return [padded, mask, torch.LongTensor([int(label) for _, label in samples])]
