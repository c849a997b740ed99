"""The batches are in the order of their lengths; their order should be random. Equal lengths are never reshuffled."""
import torch


def bucket_batches(lengths, batch_size, generator):
    order = sorted(range(len(lengths)), key=lambda i: lengths[i])
    return [order[i:i + batch_size] for i in range(0, len(order), batch_size)]
