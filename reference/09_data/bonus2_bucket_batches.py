"""Reference solution: mix, sort, cut, mix the pieces."""

import torch


def bucket_batches(lengths: list[int], batch_size: int, generator: torch.Generator) -> list[list[int]]:
    """Return batches of indices, so that samples of similar lengths share a batch."""
    order = torch.randperm(len(lengths), generator=generator).tolist()
    order.sort(key=lambda i: lengths[i])  # equal lengths stay mixed
    batches = [order[start : start + batch_size] for start in range(0, len(order), batch_size)]
    return [batches[k] for k in torch.randperm(len(batches), generator=generator).tolist()]
