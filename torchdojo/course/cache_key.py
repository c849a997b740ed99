"""One digest per submission and exercise of everything its result depends on. If the digest is unchanged, nothing runs again."""

from __future__ import annotations

import functools
import hashlib
import json
import platform
import re
from pathlib import Path
from typing import NamedTuple

from torchdojo.common.digest import digest
from torchdojo.course import given
from torchdojo.course.exercise import Exercise
from torchdojo.course.points import without_points

PACKAGE = Path(__file__).resolve().parent.parent
GRADING = ("classroom/grader.py", "sandbox/**/*.py", "wire/*.py", "worker/*.py")
"""What grades: the trusted side of a job, and all that runs beside a learner's code."""

IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+torchdojo(\S*)[ \t]+import[ \t]+(\([^)]*\)|.*)|import[ \t]+torchdojo(\S*))", re.MULTILINE)


@functools.cache
def engine() -> str:
    """A digest of the code that grades: a new version of it grades everything again."""
    return digest((str(f.relative_to(PACKAGE)).encode(), f.read_bytes()) for f in engine_files())


def engine_files() -> list[Path]:
    """The modules that can change a result: those that grade, and whatever of the package these import, at once or later."""
    files: set[Path] = set()
    waiting = [file for pattern in GRADING for file in PACKAGE.glob(pattern)]
    while waiting:
        file = waiting.pop()
        if file in files:
            continue
        files.add(file)
        waiting += [folder / "__init__.py" for folder in file.parents if folder.is_relative_to(PACKAGE)]
        for below, names, alone in IMPORT.findall(file.read_text(encoding="utf-8")):
            place = PACKAGE.joinpath(*(below or alone).split("."))
            inside = [place / name for name in re.findall(r"\w+", names)]
            for module in (place, *place.parents, *inside):
                if module.is_relative_to(PACKAGE):
                    waiting += [f for f in (module.with_suffix(".py"), module / "__init__.py") if f.is_file()]
    return sorted(files)


def surroundings(seed: int, devices: list[str]) -> str:
    """The part that all results of a run share."""
    import torch  # takes a second

    facts = [engine(), seed, devices, str(torch.__version__), ".".join(platform.python_version_tuple()[:2])]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def of_exercise(exercise: Exercise, shared: str) -> str:
    """The part that all submissions share: the grader, and what explains wrong answers."""
    return _of_files(exercise, shared, exercise.reading)


def of_explanations(exercise: Exercise, seed: int, devices: list[str]) -> str:
    """What the answers of known mistakes depend on."""
    return _of_files(exercise, surroundings(seed, devices))


def of_grader(exercise: Exercise) -> str:
    """A digest of the grader and the code that it shares, without the points of its checks."""
    return digest(_contents(exercise.grader_files))


def of_points(exercise: Exercise) -> str:
    """A digest of what says the points of the checks. They can be changed only if it is."""
    files = [(f.name.encode(), f.read_bytes()) for f in exercise.grader_files]
    return digest([*files, (str(exercise.points).encode(), b"")])


def _of_files(exercise: Exercise, *words: str) -> str:
    files = [exercise.reference, exercise.variants_file, *given.files(exercise.given)]
    return digest([*_contents([*exercise.grader_files, *files]), *((word.encode(), b"") for word in (exercise.id, *words))])


def _contents(files: list[Path]) -> list[tuple[bytes, bytes]]:
    """Names and contents. Points are left out: `classroom.repricing` puts other points into results that are known."""
    pairs = [(f.name, f.read_bytes() if f.exists() else b"") for f in files]
    return [(name.encode(), without_points(data) if name.startswith("grade_") else data) for name, data in pairs]


class Keys(NamedTuple):
    """The keys of one submission's results in one exercise: the verdicts alone, and with the words that explain them."""

    verdicts: str
    explained: str


def of_result(exercise_key: str, content: str) -> Keys:
    """The keys for a submission's content."""
    return Keys(*(hashlib.sha256(f"{exercise_key} {content}{rest}".encode()).hexdigest() for rest in (", verdicts only", "")))
