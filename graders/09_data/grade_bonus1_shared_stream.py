"""Hidden checks for SharedStream: alone, shared, and with sources that are only iterable."""

import itertools

from torch.utils.data import DataLoader, get_worker_info

from torchdojo.grading import LoaderWorker, built, check

CONCEPTS = ("K10",)

KEPT = {
    "alone_it_gives_all_items": "no worker at all, worth points of its own",
    "workers_share_the_items": "a list as source, worth points of its own",
    "a_loader_makes_batches_of_it": "what the class is for, said by itself",
    "the_source_is_only_iterable": "a source without indices, worth a point though it ends",
}


class oracle:
    """Counts the items."""

    class SharedStream:
        def __new__(cls, source):
            from torch.utils.data import IterableDataset

            class Stream(IterableDataset):
                def __iter__(self):
                    info = get_worker_info()
                    for k, item in enumerate(source):
                        if info is None or k % info.num_workers == info.id:
                            yield item

            return Stream()


class Stream:
    """A source without len and indices. It counts what is read from it, and complains when that is too much."""

    def __init__(self, items, most=None):
        self.items, self.most, self.read = items, most, 0

    def __iter__(self):
        for item in self.items:
            if self.most is not None and self.read > self.most:
                raise RuntimeError("too much was read from an endless source")
            self.read += 1
            yield item


ITEMS = built(lambda case: case.rng.sample(range(100), case.rng.randint(5, 11)))


@check(points=2, items=ITEMS, devices=False)
def alone_it_gives_all_items(solution, items):
    """In the main process, each loop yields all items in order."""
    data = solution.SharedStream(list(items))
    return {"first loop": list(data), "second loop": list(data)}


@check(points=3, items=ITEMS, workers=[2, 3, 4, 1], devices=False)
def workers_share_the_items(solution, items, workers):
    """Worker k of w yields the items k, k + w, k + 2 * w, ..."""
    data, found = solution.SharedStream(list(items)), {}
    for k in range(workers):
        with LoaderWorker(k, workers):
            found[f"worker {k} of {workers}"] = list(data)
    return found


@check(points=1, items=ITEMS, devices=False)
def a_loader_makes_batches_of_it(solution, items):
    """A DataLoader turns the stream into batches."""
    loader = DataLoader(solution.SharedStream(list(items)), batch_size=3)
    return {f"epoch {k}": [batch.tolist() for batch in loader] for k in (1, 2)}


@check(points=1, star=True, items=ITEMS, devices=False)
def the_source_is_only_iterable(solution, items):
    """A source without len() and without indices raises no error."""
    with LoaderWorker(0, 1):
        return {"the only worker": list(solution.SharedStream(Stream(items)))}


@check(points=1, star=True, start=[0, 7, 40], workers=[3, 2, 4], devices=False)
def the_source_may_be_endless(solution, start, workers):
    """An endless source raises no error: each item is read only when it is needed."""
    alone, shared = (Stream(range(start, start + 10**6), most=40) for _ in range(2))
    with LoaderWorker(0, 1):
        found = {"the only worker": list(itertools.islice(solution.SharedStream(alone), 5))}
    with LoaderWorker(0, workers):
        next(iter(solution.SharedStream(shared)))
    return found | {f"items read from source when worker 0 of {workers} yields its first": shared.read}


@check(points=1, star=True, items=ITEMS, more=[1, 3], devices=False)
def workers_may_be_idle(solution, items, more):
    """With more workers than items, some yield nothing."""
    found = []
    for k in range(len(items) + more):
        with LoaderWorker(k, len(items) + more):
            found.append(list(solution.SharedStream(list(items))))
    return found
