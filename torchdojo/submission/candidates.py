"""Choose among several files that may be one exercise's."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from torchdojo.common.plain_text import one_line
from torchdojo.submission.recognise import digest_of


@dataclass(order=True)
class Candidate:
    """A file that may be an exercise's; the least is taken."""

    untouched: bool  # nothing but our stub
    packed: bool  # in an archive in a folder
    rank: int  # 0: chapter/name.py, 1: name.py, 2: nearly that name, 3: defines what the exercise asks for
    outside: bool  # not below a folder `exercises`
    depth: int
    number: tuple[Any, ...]  # the name as a key to sort by, with numbers compared as numbers and the largest first: v10, v9
    name: str = field(compare=False)
    path: Path = field(compare=False)
    root: Path = field(compare=False)


def numbered(inner: PurePosixPath) -> tuple[Any, ...]:
    """A name's letters and numbers, as a key that sorts later versions first."""
    return tuple(-int(word) if n % 2 else word for n, word in enumerate(re.split(r"([0-9]{1,18})", str(inner))))


def in_turn(inner: PurePosixPath) -> str:
    """A name to sort by so that v10 comes after v9: of notebooks the last one counts."""
    return re.sub(r"[0-9]{1,18}", lambda match: match[0].zfill(18), str(inner))


def best(candidates: list[Candidate], exercise_id: str, notes: list[str]) -> Candidate:
    """The one to grade. The reason is added to the notes."""
    chosen, *others = sorted(candidates)
    shown = one_line(chosen.name)
    if chosen.rank >= 2:
        notes.append(f"{shown} was recognized as {exercise_id}.py.")
    differing = [one_line(c.name) for c in others if not c.untouched and digest_of(c.path) != digest_of(chosen.path)]
    if differing:
        notes.append(f"There are several versions of {exercise_id}: {shown} was graded, not {', '.join(differing[:5])}.")
    return chosen
