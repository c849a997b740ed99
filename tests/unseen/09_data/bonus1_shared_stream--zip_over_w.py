"""zip over w references to one iterator yields full rounds only and drops the incomplete last one: with 7 items and 3 workers, item 6 is missing; with more workers than items, no worker yields anything. For a full round it also reads the other workers' items ahead."""
from collections.abc import Iterable, Iterator
from typing import Any

from torch.utils.data import IterableDataset, get_worker_info


class SharedStream(IterableDataset):
    def __init__(self, source: Iterable[Any]):
        self.source = source

    def __iter__(self) -> Iterator[Any]:
        info = get_worker_info()
        worker, workers = (0, 1) if info is None else (info.id, info.num_workers)
        # the same iterator several times: zip deals the items out in rounds, one item for each worker
        rounds = zip(*[iter(self.source)] * workers)
        for items in rounds:
            yield items[worker]
