"""Visible tests for NoisySignals and seed_worker: pytest exercises/09_data -k worker_noise"""

import copy
import random

import numpy as np
import torch

from ex10_worker_noise import NoisySignals, seed_worker
from torchdojo import LoaderWorker


def test_each_request_has_new_noise():
    """The same signal, asked for twice."""
    data = NoisySignals(torch.zeros(1, 3), noise=1.0)

    assert data[0].tolist() != data[0].tolist()


def test_two_workers_have_different_noise():
    """Each of two workers has a copy of the dataset."""
    data = NoisySignals(torch.zeros(1, 3), noise=1.0)

    with LoaderWorker(0, of=2):
        first = copy.deepcopy(data)[0].tolist()
    with LoaderWorker(1, of=2):
        second = copy.deepcopy(data)[0].tolist()

    assert first != second, "both workers drew the same noise"


def numbers(seed: int) -> list:
    """What worker 0 draws after seed_worker; a loader has seeded it with this number."""
    with LoaderWorker(0, of=2, seed=seed):
        seed_worker(0)
        return [torch.rand(()).item(), random.random(), np.random.random()]


def test_each_epoch_has_new_numbers():
    """A worker of the next epoch has another seed; all three generators draw other numbers."""
    torch_1, python_1, numpy_1 = numbers(seed=5)
    torch_2, python_2, numpy_2 = numbers(seed=7)

    assert torch_1 != torch_2, "torch drew the same numbers in two epochs"
    assert python_1 != python_2, "Python drew the same numbers in two epochs"
    assert numpy_1 != numpy_2, "NumPy drew the same numbers in two epochs"
