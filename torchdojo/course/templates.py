"""The files that `torchdojo new` and `torchdojo course` create, from the jinja2 templates in `layouts/`."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Exercise

if TYPE_CHECKING:
    import jinja2

LAYOUTS = Path(__file__).parent / "layouts"
COURSE = {
    "README.md": "README.md",
    "ci.yml": ".github/workflows/ci.yml",
    "conftest.py": "conftest.py",
    "constraints.txt": "constraints.txt",
    "gitignore": ".gitignore",
    "pyproject.toml": "pyproject.toml",
    "requirements.txt": "requirements.txt",
}
# text that authors replace; `verify` reports what they left
FILL_IN = (
    "say in a few words what it is about",
    "Say what it returns, never how.",
    "Every edge case and rule that is graded, in words.",
    "The one mistake that is seen most.",
    "Not allowed: nothing; delete this line",
    "A nudge: where to look.",
    "The concept, in a sentence or two.",
    "Nearly the code, in words, with one line left for the learner.",
    "What one has to know.",
    "PyTorch itself, or a slow obvious loop; never the reference.",
)


def filled(template: str, words: dict[str, str]) -> str:
    """The text of `layouts/<template>.jinja`, filled in with `words`. Raises UsageError where this installation has none."""
    if not LAYOUTS.is_dir():
        raise UsageError("this student version of torchdojo has no templates; install the full package")
    return _environment().get_template(f"{template}.jinja").render(words)


@functools.cache
def _environment() -> jinja2.Environment:
    import jinja2  # only the two commands that lay out files need it

    loader = jinja2.FileSystemLoader(LAYOUTS)
    return jinja2.Environment(loader=loader, undefined=jinja2.StrictUndefined, keep_trailing_newline=True, autoescape=False)


def exercise_files(layout: str, exercise: Exercise, words: dict[str, str]) -> dict[Path, str]:
    """Path to text of the five files of an exercise. layout: the folder of their templates."""
    parts = {
        "stub": exercise.stub,
        "test": exercise.test,
        "reference": exercise.reference,
        "variants": exercise.variants_file,
        "grader": exercise.grader,
    }
    return {path: filled(f"{layout}/{part}.py", words) for part, path in parts.items()}


def course_files(root: Path, words: dict[str, str]) -> dict[Path, str]:
    """Path to text of a new course with one worked exercise. words: its `title`, `torch` (a version), `wheel` (a path)."""
    texts = {root / path: filled(f"course/{name}", words) for name, path in COURSE.items()}
    worked = Exercise(root, "01_basics/ex01_columns")
    return {**texts, **exercise_files("worked", worked, words), worked.lesson: filled("worked/lesson.md", words)}
