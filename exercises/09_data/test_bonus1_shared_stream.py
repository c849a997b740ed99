"""Visible tests for SharedStream: pytest exercises/09_data -k shared_stream"""

from bonus1_shared_stream import SharedStream
from torchdojo import LoaderWorker, assert_same


def test_without_workers_all_items_come():
    """In the main process, in their order, in each loop."""
    data = SharedStream([10, 11, 12, 13, 14])

    assert_same(list(data), [10, 11, 12, 13, 14])
    assert_same(list(data), [10, 11, 12, 13, 14])


def test_two_workers_share_the_items():
    """Worker 0 has every other item from the first on, worker 1 from the second on."""
    data = SharedStream([10, 11, 12, 13, 14])

    with LoaderWorker(0, of=2):
        assert_same(list(data), [10, 12, 14])
    with LoaderWorker(1, of=2):
        assert_same(list(data), [11, 13])


def test_one_worker_has_all_items():
    """Worker 0 of one."""
    data = SharedStream([10, 11, 12])

    with LoaderWorker(0, of=1):
        assert_same(list(data), [10, 11, 12])
