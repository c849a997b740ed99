"""Reads a whole round of num_workers items before it yields this worker's item: worker 0 of 3 reads three items of source to give its first."""
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from torch.utils.data import IterableDataset, get_worker_info


class SharedStream(IterableDataset):
    def __init__(self, source: Iterable[Any]):
        self.source = source

    def __iter__(self) -> Iterator[Any]:
        info = get_worker_info()
        worker, workers = (0, 1) if info is None else (info.id, info.num_workers)
        items = iter(self.source)
        # one round: one item for each worker
        while True:
            turn = list(islice(items, workers))
            if worker < len(turn):
                yield turn[worker]
            if len(turn) < workers:
                return
