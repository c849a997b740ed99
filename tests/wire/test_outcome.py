"""Outcomes come from a learner's process: whatever arrives is read strictly or refused, and nothing else happens."""

import contextlib
import struct
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from torchdojo.judge.observations import read_outcomes, tidied_error
from torchdojo.wire import frames
from torchdojo.wire import strict as wire
from torchdojo.wire.errors import WorkerLied
from torchdojo.wire.outcome import TEXTS, Outcome, Raised, frames_in
from torchdojo.wire.strict import BadFrame, SeenTensor

quick = settings(max_examples=200, deadline=None, derandomize=True, database=None)

words = st.sampled_from(["value", "raised", "changed", "marked", "state", "shares", "operations", "warned", "random", "again", "seen", "type", "todo", "x"])
anything = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 1 << 62), st.floats(), st.text(max_size=5), st.binary(max_size=9), st.just(SeenTensor)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.lists(inner, max_size=3).map(tuple), st.dictionaries(words, inner, max_size=4)),
    max_leaves=12,
)


def well_formed(outcome) -> bool:
    lists = [outcome.changed, outcome.marked, outcome.state, outcome.operations, outcome.warned, *outcome.shares]
    errors = [] if outcome.raised is None else [outcome.raised]
    texts = all(type(getattr(raised, name)) is str for raised in errors for name in TEXTS)
    return texts and not (errors and outcome.value is not None) and all(type(v) is str for found in lists for v in found)


@pytest.mark.slow
@quick
@given(anything, st.integers(0, 3))
def test_any_reply_is_read_or_refused(packed, most):
    """Only WorkerLied is raised; what is accepted has the format that comparisons rely on."""
    with contextlib.suppress(WorkerLied):
        found = read_outcomes(wire, packed, most)
        assert len(found) <= most and all(map(well_formed, found))


@quick
@given(st.lists(anything, min_size=1, max_size=3), st.booleans())
def test_any_outcome_in_a_frame_is_read_or_refused(values, twice):
    """The frame is valid, and its contents are arbitrary."""
    packed = [{"seen": wire.encode(v)} | ({"again": {"seen": wire.encode(values[0])}} if twice else {}) for v in values]
    with contextlib.suppress(WorkerLied):
        found = read_outcomes(wire, packed, 3)
        assert all(map(well_formed, found))


@quick
@given(anything)
def test_any_error_is_read_or_refused(raised):
    """The texts of an error are text, short and clean; a line is a number."""
    with contextlib.suppress(WorkerLied):
        found = tidied_error(Raised.of(raised))
        texts = [getattr(found, name) for name in TEXTS]
        assert all(type(v) is str and len(v) <= 400 and "\x1b" not in v for v in texts)
        assert type(found.todo) is bool and type(found.line) is int


def test_more_outcomes_than_inputs_are_refused():
    """A worker answers once for each input."""
    assert len(frames_in(wire, [{"seen": b""}] * 2, 2)) == 2
    with pytest.raises(WorkerLied):
        frames_in(wire, [{"seen": b""}] * 3, 2)


def test_a_claim_alone_takes_no_memory():
    """Sixty megabytes are announced, five bytes arrive: at most twice the received size is allocated."""
    tracemalloc.start()
    with contextlib.suppress(EOFError):
        frames.receive(Pieces(struct.pack("<I", 60 << 20) + b"hello", 3))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 20


class Pieces:
    """A channel that gives its bytes in pieces, and then is closed."""

    def __init__(self, data: bytes, piece: int) -> None:
        self.data, self.piece, self.asked = data, piece, 0

    def recv(self, size, flags=0, /):
        self.asked += size
        part, self.data = self.data[: min(size, self.piece)], self.data[min(size, self.piece) :]
        return part

    def recv_into(self, buffer, /):
        part = self.recv(len(buffer))
        buffer[: len(part)] = part
        return len(part)

    def settimeout(self, seconds, /):
        pass


@quick
@given(st.binary(max_size=60), st.integers(1, 9), st.one_of(st.none(), st.integers(0, 1 << 32)))
def test_any_bytes_in_the_channel_are_a_frame_or_an_end(data, piece, claimed):
    """Whatever is claimed, no more memory than the limit is allocated, and the reader ends."""
    if claimed is not None:
        data = struct.pack("<I", min(claimed, (1 << 32) - 1)) + data
    with contextlib.suppress(BadFrame, EOFError):
        body = frames.receive(Pieces(data, piece))
        assert len(body) == struct.unpack_from("<I", data)[0] <= frames.FRAME_BYTES


def test_what_is_known_to_be_right_is_read_for_those_who_ask():
    """Equal bytes don't need decoding; other bytes do, and both can be decoded on request."""
    read = []

    class Watched:
        BadFrame = BadFrame

        @staticmethod
        def decode(body):
            read.append(body)
            return wire.decode(body)

    right, other = ({"seen": wire.encode({"value": n}), "again": {"seen": wire.encode({"value": n})}} for n in (1, 2))
    frames = (right["seen"], right["again"]["seen"])
    found = read_outcomes(Watched, [right, other, {"seen": right["seen"]}], 3, lambda place: frames)
    assert found.known == {0}, "without the repetition it is not the same outcome"
    assert right["seen"] not in read[:2] and len(read) == 3
    assert [outcome.value for outcome in found] == [1, 2, 1] and found[-1].value == 1
    assert found[0].again == Outcome(1)
