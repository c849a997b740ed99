"""Fuzz the strict reader with atheris, by hand, ten minutes in six legs that share what they find:

    for leg in 1 2 3 4 5 6; do python benchmarks/fuzz_frames.py -max_total_time=100 -timeout=5; done

What a worker may send is made by a coverage-guided fuzzer. Nothing but BadFrame and WorkerLied may come out, nothing that grows
(`tests/helpers/growing.py`) may take longer than in proportion, no input may take 5 seconds (libFuzzer's -timeout) or make the
process grow past 1.5 GiB (-rss_limit_mb; PyTorch has 0.35 of that; atheris keeps some 350 bytes of every input, hence the legs).
Needs `pip install -e '.[fuzz]'` (Linux, Python 3.11 to 3.13). The last line that libFuzzer prints says how many inputs were tried.
With --tiny the inputs that the fuzzer starts from are read once, without it.
"""

import contextlib
import struct
import sys
import tempfile
from pathlib import Path

from amount import TINY

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))
import growing

WATCHED = ["torchdojo.wire.strict", "torchdojo.wire.frames", "torchdojo.wire.outcome"]
if TINY:
    watched = contextlib.nullcontext()
else:
    try:
        import atheris
    except ImportError:
        raise SystemExit("fuzz_frames.py: atheris is not installed. Run: pip install -e '.[fuzz]'") from None
    watched = atheris.instrument_imports(include=WATCHED)

with watched:
    import torch

    from torchdojo.judge.observations import read_outcomes
    from torchdojo.wire import frames
    from torchdojo.wire import strict as wire
    from torchdojo.wire.errors import WorkerLied
    from torchdojo.wire.values import NAMES


class Bytes:
    """A channel that holds bytes and then is closed; they come in pieces of up to `piece`."""

    def __init__(self, data, piece):
        self.data, self.piece = memoryview(data), piece

    def recv(self, size, flags=0, /):
        size = min(size, self.piece)
        part, self.data = bytes(self.data[:size]), self.data[size:]
        return part

    def recv_into(self, buffer, /):
        part = self.recv(len(buffer))
        buffer[: len(part)] = part
        return len(part)

    def settimeout(self, seconds, /):
        pass


def refused(function, *arguments):
    """What function(*arguments) gives; None when it refuses in the ways that the session expects."""
    try:
        return function(*arguments)
    except (wire.BadFrame, WorkerLied, EOFError):
        return None


def try_one(data):
    how, data = data[:1], data[1:]
    kind = how[0] % 5 if how else 0
    if kind == 0:
        refused(wire.decode, data)
    elif kind == 1:  # the header is right, and so it is about what is in it
        cut = data.find(b"\0") if b"\0" in data else len(data)
        refused(wire.decode, struct.pack("<I", cut) + data[:cut] + data[cut + 1 :])
    elif kind == 2:
        body = refused(frames.receive, Bytes(data, 1 + len(data) // 3))
        if body is not None:
            refused(wire.decode, body)
    elif kind == 4:
        container, element, count = growing.chosen(data)
        body, few = growing.grown(container, element, count), growing.grown(container, element, max(1, count // 4))
        if growing.out_of_proportion(lambda frame: refused(wire.decode, frame), body, few, 4):
            raise AssertionError(f"{count} times {element} as {container} takes longer than in proportion")
    else:  # a whole reply: outcomes are frames in a frame
        outcome = struct.pack("<I", len(data)) + data
        refused(read_outcomes, wire, [{"seen": outcome, "again": {"seen": outcome}}], 3)


def seeds(folder):
    """Valid frames of every kind, for the fuzzer to start from."""
    tensors = [torch.zeros(2, 3, dtype=dtype) for dtype in NAMES]
    values = [None, [1, 2.5, "a", True], {"a": (1, 2)}, {1: 2}, b"xyz", 1j, torch.Size([2]), torch.float32, object(), tensors]
    values.append({"value": tensors[2], "changed": ["x"], "shares": [["", "x"]], "state": ["seed"], "warned": ["w"]})
    values.append({"raised": {"type": "E", "text": "t", "line": 3, "todo": False}})
    for number, value in enumerate(values):
        body = wire.encode(value)
        text = body[4 : 4 + struct.unpack_from("<I", body)[0]]
        folder.joinpath(f"frame{number}").write_bytes(b"\0" + body)
        folder.joinpath(f"header{number}").write_bytes(b"\1" + text + b"\0" + body[4 + len(text) :])
        folder.joinpath(f"channel{number}").write_bytes(b"\2" + struct.pack("<I", len(body)) + body)
        folder.joinpath(f"outcome{number}").write_bytes(b"\3" + text)
    for number in range(len(growing.CONTAINERS)):
        folder.joinpath(f"grown{number}").write_bytes(b"\4" + bytes([number, number, 12]))
    words = ("x", "v", "n", "at", "as", "t", "d", "m", "b", "c", "?", "size", "dtype", "device", "int8", "bool")
    folder.parent.joinpath("words").write_text("".join(f'"{word}"\n' for word in words))


def main():
    torch.set_num_threads(1)
    if TINY:
        with tempfile.TemporaryDirectory() as folder:
            corpus = Path(folder, "corpus")
            corpus.mkdir()
            seeds(corpus)
            found = [file.read_bytes() for file in sorted(corpus.iterdir())]
        for data in found:
            try_one(data)
        print(f"{len(found)} inputs read")
        return
    corpus = Path(tempfile.gettempdir(), "torchdojo-fuzz", "corpus")  # stays, since the fuzzer ends this process itself
    corpus.mkdir(parents=True, exist_ok=True)
    seeds(corpus)
    options = ["-rss_limit_mb=1536", "-max_len=4096", f"-dict={corpus.parent / 'words'}", *sys.argv[1:]]
    atheris.Setup([sys.argv[0], *options, str(corpus)], try_one)
    atheris.Fuzz()


main()
