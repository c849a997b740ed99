"""Pictures made with a learner's code after the tests of its exercise: `artifacts/ex06_fit_sin.png`.

`exercises/<chapter>/picture_<exercise>.py` has one function, draw(solution), which returns a matplotlib Figure or the text of
an SVG. A picture that cannot be drawn (no code yet, no matplotlib, an endless loop) is left out; it never fails a test.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchdojo.limits import PICTURE_SECONDS

if TYPE_CHECKING:
    from torchdojo.course.exercise import Exercise

FOLDER = "artifacts"


def script_of(stub: Path) -> Path:
    """Where the picture of an exercise is written down, if it has one."""
    return stub.with_name(f"picture_{stub.stem}.py")


def has_picture(exercise: Exercise) -> bool:
    """Is there something to draw, and something to draw with?"""
    return script_of(exercise.stub).exists() and importlib.util.find_spec("matplotlib") is not None


def draw_after(items: list[Any], root: Path) -> list[Path]:
    """Draw for each exercise of which a test has passed; returns the files."""
    from torchdojo.learner.collect import ExerciseModule

    modules = dict.fromkeys(item.parent for item in items if isinstance(item.parent, ExerciseModule))
    pictures = []
    for module in modules:
        stub = module.exercise_file()
        if module.worth_a_picture and script_of(stub).exists():
            with module.scene.on():
                pictures.append(drawn(stub, root))
    return [file for file in pictures if file is not None]


def drawn(stub: Path, root: Path) -> Path | None:
    """The file of the picture that the imported exercise makes; None when it makes none."""
    solution = sys.modules.get(stub.stem)
    if solution is None or importlib.util.find_spec("matplotlib") is None:
        return None
    from torchdojo.learner.import_limit import TooSlow, time_limit
    from torchdojo.learner.settings import Settings
    from torchdojo.worker.serve import import_file

    before = Settings()
    try:
        with time_limit(PICTURE_SECONDS, stub.name), open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
            picture = import_file(script_of(stub).stem, str(script_of(stub))).draw(solution)
            return saved(picture, root / FOLDER, stub.stem)
    except KeyboardInterrupt:
        raise
    except (Exception, SystemExit, TooSlow):  # the learner's code at an early stage
        return None
    finally:
        before.put_back()


def saved(picture: Any, folder: Path, stem: str) -> Path:
    folder.mkdir(exist_ok=True)
    svg = isinstance(picture, str)
    file = folder / f"{stem}.{'svg' if svg else 'png'}"
    part = folder / f".{stem}.{os.getpid()}.part"
    try:
        if svg:
            part.write_text(picture, encoding="utf-8")
        else:
            picture.savefig(part, format="png", dpi=120, bbox_inches="tight")
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
    return file
