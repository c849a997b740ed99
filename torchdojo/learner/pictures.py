"""Pictures made with a learner's code after the tests of its exercise: `artifacts/ex06_fit_sin.png`.

`exercises/<chapter>/picture_<exercise>.py` has one function, draw(solution), which returns a matplotlib Figure or the text of
an SVG. If a picture can't be drawn (a function is missing, an error, an endless loop), one line says why; it never fails a test.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torchdojo.common.plain_text import clean, shortened
from torchdojo.limits import PICTURE_SECONDS

FOLDER = "artifacts"
LONGEST = 100  # letters of an error's text


@dataclass(frozen=True)
class Drawn:
    """What became of the picture of an exercise. problem: why there is none."""

    stem: str
    file: Path | None = None
    problem: str = ""

    def __str__(self) -> str:
        return f"Picture: {FOLDER}/{self.file.name}" if self.file else f"No picture of {self.stem}: {self.problem}."


def script_of(stub: Path) -> Path:
    """Where the picture of an exercise is written down, if it has one."""
    return stub.with_name(f"picture_{stub.stem}.py")


def draw_after(items: list[Any], root: Path) -> list[Drawn]:
    """Draw for each exercise of which a test has passed."""
    from torchdojo.learner.collect import ExerciseModule  # imports PyTorch

    modules = dict.fromkeys(item.parent for item in items if isinstance(item.parent, ExerciseModule))
    pictures = []
    for module in modules:
        stub = module.exercise_file()
        if module.worth_a_picture and script_of(stub).exists():
            with module.scene.on():
                pictures.append(drawn(stub, root))
    return pictures


def drawn(stub: Path, root: Path, seconds: int = PICTURE_SECONDS) -> Drawn:
    """Draw the picture of an exercise with its imported code. What that code prints, or warns of, is not shown."""
    if importlib.util.find_spec("matplotlib") is None:
        return Drawn(stub.stem, problem="matplotlib is not installed")
    from torchdojo.learner.import_limit import TooSlow, time_limit
    from torchdojo.learner.settings import Settings  # imports PyTorch
    from torchdojo.worker.serve import import_file

    before = Settings()
    try:
        import matplotlib.figure  # noqa: F401  (not in the learner's time)

        with time_limit(seconds, stub.name), open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                picture = import_file(script_of(stub).stem, str(script_of(stub))).draw(sys.modules[stub.stem])
            return Drawn(stub.stem, saved(picture, root / FOLDER, stub.stem))
    except KeyboardInterrupt:
        raise
    except TooSlow:
        return Drawn(stub.stem, problem=f"drawing it with your code takes more than {seconds} seconds")
    except (Exception, SystemExit) as error:  # the learner's code at an early stage
        return Drawn(stub.stem, problem=why(error))
    finally:
        before.put_back()


def why(error: BaseException) -> str:
    """Why a picture could not be drawn: what is not written yet, or the error of the code that was drawn with."""
    text = shortened(" ".join(clean(str(error)).split()).strip(". "), LONGEST)
    task = text.partition(": ")[2]  # of a stub: "07_training/ex06_fit_sin: write fit_sin()"
    if isinstance(error, NotImplementedError) and task.startswith("write "):
        return f"{task} first"
    return f"drawing it with your code raises {type(error).__name__}" + f" ({text})" * bool(text)


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
