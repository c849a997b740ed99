"""What `torchdojo progress`, `hint`, `reset`, `solution` and `doctor` print, with and without stored data."""

import json
import os
import queue
import subprocess
import sys
from types import SimpleNamespace

import pytest
from tiny_dojo import DOUBLE, RIGHT, STUBS, TOTAL, make_dojo, write

from torchdojo.commands import doctor, hint, progress, reset, solution
from torchdojo.common.errors import UsageError
from torchdojo.common.files import write_whole
from torchdojo.course import hints, stubs
from torchdojo.course.exercise import Dojo
from torchdojo.learner.helper_process import Helper
from torchdojo.learner.memory import Memory
from torchdojo.learner.standing import Looker

pytestmark = [pytest.mark.timeout(300), pytest.mark.usefixtures("forked")]  # other processes are started, perhaps on a busy machine
PYTHON = sys.executable  # itself, for what is asked of a process that has just been started

HINTS = '"""Hints."""\n\nHINTS = (\n    "Look at the plus.",\n    "Twice is x and "\n    "x.",\n)\n'
ALMOST = "def double(x):\n    return x * 2.0\n"  # the visible tests pass; the hidden check on plain numbers does not


@pytest.fixture
def repo(tmp_path, monkeypatch):
    """A learner's copy of the toy dojo, and the current folder in it."""
    root = make_dojo(tmp_path / "dojo")
    write(root / stubs.FILE, stubs.collected(Dojo(root)))
    write(root / "reference" / f"{DOUBLE}_variants.py", HINTS)
    monkeypatch.chdir(root)
    return root


@pytest.fixture(scope="module")
def processes(tmp_path_factory):
    """Two helper processes that tests share, because each takes seconds to start. Every request names its repository."""
    events, folder = queue.SimpleQueue(), tmp_path_factory.mktemp("helpers")
    found = [Helper(kind, f"torchdojo.learner.{kind}_process", folder, events) for kind in ("visible", "hidden")]
    yield found
    for process in found:
        process.close()


@pytest.fixture
def warm(processes, monkeypatch):
    """`progress` and `solution` ask the shared processes. How they start and end their own is tested without this fixture."""

    class Shared(Looker):
        def __init__(self, dojo, memory):
            self.dojo, self.memory = dojo, memory
            self.visible, self.hidden = processes
            self.visible.root = self.hidden.root = dojo.root

        def close(self):
            pass

    monkeypatch.setattr(progress, "Looker", Shared)
    monkeypatch.setattr(solution, "Looker", Shared)


def said(capsys, run, *words, **options):
    """(exit code, standard output) of a command."""
    capsys.readouterr()
    code = run(*words, **options)
    return code, capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.usefixtures("warm")
def test_a_copy_of_an_exercise_is_no_exercise(repo, capsys):
    """Learners keep older versions next to their file, or put one in the wrong chapter."""
    for copy in ("exercises/01_toys/ex01_double_old.py", "exercises/02_more/ex01_double.py"):
        write(repo / copy, "x = (\n")

    assert json.loads(said(capsys, progress.run, None, as_json=True)[1])["todo"] == 2
    assert said(capsys, hint.run, "ex01_double")[0] == 0


def test_a_path_names_an_exercise_as_a_shell_completes_it(repo, capsys):
    """With a leading ./, as an absolute path, with Windows separators."""
    for path in (f"./exercises/{DOUBLE}.py", str(repo / "exercises" / f"{DOUBLE}.py"), f".\\exercises\\{DOUBLE}.py".replace("/", "\\")):
        assert said(capsys, hint.run, path)[0] == 0


@pytest.mark.parametrize("word", ["1", "1/ex01", "double", "toys", "ex01_double.py"])
def test_a_word_as_people_say_it_names_exercises(repo, word):
    """A chapter's number without its zero, or the name after a number."""
    assert Dojo(repo).select(word)[0].id == DOUBLE


@pytest.mark.parametrize("word", ["2", "doubl", "3/ex01", "1/double"])
def test_what_names_nothing_is_refused(repo, word):
    with pytest.raises(UsageError, match="no chapter or exercise is called"):
        Dojo(repo).select(word)


