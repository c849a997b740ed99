"""Visible tests for SharedStream: pytest exercises/09_data -k shared_stream"""

from contextlib import contextmanager

from torch.utils.data._utils import worker

from bonus1_shared_stream import SharedStream
from torchdojo import assert_same


@contextmanager
def in_worker(k: int, of: int):
    """As in worker k of a DataLoader: get_worker_info() says so."""
    worker._worker_info = worker.WorkerInfo(id=k, num_workers=of, seed=0, dataset=None)
    try:
        yield
    finally:
        worker._worker_info = None


def test_without_workers_all_items_come():
    """In the main process, in their order, in each loop."""
    data = SharedStream([10, 11, 12, 13, 14])

    assert_same(list(data), [10, 11, 12, 13, 14])
    assert_same(list(data), [10, 11, 12, 13, 14])


def test_two_workers_share_the_items():
    """Worker 0 has every other item from the first on, worker 1 from the second on."""
    data = SharedStream([10, 11, 12, 13, 14])

    with in_worker(0, of=2):
        assert_same(list(data), [10, 12, 14])
    with in_worker(1, of=2):
        assert_same(list(data), [11, 13])


def test_one_worker_has_all_items():
    """Worker 0 of one."""
    data = SharedStream([10, 11, 12])

    with in_worker(0, of=1):
        assert_same(list(data), [10, 11, 12])
