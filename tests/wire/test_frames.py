"""Frames cross a socket whole, in time, and never larger than allowed; anything else is refused."""

import socket
import struct
import threading
import time
import tracemalloc

import pytest

from torchdojo.wire import frames
from torchdojo.wire.frames import BadFrame


@pytest.fixture
def pair():
    ours, theirs = socket.socketpair()
    yield ours, theirs
    ours.close()
    theirs.close()


@pytest.mark.parametrize("size", [0, 1, 1000, 65_532, 65_533, 3 << 20])
def test_a_frame_crosses_a_socket(pair, size):
    """Of any size, even an empty one."""
    ours, theirs = pair
    body = bytes(i % 251 for i in range(size))
    thread = threading.Thread(target=frames.send, args=(theirs, body, time.monotonic() + 5))
    thread.start()
    assert frames.receive(ours, time.monotonic() + 5) == body
    thread.join()


def test_nothing_may_follow_a_frame(pair):
    """One request, one reply: a sender of more isn't replying."""
    ours, theirs = pair
    theirs.sendall(struct.pack("<I", 1) + b"ab")
    with pytest.raises(BadFrame) as caught:
        frames.receive(ours)
    assert str(caught.value) == "bytes after the frame"


def test_a_frame_that_comes_byte_by_byte_is_read(pair):
    """Slow is not wrong."""
    ours, theirs = pair

    def dribble():
        for byte in struct.pack("<I", 3) + b"abc":
            theirs.sendall(bytes([byte]))
            time.sleep(0.01)

    thread = threading.Thread(target=dribble)
    thread.start()
    assert frames.receive(ours, time.monotonic() + 5) == b"abc"
    thread.join()


def test_an_overlong_frame_is_refused_before_any_of_it_is_read(pair):
    """Four bytes claim 4 GiB: no memory is allocated for them."""
    ours, theirs = pair
    theirs.sendall(b"\xff\xff\xff\xff")
    tracemalloc.start()
    with pytest.raises(BadFrame) as caught:
        frames.receive(ours, time.monotonic() + 5)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert str(caught.value) == "it claims to have 4095 MiB; at most 64 MiB are read"
    assert peak < 200_000


def test_the_deadline_holds_for_the_whole_frame(pair):
    """A byte now and then doesn't extend it."""
    ours, theirs = pair
    stop = threading.Event()

    def dribble():
        theirs.sendall(struct.pack("<I", 1000))
        while not stop.wait(0.02):
            theirs.sendall(b"x")

    thread = threading.Thread(target=dribble)
    start = time.monotonic()
    thread.start()
    with pytest.raises(TimeoutError):
        frames.receive(ours, start + 0.3)
    took = time.monotonic() - start
    stop.set()
    thread.join()
    assert 0.25 < took < 2


def test_a_hang_up_in_the_middle_is_an_end_of_file(pair):
    """Half a frame is not a frame."""
    ours, theirs = pair
    theirs.sendall(struct.pack("<I", 10) + b"half")
    theirs.close()
    with pytest.raises(EOFError):
        frames.receive(ours)


def test_sending_to_one_who_does_not_read_ends_at_the_deadline(pair):
    """A worker that hangs can't hold up the grader."""
    ours, _ = pair
    start = time.monotonic()
    with pytest.raises(TimeoutError):
        frames.send(ours, b"x" * (32 << 20), start + 0.3)
    assert time.monotonic() - start < 2
