"""Attention 11 of 11: look at the weights, to see what each head reads.

Difficulty 2 of 5, about 8 minutes.
"""

import torch


def most_read(weights: torch.Tensor, words: list[str]) -> list[list[str]]:
    """Return for each head and each query the word that the query reads most.

    Shapes:
        weights  (heads, queries, keys), floating point; those of one query sum to 1
        words    a list of strings, one for each key
        result   a list for each head, and in it a string for each query

    No query has its largest weight twice.

    Example:
        >>> weights = torch.tensor([[[0.9, 0.1], [0.7, 0.3]], [[0.2, 0.8], [0.6, 0.4]]])
        >>> most_read(weights, ["a", "cat"])
        [['a', 'a'], ['cat', 'a']]

    Pitfall:
        The keys are the last axis. argmax over the queries tells you which query reads a key most. If there are as
        many queries as keys, even the shape is right.
    """
    raise NotImplementedError("10_attention/ex11_read_heads: write most_read()")


def mean_distance(weights: torch.Tensor) -> torch.Tensor:
    """Return for each head how far away it reads, on average.

    Shapes:
        weights  (heads, time, time), floating point; those of one query sum to 1
        result   (heads,), dtype and device of weights

    The distance between query i and key j is |i - j|. A query's distance is the mean of its distances to all keys,
    weighted by its weights. A head's distance is the plain mean over its queries.

    Example:
        >>> mean_distance(torch.tensor([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]]))
        tensor([0., 1.])

    Pitfall:
        The weights of a query already sum to 1, so sum the weighted distances over the keys. A mean over the keys
        also divides by their number.

    For full marks:
        * mean_distance takes any number of axes in place of heads, or none: its result has those axes
    """
    raise NotImplementedError("10_attention/ex11_read_heads: write mean_distance()")
