"""The files of a student repo. It is an allow-list: nothing is copied unless it is listed here."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

import torchdojo
from torchdojo.common.names import is_bonus
from torchdojo.course import given, hints, known_notes, stubs
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.course.lesson import picture_files
from torchdojo.course.lesson_text import lesson_of
from torchdojo.course.path import for_experts, recommended
from torchdojo.course.settings import settings_of
from torchdojo.judge.record import number
from torchdojo.learner.pictures import script_of
from torchdojo.release import wheel

TEMPLATES = Path(__file__).parent / "templates"
MANIFEST = "torchdojo.json"
OTHER_LESSON = re.compile(r"\[(?P<text>[^\]]+)\]\(\.\./(?P<chapter>\w+)/README\.md(#[^)]*)?\)")
REVEALS = {
    "none": "which hidden checks pass, and their points",
    "title": "which hidden checks pass, and what each claims",
    "gap": "which hidden checks pass, what each claims, and what was wrong",
    "full": "which hidden checks pass, what each claims, what was wrong, and on which input",
}


# What the file of that name holds. files: the digest of each file as it was released.
Manifest = TypedDict(
    "Manifest",
    {
        "for": str,
        "torchdojo": str,
        "reveal": str,
        "hints": int,
        "total": int | None,
        "points": dict[str, int | float],
        "files": dict[str, str],
    },
    total=False,
)


@dataclass(frozen=True)
class Release:
    """What a release consists of. points: exercise id to points; without bonus exercises they add up to `total` where one was
    asked for. hints: how many levels of hints go along.
    """

    dojo: Dojo
    exercises: Sequence[Exercise]
    points: dict[str, int | float]
    reveal: str = "gap"
    hints: int = 2
    total: int | None = None

    @property
    def chapters(self) -> list[str]:
        """In the order that is recommended."""
        return list(dict.fromkeys(e.chapter for e in recommended(self.exercises)))

    def totals(self, chapter: str = "") -> tuple[float, float]:
        """(points, bonus points beyond them) of a chapter, or of all."""
        mine = [(e, n) for e, n in self.points.items() if e.startswith(chapter)]
        return sum(n for e, n in mine if not is_bonus(e)), sum(n for e, n in mine if is_bonus(e))

    def settings(self) -> Manifest:
        """What the tools in the student repo know about it. The seed of the hidden inputs is not among it."""
        return {
            "for": "students",
            "torchdojo": torchdojo.__version__,
            "reveal": self.reveal,
            "hints": self.hints,
            "total": self.total,
            "points": self.points,
        }


def exercise_files(release: Release) -> dict[str, bytes]:
    """Path to content: stubs, visible tests, lessons with their pictures, notebooks, and what the learner's tools read."""
    root = release.dojo.root
    files: dict[str, bytes] = {}
    for e in release.exercises:
        files[_relative(e.stub, root)] = e.stub.read_bytes()
        for file in (e.test, script_of(e.stub)):
            if file.exists():
                files[_relative(file, root)] = file.read_bytes()
    for chapter in release.chapters:
        lesson = lesson_of(root, chapter)
        book = root / "notebooks" / f"{chapter}.ipynb"
        files |= given.contents(root, chapter) | picture_files(root, chapter)
        if lesson.exists():
            files[_relative(lesson, root)] = _without_dead_links(lesson, release.chapters)
        if book.exists() and {e.id for e in release.dojo.exercises if e.chapter == chapter} <= {e.id for e in release.exercises}:
            files[_relative(book, root)] = book.read_bytes()
    files[stubs.FILE] = _json({e.id: e.stub.read_text(encoding="utf-8") for e in release.exercises})
    files[hints.FILE] = _json({e.id: hints.hints_of(e)[: release.hints] for e in release.exercises})

    if off := [key for key in settings_of(root).switched_off if key in ("assistants", "break")]:
        files["pyproject.toml"] = "\n".join(["[tool.torchdojo]", *(f'{key} = "off"' for key in off), ""]).encode()
    if (root / known_notes.FILE).exists():
        files[known_notes.FILE] = _json(known_notes.of_exercises(root, [e.id for e in release.exercises]))
    if (root / "LICENSE").exists():
        files["LICENSE"] = (root / "LICENSE").read_bytes()
    for template, path in LEARNER_TEMPLATES.items():
        files[path] = filled(template, {}).encode()
    return files


