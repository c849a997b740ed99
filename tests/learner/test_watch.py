"""`torchdojo watch` in a pseudo-terminal: what its user sees, whatever happens to the file, and the terminal afterwards."""

import json
import os
import queue
import re
import signal
import subprocess
import sys
import time

import pytest
from tiny_dojo import DOUBLE, RIGHT, STUBS, TOTAL, make_dojo, write

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are POSIX's", allow_module_level=True)
pytest.importorskip("pyte", reason="watching a screen needs pyte: pip install 'torchdojo[dev]'")
import warm
from terminal import Terminal

from torchdojo.commands.watch import say_goodbye
from torchdojo.course import stubs
from torchdojo.course.exercise import Dojo
from torchdojo.learner import helper_process, keyboard, plain_view
from torchdojo.learner.saves import Saves
from torchdojo.learner.watch_model import WatchModel

pytestmark = pytest.mark.timeout(180)  # other processes are started, perhaps on a busy machine

WATCH = ["-m", "torchdojo", "watch"]
FRESH = [sys.executable, *WATCH]  # in a process that Python has just started, and so are those that it starts
WRONG = "def double(x):\n    print('seen \\x1b[2J this')\n    return x * 3\n"
LESSON = "# Toys\n\nThe start.\n\n## Adding\n\nAdd them up.\n\n![A sum.](pictures/sum.svg)\n\nExercise: `ex02_total`.\n\n## More\n\n" + "The end.\n\n" * 30


@pytest.fixture
def repo(tmp_path):
    """A learner's copy of the toy dojo, without hidden checks."""
    root = make_dojo(tmp_path / "dojo")
    write(root / stubs.FILE, stubs.collected(Dojo(root)))
    write(root / "exercises/01_toys/README.md", LESSON)
    for grader in (root / "graders").glob("*/*.py"):
        grader.unlink()
    return root


@pytest.fixture
def start(repo):
    """Starts the command in a terminal that is closed afterwards."""
    opened = []

    def begin(*words, command=WATCH, **options):
        opened.append(Terminal([*command, *words], cwd=repo, **options))
        return opened[-1]

    yield begin
    for terminal in opened:
        terminal.close()


def double(repo, text):
    write(repo / "exercises" / f"{DOUBLE}.py", text)


def with_a_star(repo):
    """Graders again; plain numbers are for the star of ex01."""
    grader = make_dojo(repo) / "graders/01_toys/grade_ex01_double.py"
    grader.write_text(grader.read_text().replace("points=1, seconds", "points=1, star=True, seconds"))


@pytest.mark.slow
def test_from_the_first_save_to_the_summary(repo, start):
    """In 60 columns and without color; with hidden checks; a finished exercise stays open until Enter, and the last one ends it."""
    with_a_star(repo)
    terminal = start(command=FRESH, columns=60, environment={"NO_COLOR": "1"})
    shown = terminal.wait_for("\nto do\n").splitlines()
    assert shown[:6] == [
        *("01_toys/ex01_double                              0 of 2 done", "twice as much", "exercises/01_toys/ex01_double.py"),
        *("─" * 60, "to do", ""),
    ]
    assert shown[-1] == "h hint n next p back l list c checks o lesson ? keys q quit"
    terminal.type("\r")
    terminal.wait_for("This exercise is not done yet; n opens the next one.")
    terminal.type("s")
    terminal.wait_for("The solution is shown once the exercise is done; h shows a")
    double(repo, WRONG)
    shown = terminal.wait_for("seen").splitlines()
    assert shown[4:19] == [
        "not yet: 1 of 2 tests pass",
        "  not yet  Each element is doubled.",
        *("  pass     Zero stays zero.", "", "claim        Each element is doubled."),
        "tried        x = torch.tensor([1.0, 3.0])",
        "             got = double(x)",
        "             assert_same(got, torch.tensor([2.0, 6.0]))",
        "got          torch.tensor([3., 9.])",
        "wanted       torch.tensor([2., 6.])",
        "went wrong   2 of 2 elements differ, the worst at [1]: got",
        "             9, wanted 6",
        "try again    pytest exercises/01_toys -k ex01_double",
        *("--- Captured stdout call ---", "seen  this"),
    ]
    double(repo, "def double(x):\n    return x * 2.0\n")
    shown = terminal.wait_for("for the star: A plain number is doubled too.").splitlines()
    assert shown[4:8] == [
        *("done", "hidden checks: 1 of 2 pass, 2 of 3 points; 1 left for the", "star"),
        "s shows our solution beside yours; w asks what would break",
    ]
    double(repo, "def double(x):\n    return x\n")
    terminal.wait_for("\nnot yet: 1 of 2 tests pass\n")
    double(repo, RIGHT[DOUBLE])
    shown = terminal.wait_for("\ndone, star\n").splitlines()
    assert shown[0] == "01_toys/ex01_double                              1 of 2 done"
    terminal.type("s")
    assert "2     return x * 2" in terminal.wait_for("\nours: ex01_double.py\n")
    terminal.type("q\r")
    shown = terminal.wait_for("to do\n").splitlines()
    assert shown[0] == "01_toys/ex02_total                               1 of 2 done"
    write(repo / "exercises" / f"{TOTAL}.py", RIGHT[TOTAL])
    terminal.wait_for("Enter quits: all")
    terminal.type("\r")
    assert terminal.wait() == 0
    after = terminal.raw.rpartition(b"\x1b[?1049l")[2].decode().split()
    assert " ".join(after).startswith("That was the last exercise: all are done. Done this time: 2 (2 stars). done started to do 01_toys")
    assert terminal.restored() == (True, True, True)
    assert not re.search(rb"\x1b\[[0-9;]*(3[0-7]|9[0-7]|4[0-7])[;m]", terminal.raw)  # no colour anywhere


