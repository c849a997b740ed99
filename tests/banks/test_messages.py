"""What learners read, word for word: the messages of known mistakes of every exercise, and of visible tests.

tests/messages/<chapter>.txt holds them. Of each exercise two mistakes: one that is named, and one that is not in the library,
so that it is told by symptoms and the ladder alone. After a change to wording, graders or mistakes:

    python tests/banks/test_messages.py --update [chapter ...]

rewrites the files. Then read every changed text in the diff as a tired beginner would: is it true, does it say what to do
next? Commit only after that.
"""

import argparse
import json
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))  # as a program it has no conftest

import warm
from rotation import part

from torchdojo.worker.reproducible import round_alike

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).resolve().parents[1] / "messages"
CHAPTERS = sorted(p.name for p in (ROOT / "graders").iterdir() if re.fullmatch(r"\d\d_\w+", p.name))
pytestmark = [
    pytest.mark.slow,
    pytest.mark.every_run,
    pytest.mark.timeout(900),
    pytest.mark.skipif(sys.platform != "linux", reason="the texts are those of Linux"),
]


def exercises(chapter: str) -> list:
    from torchdojo.course.exercise import Dojo

    return Dojo(ROOT).select(chapter)


def messages(of: list) -> list[tuple[str, dict[str, str]]]:
    """(text, parts) of each message of these exercises."""
    return [message for exercise in of for message in _of_exercise(exercise)]


def _of_exercise(exercise) -> list[tuple[str, dict[str, str]]]:
    from unittest import mock

    import torch

    from torchdojo.explain import programs, search
    from torchdojo.explain.records import record_of
    from torchdojo.judge.oracle import Oracle
    from torchdojo.judge.record import counted
    from torchdojo.verify.trusted import Trusted

    torch.set_num_threads(1)  # as `grade` does: on a busy machine, two threads wait for each other until the limit for explaining is reached
    oracle = Oracle(0, devices=["cpu"])
    known = [v for v in exercise.variants if v.kind == "mistake"]
    found = []
    for place, blind in ((len(known) // 3, False), (2 * len(known) // 3, True)):
        variant = known[place]
        with mock.patch.object(search, "named" if blind else "_", lambda *_: None, create=not blind):
            session = Trusted(oracle, lambda v=variant: programs.overlaid(exercise, v), variant.name)
            failed = next((c for c in exercise.grading.checks if session.charged(exercise, c).status == "failed"), None)
            if failed is None:
                continue  # it shows on another device only
            record = record_of(session.result(exercise, failed))
        assert not session.faults, session.faults
        head = f"=== {exercise.id}, {variant.name}{' (not in the library)' if blind else ''}"
        found.append((f"{head}\n{record.title}   0 of {counted(record.max_score, 'point')}\n{record.feedback}\n", record.parts))
    return found


def visible(chapter: str) -> str:
    """What pytest prints about each failure of a beginner's visible tests, 80 columns wide."""
    return run_visible(chapter).partition("= FAILURES =")[2].partition("\n")[2].partition("\n==")[0] + "\n"


def run_visible(chapter: str, **variables: str) -> str:
    """All that pytest prints, but for the time in its last line; `variables` are added to the environment."""
    words = [f"exercises/{chapter}", "--submission", "tests/submissions/beginner"]
    words += ["-q", "-p", "no:cacheprovider", "-p", "no:randomly", "--color=no"]
    done = warm.python("-m", "pytest", *words, cwd=ROOT, env=_environment(80) | variables)
    return re.sub(r" in [\d.]+s", "", done.stdout)


PYTEST_READS = ("FORCE_COLOR", "CI", "BUILD_NUMBER")


def _environment(columns: int) -> dict[str, str]:
    import os

    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "COV")) and k not in PYTEST_READS}
    return kept | {"COLUMNS": str(columns), "OMP_NUM_THREADS": "1"}


TURN = {chapter: part(exercises(chapter), kind=chapter) for chapter in CHAPTERS}
WRITTEN = {chapter: FOLDER / f"{chapter}.txt" for chapter in CHAPTERS}
VISIBLE = {chapter: FOLDER / f"visible_{chapter}.txt" for chapter in ("03_autograd", "04_functions")}


