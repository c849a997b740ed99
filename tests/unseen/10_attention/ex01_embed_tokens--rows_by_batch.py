"""The positions go by the sequence instead of the position: every token of sequence b gets row b of position_table."""
import torch


def embed_tokens(ids, token_table, position_table):
    batch, time = ids.shape
    if time > len(position_table):
        raise ValueError("the sequence is longer than position_table")
    return token_table[ids] + position_table[:batch].unsqueeze(1)
