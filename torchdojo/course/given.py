"""Files that come with a chapter: everything in `exercises/<chapter>/given/` belongs to each exercise of the chapter.

Stubs, visible tests, graders and references import its modules as `given.NAME`. A module there reads a data file beside it by
`Path(__file__).with_name("scores.csv")`. A submission is always graded with the course's files, whatever it brings under that name.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Collection
from pathlib import Path
from types import ModuleType

from torchdojo.common.names import STEM

NAME = "given"


def folder_of(root: Path, chapter: str) -> Path:
    """The folder of a chapter's given files, if it has any."""
    return root / "exercises" / chapter / NAME


def files(folder: Path) -> list[Path]:
    """The files in a folder of given files, by name; no links, nothing hidden, no caches."""
    files_below = (f for f in sorted(folder.rglob("*")) if f.is_file() and not f.is_symlink())
    return [f for f in files_below if not any(p.startswith(".") or p == "__pycache__" for p in f.relative_to(folder).parts)]


def contents(root: Path, chapter: str) -> dict[str, bytes]:
    """{path from the course's root: content} of a chapter's given files."""
    return {f.relative_to(root).as_posix(): f.read_bytes() for f in files(folder_of(root, chapter))}


def lay_out(folder: Path, target: Path) -> None:
    """Copy given files into a folder, readable for everybody; does nothing where there are none."""
    for file in files(folder):
        copy = target / file.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
        copy.chmod(0o644)


def importable(chapter: Path) -> None:
    """Let `given.NAME` mean the modules of this chapter (a folder), and of the other chapters where it has none of that name."""
    own = chapter / NAME
    folders = [str(own), *(str(f) for f in sorted(chapter.parent.glob(f"*/{NAME}")) if f != own)]
    known = sys.modules.get(NAME)
    if not own.is_dir() or (known is not None and list(getattr(known, "__path__", [])) == folders):
        return
    for name in [name for name in sys.modules if name.startswith(f"{NAME}.")]:  # those of another chapter may have the same name
        del sys.modules[name]
    module = ModuleType(NAME)
    module.__path__ = folders
    sys.modules[NAME] = module


def reachable(chapter: Path) -> None:
    """Make the files beside an exercise and the given modules importable. Packages come first, so that no file hides one."""
    if str(chapter) not in sys.path:
        sys.path.append(str(chapter))
    importable(chapter)


def left_behind(root: Path, chapter: str, also: Collection[str]) -> list[str]:
    """Files beside the exercises of a chapter that are not released: paths from the root. also: further paths that are released."""
    folder = root / "exercises" / chapter
    ours = (NAME, "README.md", "__pycache__")
    others = [c for c in sorted(folder.iterdir()) if not c.name.startswith(".") and c.name not in ours]
    left = []
    for c in (c for c in others if c.is_dir() or not _is_an_exercises(c)):
        inside = [f.relative_to(root).as_posix() for f in (files(c) if c.is_dir() else [c])]
        stays = [path for path in inside if path not in also]
        left += [c.relative_to(root).as_posix()] if stays == inside else stays
    return left


def _is_an_exercises(file: Path) -> bool:
    """Is it a stub, or the visible test or the picture of one?"""
    stem = file.name.removesuffix(".py").removeprefix("test_").removeprefix("picture_")
    return file.suffix == ".py" and re.fullmatch(STEM, stem) is not None
