"""A worker of a DataLoader without its process: what a dataset can see of it, and the random numbers that it draws there."""

from __future__ import annotations

import random
from typing import Any, cast

import numpy
import torch
from torch.utils.data._utils import worker


class LoaderWorker:
    """In `with LoaderWorker(k, of=n):` code runs as in worker k of a DataLoader with num_workers=n.

    get_worker_info() says so, and the global generators of PyTorch, Python and NumPy are those of the worker, seeded with seed + k,
    as a loader does when it starts a worker. A second `with` on the same object continues, as a persistent worker does.
    The dataset isn't copied; a worker gets a copy of it.
    """

    def __init__(self, number: int, of: int, seed: int = 0):
        self._info = worker.WorkerInfo(id=number, num_workers=of, seed=seed + number, dataset=cast(Any, None))
        self._inside: tuple[Any, ...] | None = None

    def __enter__(self) -> None:
        self._outside = _states()
        if self._inside is None:
            torch.default_generator.manual_seed(self._info.seed)
            random.seed(self._info.seed)
            numpy.random.seed(self._info.seed % 2**32)
        else:
            _continue(self._inside)
        worker._worker_info = self._info

    def __exit__(self, *_: object) -> None:
        worker._worker_info = None
        self._inside = _states()
        _continue(self._outside)


def _states() -> tuple[Any, ...]:
    return torch.default_generator.get_state(), random.getstate(), numpy.random.get_state()


def _continue(states: tuple[Any, ...]) -> None:
    torch.default_generator.set_state(states[0])
    random.setstate(states[1])
    numpy.random.set_state(states[2])
