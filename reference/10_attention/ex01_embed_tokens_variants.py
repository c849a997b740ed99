"""Known mistakes and unusual but correct solutions for embed_tokens."""

import torch
from torch import nn

from torchdojo.variants import alternative, mistake

HINTS = (
    "Two lookups and a sum. Which shape does each lookup have, and along which axis do positions count?",
    "Index the token table with all ids at once: the result gets an axis of size width at the end. The first rows of the position "
    "table, one for each time step, then broadcast over the batch.",
    "Compare ids.shape[1] with the length of the position table first. Then add a slice of that table to the indexed token table.",
)


forgets_the_positions = mistake.edited(" + position_table[:time]", "",
    "The positions are missing: add row t of position_table to the vector at position t.",
    about="each_position_adds_its_row", common=True)

positions_by_id = mistake.edited("position_table[:time]", "position_table[ids]",
    "The row of position_table was chosen by the token's id: it is chosen by the position, 0, 1, 2 and so on.",
    about="each_position_adds_its_row")

counts_from_one = mistake.edited("position_table[:time]", "position_table[1 : time + 1]",
    "The positions were counted from 1: the first token has position 0.",
    about="each_position_adds_its_row")

positions_along_the_batch = mistake.edited(
    "position_table[:time]",
    "position_table[torch.arange(len(ids), device=ids.device) % len(position_table)][:, None]",
    "Each sequence got one row of position_table for all its tokens: positions count along time, the second axis of ids.",
    about="each_position_adds_its_row")

a_row_of_the_batch_for_each_sequence = mistake.edited("position_table[:time]", "position_table[: len(ids), None]",
    "Each sequence got one row of position_table for all its tokens: positions count along time, the second axis of ids.",
    about="each_position_adds_its_row")

takes_the_last_rows = mistake.edited("position_table[:time]", "position_table[len(position_table) - time :]",
    "The last rows of position_table were used: the first token gets row 0.",
    about="each_position_adds_its_row")

one_position_for_all = mistake.edited("position_table[:time]", "position_table[time - 1]",
    "All tokens got the same row of position_table: position t gets row t.",
    about="each_position_adds_its_row")

concatenates = mistake.edited(
    "return token_table[ids] + position_table[:time]",
    "return torch.cat([token_table[ids], position_table[:time].expand(*ids.shape, -1)], dim=-1)",
    "The two vectors were concatenated, so the width has doubled: add them.",
    about="each_position_adds_its_row")

multiplies = mistake.edited("+ position_table[:time]", "* position_table[:time]",
    "The two vectors were multiplied: add them.",
    about="each_position_adds_its_row")

scales_by_the_width = mistake.edited("token_table[ids]", "token_table[ids] * token_table.shape[1] ** 0.5",
    "The token vectors were multiplied by the square root of the width, as in the first transformer. Here they are added "
    "as they are.")

makes_a_new_layer = mistake.edited("token_table[ids]", "nn.Embedding.from_pretrained(token_table)(ids)",
    "No gradient reaches token_table: take the rows from the table itself, without detach(), torch.tensor() or a new nn.Embedding.",
    about="gradients_reach_both_tables", common=True)

freezes_the_positions = mistake.edited("position_table[:time]", "position_table[:time].detach()",
    "No gradient reaches position_table: the positions are learned, so take the rows from the table itself, without detach() or a new nn.Embedding.",
    about="gradients_reach_both_tables")

starts_over = mistake.edited("if time > len(position_table):", "if False:",
    "A sequence longer than position_table was accepted, but the table has no row for its last tokens: raise a ValueError.",
    also=[("position_table[:time]", "position_table[torch.arange(time, device=ids.device) % len(position_table)]")],
    about="too_many_tokens_are_refused")

checks_nothing = mistake.edited("if time > len(position_table):", "if False:",
    "A sequence longer than position_table raised no ValueError: compare the two sizes first. (One row even broadcasts "
    "silently.)",
    about="too_many_tokens_are_refused", common=True)

refuses_a_full_context = mistake.edited("if time > len(position_table):", "if time >= len(position_table):",
    "A sequence that is as long as position_table was rejected: there is a row for each of its tokens.",
    about="too_many_tokens_are_refused")

counts_the_sequences = mistake.edited(
    "time = ids.shape[1]",
    "time = ids.shape[0]",
    "You count the sequences of the batch: time is the second axis of ids.",
)

adds_the_whole_table = mistake.edited(
    "position_table[:time]",
    "position_table",
    "You add more rows of position_table than there are positions: use only the first `time` rows.",
    about="each_position_adds_its_row",
    pitfall="Use its first `time` rows",
)

a_row_for_each_sequence = mistake.edited(
    "position_table[:time]",
    "position_table[: len(ids)]",
    "You take as many rows of position_table as there are sequences: take one for each position, along the second "
    "axis of ids.",
    about="each_position_adds_its_row",
)


@alternative("embed_tokens")
def with_functional(ids, token_table, position_table):
    """Both lookups by PyTorch's own function."""
    if ids.shape[1] > len(position_table):
        raise ValueError("too long")
    steps = torch.arange(ids.size(1), device=ids.device)
    return nn.functional.embedding(ids, token_table) + nn.functional.embedding(steps, position_table).unsqueeze(0)


@alternative("embed_tokens")
def with_one_hot_rows(ids, token_table, position_table):
    """A lookup is a product with one-hot rows."""
    if ids.shape[1] > len(position_table):
        raise ValueError("too long")
    hot = nn.functional.one_hot(ids, len(token_table)).to(token_table.dtype)
    return torch.einsum("btv,vw->btw", hot, token_table) + position_table.narrow(0, 0, ids.shape[1])


@alternative("embed_tokens")
def step_by_step(ids, token_table, position_table):
    """One time step after the other."""
    if len(position_table) < ids.shape[-1]:
        raise ValueError(f"at most {len(position_table)} tokens")
    return torch.stack([token_table.index_select(0, column) + row for column, row in zip(ids.T, position_table, strict=False)], dim=1)
