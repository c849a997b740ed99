"""`torchdojo symptom`: the program at the top of a debugging exercise, run with the learner's file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import warm
from tiny_dojo import DOUBLE, make_dojo, write

from torchdojo.commands import symptom as command
from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Dojo
from torchdojo.learner.symptom import Program, programs_of

ROOT = Path(__file__).resolve().parents[2]
SHOWN = [e for e in Dojo(ROOT).exercises if programs_of(e.stub.read_text(encoding="utf-8"))]
STUB = '''"""Half of it is lost.

Symptom. `torchdojo symptom ex01_halves` runs both programs. The first

    a = [1, 2]
    for number in a:

        print(half(number))

prints

    0
    1

and the second

    half("1")

stops with

    TypeError: unsupported operand type(s) for //: ...

Repair it.
"""


def half(number):
    return number // 2
'''


def run(root: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.chdir(root)
    return command.run(name)


@pytest.mark.parametrize("exercise", SHOWN, ids=lambda e: e.id)
def test_each_symptom_shows_with_the_stub(exercise):
    """From the course's root, by the command that the stub names, in a process whose random numbers nobody has used."""
    programs = programs_of(exercise.stub.read_text(encoding="utf-8"))

    done = warm.python("-m", "torchdojo", "symptom", exercise.stem, cwd=ROOT)

    assert [p.output for p in programs if not p.agrees_with(f"{done.stdout}\n{done.stderr}")] == []
    assert done.returncode == (1 if "Traceback" in done.stderr else 0)


def test_every_repair_shows_a_symptom():
    """And nothing else does."""
    repairs = [e.id for e in Dojo(ROOT).exercises if "\nREPAIRED = False" in e.stub.read_text(encoding="utf-8")]

    assert repairs == [e.id for e in SHOWN] and len(repairs) > 10


def test_the_programs_run_with_the_learners_file(tmp_path, monkeypatch, capsys):
    """Also when they have replaced the docstring with it: then the stub's programs run. An error is Python's own."""
    root = make_dojo(tmp_path)
    stub = root / "exercises/01_toys/ex01_halves.py"
    write(stub, STUB)
    write(stub.with_name("test_ex01_halves.py"), "")
    write(root / "exercises/stubs.json", json.dumps({"01_toys/ex01_halves": STUB}))
    words = [sys.executable, "-m", "torchdojo", "symptom", "halves"]
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, timeout=60)

    assert (done.returncode, done.stdout) == (1, "0\n1\n")
    assert done.stderr.startswith('Traceback (most recent call last):\n  File "<symptom>", line 2, in <module>\n    half("1")\n')
    assert f'File "{stub}", line' in done.stderr and done.stderr.endswith("'str' and 'int'\n")

    write(stub, "def half(number):\n    return float(number) / 2\n")
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "0.5\n1.0\n", "")

    write(stub, "def half(number)\n")
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "SyntaxError: expected ':'" in done.stderr and "importlib" not in done.stderr

    with pytest.raises(UsageError, match="shows no symptom"):
        run(root, DOUBLE.partition("/")[2], monkeypatch)


def test_the_programs_in_a_stub():
    """They come in pairs with what they print. A text without "Symptom." has none, whatever is indented."""
    first, second = programs_of(STUB)

    assert first.code == "a = [1, 2]\nfor number in a:\n\n    print(half(number))" and first.output == "0\n1"
    assert (second.code, second.output) == ('half("1")', "TypeError: unsupported operand type(s) for //: ...")
    assert programs_of(STUB.replace("Symptom.", "It is so.")) == programs_of("def f(:\n") == []


@pytest.mark.parametrize(
    ("output", "printed", "agrees"),
    [
        ("1\n2", "1\n2\n", True),
        ("1\n2", "1\n3\n", False),
        ("ValueError: a long\nline ...", "Traceback ...\nValueError: a long line indeed\n", True),
        ("ValueError: a long\nline ...", "Traceback ...\nValueError: a short line\n", False),
        ("1", "", False),
    ],
)
def test_a_false_symptom_is_noticed(output, printed, agrees):
    assert Program("", output).agrees_with(printed) is agrees