@pytest.fixture(scope="module")
def told():
    """The messages of those exercises of a chapter whose turn it is, made once."""
    known = {}

    def of(chapter: str):
        if chapter not in known:
            known[chapter] = messages(TURN[chapter])
        return known[chapter]

    return of


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_messages_are_the_written_ones(chapter, told):
    """Word for word; regenerate with --update, and read the diff."""
    written = re.split(r"\n(?==== )", WRITTEN[chapter].read_text(encoding="utf-8"))
    taken = tuple(f"=== {exercise.id}, " for exercise in TURN[chapter])

    assert "\n".join(text for text, _ in told(chapter)) == "\n".join(text for text in written if text.startswith(taken))


@pytest.mark.parametrize("chapter", VISIBLE)
def test_visible_messages_are_the_written_ones(chapter):
    """Run by pytest itself, in a separate process."""
    assert visible(chapter) == VISIBLE[chapter].read_text(encoding="utf-8")


def test_ci_is_told_the_same_as_a_laptop():
    """If CI or BUILD_NUMBER is set, pytest prints more: whole diffs, and every message again in its summary."""
    assert run_visible("04_functions") == run_visible("04_functions", CI="true", BUILD_NUMBER="7")


def test_there_are_enough_of_them_and_none_is_too_long():
    """At least 150 messages with at most 160 words each, not counting the lines to paste."""
    texts = [t for file in WRITTEN.values() for t in ("\n" + file.read_text(encoding="utf-8")).split("\n=== ")[1:]]
    assert len(texts) >= 150
    long = [t.splitlines()[0] for t in texts if len(t.partition("\ntry it")[0].split("\n", 1)[1].split()) > 160]
    assert long == []


RUN = """
import contextlib, importlib, io, json, sys
sys.path.insert(0, sys.argv[1])
from torchdojo.variants import variants_of  # only to put the mistake over the reference
found, right = [], []

def told(code):
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(code, {"__name__": "__main__"})
        return out.getvalue()
    except BaseException as error:
        return type(error).__name__

for stem, name, code in json.loads(sys.argv[2]):
    module, variants = importlib.import_module(stem), importlib.import_module(stem + "_variants")
    kept = dict(vars(module))
    right.append(told(code))
    for variant in variants_of(variants):
        if variant.name == name:
            variant.put_over(module)
    found.append(told(code))
    vars(module).update(kept)
print(json.dumps([found, right]))
"""


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_snippets_show_what_is_said_without_the_engine(chapter, told):
    """In a plain Python process next to the learner's file, each snippet prints the answer or raises the error, and the reference does
    something else. The file is the reference with the mistake applied."""
    from torchdojo.explain.message import plain

    shown = []
    for text, parts in told(chapter):
        if "snippet" in parts:
            exercise_id, name = re.match(r"=== (\S+), (\w+)", text).groups()
            shown.append((exercise_id.split("/")[1], name, parts["snippet"]))
    done = warm.python("-c", RUN, ROOT / "reference" / chapter, json.dumps(shown), cwd=ROOT, env=_environment(80))
    assert done.returncode == 0, done.stderr
    wanted = [parts.get("prints") for _, parts in told(chapter) if "snippet" in parts]
    found, right = json.loads(done.stdout)
    assert len(found) == len(wanted)
    assert [one for one, mine, expected in zip(shown, found, right, strict=True) if mine == expected] == []
    assert [plain(f) if w else None for f, w in zip(found, wanted, strict=True)] == [plain(w) if w else None for w in wanted]
    if len(TURN[chapter]) == len(exercises(chapter)) and chapter != "07_training":
        assert sum(w is not None for w in wanted) >= max(1, len(wanted) // 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", nargs="*", metavar="chapter", required=True, choices=[*CHAPTERS, []])
    wanted = parser.parse_args().update or CHAPTERS
    round_alike()
    FOLDER.mkdir(exist_ok=True)
    for chapter in wanted:
        WRITTEN[chapter].write_text("\n".join(text for text, _ in messages(exercises(chapter))), encoding="utf-8")
        if chapter in VISIBLE:
            VISIBLE[chapter].write_text(visible(chapter), encoding="utf-8")
        print(chapter, "written")


if __name__ == "__main__":
    main()