def test_a_deleted_file_has_hints_still(repo, capsys):
    """`reset` knows it, so the other commands do too."""
    (repo / "exercises" / f"{DOUBLE}.py").unlink()

    assert said(capsys, hint.run, "ex01_double")[0] == 0
    assert said(capsys, solution.run, "ex01_double")[0] == 1


# ------------------------------------------------------------------ hints
def test_hints_come_one_at_a_time_and_are_remembered(repo, capsys):
    """Even after a restart; the last one is shown again; the variants file is never run."""
    file = repo / "reference" / f"{DOUBLE}_variants.py"
    file.write_text("import nothing_of_this_name\n" + file.read_text())
    first = said(capsys, hint.run, "ex01_double")
    second = said(capsys, hint.run, "01_toys/ex01_double")
    third = said(capsys, hint.run, "ex01")
    assert first == (0, "01_toys/ex01_double, hint 1 of 2:\n  Look at the plus.\n")
    assert second == third == (0, "01_toys/ex01_double, hint 2 of 2:\n  Twice is x and x.\n")
    assert said(capsys, hint.run, "ex01", again=True) == (0, first[1] + second[1])
    assert Memory(repo).hints(Dojo(repo).exercises[0]) == 2


def test_hint_refuses_what_names_no_exercise_or_several(repo):
    """One line each."""
    with pytest.raises(UsageError, match="'01_toys' names 2 exercises; name one of them, for example: 01_toys/ex01_double, 01_toys/ex02_total"):
        hint.run("01_toys")
    with pytest.raises(UsageError, match="this repository has no hints for 01_toys/ex02_total"):
        hint.run("ex02")
    with pytest.raises(UsageError, match="you haven't seen a hint for 01_toys/ex01_double yet"):
        hint.run("ex01", again=True)


def test_hints_of_a_release_lie_beside_the_chapters(repo, capsys):
    """Without reference/, hints.json is read."""
    write(repo / hints.FILE, json.dumps({e.id: hints.hints_of(e) for e in Dojo(repo).exercises}))
    (repo / "reference" / f"{DOUBLE}_variants.py").unlink()
    assert said(capsys, hint.run, "ex01") == (0, "01_toys/ex01_double, hint 1 of 2:\n  Look at the plus.\n")


# ------------------------------------------------------------------ reset
@pytest.mark.slow
def test_reset_restores_the_stub_and_keeps_the_work(repo, capsys):
    """Twice, without git; the kept versions are not taken for exercises or tests."""
    file = repo / "exercises" / f"{DOUBLE}.py"
    for number in (1, 2):
        file.write_text(f"mine = {number}\n")
        told = f"exercises/{DOUBLE}.py is the stub again. Your version is kept as ex01_double.mine-{number}.py.\n"
        assert said(capsys, reset.run, "ex01_double") == (0, told)
        assert file.read_text() == STUBS[DOUBLE]
        assert (file.parent / f"ex01_double.mine-{number}.py").read_text() == f"mine = {number}\n"
    assert said(capsys, reset.run, "ex01")[1] == f"exercises/{DOUBLE}.py is already the original stub; nothing was changed.\n"
    assert [e.id for e in Dojo(repo).exercises] == [DOUBLE, TOTAL]
    done = subprocess.run([PYTHON, "-m", "pytest", "--collect-only", "-q", "exercises"], capture_output=True, text=True)
    assert "mine" not in done.stdout and "3 tests collected" in done.stdout


@pytest.mark.slow
@pytest.mark.usefixtures("warm")
def test_reset_brings_a_deleted_file_back(repo, capsys):
    """There is nothing to keep then."""
    (repo / "exercises" / f"{DOUBLE}.py").unlink()
    found = json.loads(said(capsys, progress.run, None, as_json=True)[1])
    assert [e["id"] for c in found["chapters"] for e in c["exercises"]] == [DOUBLE, TOTAL] and found["todo"] == 2
    assert said(capsys, reset.run, "ex01") == (0, f"exercises/{DOUBLE}.py is the stub again.\n")
    assert (repo / "exercises" / f"{DOUBLE}.py").read_text() == STUBS[DOUBLE]