def _without_dead_links(lesson: Path, chapters: list[str]) -> bytes:
    """The lesson, with plain text in place of links to lessons of chapters that don't go along."""
    text = lesson.read_text(encoding="utf-8")
    return OTHER_LESSON.sub(lambda link: link[0] if link["chapter"] in chapters else link["text"], text).encode()


def student_files(release: Release) -> dict[str, bytes]:
    """Path to content, for every file of the student repo but the manifest."""
    files = exercise_files(release)
    vendored = f"vendor/{wheel.name()}"
    files[vendored] = wheel.engine()
    settings = settings_of(release.dojo.root)
    words = {
        "WHEEL": vendored,
        "LATE": f" Late work costs points: {settings.late.words()}." if settings.late else "",
        "TORCH": torch_pin(release.dojo.root),
        "REQUIREMENTS": "".join(f"{needed}\n" for needed in settings.requirements),
        "FIRST": release.chapters[0],
        "REVEAL": REVEALS[release.reveal],
        "TABLE": table(release),
        "COUNT": str(len(release.exercises)),
        "TOTAL": _points(release.totals()),
    }
    for template, path in STUDENT_TEMPLATES.items():
        files[path] = filled(template, words).encode()
    return files


def self_study_files(dojo: Dojo) -> dict[str, bytes]:
    """All exercises, for people who have installed the package: what `torchdojo init` creates."""
    release = Release(dojo, dojo.exercises, {e.id: 1 for e in dojo.exercises})
    words = {"TABLE": table(release, graded=False), "FIRST": release.chapters[0], "COUNT": str(len(release.exercises))}
    return {**exercise_files(release), "README.md": filled("self_study_readme.md", words).encode()}


LEARNER_TEMPLATES = {"student_conftest.py.txt": "conftest.py", "pytest.ini": "pytest.ini", "gitignore": ".gitignore"}
LEARNER_TEMPLATES |= {"vscode_settings.json": ".vscode/settings.json"}
STUDENT_TEMPLATES = {
    "student_readme.md": "README.md",
    "requirements.txt": "requirements.txt",
    "feedback.yml": ".github/workflows/feedback.yml",
    "devcontainer.json": ".devcontainer/devcontainer.json",
}


def filled(template: str, words: dict[str, str]) -> str:
    """A template's text with @NAME@ replaced; nothing else in it has a meaning, so that YAML and shell stay as they are."""
    text = (TEMPLATES / template).read_text(encoding="utf-8")
    for name, value in words.items():
        text = text.replace(f"@{name}@", value)
    return text


def torch_pin(root: Path) -> str:
    """The requirement that the dojo's tests were checked with, as in `torch==2.13.0`."""
    file = root / "constraints.txt"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return next((line.strip() for line in lines if line.startswith("torch=")), "torch>=2.10")


def table(release: Release, *, graded: bool = True) -> str:
    """A row for each chapter: exercises, minutes, points if it is graded."""
    rows = ["| chapter | exercises | minutes |" + " points |" * graded, "|---|---|---|" + "---|" * graded]
    for chapter in release.chapters:
        mine = [e for e in release.exercises if e.chapter == chapter]
        minutes = sum(e.facts["minutes"] for e in mine)
        points = _points(release.totals(f"{chapter}/")).replace(" points", "")
        late = " (for experts)" * for_experts(mine[0].lesson)
        rows.append(f"| [{chapter}](exercises/{chapter}/README.md){late} | {len(mine)} | {minutes} |" + f" {points} |" * graded)
    return "\n".join(rows)


def _points(sums: tuple[float, float]) -> str:
    """'50 points', '50 points + 3 bonus'."""
    return f"{number(sums[0])} points" + (f" + {number(sums[1])} bonus" if sums[1] else "")


def _relative(file: Path, root: Path) -> str:
    return file.relative_to(root).as_posix()


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode()
