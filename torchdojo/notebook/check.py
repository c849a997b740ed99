"""The check cells of a notebook: run an exercise's visible tests on its cell as it was last run.

The tests run in the notebook's own process, and the messages are the same as with pytest.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import io
import json
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

from torchdojo.common.errors import UsageError
from torchdojo.common.removal import passing_folder
from torchdojo.course import given, stubs
from torchdojo.course.exercise import find_dojo
from torchdojo.course.notebook_cells import defines, exercise_of, mark_of, names_of, names_tested, unmarked
from torchdojo.course.states import STARTED, in_words
from torchdojo.learner.pictures import FOLDER, script_of
from torchdojo.learner.verdicts import Answer
from torchdojo.limits import NOTEBOOK_TEST_SECONDS

HIDDEN = ("In", "Out", "exit", "quit", "get_ipython", "check")
OWN = ("ANSWERS", "REPAIRED")  # say whether an exercise is begun: each cell has its own


def check(exercise_id: str, tests: str, picture: str = "", stub: str = "") -> None:
    """Print the verdict of the visible tests on an exercise's cell. tests, picture: texts of the test file and of the
    one that draws, where there is one; what it draws is shown. stub: the digest of the cell as it was handed out."""
    shell = _shell()
    if shell is None:
        print("check() works only in a notebook; for files use pytest.")
        return
    source, note = latest(shell.user_ns.get("In", []), exercise_id, tests)
    if source is None:
        print(f"{exercise_id}: run the cell of this exercise first.")
        return
    helpers = {k: v for k, v in shell.user_ns.items() if not k.startswith("_") and k not in (*HIDDEN, *OWN)}
    with passing_folder("torchdojo-") as folder:
        verdict = run(folder, exercise_id, source, tests, helpers, picture, is_stub=digest_of(source) == stub)
        print(report(exercise_id, verdict, more="For full marks:" in source) + (f"\n\n{note}" if note else ""))
        if any((folder / FOLDER).glob("*.*")):
            show(folder / FOLDER)
        elif "picture" in verdict:
            print(f"\n{verdict['picture']}")


def _shell() -> Any:
    if "IPython" not in sys.modules:
        return None
    from IPython import get_ipython  # only notebooks have it

    return get_ipython()


def latest(history: list[str], exercise_id: str, tests: str) -> tuple[str | None, str]:
    """(the text that was run last for an exercise, a note on how it was found); None for no text.

    It is the newest cell that is marked for the exercise, or has no mark and defines what the tests import. A cell without
    a mark that could be another exercise's as well counts only where no cell is marked.
    """
    stem = exercise_id.partition("/")[2]
    names = names_tested(tests, stem)
    keys = {key for source in history if exercise_of(source, {}) == exercise_id for key in names_of(source)[1]}
    others = _names_of_others(history, exercise_id)
    missing = f"Its first line is missing. Put it back: {mark_of(exercise_id)}"
    unclear, unsure = None, ""
    for source in reversed(history):
        owner = exercise_of(source, {})
        if owner == exercise_id:
            return unmarked(source), unsure and f"{unsure} The marked cell, which is older, was checked."
        if owner or not (defines(source, names) or keys & names_of(source)[1]):
            continue
        if claimed := sorted(other for other, theirs in others.items() if defines(source, theirs)):
            unclear = unclear or source
            could = " or ".join(name.partition("/")[2] for name in [exercise_id, *claimed])
            unsure = unsure or f"A cell without its first line could be {could}. Mark it: {mark_of(exercise_id)}."
            continue
        what = ", ".join(sorted(names)) or "ANSWERS"
        return unmarked(source), f"The cell that you ran last and that defines {what} was checked. {missing}"
    return (unmarked(unclear), f"{unsure} It was checked, since no other cell is marked.") if unclear else (None, "")


def _names_of_others(history: list[str], exercise_id: str) -> dict[str, set[str]]:
    """{another exercise of the chapter: the names that tell its cell}, from the course's files and the cells that were run."""
    names_by_owner: dict[str, set[str]] = {}
    for source in history:
        owner = exercise_of(source, {})
        if owner and owner != exercise_id:
            names_by_owner.setdefault(owner, names_of(source)[0])
    with contextlib.suppress(UsageError):  # a notebook alone, as in Colab
        for e in find_dojo().exercises:
            if e.chapter == exercise_id.partition("/")[0] and e.id != exercise_id and e.test.is_file():
                names_by_owner[e.id] = names_tested(e.test.read_text(encoding="utf-8"), e.stem)
    return {owner: names for owner, names in names_by_owner.items() if names}