@pytest.mark.slow
def test_a_finished_exercise_is_asked_about(repo, start):
    """w runs `torchdojo break` on the plain terminal; then the screen is as before. Until it is done, w says so."""
    terminal = start()
    terminal.wait_for("\nto do\n")
    terminal.type("w")
    terminal.wait_for("w asks about solutions that are done.")
    double(repo, RIGHT[DOUBLE])
    terminal.wait_for("\ndone\n")
    terminal.type("w")
    shown = terminal.wait_for("Your answer", 90)
    assert "Suppose that line 2 of ex01_double.py changes" in shown and "  -     return x * 2" in shown
    terminal.type("1\r")
    terminal.wait_for("Enter goes back.")
    terminal.type("\r")
    assert terminal.wait_for("q quit").splitlines()[4] == "done"
    terminal.type("q")
    assert terminal.wait() == 0 and terminal.restored() == (True, True, True)


@pytest.mark.slow
def test_no_file_hangs_or_breaks_the_screen(repo, start):
    """One after the other in one session: each is explained, and the next save is tested as if nothing had happened."""
    terminal = start()
    terminal.wait_for("\nto do\n")
    file = repo / "exercises" / f"{DOUBLE}.py"

    def judged(text, wanted):
        double(repo, text)
        terminal.wait_for(wanted)

    judged("def double(x)\n    return x\n", "SyntaxError: expected ':'")
    judged("def double(x):\n    import os\n    os.abort()\n", "your code crashed the process (abort)")
    judged("import ctypes\n\ndef double(x):\n    ctypes.string_at(0)\n", "your code crashed the process (segmentation fault)")
    judged("import os, time\n\ndef double(x):\n    os.kill(os.getppid(), 9)\n    time.sleep(50)\n", "was killed, perhaps for its")
    judged("import ctypes\nctypes.CDLL(None)._exit(0)\n", "your code ended the process that ran it (exit code 0)")
    judged("import os\nos._exit(0)\n", "cannot be imported. SystemExit: 0")
    judged("def double(x):\n    while True:\n        x = x + 1\n", "stopped after 3 seconds: it may loop forever")
    judged("def double(x):\n    import time\n    time.sleep(2000)\n", "(running tests ...)")  # not waited for: the next save ends it
    judged("", "defines no double")
    file.write_bytes(b"\xff\xfe\x00")
    terminal.wait_for("not plain UTF-8 text")
    file.unlink()
    file.mkdir()
    terminal.wait_for("IsADirectoryError")
    file.rmdir()
    judged("import os\n\ndef double(x):\n    os.closerange(0, 1000)\n", "your code ended the process that ran it")
    judged("def double(x):\n    breakpoint()\n", "breakpoint() needs a terminal")
    judged("import subprocess\nsubprocess.Popen(['sleep', '987'])\n\ndef double(x):\n    return x * 6\n", "got 18, wanted 6")
    file.unlink()
    terminal.wait_for("ex01_double.py is not there")
    judged("def double(x):\n    print('\\x1b]0;title\\x07\\x1b[?1049l', 'plain')\n    return x\n", "plain")
    other = write(file.with_name("new.tmp"), "def double(x):\n    return x * 4\n")
    other.replace(file)  # as editors do that write by renaming
    terminal.wait_for("got 12, wanted 6")
    with file.open("w") as half:  # half a file, for a moment
        half.write("def double(x):\n    return (x")
        half.flush()
        time.sleep(0.05)
        half.write(" * 5)\n")
    terminal.wait_for("got 15, wanted 6")
    terminal.resize(50, 12)
    shown = terminal.wait_for("more lines, space shows them").splitlines()
    assert len(shown) == 12 and max(map(len, shown)) <= 50
    terminal.type(" G")
    terminal.wait_for("try again")
    terminal.type("q")
    assert terminal.wait() == 0
    assert "sleep 987" not in subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
    assert terminal.raw.count(b"\x1b[?1049l") == 1 and b"\x1b]0;title" not in terminal.raw
    assert terminal.restored() == (True, True, True)


