"""Data bonus 1: a stream that several workers share.

Difficulty 3 of 5, about 12 minutes.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch.utils.data import IterableDataset


class SharedStream(IterableDataset):
    """Yield the items of a stream; workers share them, and no item appears twice.

    A DataLoader with num_workers=3 gives each of three processes a copy of the dataset, and each of them loops over
    its copy. There torch.utils.data.get_worker_info() returns an object with the attributes id (0, 1 or 2) and
    num_workers (3). In the main process it returns None.

    A loop over the dataset gives
        * in worker k of w: the items k, k + w, k + 2 * w, ... of source
        * in the main process: all items of source, in their order

    Each new loop starts from the beginning of source. __init__ is complete; write __iter__.

    Example:
        >>> list(SharedStream(["a", "b", "c"]))
        ['a', 'b', 'c']

    Pitfall:
        Call get_worker_info() in __iter__. In __init__ there are no workers yet.

    For full marks:
        * source may be anything that a for loop accepts: it may have no len() and no indices
        * source may be endless: read an item only when it is needed
        * there may be more workers than items; some then give nothing
    """

    def __init__(self, source: Iterable[Any]):
        self.source = source

    def __iter__(self) -> Iterator[Any]:
        """Return an iterator over the items of this worker."""
        raise NotImplementedError("09_data/bonus1_shared_stream: write __iter__()")