def test_reset_without_a_kept_stub_changes_nothing(repo):
    """If stubs.json is missing or broken."""
    file = write(repo / "exercises" / f"{DOUBLE}.py", "mine = 1\n")
    for text in (None, "{", "[]", "{}"):
        (repo / stubs.FILE).unlink(missing_ok=True)
        if text is not None:
            write(repo / stubs.FILE, text)
        with pytest.raises(UsageError, match=r"exercises/stubs.json has no stub of 01_toys/ex01_double"):
            reset.run("ex01")
    assert file.read_text() == "mine = 1\n" and sorted(p.name for p in file.parent.glob("ex01*")) == ["ex01_double.py"]


# ------------------------------------------------------------------ progress
def states(found):
    return [(e["state"], e["tests_passed"], e["score"], e["max_score"]) for c in found["chapters"] for e in c["exercises"]]


@pytest.mark.slow
def test_progress_is_found_again_without_its_memory(repo, capsys):
    """Done, started and to do are the same from memory and after it was deleted; only the hints shown are lost."""
    write(repo / "exercises" / f"{DOUBLE}.py", ALMOST.replace("2.0", "3"))
    write(repo / "cloudpickle.py", "raise SystemExit")  # what lies in the current folder is nobody's library
    write(repo / "exercises" / f"{TOTAL}.py", RIGHT[TOTAL])
    hint.run("ex01")
    found = json.loads(said(capsys, progress.run, None, as_json=True)[1])
    assert states(found) == [("wrong", 1, 0, 3), ("done", 1, 1, 1)]
    assert {k: v for k, v in found.items() if k != "chapters"} == {
        **{"schema": "torchdojo/progress/v1", "done": 1, "star": 1, "begun": 0, "wrong": 1, "todo": 0, "skipped": 0},
        **{"score": 1, "max_score": 4, "hints": 1, "next": DOUBLE},
    }
    again = json.loads(said(capsys, progress.run, None, as_json=True)[1])
    assert again == found
    Memory(repo).file.unlink()
    afresh = json.loads(said(capsys, progress.run, None, as_json=True)[1])
    assert states(afresh) == states(found) and (afresh["hints"], afresh["next"]) == (0, DOUBLE)


@pytest.mark.slow
def test_odd_names_of_folders_are_no_reason_to_fail(tmp_path, monkeypatch, capsys):
    """Brackets, blanks, letters of other languages, characters that are special for shells or pytest."""
    root = make_dojo(tmp_path / "Ünï [1] 100% a::b 'c'")
    monkeypatch.chdir(root)
    write(root / "exercises" / f"{TOTAL}.py", RIGHT[TOTAL])
    found = json.loads(said(capsys, progress.run, None, as_json=True)[1])
    assert states(found)[1] == ("done", 1, 1, 1)


@pytest.mark.slow
@pytest.mark.usefixtures("warm")
def test_visible_tests_alone_do_not_make_done_where_there_are_graders(repo, capsys):
    """The next step says why; after full marks there is none."""
    write(repo / "exercises" / f"{DOUBLE}.py", ALMOST.replace("x * 2.0", "x.double().mul(2).float()"))
    write(repo / "exercises" / f"{TOTAL}.py", RIGHT[TOTAL])
    _, out = said(capsys, progress.run, None, as_json=False)
    assert out.splitlines()[-3:] == [f"  exercises/{DOUBLE}.py", "  (not yet, the tests pass, hidden checks do not)", "  exercises/01_toys/README.md"]
    assert "points; the solution is shown once it is done" in solution.not_yet(Dojo(repo).exercises[0])
    write(repo / "exercises" / f"{DOUBLE}.py", RIGHT[DOUBLE])
    _, out = said(capsys, progress.run, "01", as_json=False)
    bar = "█" * 10 if "█" in out else "#" * 10
    assert out.splitlines() == [
        "                     done star started to do  points",
        f"01_toys  {bar}     2    2       0     0     4/4",
        f"  ex01_double  {bar}  done, star     3/3",
        f"  ex02_total   {bar}  done, star     1/1",
        *("", "Nothing is left to do."),
    ]
    assert max(map(len, out.splitlines())) <= 60
    _, out = said(capsys, progress.run, TOTAL, as_json=False)
    assert out.splitlines()[-1] == "Nothing is left to do here; see `torchdojo progress`."


