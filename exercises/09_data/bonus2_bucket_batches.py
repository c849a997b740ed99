"""Data bonus 2: batches of samples with similar lengths.

Difficulty 4 of 5, about 15 minutes.
"""

import torch


def bucket_batches(lengths: list[int], batch_size: int, generator: torch.Generator) -> list[list[int]]:
    """Return batches of indices, so that samples of similar lengths share a batch.

    Arguments:
        lengths     the length of each sample
        batch_size  at least 1
        result      a list of batches, each a list of indices (Python ints) of samples

    Each index appears once. All batches have batch_size indices, except for at most one with fewer.
    No two batches overlap in length: the longest sample of one is at most as long as the shortest
    of the other. That way padding each batch to its longest sample costs the least.

    The order of the batches is random, drawn from generator, so the model doesn't see all short samples first.

    Example:
        >>> batches = bucket_batches([9, 2, 8, 3], 2, torch.Generator().manual_seed(0))
        >>> sorted(sorted(batch) for batch in batches)
        [[0, 2], [1, 3]]

    Pitfall:
        Sorting alone gives the same batches in the same order in every epoch, the short ones first.

    For full marks:
        * samples of equal length are reshuffled in each call, so the batches themselves differ between epochs
        * without samples the result is an empty list
    """
    raise NotImplementedError("09_data/bonus2_bucket_batches: write bucket_batches()")
