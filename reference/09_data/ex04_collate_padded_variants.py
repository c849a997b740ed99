"""Known mistakes and odd-but-correct solutions for collate_padded."""

import torch
from ex04_collate_padded import collate_padded
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


def parts(samples, pad):
    """What is right: (padded, mask, labels)."""
    return collate_padded(samples, pad)


@mistake("collate_padded", about="a_real_token_may_equal_pad", common=True)
def compares_with_pad(samples, pad=0):
    """A real token that equals pad was masked out: make the mask from the lengths."""
    padded, _, labels = parts(samples, pad)
    return padded, padded != pad, labels


@mistake("collate_padded", about="pad_fills_the_rows", common=True)
def always_pads_with_zero(samples, pad=0):
    """The rows were filled with 0: fill them with pad."""
    padded, mask, labels = parts(samples, 0)
    return padded, mask, labels


@mistake("collate_padded", about="the_mask_is_true_at_real_tokens", common=True)
def inverts_the_mask(samples, pad=0):
    """The mask is True at padding: here True means a real token. (PyTorch's key_padding_mask is the opposite.)"""
    padded, mask, labels = parts(samples, pad)
    return padded, ~mask, labels


@mistake("collate_padded", about="short_rows_are_padded_at_the_end")
def pads_at_the_front(samples, pad=0):
    """The padding comes first in each row, and the tokens after it: put the tokens first."""
    padded, mask, labels = parts([(tokens.flip(0), label) for tokens, label in samples], pad)
    return padded.flip(1), mask, labels


@mistake("collate_padded")
def puts_the_batch_second(samples, pad=0):
    """The result has the shape (longest, batch): pad_sequence needs batch_first=True."""
    padded, mask, labels = parts(samples, pad)
    return padded.T, mask.T, labels


@mistake("collate_padded")
def cuts_to_the_shortest(samples, pad=0):
    """Longer sequences were cut off: the batch is as long as its longest sequence."""
    shortest = min(len(tokens) for tokens, _ in samples)
    return parts([(tokens[:shortest], label) for tokens, label in samples], pad)


@mistake("collate_padded")
def pads_to_a_fixed_length(samples, pad=0):
    """The batch is longer than its longest sequence: pad to the largest length in this batch, not to a fixed one."""
    padded, mask, labels = parts([*samples, (torch.zeros(16, dtype=samples[0][0].dtype), 0)], pad)
    return padded[:-1], mask[:-1], labels[:-1]


@mistake("collate_padded", about="the_mask_is_true_at_real_tokens")
def returns_lengths_for_a_mask(samples, pad=0):
    """You returned the lengths instead of the mask: compare positions with them."""
    padded, mask, labels = parts(samples, pad)
    return padded, mask.sum(dim=1), labels


@mistake("collate_padded", about="the_mask_is_true_at_real_tokens")
def mask_of_numbers(samples, pad=0):
    """The mask holds 1 and 0: it must be bool, because a mask of numbers selects rows when you index with it."""
    padded, mask, labels = parts(samples, pad)
    return padded, mask.float(), labels


@mistake("collate_padded", about="the_mask_is_true_at_real_tokens")
def mask_is_one_too_long(samples, pad=0):
    """One position too many is True in short rows: positions count from 0, so they must be smaller than the length."""
    padded, _, labels = parts(samples, pad)
    lengths = torch.tensor([[len(tokens)] for tokens, _ in samples])
    return padded, torch.arange(padded.shape[1]) <= lengths, labels


@mistake("collate_padded", about="labels_are_one_tensor")
def labels_stay_a_list(samples, pad=0):
    """The labels are a list: a loss function needs one tensor."""
    padded, mask, _ = parts(samples, pad)
    return padded, mask, [label for _, label in samples]


@mistake("collate_padded", about="labels_are_one_tensor")
def labels_are_a_column(samples, pad=0):
    """The labels have the shape (batch, 1): one number for each sample is the shape (batch,)."""
    padded, mask, labels = parts(samples, pad)
    return padded, mask, labels.unsqueeze(1)


@mistake("collate_padded", about="labels_are_one_tensor")
def labels_are_floats(samples, pad=0):
    """The labels are floats: torch.Tensor(...) always makes floats, torch.tensor(...) keeps integers."""
    padded, mask, labels = parts(samples, pad)
    return padded, mask, labels.float()


@mistake("collate_padded", about="tokens_keep_their_dtype")
def makes_everything_int64(samples, pad=0):
    """The tokens became int64: make padded in the dtype of the tokens, for instance with new_full."""
    padded, mask, labels = parts(samples, pad)
    return padded.long(), mask, labels


@mistake("collate_padded")
def sorts_by_length(samples, pad=0):
    """The samples were sorted by their length: keep them in their order."""
    return parts(sorted(samples, key=lambda sample: -len(sample[0])), pad)


@mistake("collate_padded", about="a_loader_calls_it")
def labels_must_be_ints(samples, pad=0):
    """Labels that are tensors were not accepted: a Dataset over tensors gives each label as a tensor of shape ()."""
    if any(isinstance(label, torch.Tensor) for _, label in samples):
        raise TypeError("only integer labels")
    return parts(samples, pad)


@mistake("collate_padded", about="sequences_may_be_empty")
def refuses_empty_sequences(samples, pad=0):
    """An empty sequence raised an error: it is a row of padding."""
    for tokens, _ in samples:
        tokens[0]
    return parts(samples, pad)


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