@pytest.mark.slow
def test_keys_lead_through_the_exercises(repo, start):
    """List, lesson, hints, next, back, hidden checks; a finished exercise that you return to stays open."""
    write(repo / "exercises" / "hints.json", '{"01_toys/ex02_total": ["Look at sum.", "It is a method."]}')
    double(repo, RIGHT[DOUBLE])
    terminal = start("01_toys")
    terminal.wait_for("ex01_double is done.")  # found out by itself
    terminal.wait_for("ex02_total.py\n")
    terminal.type("o")
    lesson = terminal.wait_for("Add them up.")
    assert lesson.splitlines()[4].strip() == "Adding" and "(Picture: A sum.)" in lesson  # the section of this exercise
    terminal.type("\x1b[A")
    terminal.wait_for("q back")
    terminal.type("q")
    terminal.wait_for("\nto do\n")
    terminal.type("h")
    terminal.wait_for("hint 1\nLook at sum.")
    terminal.type("h")
    terminal.wait_for("hint 2\nIt is a method.")
    terminal.type("h")
    terminal.wait_for("That was the last hint.")
    terminal.type("n")
    terminal.wait_for("This is the last exercise.")
    terminal.type("c")
    terminal.wait_for("This copy has no hidden checks.")
    terminal.type("\x1b[D")
    terminal.wait_for("\ndone\n")
    terminal.type("p")
    terminal.wait_for("This is the first exercise.")
    terminal.type("l")
    terminal.wait_for("> ex01_double                  done\n  ex02_total                   to do")
    terminal.type("\x1b[B\r")
    terminal.wait_for("ex02_total.py\n")
    os.kill(terminal.process.pid, signal.SIGTSTP)  # without a shell that could bring it back, it goes on at once
    while terminal.raw.count(b"\x1b[?1049h") < 2:
        terminal.read(0.1)
    terminal.type("p")
    terminal.wait_for("\ndone\n")
    terminal.type("q")
    assert (terminal.wait(), terminal.restored()) == (0, (True, True, True))


@pytest.mark.slow
def test_the_verdict_stands_above_the_lesson(repo, start):
    """If you save while the lesson is open, the verdict appears there, and the lesson stays open."""
    terminal = start()
    terminal.wait_for("\nto do\n")
    terminal.type("o")
    assert terminal.wait_for("The start.").splitlines()[2] == "to do"
    double(repo, WRONG)
    shown = terminal.wait_for("not yet: 1 of 2 tests pass").splitlines()
    assert shown[2] == "not yet: 1 of 2 tests pass" and "The start." in "\n".join(shown)
    double(repo, RIGHT[DOUBLE])
    assert "The start." in terminal.wait_for("\ndone\n")
    terminal.type("q?")
    terminal.wait_for("Enter            next exercise, once this one is done")


def test_what_became_of_the_picture_is_that_of_the_last_save(repo):
    """It comes after the verdict; that of an older save is not shown."""
    model, told = WatchModel(Dojo(repo), Dojo(repo).exercises, queue.SimpleQueue()), []
    model.tell, model.ticket = told.append, 2
    model.hear("visible", {"ticket": 1, "picture": "Picture: artifacts/old.svg"})
    assert (model.picture, told) == ("", [])
    model.hear("visible", {"ticket": 2, "picture": "No picture of ex01_double: oh."})
    assert (model.picture, told) == ("No picture of ex01_double: oh.", ["picture"])


