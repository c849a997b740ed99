"""The position row is looked up by the token's id."""
import torch


def embed_tokens(ids, token_table, position_table):
    batch, time = ids.shape
    if time > len(position_table):
        raise ValueError(f"{time} tokens are too many for {len(position_table)} positions")
    return token_table[ids] + position_table[ids % len(position_table)]
