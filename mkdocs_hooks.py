"""Pages of the site that do not lie in docs/: the lessons, the exercises' tasks, and the texts for contributors."""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent
sys.path.insert(0, str(ROOT / "docs"))

import task_pages  # noqa: E402

from torchdojo.course.exercise import Dojo  # noqa: E402
from torchdojo.course.lesson import KINDS  # noqa: E402
from torchdojo.course.path import for_experts, recommended  # noqa: E402
from torchdojo.course.positions import title_of  # noqa: E402

PAGES = {
    "README.md": "lessons/index.md",  # other pages link to its table of chapters; the home page is docs/index.md
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "report-a-vulnerability.md",
}
LINK = re.compile(r"(\]\()([^)#:\s]+)(#[^)\s]*)?\)")  # [text](path#anchor); an address has a colon


def course() -> dict[str, list[task_pages.Exercise]]:
    """The exercises of each chapter, in the recommended order."""
    chapters: dict[str, list[task_pages.Exercise]] = {}
    for exercise in recommended(Dojo(ROOT).exercises):
        chapters.setdefault(exercise.chapter, []).append(exercise)
    return chapters


def page_of(path: str) -> str | None:
    """The page or picture of the site that a file of the repository becomes, or None."""
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if path.startswith("exercises/") and path.endswith(("/README.md", *KINDS)):
        return path.replace("exercises/", "lessons/", 1).replace("README.md", "index.md")
    return PAGES.get(path)


def relinked(text: str, source: str) -> str:
    """The text of a file of the repository, with links to other files turned into links between pages.

    What is no page (a grader, the license) loses its link and keeps its words.
    """
    page = page_of(source)
    assert page is not None

    def new(match: re.Match[str]) -> str:
        target = page_of(posixpath.normpath(posixpath.join(posixpath.dirname(source), match[2])))
        if target is None:
            return match[1] + match[2] + (match[3] or "") + ")"  # MkDocs says what is wrong with it
        return match[1] + posixpath.relpath(target, posixpath.dirname(page)) + (match[3] or "") + ")"

    return LINK.sub(new, text)


def on_config(config: Any) -> Any:
    """Put the lessons and exercises, in the recommended order, where the navigation says `lessons`."""
    for part in config.nav:
        for name, pages in part.items():
            if pages == "lessons":
                part[name] = ["lessons/index.md", *chapters()]
    return config


def chapters() -> list[dict[str, list[Any]]]:
    """The part of the navigation with the chapters: the lesson, then the exercises."""
    return [
        {
            f"{chapter[:2]} {title_of(chapter)}{' (for experts)' * for_experts(exercises[0].lesson)}": [
                f"lessons/{chapter}/index.md",
                *({exercise.stem: f"lessons/{exercise.id}.md"} for exercise in exercises),
            ]
        }
        for chapter, exercises in course().items()
    ]


def on_files(files: Files, config: Any) -> Files:
    """Add the pages from outside of docs/."""

    def add(page: str, content: str | bytes) -> None:
        files.append(File.generated(config, page, content=content))

    for source, page in PAGES.items():
        if source != "README.md":
            add(page, relinked((ROOT / source).read_text(encoding="utf-8"), source))
    add("lessons/index.md", task_pages.overview(course()))
    for chapter, exercises in course().items():
        lesson = exercises[0].lesson.read_text(encoding="utf-8")
        add(f"lessons/{chapter}/index.md", task_pages.lesson(relinked(lesson, f"exercises/{chapter}/README.md"), exercises))
        for exercise in exercises:
            add(f"lessons/{exercise.id}.md", task_pages.page(exercise))
    for file in sorted((ROOT / "exercises").rglob("*")):
        if file.suffix in KINDS and (page := page_of(file.relative_to(ROOT).as_posix())):
            add(page, file.read_bytes())
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Turn links of docs/ that lead out of it."""
    if page.file.generated_by:
        return markdown
    return relinked(markdown, f"docs/{page.file.src_uri}")