@pytest.mark.slow
def test_reset_asks_first(repo, start):
    """Any key except y leaves the file alone; y restores the stub and keeps the work next to it."""
    terminal = start()
    terminal.wait_for("\nto do\n")
    terminal.type("r")
    terminal.wait_for("The file is already the original stub.")
    double(repo, WRONG)
    terminal.wait_for("not yet: 1 of 2 tests pass")
    terminal.type("r")
    terminal.wait_for("Restore the stub of ex01_double? Your version is kept next to it.")
    terminal.type("q")
    terminal.wait_for("Nothing was changed.")
    assert (repo / "exercises" / f"{DOUBLE}.py").read_text() == WRONG
    terminal.type("ry")
    terminal.wait_for("\nto do\n")
    assert (repo / "exercises" / f"{DOUBLE}.py").read_text() == STUBS[DOUBLE]
    assert (repo / "exercises/01_toys/ex01_double.mine-1.py").read_text() == WRONG


@pytest.mark.slow
def test_the_editor_gets_the_terminal(repo, start, tmp_path):
    """And every key; what it saves is tested when it ends. $VISUAL comes before $EDITOR."""
    script = "import sys\nname = input('name: ')\nopen(sys.argv[-1], 'w').write(f'def double({name}):\\n    return {name} * 2\\n')\n"
    program = write(tmp_path / "an editor.py", script)
    terminal = start(environment={"VISUAL": f"{sys.executable} '{program}' --wait", "EDITOR": "no-such-editor"})
    terminal.wait_for("\nto do\n")
    terminal.type("e")
    terminal.wait_for("name:")
    terminal.type("q\r")
    terminal.wait_for("\ndone\n")
    assert (repo / "exercises" / f"{DOUBLE}.py").read_text() == "def double(q):\n    return q * 2\n"
    terminal.type("q")
    assert (terminal.wait(), terminal.restored()) == (0, (True, True, True))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("editor", "said"),
    [
        ("", "Name your editor first, as in: export EDITOR=nano"),
        ("no-such-editor -w", "no-such-editor cannot be started: No such file or directory."),
        ("'", "Name your editor first"),
        ("false", "false ended with exit code 1."),
    ],
)
def test_an_editor_that_does_not_work_is_reported(repo, start, editor, said):
    """And the screen continues: keys work, and after an editor that failed a save is tested."""
    terminal = start(environment={"VISUAL": "", "EDITOR": editor})
    terminal.wait_for("\nto do\n")
    terminal.type("e")
    terminal.wait_for(said)
    terminal.type("?")
    terminal.wait_for("Enter            next exercise, once this one is done")
    if editor == "false":
        terminal.type("q")
        double(repo, RIGHT[DOUBLE])
        terminal.wait_for("\ndone\n")


@pytest.mark.slow
def test_the_fast_track_alone(repo, start):
    """Only exercises marked for it; if there are none, a line says so."""
    done = warm.python(*WATCH, "--fast-track", "01", cwd=repo)
    assert (done.returncode, done.stderr) == (2, "torchdojo: 01 has no exercise on the fast track; leave out --fast-track\n")
    stub = STUBS[TOTAL].replace("one number.", "one number.\n\nDifficulty 1 of 5, about 5 minutes. Fast track.\n")
    write(repo / "exercises" / f"{TOTAL}.py", stub)
    terminal = start("--fast-track")
    assert terminal.wait_for("0 of 1 done").startswith("01_toys/ex02_total")


@pytest.mark.slow
def test_a_hint_is_in_sight_below_a_long_message(repo, start):
    """The complete hint, even if the verdict fills the screen; if it is longer than the screen, from its start."""
    long = "Look here: " + "and there " * 60
    write(repo / "exercises" / "hints.json", json.dumps({DOUBLE: ["One thing first.", long, "The end."]}))
    double(repo, "def double(x):\n    print('line\\n' * 30)\n    return x * 3\n")
    terminal = start(lines=16)
    terminal.wait_for("more lines, space shows them")
    for hint in ("hint 1\nOne thing first.\n──", "hint 2\nLook here: and there", "hint 3\nThe end.\n──"):
        terminal.type("h")
        terminal.wait_for(hint)
    terminal.type("h")
    assert terminal.wait_for("That was the last hint.").splitlines()[4] == "That was the last hint."
    double(repo, WRONG)
    terminal.wait_for("\nnot yet: 1 of 2 tests pass\n  not yet")  # the next verdict, from its start