def test_untouched_stubs_need_no_look(repo, capsys, monkeypatch):
    """No process is started for them."""
    for grader in (repo / "graders").glob("*/*.py"):
        grader.unlink()
    monkeypatch.setattr("torchdojo.learner.helper_process.Helper.start", lambda self: pytest.fail("a process was started"))
    _, out = said(capsys, progress.run, None, as_json=False)
    assert "·" * 10 in out or "." * 10 in out
    assert out.splitlines()[-2] == "  (to do)" and "points" not in out


@pytest.mark.parametrize("text", ['{"hints": 3}', '{"hi', "[1]", "\x00\x01", '{"visible": {"01_toys/ex01_double": 7}}'])
def test_a_broken_memory_is_put_aside(repo, capsys, text):
    """One line says so; its contents are kept in another file; the command continues."""
    memory = Memory(repo)
    write(memory.file, text)
    assert memory.hints(Dojo(repo).exercises[0]) == 0 and memory.verdict("visible", Dojo(repo).exercises[0]) is None
    memory.remember_hints(Dojo(repo).exercises[0], 1)
    assert Memory(repo).hints(Dojo(repo).exercises[0]) == 1
    told = capsys.readouterr().err
    if "visible" in text:
        assert told == ""
    else:
        assert told == (
            ".torchdojo/memory.json cannot be read; it is now .torchdojo/memory.broken-1.json. "
            "Only the number of hints shown is lost.\n"
        )
        assert (memory.file.parent / "memory.broken-1.json").read_text() == text


def test_memory_that_cannot_be_written_is_no_reason_to_stop(repo, capsys):
    """One line says so."""
    write(repo / ".torchdojo", "a file in the place of the folder")
    assert hint.run("ex01") == 0
    assert "memory.json cannot be written: " in capsys.readouterr().err


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    """The old contents remain if the new text can't be written."""
    folder = tmp_path / "taken"
    folder.mkdir()
    with pytest.raises(OSError):
        write_whole(folder, "text")
    assert list(tmp_path.iterdir()) == [folder]


# ------------------------------------------------------------------ solution
@pytest.mark.slow
@pytest.mark.usefixtures("warm")
def test_the_solution_is_shown_once_it_is_done(repo, capsys, monkeypatch):
    """Before: a sentence and exit code 1. After: both versions with differences marked; without a name, of the last saved file."""
    monkeypatch.setenv("COLUMNS", "100")
    assert solution.run("ex01") == 1
    assert "01_toys/ex01_double is to do; the solution is shown once it is done." in capsys.readouterr().err
    with_a_star(repo)
    write(repo / "exercises" / f"{DOUBLE}.py", ALMOST)
    assert solution.run(None) == 0 and capsys.readouterr().err.startswith(f"{DOUBLE} (the one you saved last)\n")
    write(repo / "exercises" / f"{DOUBLE}.py", "def double(x):\n    y = x\n    return x + y\n")
    code, out = said(capsys, solution.run, "ex01")
    rows = [line.split() for line in out.splitlines()]
    assert (code, rows) == (
        0,
        [
            ["yours:", "ex01_double.py", "ours"],
            ["1", "def", "double(x):", "1", "def", "double(x):"],
            ["2", "y", "=", "x", "|", "2", "return", "x", "*", "2"],
            ["3", "return", "x", "+", "y", "<"],
        ],
    )
    (repo / "reference" / f"{DOUBLE}.py").unlink()
    with pytest.raises(UsageError, match="this repository has no reference solutions or hidden checks"):
        solution.run("ex01")


