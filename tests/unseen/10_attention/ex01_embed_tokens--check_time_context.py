"""The check is time >= context, so a sequence exactly as long as position_table raises a ValueError too."""
import torch


def embed_tokens(ids: torch.Tensor, token_table: torch.Tensor, position_table: torch.Tensor) -> torch.Tensor:
    time = ids.shape[1]
    context = position_table.shape[0]
    if time >= context:
        raise ValueError(f"a sequence of {time} tokens is too long for {context} positions")
    return token_table[ids] + position_table[:time]
