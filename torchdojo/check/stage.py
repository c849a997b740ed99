"""Lay out the files for a worker: the code that is checked, the files that it imports, the adapter, and a file with the exercise's
name that leads to them."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from torchdojo.check.source import TAKEN, Target, needed_files
from torchdojo.common import temporary
from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Exercise
from torchdojo.submission.budget import reading
from torchdojo.submission.folder import Submission

HELPER = Path(__file__).with_name("torchdojo_adapter.py.txt")  # runs in workers only
ADAPTER = "torchdojo_used_adapter"  # the module that an adapter becomes
LEADS = "import sys\nsys.path.insert(0, {folder!r})\nfrom {adapter} import *\n"


@dataclass(frozen=True)
class Files:
    """The code to check and its adapter. files: {file: its place below the folder of imports}."""

    target: Target
    adapter: str
    files: dict[Path, Path]

    def staged(self, exercise: Exercise, further: str = "") -> Submission:
        """A submission of this exercise. further: lines that are added to the adapter."""
        stage = temporary.folder("stage")
        stage.chmod(0o755)
        folder = stage / exercise.chapter
        folder.mkdir()
        for file, place in self.files.items():
            copy = folder / place
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
            copy.chmod(0o644)
        shutil.copyfile(HELPER, folder / HELPER.stem)
        (folder / f"{ADAPTER}.py").write_text(f"{self.adapter}\n{further}\n", encoding="utf-8")
        leads = folder / f"{exercise.stem}.py"
        leads.write_text(LEADS.format(folder=str(folder), adapter=ADAPTER), encoding="utf-8")
        where = folder / self.files[self.target.file]
        return Submission(str(self.target.file), {exercise.id: leads}, stage=stage, located={exercise.id: str(where)})


def files_of(target: Target, adapter: str, folder: Path) -> Files:
    """Find the files that the adapter and the code import. folder: the adapter's.

    Raises UsageError, also for an adapter that doesn't import what is checked.
    """
    top = target.module.partition(".")[0]
    if top in TAKEN:
        raise UsageError(
            f"{target.file.name} is in a file or package called {top!r}, as a module of Python is; copy it under another name"
        )
    with reading(target.file.name):
        scratch = temporary.folder("adapter") / "adapter.py"
        scratch.write_text(adapter, encoding="utf-8")
        files = needed_files([scratch], (*target.folders, folder))
        files.pop(scratch)
        if target.file not in files:
            line = f"from {target.module} import {target.name}"
            raise UsageError(f"the adapter doesn't import what is checked; begin it with: {line}")
        files |= needed_files([target.file], target.folders)
    return Files(target, adapter, files)
