"""Hidden checks for rarest."""

import torch
from given.vocabulary import COUNTS

from torchdojo.grading import check


class oracle:
    """Sorted as a list."""

    def rarest(k):
        return torch.tensor(sorted(range(len(COUNTS)), key=lambda i: (COUNTS[i], i))[:k], dtype=torch.int64)


@check(points=1, k=[2, 0, 1, 3, 4], devices=False)
def rare_words_come_first(solution, k):
    """The k rarest words come back, the rarest first."""
    return solution.rarest(k)
