"""Send frames over a socket: u32 length | body. One request, one reply: a frame is never sent without a request.

A frame's length is checked before memory is allocated, and the deadline applies to the whole frame.
"""

from __future__ import annotations

import socket
import struct
import time
from typing import Protocol

from torchdojo.limits import FRAME_BYTES

FIRST = 1 << 16  # read at once; most frames are smaller
DONTWAIT = getattr(socket, "MSG_DONTWAIT", 0)  # Windows has none, and there a deadline is never given
LENGTH = struct.Struct("<I")


class BadFrame(Exception):
    """Bytes that don't follow the format."""


class Channel(Protocol):
    """The part of a socket's interface that is used. The portable worker has pipes with the same interface."""

    def send(self, data: bytes, flags: int, /) -> int: ...
    def sendall(self, data: bytes, /) -> None: ...
    def recv(self, size: int, flags: int = 0, /) -> bytes: ...
    def recv_into(self, buffer: memoryview, /) -> int: ...
    def settimeout(self, seconds: float | None, /) -> None: ...


def send(channel: Channel, body: bytes, deadline: float | None = None) -> None:
    """Send one frame. Raises TimeoutError past the deadline (time.monotonic), OSError when the other side is gone."""
    frame = LENGTH.pack(len(body)) + body
    if deadline is not None:
        try:  # noqa: SIM105 (suppress() costs as much as the system call)
            frame = frame[channel.send(frame, DONTWAIT) :]  # nearly always all of it
        except BlockingIOError:
            pass
        if not frame:
            return
        _allow(channel, deadline, least=0.001)
    channel.sendall(frame)


def receive(channel: Channel, deadline: float | None = None) -> bytearray:
    """Receive one frame. The deadline is for the whole frame: sending a byte now and then doesn't extend it.

    Raises TimeoutError, EOFError when the other side closed, BadFrame for a frame over FRAME_BYTES and for bytes after it.
    """
    _allow(channel, deadline)
    start = channel.recv(FIRST)
    while len(start) < LENGTH.size:
        if not start:
            raise EOFError
        _allow(channel, deadline)
        more = channel.recv(FIRST)
        start = start + more if more else b""
    (size,) = LENGTH.unpack_from(start)
    done = len(start) - LENGTH.size
    if done == size:
        return bytearray(memoryview(start)[LENGTH.size :])  # nearly always all of it
    if size > FRAME_BYTES:
        raise BadFrame(f"it claims to have {size >> 20} MiB; at most {FRAME_BYTES >> 20} MiB are read")
    if done > size:
        raise BadFrame("bytes after the frame")
    body = bytearray(memoryview(start)[LENGTH.size :])
    while done < size:
        if done == len(body):  # memory is allocated for twice the bytes that have arrived: a claimed size alone costs nothing
            body.extend(bytes(min(size - done, max(FIRST, done))))
        _allow(channel, deadline)
        with memoryview(body)[done:] as rest:
            got = channel.recv_into(rest)
        if got == 0:
            raise EOFError
        done += got
    return body


def _allow(channel: Channel, deadline: float | None, least: float = 0.0) -> None:
    """Give the next operation the remaining time. Raises TimeoutError if there is none."""
    if deadline is not None:
        left = max(least, deadline - time.monotonic())
        if left <= 0:
            raise TimeoutError
        channel.settimeout(left)