# ------------------------------------------------------------------ the star
def with_a_star(root):
    """Plain numbers in ex01 are for the star."""
    grader = root / "graders/01_toys/grade_ex01_double.py"
    grader.write_text(grader.read_text().replace("points=1, seconds", "points=1, star=True, seconds"))


@pytest.mark.slow
@pytest.mark.usefixtures("warm")
def test_progress_shows_stars_and_a_bar_for_each_exercise(repo, capsys):
    """Done without the star is done; the rest is listed."""
    with_a_star(repo)
    write(repo / "exercises" / f"{DOUBLE}.py", ALMOST)
    _, out = said(capsys, progress.run, None, as_json=False)
    full, begun, empty = ("█", "▒", "·") if "█" in out else ("#", "=", ".")
    assert out.splitlines()[:4] == [
        "                     done star started to do  points",
        f"01_toys  {full * 5}{empty * 5}     1    0       0     1     2/4",
        f"  ex01_double  {full * 6}{empty * 4}  done           2/3",
        f"  ex02_total   {empty * 10}  to do          0/1",
    ]
    found = json.loads(said(capsys, progress.run, None, as_json=True)[1])
    assert [(e["state"], e["star"]) for e in found["chapters"][0]["exercises"]] == [("done", False), ("todo", False)]
    write(repo / "exercises" / f"{TOTAL}.py", RIGHT[TOTAL])
    assert said(capsys, progress.run, None, as_json=False)[1].endswith("\nNothing is left to do. 1 star can still be won.\n")
    write(repo / "exercises" / f"{TOTAL}.py", "def total(x):\n    return x\n")
    assert f"  ex02_total   {begun}{empty * 9}  not yet        0/1" in said(capsys, progress.run, "01", as_json=False)[1]


@pytest.mark.slow
@pytest.mark.usefixtures("warm")
def test_commands_without_a_name_take_the_exercise_at_hand(repo, capsys):
    """The last saved file, or else the next one; the command says which."""
    assert said(capsys, hint.run, None)[1].startswith(f"{DOUBLE}, hint 1 of 2:")
    assert hint.run(None) == 0 and capsys.readouterr().err.startswith(f"{DOUBLE} (the next one)\n")
    write(repo / "reference" / f"{TOTAL}_variants.py", HINTS)
    write(repo / "exercises" / f"{TOTAL}.py", "mine = 1\n")
    assert hint.run(None) == 0 and capsys.readouterr().err.startswith(f"{TOTAL} (the one you saved last)\n")
    write(repo / "exercises" / f"{DOUBLE}.py", RIGHT[DOUBLE])
    os.utime(repo / "exercises" / f"{TOTAL}.py", (1, 1))
    progress.run(None, as_json=True)  # from now on it is known that ex01 is done, so it needs no hint
    assert said(capsys, hint.run, None)[1].startswith(f"{TOTAL}, hint 2 of 2:")
    assert said(capsys, reset.run, None)[1].startswith(f"exercises/{DOUBLE}.py is the stub again.")
    assert said(capsys, reset.run, None)[1].startswith(f"exercises/{TOTAL}.py is the stub again.")
    assert said(capsys, reset.run, None)[1] == f"exercises/{DOUBLE}.py is already the original stub; nothing was changed.\n"
    for name in ("hint", "reset", "solution"):
        code = f"import sys; sys.argv[1:] = ['{name}']; from torchdojo.cli import main; main()"
        done = subprocess.run([PYTHON, "-c", code], cwd=repo, capture_output=True, text=True)
        assert done.stderr.startswith(f"{DOUBLE} (the next one)\n"), done.stderr


# ------------------------------------------------------------------ doctor
@pytest.mark.slow
def test_the_doctor_finds_this_machine_in_order(repo, capsys):
    """Every part is listed; the exit code is 0."""
    code, out = said(capsys, doctor.run, as_json=True)
    found = {f["what"]: f for f in json.loads(out)["findings"]}
    assert (code, [f for f in found.values() if f["state"] == "problem"]) == (0, [])
    assert list(found)[:8] == ["Python", "exercises", "PyTorch", "CUDA", "MPS", "simulated accelerator", "pytest", "isolation"]
    assert "editor" in found and found["exercises"]["said"].startswith("2, with hidden checks")