@pytest.mark.slow
def test_the_list_knows_no_verdict_of_a_file_that_was_changed_elsewhere(repo, start):
    """It is neither to do nor done until it is tested."""
    terminal = start()
    terminal.wait_for("\nto do\n")
    write(repo / "exercises" / f"{TOTAL}.py", RIGHT[TOTAL])
    terminal.type("l")
    terminal.wait_for("> ex01_double                  to do\n  ex02_total                   changed, open it")
    terminal.type("\x1b[B\r")
    terminal.wait_for("\ndone\n")
    terminal.type("l")
    terminal.wait_for("  ex01_double                  to do\n> ex02_total                   done")
    terminal.type("q")
    terminal.wait_for("\ndone\n")
    (repo / stubs.FILE).unlink()  # without a copy of the stubs nobody can say what was changed
    double(repo, "x = 1\n")
    terminal.type("l")
    terminal.wait_for("  ex01_double                  to do\n> ex02_total                   done")


def test_the_end_says_what_was_not_tested(repo, capsys):
    """In the counts a changed file without a verdict is to do, which nobody has observed."""
    dojo = Dojo(repo)
    say_goodbye(WatchModel(dojo, dojo.exercises, queue.SimpleQueue()), dojo)
    assert "not tested" not in capsys.readouterr().out
    write(repo / "exercises" / f"{TOTAL}.py", RIGHT[TOTAL])
    say_goodbye(WatchModel(dojo, dojo.exercises, queue.SimpleQueue()), dojo)
    assert capsys.readouterr().out.endswith(f"\nChanged and not tested yet: {TOTAL}. To test: torchdojo progress\n")


def end_by_typing(terminal):
    terminal.type("\x03")


def end_by(number):
    return lambda terminal: terminal.process.send_signal(number)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ending", "code"),
    [(end_by_typing, 130), (end_by(signal.SIGTERM), 143), (end_by(signal.SIGHUP), 129)],
    ids=["ctrl-c", "sigterm", "sighup"],
)
def test_a_signal_ends_it_cleanly(repo, start, ending, code):
    """The terminal is restored, even while a loop is running, and no process is left."""
    double(repo, "def double(x):\n    import time\n    time.sleep(4321)\n")
    terminal = start(command=FRESH)
    terminal.wait_for("looking at the file")
    children = descendants(terminal.process.pid)
    ending(terminal)
    assert terminal.wait() == code
    assert terminal.restored() == (True, True, True)
    assert "Traceback" not in terminal.text()
    end = time.monotonic() + 10
    while any(map(alive, children)) and time.monotonic() < end:
        time.sleep(0.05)
    assert children and not any(map(alive, children))


@pytest.mark.slow
def test_a_fault_of_ours_restores_the_terminal_too(repo, start):
    """One line then, and exit code 3."""
    code = "import torchdojo.learner.watch_model as c; c.WatchModel.hint = lambda self: 1 / 0; from torchdojo.cli import main; main()"
    terminal = start(command=["-c", code, "watch"])
    terminal.wait_for("\nto do\n")
    terminal.type("h")
    assert terminal.wait() == 3
    assert b"an internal error: ZeroDivisionError" in terminal.raw.rpartition(b"\x1b[?1049l")[2]
    assert terminal.restored() == (True, True, True)


def descendants(pid):
    done = subprocess.run(["ps", "-eo", "pid,ppid"], capture_output=True, text=True, check=True)
    parents = {int(p): int(q) for p, q in (line.split() for line in done.stdout.splitlines()[1:])}
    found = [pid]
    for candidate in found:
        found += [p for p, q in parents.items() if q == candidate]
    return found[1:]


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


# ------------------------------------------------------------------ plain lines
def talk(repo, *words, environment=None):
    return subprocess.Popen(
        [*FRESH, *words], cwd=repo, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"} | (environment or {}),
    )  # fmt: skip


def until(process, wanted):
    """The lines up to one that holds a text."""
    found = []
    while not any(wanted in line for line in found):
        line = process.stdout.readline()
        assert line, found
        found.append(line.rstrip("\n"))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("environment", [{}, {"TORCHDOJO_NO_FORK": "1"}], ids=["fork", "no fork"])
