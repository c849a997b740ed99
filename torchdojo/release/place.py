"""Write a release into a folder. Files that were changed since the last release are left alone and listed.

The manifest in the folder stores what each file was when it was released. A file that is unchanged may be replaced.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from torchdojo.common.errors import UsageError
from torchdojo.common.files import write_whole
from torchdojo.release.files import MANIFEST, REVEALS, Manifest

NO_POINTS = (
    "its tests gave points, but they run in the learner's process: run `nbgrader generate_assignment` again (docs/platforms.md)"
)


@dataclass
class Placed:
    """What happened to the files: created, replaced, unchanged, left because they were edited, removed."""

    new: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    outdated: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    reasons: dict[str, str] = field(default_factory=dict)  # why a file of an earlier version should not be used any more


# How files of earlier versions are recognized, and what was wrong with them.
SUPERSEDED = [
    (r"\.github/workflows/.*", rb"uses: actions/[\w-]+@v\d", "its actions were not pinned by commit and ran on Node 20"),
    (
        r"\.github/workflows/.*",
        rb"git checkout .*grades",
        "it checked out a branch that the student controls, in the job with the token",
    ),
    (r"source/.*\.ipynb", rb'"grade": true,\s*"grade_id": "\w+-tests",\s*"locked": true,\s*"points": (?!0\D)', NO_POINTS),
    (
        r"exercises/09_data/ex08_augmented_images\.py",
        rb"training: bool, generator",
        "its task changed: workers of a DataLoader get copies of a generator in the dataset, so all of them mirror alike",
    ),
    (
        r"exercises/10_attention/ex10_char_model\.py",
        rb"nn\.Module, tokens: torch\.Tensor, steps: int",
        "its task changed: the model is judged on a text that it doesn't train on",
    ),
]


def manifest_of(root: Path, kind: str) -> Manifest:
    """What the last release wrote. kind: who the folder is for, so that graders never end up next to students' files.

    Raises UsageError for a folder that is neither empty nor an earlier release of this kind.
    """
    if not root.exists():
        return {}
    if not root.is_dir():
        raise UsageError(f"{root} is not a folder; name an empty folder or an earlier release")
    file = root / MANIFEST
    if not file.is_file() or file.is_symlink():
        ours = [c.name for c in root.iterdir() if c.name != ".git"]
        if ours:
            raise UsageError(
                f"{root} holds {ours[0]} and no {MANIFEST}: it is neither empty nor an earlier release; name another folder"
            )
        return {}
    try:
        manifest = json.loads(file.read_bytes())
        files, points = manifest["files"], manifest["points"]
        if not all(isinstance(v, str) for v in files.values()) or not all(isinstance(v, int | float) for v in points.values()):
            raise ValueError("wrong types")
        if manifest["for"] != kind:
            raise UsageError(f"{root} is a release for {manifest['for']}, not for {kind}; name another folder")
        numbers = isinstance(manifest["hints"], int) and isinstance(manifest["total"], int | None)
        if not numbers or manifest["reveal"] not in REVEALS:
            raise ValueError("wrong settings")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(
            f"{file} cannot be read ({type(error).__name__}); restore it from git or a copy, or name another folder"
        ) from None
    return cast(Manifest, manifest)


def place(root: Path, files: dict[str, bytes], settings: Manifest, before: Manifest) -> Placed:
    """Write files that are new or unchanged since they were released; leave all others. `before`: the last manifest."""
    old = before.get("files", {})
    done = Placed()
    refuse_links(root)
    for path, data in files.items():
        _one(root, path, data, old.get(path), done)
    for path in sorted(old.keys() - files.keys()):
        outdated = path.startswith(("vendor/", ".github/workflows/")) and not _through_link(root, path) and (root / path).is_file()
        if outdated and digest((root / path).read_bytes()) == old[path]:  # the engine or a workflow of an earlier version
            (root / path).unlink()
            done.removed.append(path)
    kept = {path: old[path] for path in old.keys() - files.keys() if path not in done.removed}
    new = {path: digest(data) if path not in done.left else old.get(path, "") for path, data in files.items()}
    manifest: Manifest = {**settings, "files": dict(sorted({**kept, **new}.items()))}
    _write(root, MANIFEST, (json.dumps(manifest, indent=1) + "\n").encode())
    return done


def _one(root: Path, path: str, data: bytes, old: str | None, done: Placed) -> None:
    target = root / path
    if _through_link(root, path):
        done.left.append(path)
        done.outdated.append(path)
    elif not os.path.lexists(target):
        _write(root, path, data)
        done.new.append(path)
    elif not target.is_file():
        done.left.append(path)
        done.outdated.append(path)
    else:
        earlier = target.read_bytes()
        here = digest(earlier)
        if why := [text for name, sign, text in SUPERSEDED if re.fullmatch(name, path) and re.search(sign, earlier)]:
            done.reasons[path] = "; ".join(why)
        if here == digest(data):
            done.same.append(path)
        elif here == old:
            _write(root, path, data)
            done.replaced.append(path)
        else:
            done.left.append(path)
            if old != digest(data):
                done.outdated.append(path)


def digest(data: bytes) -> str:
    """Of a file's content; line ends do not count, since git may change them."""
    return hashlib.sha256(data if b"\0" in data else data.replace(b"\r\n", b"\n")).hexdigest()


def refuse_links(root: Path) -> None:
    """The folder itself may be a link, but the manifest must not be one. Raises UsageError."""
    if (root / MANIFEST).is_symlink():
        raise UsageError(f"{root / MANIFEST} is a symbolic link; remove it and release again")


def _through_link(root: Path, path: str) -> bool:
    """Would writing there follow a link, or pass through a file?"""
    return any(p.is_symlink() or (p.exists() and not p.is_dir()) for p in _parents(root, path)) or (root / path).is_symlink()


def _parents(root: Path, path: str) -> Iterator[Path]:
    at = root
    for part in path.split("/")[:-1]:
        at = at / part
        yield at


def _write(root: Path, path: str, data: bytes) -> None:
    target = root / path
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, data)
    except OSError as error:
        raise UsageError(f"{target} cannot be written: {error.strerror}; the old contents are unchanged") from None
