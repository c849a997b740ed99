"""Find the exercises of a dojo: the file tree is the registry.

A dojo is a folder with `exercises/`, and for grading also `graders/` and `reference/`. The same relative path in
the three trees is one exercise, and that path without its suffix is its id: `03_autograd/ex05_jacobian`.
"""

from __future__ import annotations

import ast
import difflib
import functools
import re
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypedDict

from torchdojo.common.errors import AuthorError, UsageError
from torchdojo.common.names import PLACES, STEM, is_bonus
from torchdojo.course import given
from torchdojo.course.answers import answers_of, refuse_course
from torchdojo.course.lesson_text import anchor, lesson_of, sections
from torchdojo.course.settings import settings_of
from torchdojo.course.trusted import Grading, import_grader, import_trusted, shared_code
from torchdojo.variants import EditError, variants_of

if TYPE_CHECKING:
    from torchdojo.variants import Variant

EXERCISE_FILE = re.compile(rf"{STEM}\.py")
PACKAGE = Path(__file__).resolve().parents[1]
CHAPTER = re.compile(r"\d\d_[a-z0-9_]+")


class Facts(TypedDict):
    """What a stub's docstring says. difficulty: 1 to 5; fast: marked for the fast track."""

    title: str
    difficulty: int
    minutes: int
    fast: bool


@dataclass(frozen=True)
class Exercise:
    """One exercise of a dojo. Paths may name files that do not exist (a student's repo has no graders)."""

    root: Path
    id: str

    @property
    def chapter(self) -> str:
        return self.id.split("/")[0]

    @property
    def stem(self) -> str:
        return self.id.split("/")[1]

    @property
    def place(self) -> str:
        """Its part of the chapter: 'intro' (the first steps), 'ex' (the core) or 'bonus'."""
        return place_of(self.stem)

    @property
    def bonus(self) -> bool:
        return is_bonus(self.id)

    @property
    def stub(self) -> Path:
        return self.root / "exercises" / f"{self.id}.py"

    @property
    def test(self) -> Path:
        return self.root / "exercises" / self.chapter / f"test_{self.stem}.py"

    @property
    def grader(self) -> Path:
        return answers_of(self.root) / "graders" / self.chapter / f"grade_{self.stem}.py"

    @property
    def grader_files(self) -> list[Path]:
        """The grader, and the code that it may share with others."""
        return [self.grader, *shared_code(self.grader)]

    @property
    def public(self) -> Path:
        """What is known about public code that does the same, see `torchdojo.grading.public`."""
        return self.grader.with_name(f"public_{self.stem}.py")

    @property
    def given(self) -> Path:
        """The folder of the files that come with its chapter, see `torchdojo.course.given`."""
        return given.folder_of(self.root, self.chapter)

    @property
    def reference(self) -> Path:
        return answers_of(self.root) / "reference" / f"{self.id}.py"

    @property
    def variants_file(self) -> Path:
        return answers_of(self.root) / "reference" / f"{self.id}_variants.py"

    @property
    def lesson(self) -> Path:
        return lesson_of(self.root, self.chapter)

    @property
    def grader_name(self) -> str:
        """The name under which the grader is imported."""
        return f"torchdojo_graders_{self.chapter}_{self.stem}"

    @functools.cached_property
    def facts(self) -> Facts:
        """What the stub's docstring says."""
        text = self.stub.read_text(encoding="utf-8", errors="replace") if self.stub.is_file() else ""
        try:
            doc = ast.get_docstring(ast.parse(text)) or ""
        except (SyntaxError, ValueError):
            doc = ""
        match = re.search(r"Difficulty (\d) of 5, about (\d+) minutes\.( Fast track\.)?", doc)
        first = doc.splitlines()[0] if doc else self.stem
        return {
            "title": first.partition(": ")[2].rstrip(".") or first,
            "difficulty": int(match[1]) if match else 0,
            "minutes": int(match[2]) if match else 0,
            "fast": bool(match and match[3]),
        }

    @functools.cached_property
    def reading(self) -> str:
        """Where to read about it: the lesson's file and the section that names the exercise, as a link."""
        link = f"exercises/{self.chapter}/README.md"
        for heading, text in sections(self.lesson.read_text(encoding="utf-8") if self.lesson.exists() else ""):
            if self.is_prepared_by(text):
                return f"{link}#{anchor(heading)}"
        return link

    def is_prepared_by(self, text: str) -> bool:
        """Does a section of the lesson name this exercise?"""
        return re.search(rf"^Exercise:.*`{self.stem}`", text, re.MULTILINE) is not None

    @functools.cached_property
    def grading(self) -> Grading:
        """The hidden checks and their oracle, imported."""
        grading = import_grader(self.grader, self.grader_name)
        if self.points is not None:
            grading.share_out(self.points)
        return grading

    @property
    def points(self) -> float | None:
        """Its points in the course's settings; None: the sum of its checks' points."""
        return settings_of(self.root).points.get(self.id)

    @functools.cached_property
    def variants(self) -> list[Variant]:
        """The known mistakes and alternatives, imported on the trusted side. The reference is importable by its name.

        Raises AuthorError for a file that cannot be imported, and for edits that don't apply to the reference.
        """
        if not self.variants_file.exists():
            return []
        self.reference_module  # noqa: B018 (variants import from it)
        module = import_trusted(self.variants_file, f"{self.stem}_variants")
        try:
            return variants_of(module)
        except EditError as error:
            raise AuthorError(f"{self.variants_file.name}: {error}") from None

    @functools.cached_property
    def reference_module(self) -> ModuleType:
        """Our solution, imported under the exercise's plain name."""
        return import_trusted(self.reference, self.stem)


