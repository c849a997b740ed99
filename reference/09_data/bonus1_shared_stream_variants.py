"""Known mistakes and unusual but correct solutions for SharedStream."""

import itertools
import math

import torch
from bonus1_shared_stream import SharedStream
from torch.utils.data import get_worker_info

from torchdojo.variants import alternative, mistake

HINTS = (
    "Two cases: no worker, and worker k of w. What does get_worker_info() return in each of them?",
    "Every worker loops over the whole source and keeps only its own items: number k, then each w-th one "
    "after it.",
    "Call get_worker_info() in __iter__. If it is None, give an iterator over source. Otherwise "
    "itertools.islice takes a start, a stop (None: none) and a step. Which numbers of the worker are start "
    "and step?",
)


def numbers():
    """(id, num_workers); (0, 1) in the main process."""
    info = get_worker_info()
    return (0, 1) if info is None else (info.id, info.num_workers)


GivesEverythingToEverybody = mistake.edited(
    "return islice(self.source, worker.id, None, worker.num_workers)", "return iter(self.source)",
    "Each worker yielded all items, so every item appears once per worker: call get_worker_info() and keep only the "
    "worker's own items.",
    about="workers_share_the_items", common=True)

AsksInInit = mistake.edited("worker = get_worker_info()", "worker = self.worker",
    "get_worker_info() was called in __init__, which runs in the main process, where there is no worker: call it in "
    "__iter__.",
    also=[("self.source = source", "self.source = source\nself.worker = get_worker_info()")],
    about="workers_share_the_items", common=True,
    pitfall="In __init__ there are no workers yet")

NeedsAWorker = mistake.edited("if worker is None:\n    return iter(self.source)", "",
    "In the main process get_worker_info() is None, and None has no attributes: handle that case first.")

CountsWorkersFromOne = mistake.edited("worker.id, None", "(worker.id + 1) % worker.num_workers, None",
    "Each worker got the items of its neighbor: workers are counted from 0.",
    about="workers_share_the_items")


@mistake("SharedStream", about="workers_share_the_items")
class CutsIntoBlocks(SharedStream):
    """Each worker got a block of neighboring items: worker k takes every w-th item, from item k on."""

    def __iter__(self):
        k, w = numbers()
        items = list(self.source)
        size = math.ceil(len(items) / w)
        return iter(items[k * size : (k + 1) * size])


@mistake("SharedStream", about="workers_share_the_items")
class LosesTheRemainder(SharedStream):
    """The last items are missing when the workers don't divide them evenly: continue to the end of source."""

    def __iter__(self):
        k, w = numbers()
        items = list(self.source)
        return iter(items[k : len(items) // w * w : w])


StepsByOneTooMany = mistake.edited(
    "return islice(self.source, worker.id, None, worker.num_workers)",
    "return islice(self.source, worker.id, None, worker.num_workers + (worker.num_workers > 1))",
    "Items are missing: the step from one item of a worker to its next is the number of workers.",
    about="workers_share_the_items")


@mistake("SharedStream", about="the_source_is_only_iterable")
class NeedsIndices(SharedStream):
    """source was indexed or its len() was taken, but it may support neither: loop over it."""

    def __iter__(self):
        k, w = numbers()
        return iter(self.source[k::w])


@mistake("SharedStream", about="the_source_may_be_endless")
class ReadsEverythingFirst(SharedStream):
    """Too much of an endless source was read, as by list(source), which never ends: read one item at a time, and yield it if it is the worker's."""

    def __iter__(self):
        k, w = numbers()
        return iter(list(self.source)[k::w])


@mistake("SharedStream", about="the_source_may_be_endless")
class ReadsInRounds(SharedStream):
    """You read a whole round, one item per worker, before you yield your own: yield it as soon as you have read it."""

    def __iter__(self):
        k, w = numbers()
        items = iter(self.source)
        while turn := list(itertools.islice(items, w)):
            yield from turn[k : k + 1]


StartsOnlyOnce = mistake.edited("self.source = source", "self.source = iter(source)",
    "The second loop yielded nothing: make a new iterator in each call of __iter__.")


@mistake("SharedStream", about="workers_may_be_idle")
class EveryWorkerHasAnItem(SharedStream):
    """With more workers than items, an item appeared twice: a worker without an item of its own yields nothing."""

    def __iter__(self):
        k, w = numbers()
        first = None
        for n, item in enumerate(self.source):
            first = item if n == 0 else first
            if n % w == k:
                yield item
        if n < k:
            yield first


@mistake("SharedStream", about="workers_share_the_items")
class LeaksStopIteration(SharedStream):
    """At the end of source next() raised StopIteration, which becomes a RuntimeError in a generator: end with return, or loop with for."""

    def __iter__(self):
        k, w = numbers()
        items = iter(self.source)
        for _ in range(k):
            next(items)
        while True:
            yield next(items)
            for _ in range(w - 1):
                next(items)


@mistake("SharedStream", about="alone_it_gives_all_items")
class YieldsNothingAlone(SharedStream):
    """In the main process, where get_worker_info() is None, nothing was yielded: yield all items there."""

    def __iter__(self):
        info = get_worker_info()
        return iter(()) if info is None else itertools.islice(self.source, info.id, None, info.num_workers)


@mistake("SharedStream", about="alone_it_gives_all_items")
class NeedsAWorkerInALoop(SharedStream):
    """In the main process get_worker_info() is None, and None has no attributes: handle that case first."""

    def __iter__(self):
        info = get_worker_info()
        for n, item in enumerate(self.source):
            if n % info.num_workers == info.id:
                yield item


@alternative("SharedStream")
class WithARemainder(SharedStream):
    """A generator that counts items."""

    def __iter__(self):
        k, w = numbers()
        for n, item in enumerate(self.source):
            if n % w == k:
                yield item


@alternative("SharedStream")
class WithNext(SharedStream):
    """Counts down to the next item of its own."""

    def __iter__(self):
        info = torch.utils.data.get_worker_info()
        items, wait, step = iter(self.source), info.id if info else 0, info.num_workers if info else 1
        for item in items:
            if wait == 0:
                yield item
                wait = step
            wait -= 1


@alternative("SharedStream")
class WithAnIteratorClass(SharedStream):
    """An iterator of its own for each loop."""

    def __iter__(self):
        class Share:
            def __init__(self, source, k, w):
                self.items, self.skip, self.w = iter(source), k, w

            def __iter__(self):
                return self

            def __next__(self):
                for _ in range(self.skip):
                    next(self.items)
                self.skip = self.w - 1
                return next(self.items)

        return Share(self.source, *numbers())
