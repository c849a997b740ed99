"""The order of the batches comes from random.shuffle (Python's global generator): the same torch generator gives another order each time."""
import random
import torch


def bucket_batches(lengths: list[int], batch_size: int, generator: torch.Generator) -> list[list[int]]:
    indices = torch.randperm(len(lengths), generator=generator).tolist()
    indices.sort(key=lambda i: lengths[i])  # stable: equal lengths stay shuffled
    batches = [indices[k : k + batch_size] for k in range(0, len(indices), batch_size)]
    random.shuffle(batches)
    return batches