def place_of(stem: str) -> str:
    """'intro' for 'intro1_create', 'ex' for 'ex05_jacobian', 'bonus' for 'bonus1_swish'."""
    return next((place for place in PLACES if re.match(rf"{place}\d", stem)), "ex")


def in_order(exercise_id: str) -> tuple[str, int, str]:
    """The key to sort ids by: chapters, in them intro, core, bonus."""
    chapter, _, stem = exercise_id.partition("/")
    return chapter, PLACES.index(place_of(stem)), stem


def imported_names(tests: str, stem: str) -> list[str]:
    """The names that the text of a visible test imports from the exercise's file; none where it is no Python."""
    try:
        nodes = ast.walk(ast.parse(tests))
    except (SyntaxError, ValueError):
        return []
    return [alias.name for node in nodes if isinstance(node, ast.ImportFrom) and node.module == stem for alias in node.names]


class Dojo:
    """A folder with exercises."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @functools.cached_property
    def exercises(self) -> list[Exercise]:
        """All exercises, by chapter, in it intro, core, bonus, in order."""
        folder = self.root / "exercises"
        exercises = [
            Exercise(self.root, f"{file.parent.name}/{file.stem}")
            for file in folder.glob("*/*.py")
            if CHAPTER.fullmatch(file.parent.name) and EXERCISE_FILE.fullmatch(file.name)
        ]
        return sorted(exercises, key=lambda e: in_order(e.id))

    def graded(self) -> list[Exercise]:
        """The exercises that have a hidden grader. Raises UsageError if the course's settings give points to an unknown id."""
        known = [e.id for e in self.exercises]
        for wrong in (name for name in settings_of(self.root).points if name not in known):
            near = difflib.get_close_matches(wrong, known, n=1, cutoff=0.0)
            hint = f"did you mean {near[0]}?" if near else "there are no exercises"
            raise UsageError(f"{self.root / 'pyproject.toml'}: [tool.torchdojo.points] {wrong} is not an exercise; {hint}")
        return [e for e in self.exercises if e.grader.exists()]

    def _like(self, word: str) -> str:
        """'did you mean ...?' for a name without its number, or one with a typing error; '' when nothing is near."""
        names = {e.stem.partition("_")[2]: e.id for e in self.exercises} | {e.stem: e.id for e in self.exercises}
        near = difflib.get_close_matches(word.removesuffix(".py"), names, n=1, cutoff=0.75)
        return f"did you mean {names[near[0]]}?" if near else ""

    def select(self, wanted: str) -> list[Exercise]:
        """The exercises that a word names: a chapter, an id, a stem, the start of one ('03', '03_autograd/ex05'), or the name
        behind a number ('jacobian', 'autograd').

        A path says the same, as a shell completes it: .\\exercises\\03_autograd\\ex05_jacobian.py.
        Raises UsageError when there is none.
        """
        word = _word(wanted)
        chapter, _, stem = word.partition("/")
        if stem:
            selected = [e for e in self.exercises if e.chapter.startswith(chapter) and e.stem.startswith(stem)]
        else:
            selected = [e for e in self.exercises if e.chapter.startswith(word) or e.stem.startswith(word)]
        if not selected:
            selected = [e for e in self.exercises if word in (e.chapter.partition("_")[2], e.stem.partition("_")[2])]
        if not selected:
            chapters = ", ".join(sorted({e.chapter for e in self.exercises})) or "none"
            near = self._like(stem or word)
            raise UsageError(f"no chapter or exercise is called {wanted!r}; {near or f'there are: {chapters}'}")
        return selected


def _word(path: str) -> str:
    """The exercise's id in a path, such as '03_autograd/ex05_jacobian'."""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    while "exercises" in parts:
        parts = parts[parts.index("exercises") + 1 :]
    word = "/".join(parts).removesuffix(".py")
    return f"0{word}" if re.match(r"\d(/|$)", word) else word  # chapter 3 is 03


def dojo_around(start: Path | None = None) -> Dojo:
    """The dojo around a folder, for commands that write into it: not the one that contains this package, from anywhere.

    Raises UsageError.
    """
    dojo, here = find_dojo(start), (start or Path.cwd()).resolve()
    if not here.is_relative_to(dojo.root.resolve()):
        raise UsageError(f"{here} is not inside a course; change to the folder of your course")
    return dojo


def chosen_dojo(course: str | None, path: Path) -> Dojo:
    """The course that grades a path: the named one, else that of the current folder.

    Raises UsageError, also if the path belongs to the course of the current folder.
    """
    if course is None:
        dojo = find_dojo()
        refuse_course(dojo.root, path)
        return dojo
    if not (Path(course) / "exercises").is_dir():
        raise UsageError(f"--course {course} has no exercises/; name the folder of the course")
    return Dojo(Path(course).resolve())


def find_dojo(start: Path | None = None) -> Dojo:
    """The dojo around a folder (default: the current one), else the one with this package. Raises UsageError if there is none."""
    try:
        here = (start or Path.cwd()).resolve()
    except FileNotFoundError:
        raise UsageError("the current folder was deleted; change to another folder") from None
    for folder in [here, *here.parents, PACKAGE.parent]:
        if (folder / "exercises").is_dir() and ((folder / "graders").is_dir() or (folder / "conftest.py").exists()):
            return Dojo(folder)
    ways = {"content": "create one with: torchdojo init", "course/layouts": "create your own course with: torchdojo course"}
    way = next((f", or {text} FOLDER" for part, text in ways.items() if (PACKAGE / part).is_dir()), "")  # students have neither
    raise UsageError(f"{here} is not inside a folder with exercises/; change to your copy of the course{way}")
