"""Did learner code replace the code that observes it? Compares a worker's snapshots (worker/tampering.py) from before and after.

The snapshot from before any learner code ran is kept here, on the trusted side. A worker whose snapshot differs is not reused.
An exercise is refused if a name differs that its checks, or our observing functions, use.
"""

from __future__ import annotations

import ast
import builtins
import functools
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchdojo.common.plain_text import clean
from torchdojo.course.exercise import Exercise
from torchdojo.judge.compare import compare
from torchdojo.limits import SNAPSHOT_SECONDS
from torchdojo.sandbox.linux import Worker
from torchdojo.wire.errors import WorkerLied
from torchdojo.wire.forms import OutcomeData

if TYPE_CHECKING:
    from torchdojo.worker.self_readings import Reading

ENGINE = Path(__file__).resolve().parents[2]
OURS = ("torchdojo.sandbox.", "torchdojo.sim", "torchdojo.wire.", "torchdojo.worker.")
# what passes every operation on: a replaced name counts in all exercises
_PARTS = "_ops autograd.function autograd.graph library overrides utils._python_dispatch"
DISPATCH = tuple(f"torch.{part}." for part in _PARTS.split())
# if a grader names such a class, all of its parts count: the grader's text doesn't show what the methods call
WHOLE = {"torch.nn.init": "Linear", "torch.nn.modules.linear.Linear": "Linear"}
WHOLE |= {"torch.nn.modules.container.Sequential": "Sequential"}
WHOLE |= {f"torch.optim.{name.lower()}.{name}": name for name in ("SGD", "Adam", "AdamW")}
HARMLESS = {"__repr__", "__str__", "__format__", "_repr_html_"}  # no exercise depends on how a class prints itself
# what PyTorch replaces itself: when it first imports torch._dynamo, or for another default dtype
BY_PYTORCH = {"torch.manual_seed", "torch.random.manual_seed", "torch.Storage"}
BY_PYTORCH |= {f"torch.nn.modules.module.Module.{name}" for name in ("__init__", "__setstate__")}
MODES = ("threads",)  # settings: if one differs, the worker is ended, but the exercise isn't refused
# modules that are finished before a learner's code runs, and the functions that are read
BEFOREHAND = {"self_readings", "warm"}
MOST = 3  # names in a message


def remember(worker: Worker) -> None:
    """Read the instruments of a worker that has run no learner's code. Forks of one process are alike, so one of them is asked."""
    if not worker.before:
        worker.before["read"] = _bytes(worker.call("read", SNAPSHOT_SECONDS).get("read"))
        worker.before["names"] = _names(worker)


def is_untouched(worker: Worker) -> bool:
    """Are the readings unchanged? Raises WorkerGone, WorkerSlow or WorkerLied."""
    return bool(_bytes(worker.call("read", SNAPSHOT_SECONDS).get("read")) == worker.before["read"])


def replaced(worker: Worker, exercise: Exercise) -> list[str]:
    """The names that this exercise's checks rely on, and that mean something else now. Raises as is_untouched does."""
    differing = [name for name in _differing(_names(worker), worker.before["names"]) if _counts(name, exercise)]
    return [clean(name)[:80] for name in differing[:MOST]] or _misread(worker)


# ------------------------------------------------------------------ name by name
def _names(worker: Worker) -> list[Any]:
    answer: Any = _decoded(worker, worker.call("names", SNAPSHOT_SECONDS).get("names"))
    try:
        parts, (names, fields), state = answer
        assert len(names) == len(fields)
        assert all(type(part) is str and len(keys) == len(ids) for part, keys, ids in parts)
        by_part = {part: dict(zip(map(str, keys), ids, strict=True)) for part, keys, ids in parts}
        return [by_part, dict(zip(names, fields, strict=True)), dict(state)]
    except (ValueError, TypeError, AssertionError):
        raise WorkerLied("readings that cannot be read") from None


def _differing(now: list[Any], before: list[Any]) -> list[str]:
    """The full names of what was replaced, removed or shadowed; ': ' comes before a mode."""
    differing = []
    for part, names in before[0].items():
        have = now[0].get(part, {})
        differing += [f"{part}.{name}" for name, value in names.items() if have.get(name) != value]
        differing += [f"{part}.{name}" for name in have if name not in names and _hides(part, name)]
    differing += [name for name, value in before[1].items() if now[1].get(name) != value]
    differing += [f": {name}" for name, value in before[2].items() if now[2].get(name) != value]
    return differing


def _hides(part: str, name: str) -> bool:
    """Does a new name of a module or class hide a builtin one, or an inherited one?"""
    if part in sys.modules:
        return hasattr(builtins, name)
    module, _, kind = part.rpartition(".")
    return hasattr(getattr(sys.modules.get(module), kind, object), name)


def _counts(name: str, exercise: Exercise) -> bool:
    part, _, last = name.rpartition(".")
    if name.startswith(": "):
        return name[2:] not in MODES
    if name.startswith(OURS):
        return True
    if last in HARMLESS or name in BY_PYTORCH:
        return False
    if name.startswith(DISPATCH):
        return True
    used = ("name" if part == "builtins" else "attribute", last)
    words = frozenset().union(*(_words_of(f.read_text(encoding="utf-8")) for f in exercise.grader_files))
    return not last or used in _used_by_us() or used in words or ("attribute", WHOLE.get(part)) in words


@functools.cache
def _used_by_us() -> frozenset[tuple[str, str]]:
    """The names in the source of what observes."""
    files = [f for folder in ("worker", "wire", "sim") for f in (ENGINE / folder).glob("*.py") if f.stem not in BEFOREHAND]
    return frozenset().union(*(_words_of(f.read_text(encoding="utf-8")) for f in files))


@functools.lru_cache(512)
def _words_of(text: str) -> frozenset[tuple[str, str]]:
    """The names used in a source, including those after a dot, which are imported too or passed to getattr."""
    words: set[tuple[str, str]] = set()
    for part in ast.walk(ast.parse(text)):
        if isinstance(part, ast.Name):
            words.add(("name", part.id))
        elif isinstance(part, ast.Attribute):
            words.add(("attribute", part.attr))
        elif isinstance(part, ast.ImportFrom):
            words |= {("attribute", alias.name) for alias in part.names}
        elif isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.startswith("_"):
            words.add(("attribute", part.value))
    return frozenset(words)


# ------------------------------------------------------------------ what the instruments show
def _misread(worker: Worker) -> list[str]:
    """Which instruments read otherwise in the worker than here, when they look at functions of ours."""
    want = _readings(worker.wire)
    got = _decoded(worker, worker.call("control", SNAPSHOT_SECONDS).get("readings"))
    if not isinstance(got, dict) or set(got) != set(want):
        return ["what the worker runs on"]
    return [name for name, reading in want.items() if compare(got[name], reading) is not None][:MOST]


def _decoded(worker: Worker, frame: Any) -> Any:
    try:
        return worker.wire.decode(frame)
    except (worker.wire.BadFrame, TypeError):
        raise WorkerLied("readings that cannot be read") from None


def _bytes(value: Any) -> bytes:
    if type(value) is not bytes:
        raise WorkerLied("readings that cannot be read")
    return value


@functools.cache
def _readings(wire: Any) -> dict[str, Reading | OutcomeData]:
    """The readings of this process, in the form in which a worker's arrive."""
    from torchdojo.worker import self_readings  # only to compare with a worker

    decoded: dict[str, Reading | OutcomeData] = wire.decode(wire.encode(self_readings.readings()))
    return decoded