def show(folder: Path) -> None:
    """Show the pictures in a folder under the cell."""
    from IPython.display import SVG, Image, display  # only notebooks have it

    for file in sorted(folder.glob("*.*")):
        display(SVG(filename=str(file)) if file.suffix == ".svg" else Image(filename=str(file)))


def digest_of(stub: str) -> str:
    """Tells whether an exercise's cell is still as it was handed out."""
    return hashlib.sha256(stub.rstrip().encode("utf-8", "surrogatepass")).hexdigest()[:16]


def run(
    folder: Path, exercise_id: str, source: str, tests: str, helpers: dict[str, Any], picture: str = "", *, is_stub: bool = False
) -> Answer:
    """The verdict of the tests on a text; helpers: names of other cells that it may use."""
    from torchdojo.learner import collect  # imports PyTorch
    from torchdojo.learner.visible_tests import WORDS, run_tests

    chapter, _, stem = exercise_id.partition("/")
    place = folder / "exercises" / chapter
    place.mkdir(parents=True)
    (place / f"{stem}.py").write_text(source, encoding="utf-8")
    (folder / stubs.FILE).write_text(json.dumps({exercise_id: source} if is_stub else {}), encoding="utf-8")
    test = place / f"test_{stem}.py"
    test.write_text(tests, encoding="utf-8")
    if Path(given.NAME).is_dir():
        shutil.copytree(given.NAME, place / given.NAME)
    if picture:
        script_of(place / f"{stem}.py").write_text(picture, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    verdicts: list[Answer] = []
    here, path = Path.cwd(), sys.path[:]
    before = set(sys.modules)
    collect.shared_names = helpers
    gc.freeze()  # pytest collects garbage when it ends: it need not walk all of PyTorch and of the notebook
    # elsewhere a time limit would end the kernel
    limit = ["-o", f"timeout={NOTEBOOK_TEST_SECONDS}"] if hasattr(signal, "SIGALRM") else []
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            run_tests(str(folder), str(test), verdicts.append, words=[*WORDS, "-p", "no:threadexception", "--capture=sys", *limit])
    finally:
        gc.unfreeze()
        collect.shared_names = {}
        os.chdir(here)
        sys.path[:] = path
        for name in set(sys.modules) - before:
            if getattr(sys.modules[name], "__file__", None) and str(sys.modules[name].__file__).startswith(str(folder)):
                del sys.modules[name]
    verdict: Answer = {}
    for part in verdicts:  # the picture's comes last
        verdict.update(part)
    return verdict


def report(exercise_id: str, verdict: Answer, *, more: bool = False) -> str:
    """The verdict as a learner reads it under the cell: a line, then the message of each test that does not pass.

    more: the exercise has a list of what full marks ask for. The tests here ask for the task alone.
    """
    status = verdict.get("status", "wrong")
    state = in_words(status)
    if status in STARTED:
        state += f": {verdict.get('passed', 0)} of {verdict.get('total', 0)} tests pass"
    if status == "skipped":
        state += ": something that its tests need is not installed"
    star = ". The star requires what is listed below “For full marks:”; hidden checks test it" if more and status == "done" else ""
    parts = [f"{exercise_id.split('/')[1]}: {state}{star}"]
    if status in STARTED:
        parts += [row["text"] for row in verdict["rows"] if row["status"] not in ("passed", "todo")] + verdict["trouble"]
    return "\n\n".join(parts)
