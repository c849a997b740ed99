"""Open what a student handed in, whatever its type, and list its Python files and notebooks. Runs none of it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from torchdojo.common import clock
from torchdojo.common.plain_text import one_line
from torchdojo.limits import ARCHIVE_DEPTH, NESTED_ARCHIVES, SUBMISSION_ARCHIVES, VISITED_FILES
from torchdojo.submission import archives as packed
from torchdojo.submission.archives import UNREADABLE, WANTED, LeftOut, Refused, is_archive, is_junk, is_ours, unpack


@dataclass
class Place:
    """Files that were handed in together. root: where links may lead; base: what names are relative to."""

    root: Path
    base: Path
    files: list[Path]
    archive: Path | None = None  # that contains them, if it is in a folder


def opened(path: Path, scratch: Path, notes: list[str], refusals: list[str]) -> list[Place]:
    """The Python files and notebooks of one submitted file or folder; archives are unpacked below scratch.

    What was left out adds a sentence to notes, what cannot be read at all one to refusals.
    """
    places: list[Place] = []
    try:
        if path.is_dir():
            next(path.iterdir(), None)  # raises where walking would find nothing
            left_out = LeftOut(path)
            files = walk(path, left_out)
            notes += left_out.sentences() if files or not left_out.refused else []
            refusals += [left_out.refused] if left_out.refused and not files else []
            places.append(Place(path, path, [f for f in files if f.name.lower().endswith(WANTED)]))
            refusals += [_unreadable(f) for f in files if f.name.lower().endswith(UNREADABLE)]
            for archive in _few([f for f in files if is_archive(f)], path):
                if not archive.resolve().is_relative_to(path.resolve()):
                    refusals.append(f"{one_line(archive.name)} is a link that leads elsewhere; hand in the file itself.")
                    continue
                try:
                    files = _unpacked(archive, scratch / archive.relative_to(path), notes, refusals)
                    places.append(Place(scratch, scratch, files, archive))
                except Refused as error:
                    refusals.append(one_line(str(error)))
        elif is_archive(path):
            places.append(Place(scratch, scratch, _unpacked(path, scratch, notes, refusals)))
        elif path.name.lower().endswith(WANTED):
            places.append(Place(path.parent, path.parent, [path]))
        else:
            refusals.append(_unreadable(path))
    except Refused as error:
        refusals.append(one_line(str(error)))
    except OSError as error:
        if is_ours(error):
            raise
        refusals.append(one_line(f"{path.name} cannot be read: {error.strerror}."))
    return places


def _unreadable(file: Path) -> str:
    return f"{one_line(file.name)} is of a kind that cannot be read here; ask for a zip file."


def _few(archives: list[Path], path: Path) -> list[Path]:
    if len(archives) > SUBMISSION_ARCHIVES:
        raise Refused(f"{path.name} holds more than {SUBMISSION_ARCHIVES} archives; hand in only the Python files.")
    return archives


def _unpacked(archive: Path, scratch: Path, notes: list[str], refusals: list[str], depth: int = NESTED_ARCHIVES) -> list[Path]:
    """The files of an archive, and of the archives in it. Raises Refused, also for a problem in one of these."""
    scratch.mkdir(parents=True, exist_ok=True)
    notes += unpack(archive, scratch, nested=True)
    files = walk(scratch)
    wanted = [f for f in files if f.name.lower().endswith(WANTED)]
    inner = [f for f in files if is_archive(f)]
    most = SUBMISSION_ARCHIVES if depth == NESTED_ARCHIVES else 1
    if depth and len(inner) > most:
        refusals.append(
            f"{one_line(archive.name)} holds more than {most} archive{'s' * (most > 1)}; hand in only the Python files."
        )
        return wanted
    for file in inner:
        try:
            if not depth:
                raise Refused(f"{one_line(file.name)} is an archive too deep in others; hand in the files themselves.")
            wanted += _unpacked(file, file.with_name(f"{file.name}.unpacked"), notes, refusals, depth - 1)
        except Refused as error:
            refusals.append(one_line(str(error)))
    return wanted


def walk(folder: Path, left_out: LeftOut | None = None) -> list[Path]:
    """Python files, notebooks and archives below a folder, in order; no link is followed, no environment entered.

    left_out: gets the folders in it that are too deep, or cannot be read.
    """
    files: list[Path] = []
    visited = 0
    left_out = left_out or LeftOut(folder)

    def unreadable(error: OSError) -> None:
        left_out.note(os.path.relpath(error.filename or folder, folder), f"cannot be read ({error.strerror})", refused=True)

    for current, folders, names in os.walk(folder, onerror=unreadable):
        clock.look()
        here = Path(current)
        inner = here.relative_to(folder)
        folders[:] = sorted(f for f in folders if not is_junk(Path(f)) and not _is_environment(here / f))
        if len(inner.parts) >= ARCHIVE_DEPTH:
            for name in folders:
                left_out.note(str(inner / name), packed.TOO_DEEP, refused=True)
            folders[:] = []
        visited += len(names) + len(folders)
        if visited > VISITED_FILES:
            raise Refused(f"{one_line(folder.name)} holds more than {VISITED_FILES:,} files; hand in only the exercises.")
        wanted = (here / n for n in sorted(names) if n.lower().endswith((*WANTED, *packed.SUFFIXES, *UNREADABLE)))
        files += [f for f in wanted if not is_junk(Path(f.name))]
    return files


def _is_environment(folder: Path) -> bool:
    try:
        return (folder / "pyvenv.cfg").exists()
    except OSError:  # a folder without permissions, or a path that is too long
        return False
