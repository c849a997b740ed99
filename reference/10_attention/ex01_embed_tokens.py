"""Reference solution: a lookup by id, plus the first rows of the position table."""

import torch


def embed_tokens(ids: torch.Tensor, token_table: torch.Tensor, position_table: torch.Tensor) -> torch.Tensor:
    """Return a vector for each token: the row of its id plus the row of its position."""
    time = ids.shape[1]
    if time > len(position_table):
        raise ValueError(f"{time} tokens, but only {len(position_table)} positions")
    return token_table[ids] + position_table[:time]