@pytest.mark.parametrize(("version", "state"), [("2.9.1", "problem"), ("2.10.0+cpu", "ok"), ("2.11.0a0+git1", "ok"), ("1.13.1", "problem")])
def test_the_doctor_compares_versions_as_numbers(version, state):
    """2.10 is newer than 2.9."""
    answer = {"version": version, "cuda": [], "cuda_build": None, "mps": False, "sim": None}
    assert doctor.torch(answer, "", None).state == state


def test_the_doctor_survives_a_pytorch_that_crashes(repo, capsys, monkeypatch):
    """It says how to fix it; the exit code is 1."""
    write(repo / "broken" / "torch" / "__init__.py", "import os\nos.abort()\n")
    monkeypatch.setenv("PYTHONPATH", str(repo / "broken"))
    monkeypatch.setattr(sys, "executable", PYTHON)
    code, out = said(capsys, doctor.run, as_json=False)
    assert code == 1
    assert "PROBLEM  PyTorch: cannot be imported: " in out and "-m pip install torch" in out and "1 to put right" in out


@pytest.mark.slow
def test_the_doctor_sees_a_file_that_is_taken_for_pytorch(repo, capsys, monkeypatch):
    """Reinstalling PyTorch wouldn't help; also from a subfolder."""
    file = write(repo / "torch.py", "x = 1\n")
    monkeypatch.chdir(repo / "exercises")
    code, out = said(capsys, doctor.run, as_json=False)
    assert code == 1 and f"PROBLEM  PyTorch: Python takes {file} for it\n{'':11}Give that file another name.\n" in out


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ('{\n  // pytest\n  "python.testing.pytestEnabled": true,\n}', {"ok", "note"}),
        ("{}", {"problem"}),
        ("{", {"problem"}),
        (None, {"none"}),
    ],
)
def test_the_doctor_reads_the_editors_settings(repo, text, state):
    """Comments and a trailing comma are allowed, as in VS Code."""
    if text is not None:
        write(repo / ".vscode" / "settings.json", text)
    assert doctor.editor(Dojo(repo)).state in state


def test_the_commands_are_there():
    """As typed, and fast: none imports PyTorch to show its help."""
    for name in ("progress", "hint", "reset", "solution", "doctor"):
        code = "import sys\nfrom torchdojo.cli import cli\ntry:\n    cli()\nfinally:\n    assert 'torch' not in sys.modules"
        done = subprocess.run([PYTHON, "-c", code, name, "--help"], capture_output=True, text=True, env=os.environ)
        assert done.returncode == 0 and name in done.stdout.partition("\n")[0]


def test_a_verdict_is_forgotten_when_a_helper_changes(tmp_path):
    """Modules that an exercise imports from its folder are part of what was graded."""
    from torchdojo.course.exercise import Exercise
    from torchdojo.learner.memory import digest

    exercise = Exercise(make_dojo(tmp_path), DOUBLE)
    write(exercise.stub, "from test_helper import FACTOR\n")
    alone = digest("visible", exercise)
    helper = write(exercise.stub.parent / "test_helper.py", "FACTOR = 2\n")
    found = {kind: digest(kind, exercise) for kind in ("visible", "hidden")}
    write(helper, "FACTOR = 3\n")
    assert alone != found["visible"]
    assert all(digest(kind, exercise) != of for kind, of in found.items())


def test_bonus_points_come_on_top() -> None:
    """A row of several exercises may be above its maximum; the line of a bonus exercise has its own."""
    core, bonus = (SimpleNamespace(exercise=SimpleNamespace(id=f"01_a/{stem}"), score=3, max_score=4) for stem in ("ex01_b", "bonus1_c"))

    assert [progress.points(some) for some in ([core], [bonus], [core, bonus], [bonus, bonus])] == ["3/4", "3/4", "6/4", "6/0"]
