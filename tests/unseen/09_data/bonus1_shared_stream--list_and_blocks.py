"""The source is read whole into a list, and each worker gets a block instead of every w-th item."""
from torch.utils.data import IterableDataset, get_worker_info
import math


class SharedStream(IterableDataset):
    def __init__(self, source):
        self.source = source

    def __iter__(self):
        items = list(self.source)
        info = get_worker_info()
        if info is None:
            return iter(items)
        per_worker = int(math.ceil(len(items) / info.num_workers))
        start = info.id * per_worker
        return iter(items[start:start + per_worker])
