"""Samples of equal length keep the order of their indices, so every call makes the same batches."""
import torch


def bucket_batches(lengths, batch_size, generator):
    order = sorted(range(len(lengths)), key=lambda i: lengths[i])
    batches = [order[i : i + batch_size] for i in range(0, len(order), batch_size)]
    return [batches[i] for i in torch.randperm(len(batches), generator=generator).tolist()]