def test_plain_lines_say_the_same(repo, environment):
    """For screen readers and pipes, here as on systems that can't fork: letters and Enter instead of keys."""
    process = talk(repo, "--plain", environment=environment)
    try:
        assert until(process, "to do") == [
            plain_view.HELP,
            *("", f"{DOUBLE}: twice as much. 0 of 2 done.", f"File: exercises/{DOUBLE}.py", "ex01_double: to do"),
        ]
        double(repo, WRONG)
        assert until(process, "wanted 6")[-3:] == [
            *("got          torch.tensor([3., 9.])", "wanted       torch.tensor([2., 6.])"),
            "went wrong   2 of 2 elements differ, the worst at [1]: got 9, wanted 6",
        ]
        if environment:  # with forks this is seen above
            double(repo, "def double(x):\n    import os\n    os.abort()\n")
            until(process, "your code crashed the process (abort)")
            double(repo, "def double(x):\n    import time\n    time.sleep(2000)\n")
            time.sleep(0.3)
        double(repo, RIGHT[DOUBLE])
        assert until(process, "Enter goes on")[-2:] == ["ex01_double: done", "w asks what would break it; Enter goes on to the next exercise."]
        process.stdin.write("s\n\n")
        process.stdin.flush()
        assert until(process, "File:") == [
            *("This copy holds no solutions.", "", f"{TOTAL}: everything in one number. 1 of 2 done."),
            f"File: exercises/{TOTAL}.py",
        ]
        until(process, "to do")
        process.stdin.write("o\nl\nq\n")
        process.stdin.flush()
        rest = process.communicate(timeout=60)[0].splitlines()
        assert [line for line in rest if "Adding" in line or "(open)" in line] == ["## Adding", f"{TOTAL}: to do (open)"]
        assert "Done this time: 1." in rest and process.returncode == 0
    finally:
        process.kill()
        process.communicate()


@pytest.mark.slow
def test_a_poor_terminal_is_good_enough(repo, start):
    """Ten columns, then one; no encoding but ASCII, and a file that isn't ASCII."""
    terminal = start(command=FRESH, columns=10, lines=4, environment={"PYTHONIOENCODING": "ascii", "LC_ALL": "C"})
    terminal.wait_for("0 of 2")
    terminal.resize(1, 1)
    double(repo, "def double(x):\n    print('ü →')\n    return x * 9\n")
    time.sleep(1)
    terminal.resize(80, 24)
    terminal.wait_for("got 27, wanted 6")
    terminal.type("q")
    assert terminal.wait() == 0


@pytest.mark.slow
def test_without_a_terminal_lines_are_printed(repo):
    """No escape sequence reaches a pipe; the end of standard input doesn't end it; when all is done it ends at once."""
    double(repo, RIGHT[DOUBLE])
    write(repo / "exercises" / f"{TOTAL}.py", RIGHT[TOTAL])
    done = warm.python(*WATCH, cwd=repo, children=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout and "That was the last exercise: all are done." in done.stdout


# ------------------------------------------------------------------ parts
def test_a_helper_that_cannot_start_is_reported(tmp_path):
    """And it isn't restarted again and again."""
    events = queue.SimpleQueue()
    process = helper_process.Helper("visible", "no_such_module_at_all", tmp_path, events)
    try:
        answer = process.wait(process.ask(test="x", seconds=1.0))
        assert answer["fault"] == "the process that runs the tests did not start; `torchdojo doctor` says what is wrong"
    finally:
        process.close()


def test_keys_are_told_apart():
    """Arrows in both encodings, several keys at once, unknown keys."""
    assert list(keyboard.split(b"h\x1b[A\x1bOBq\x1b[5~\x1b[99z\r\xff")) == ["h", "up", "down", "q", "page up", "\x1b[99z", "enter", "�"]


def test_a_save_is_noticed_once(tmp_path):
    """Not early, not twice; invalid Python gets a moment, and so does a missing file."""
    file = write(tmp_path / "f.py", "x = 1\n")
    saves = Saves(file)
    assert not saves.look()
    file.write_text("x = 22\n")
    assert saves.look() and not saves.look()
    file.write_text("x = (\n")
    assert not saves.look()
    file.write_text("x = (3)\n")
    assert saves.look() and not saves.look()
    file.unlink()
    assert not saves.look()
    file.write_text("x = 4444\n")
    assert saves.look()


def test_the_stub_is_still_a_stub():
    """The toy's first exercise is unwritten at the start, so 'to do' above is no coincidence."""
    assert "raise NotImplementedError" in STUBS[DOUBLE]
