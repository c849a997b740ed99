"""Known mistakes and odd-but-correct solutions for embed_tokens."""

import torch
from ex01_embed_tokens import embed_tokens
from torch import nn

from torchdojo.variants import alternative, mistake

HINTS = (
    "Two lookups and a sum. Which shape does each lookup have, and along which axis do positions count?",
    "Index the token table with all ids at once: the result gets an axis of size width at the end. The first rows of the position "
    "table, one for each time step, then broadcast over the batch.",
    "Compare ids.shape[1] with the length of the position table first. Then add a slice of that table to the indexed token table.",
)


def checked(ids, position_table):
    """Raise for a sequence that is too long."""
    if ids.shape[1] > len(position_table):
        raise ValueError("too long")


@mistake("embed_tokens", about="each_position_adds_its_row", common=True)
def forgets_the_positions(ids, token_table, position_table):
    """The positions are missing: add row t of position_table to the vector at position t."""
    checked(ids, position_table)
    return token_table[ids]


@mistake("embed_tokens", about="each_position_adds_its_row")
def positions_by_id(ids, token_table, position_table):
    """The row of position_table was chosen by the token's id: it is chosen by the position, 0, 1, 2 and so on."""
    checked(ids, position_table)
    return token_table[ids] + position_table[ids % len(position_table)]


@mistake("embed_tokens", about="each_position_adds_its_row")
def counts_from_one(ids, token_table, position_table):
    """The positions were counted from 1: the first token has position 0."""
    checked(ids, position_table)
    return token_table[ids] + position_table.roll(-1, 0)[: ids.shape[1]]


@mistake("embed_tokens", about="each_position_adds_its_row")
def positions_along_the_batch(ids, token_table, position_table):
    """Each sequence got one row of position_table for all its tokens: positions count along time, the second axis of ids."""
    checked(ids, position_table)
    rows = torch.arange(len(ids), device=ids.device) % len(position_table)
    return token_table[ids] + position_table[rows][:, None]


@mistake("embed_tokens", about="each_position_adds_its_row")
def takes_the_last_rows(ids, token_table, position_table):
    """The last rows of position_table were used: the first token gets row 0."""
    checked(ids, position_table)
    return token_table[ids] + position_table[len(position_table) - ids.shape[1] :]


@mistake("embed_tokens", about="each_position_adds_its_row")
def one_position_for_all(ids, token_table, position_table):
    """All tokens got the same row of position_table: position t gets row t."""
    checked(ids, position_table)
    return token_table[ids] + position_table[ids.shape[1] - 1]


@mistake("embed_tokens", about="each_position_adds_its_row")
def concatenates(ids, token_table, position_table):
    """The two vectors stand side by side, so the width has doubled: add them."""
    checked(ids, position_table)
    return torch.cat([token_table[ids], position_table[: ids.shape[1]].expand(*ids.shape, -1)], dim=-1)


@mistake("embed_tokens", about="each_position_adds_its_row")
def multiplies(ids, token_table, position_table):
    """The two vectors were multiplied: add them."""
    checked(ids, position_table)
    return token_table[ids] * position_table[: ids.shape[1]]


@mistake("embed_tokens")
def scales_by_the_width(ids, token_table, position_table):
    """The token vectors were multiplied by the square root of the width, as in the first transformer. Here they are added as they are."""
    return embed_tokens(ids, token_table * token_table.shape[1] ** 0.5, position_table)


@mistake("embed_tokens", about="gradients_reach_both_tables", common=True)
def makes_a_new_layer(ids, token_table, position_table):
    """No gradient reaches token_table: nn.Embedding.from_pretrained makes a parameter of its own. Index the table itself."""
    checked(ids, position_table)
    return nn.Embedding.from_pretrained(token_table)(ids) + position_table[: ids.shape[1]]


@mistake("embed_tokens", about="gradients_reach_both_tables")
def freezes_the_positions(ids, token_table, position_table):
    """No gradient reaches position_table: the positions are learned, so don't detach them."""
    return embed_tokens(ids, token_table, position_table.detach())


@mistake("embed_tokens", about="too_many_tokens_are_refused")
def starts_over(ids, token_table, position_table):
    """A sequence that is too long got the first positions a second time: raise a ValueError."""
    rows = torch.arange(ids.shape[1], device=ids.device) % len(position_table)
    return token_table[ids] + position_table[rows]


@mistake("embed_tokens", about="too_many_tokens_are_refused", common=True)
def checks_nothing(ids, token_table, position_table):
    """A sequence longer than position_table raised no ValueError: compare the two sizes first. (One row even broadcasts silently.)"""
    return token_table[ids] + position_table[: ids.shape[1]]


@mistake("embed_tokens", about="too_many_tokens_are_refused")
def refuses_a_full_context(ids, token_table, position_table):
    """A sequence that is as long as position_table was refused: there is a row for each of its tokens."""
    if ids.shape[1] >= len(position_table):
        raise ValueError("too long")
    return token_table[ids] + position_table[: ids.shape[1]]


@alternative("embed_tokens")
def with_functional(ids, token_table, position_table):
    """Both lookups by PyTorch's own function."""
    checked(ids, position_table)
    steps = torch.arange(ids.size(1), device=ids.device)
    return nn.functional.embedding(ids, token_table) + nn.functional.embedding(steps, position_table).unsqueeze(0)


@alternative("embed_tokens")
def with_one_hot_rows(ids, token_table, position_table):
    """A lookup is a product with one-hot rows."""
    checked(ids, position_table)
    hot = nn.functional.one_hot(ids, len(token_table)).to(token_table.dtype)
    return torch.einsum("btv,vw->btw", hot, token_table) + position_table.narrow(0, 0, ids.shape[1])


@alternative("embed_tokens")
def step_by_step(ids, token_table, position_table):
    """One time step after the other."""
    if len(position_table) < ids.shape[-1]:
        raise ValueError(f"at most {len(position_table)} tokens")
    return torch.stack([token_table.index_select(0, column) + row for column, row in zip(ids.T, position_table, strict=False)], dim=1)
