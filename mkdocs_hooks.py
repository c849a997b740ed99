"""Pages of the site that do not lie in docs/: the README, the lessons, and the texts for contributors."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "report-a-vulnerability.md",
}
LINK = re.compile(r"(\]\()([^)#:\s]+)(#[^)\s]*)?\)")  # [text](path#anchor); an address has a colon


def lessons() -> dict[str, str]:
    """Each chapter's lesson in the repository, and its page."""
    return {
        f"exercises/{path.parent.name}/README.md": f"lessons/{path.parent.name}.md"
        for path in sorted(ROOT.glob("exercises/*/README.md"))
    }


def page_of(path: str) -> str | None:
    """The page or picture of the site that a file of the repository becomes, or None."""
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    return (PAGES | lessons()).get(path)


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
    """Put the lessons where the navigation says `lessons`."""
    for part in config.nav:
        for pages in part.values():
            for entry in pages if isinstance(pages, list) else []:
                if entry.get("Lessons") == "lessons":
                    entry["Lessons"] = list(lessons().values())
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the pages from outside of docs/."""
    for source, page in (PAGES | lessons()).items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=relinked(text, source)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Turn links of docs/ that lead out of it."""
    if page.file.generated_by:
        return markdown
    return relinked(markdown, f"docs/{page.file.src_uri}")
