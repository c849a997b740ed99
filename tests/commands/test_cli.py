"""`torchdojo grade` as a newcomer types it: what is printed, what the record contains, which exit code is returned."""

import contextlib
import importlib
import inspect
import json
import os
import pkgutil
import resource
import signal
import stat
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import warm
from tiny_dojo import DOUBLE, GRADERS, RIGHT, TOTAL, make_dojo, make_submission, write

from torchdojo import commands
from torchdojo.cli import COMMANDS, cli
from torchdojo.commands import grade as command
from torchdojo.common.errors import UsageError
from torchdojo.common.files import write_file
from torchdojo.worker.reproducible import STARTED

pytestmark = pytest.mark.timeout(300)  # other processes are started, perhaps on a busy machine

if sys.platform != "linux":
    pytest.skip("workers are forked on Linux only", allow_module_level=True)

ENTRY = "from torchdojo.cli import main; main()"
WRONG = "def double(x):\n    return x * 3\n"


def command_line(*words, code=ENTRY):
    return [sys.executable, "-c", code, "grade", *map(str, words)]


def grade(dojo, *words, **options):
    """Run the command in the toy dojo."""
    if not options:
        return warm.python(*command_line(*words)[1:], cwd=dojo.root)
    options.setdefault("stdout", subprocess.PIPE)
    return subprocess.run(command_line(*words), cwd=dojo.root, stderr=subprocess.PIPE, text=True, timeout=60, **options)


@pytest.fixture
def handed_in(tmp_path):
    return make_submission(tmp_path / "handed in", double=WRONG, total=RIGHT[TOTAL])


@pytest.mark.parametrize(
    "words, said",
    [
        (("grade", "x" * 300), "cannot be used: File name too long"),
        (("grade", ".", "--course", ".", "--out", "x" * 300), "cannot be used: File name too long"),
        (("report", "x" * 300, "-f", "csv"), "cannot be used: File name too long"),
        (("regrade", "x" * 300), "cannot be used: File name too long"),
        (("grade", ".", "--out", "g", "--roster", ""), "is empty; check that your shell variables are set"),
        (("grade", "--out=g", ""), "is empty; check that your shell variables are set"),
        (("grade", ".", "--roster="), "is empty; check that your shell variables are set"),
    ],
)
def test_a_word_that_can_be_no_path_is_one_line(tmp_path, words, said):
    """An impossible argument is reported as such, not as an internal error or as something else."""
    command = [sys.executable, "-c", ENTRY, *words]
    done = subprocess.run(command, cwd=make_dojo(tmp_path / "d"), capture_output=True, text=True, timeout=60)
    assert (done.returncode, said in done.stderr, len(done.stderr.splitlines())) == (2, True, 1), done.stderr


@pytest.mark.slow
def test_a_finished_submission_is_printed_plainly(dojo, tmp_path):
    """Everything right: exit code 0, one line per check, the points, and the isolation."""
    done = grade(dojo, make_submission(tmp_path / "s", double=RIGHT[DOUBLE], total=RIGHT[TOTAL]), "--device", "cpu")
    assert (done.returncode, done.stdout.splitlines()) == (
        0,
        [
            *("", "01_toys/ex01_double", "  pass  Each element is doubled.  (2 of 2)"),
            *("  pass  A plain number is doubled too.  (1 of 1)", "  done, star", "", "01_toys/ex02_total"),
            *("  pass  Every element is added.  (1 of 1)", "  done, star", "", "4 of 4 points; exercises: 2 done (2 stars)."),
        ],
    )
    course, isolation = done.stderr.splitlines()
    assert course == f"Course: {dojo.root}" and isolation.startswith("Isolated by: ")


@pytest.mark.slow
def test_the_record_is_the_documented_one(dojo, handed_in, tmp_path):
    """--json prints only the record; --output writes the same; exit code 1 if not all checks pass."""
    done = grade(dojo, handed_in, "--json", "-o", tmp_path / "record.json", "--device", "cpu")
    assert (done.returncode, done.stderr) == (1, "")
    assert (tmp_path / "record.json").read_text() == done.stdout
    record = json.loads(done.stdout)
    assert list(record)[:6] == ["schema", "submission", "device", "score", "max_score", "exercises"]
    head = {k: record[k] for k in ("schema", "submission", "device", "score", "max_score", "interrupted")}
    assert head == {
        **{"schema": "torchdojo/record/v1", "submission": str(handed_in), "device": ["cpu"]},
        **{"score": 1, "max_score": 4, "interrupted": False},
    }
    exercises = [[e[k] for k in ("id", "status", "score", "max_score")] for e in record["exercises"]]
    assert exercises == [[DOUBLE, "failed", 0, 3], [TOTAL, "passed", 1, 1]]
    keys = {"name", "title", "status", "score", "max_score", "feedback", "cause", "seconds"}
    checks = [check for e in record["exercises"] for check in e["checks"]]
    assert all(keys <= set(check) and isinstance(check["seconds"], float) for check in checks)
    first = {k: checks[0][k] for k in sorted(keys - {"seconds"})}
    called = "called       double(torch.tensor([[-1., 0., 1.], [2., 3., 4.]], dtype=torch.float64))"
    wrong = "5 of 6 elements differ, the worst at [1, 2]: got 12, wanted 8"
    assert checks[0]["parts"]["problem"] == wrong and checks[0]["parts"]["fact"] == checks[0]["cause"]
    assert first == {
        **{"name": "doubles_each_element", "title": "Each element is doubled.", "status": "failed", "score": 0, "max_score": 2},
        "cause": "Every value is 3/2 times what it should be.",
        "feedback": f"{called}\nwent wrong   {wrong}\n"
        "came back    torch.tensor([[-3., 0., 3.], [6., 9., 12.]], dtype=torch.float64)\n"
        "wanted       torch.tensor([[-2., 0., 2.], [4., 6., 8.]], dtype=torch.float64)\n"
        "observed     Every value is 3/2 times what it should be.\nread         exercises/01_toys/README.md\n"
        "try it       import torch\n             from ex01_double import double\n\n"
        "             x = torch.tensor([[-1., 0., 1.], [2., 3., 4.]], dtype=torch.float64)\n             print(double(x))",
    }


def test_wrong_usage_is_one_line_and_exit_code_2(dojo, handed_in):
    """At once, without importing PyTorch, and never with a traceback."""
    usage = "Usage: torchdojo grade [OPTIONS] PATH\nTry 'torchdojo grade --help' for help.\n\nError: "
    for words, said in (
        (["nowhere"], "torchdojo: nowhere does not exist; give the folder or the exercise file to grade\n"),
        ([handed_in, "--only", "nonsense"], "torchdojo: no chapter or exercise is called 'nonsense'; there are: 01_toys\n"),
        ([handed_in, "-o", "no/such/record.json"], "torchdojo: no/such/record.json cannot be written: there is no folder no/such\n"),
        ([], usage + "Missing argument 'PATH'.\n"),
    ):
        done = grade(dojo, *words)
        stderr = done.stderr.replace("grade -h' for", "grade --help' for")  # click 8.1.0 names the short one
        assert (done.returncode, done.stdout, stderr) == (2, "", said)


def test_only_limits_what_is_graded(dojo, handed_in, tmp_path, monkeypatch, capsys):
    """--only 01_toys/ex02: the wrong exercise is ignored."""
    asked = []
    monkeypatch.chdir(dojo.root)
    monkeypatch.setattr(command, "grade", lambda submission, exercises, **options: asked.extend(exercises) or command.Record("s", []))
    command.run(str(handed_in), as_json=True, only=["01_toys/ex02", "ex02"], output=None, seed=0)
    assert [e.id for e in asked] == [TOTAL]
    with pytest.raises(UsageError, match="has no graders/; grade in the instructor's copy of the repository"):
        for tree in ("exercises", "graders"):
            (tmp_path / "student" / tree).mkdir(parents=True)
        monkeypatch.chdir(tmp_path / "student")
        command.run(str(handed_in), as_json=True, only=[], output=None, seed=0)


@pytest.mark.slow
def test_a_fault_of_ours_is_exit_code_3_and_the_rest_is_graded(tmp_path):
    """The traceback goes to stderr; the record is complete."""
    root = make_dojo(tmp_path / "dojo")
    write(root / "graders/01_toys/grade_ex01_double.py", "import nothing_of_this_name\n")
    done = subprocess.run(command_line("reference", "--course", ".", "--json", "--device", "cpu"), cwd=root, capture_output=True, text=True, timeout=60)
    record = json.loads(done.stdout)
    assert done.returncode == 3
    assert [(e["status"], e["score"], e["max_score"]) for e in record["exercises"]] == [("error", 0, 0), ("passed", 1, 1)]
    assert "ModuleNotFoundError: No module named 'nothing_of_this_name'" in done.stderr


# ------------------------------------------------------------------ interrupted
SLOW = {TOTAL: GRADERS[TOTAL].replace("seconds=1.0", "seconds=50.0")}
SLEEPS = "import time\n\ndef total(x):\n    time.sleep(100)\n"
LOUD = (
    "import sys, torchdojo.judge.session as s\nrun = s.Session.result\n"
    "def loud(self, exercise, check):\n    print(check.name, file=sys.stderr, flush=True)\n    return run(self, exercise, check)\n"
    "s.Session.result = loud\n"
)


def interrupt(words, root):
    """Start the command, send Ctrl-C to its whole group when the second exercise is run, return (exit code, stdout, stderr)."""
    process = subprocess.Popen(
        command_line(*words, code=LOUD + ENTRY), cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    seen = ""
    while "adds_everything" not in seen:
        line = process.stderr.readline()
        assert line, process.communicate()
        seen += line
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    return process.returncode, out, seen + err


@pytest.fixture
def slow(tmp_path):
    """A dojo with a patient check, and a submission whose second exercise sleeps in it."""
    root = make_dojo(tmp_path / "dojo")
    for exercise, text in SLOW.items():
        write(root / "graders" / "01_toys" / f"grade_{exercise.split('/')[1]}.py", text)
    return root, make_submission(tmp_path / "s", double=RIGHT[DOUBLE], total=SLEEPS)


@pytest.mark.slow
def test_ctrl_c_prints_what_was_found_so_far(slow):
    """The finished exercise keeps its points; the exit code is that of an interruption."""
    root, handed_in = slow
    code, out, err = interrupt([handed_in, "--device", "cpu"], root)
    assert (code, out.splitlines()) == (
        130,
        [
            "",
            "01_toys/ex01_double",
            "  pass  Each element is doubled.  (2 of 2)",
            "  pass  A plain number is doubled too.  (1 of 1)",
            "  done, star",
            "",
            "3 of 3 points; exercises: 1 done (1 star).",
        ],
    )
    assert "Interrupted. These are the findings so far." in err.splitlines()


@pytest.mark.slow
def test_ctrl_c_leaves_a_valid_record(slow):
    """With --json the record is valid JSON and says that it was interrupted."""
    root, handed_in = slow
    code, out, err = interrupt([handed_in, "--json", "--device", "cpu"], root)
    record = json.loads(out)
    assert (code, record["interrupted"], record["score"]) == (130, True, 3)
    assert [c["name"] for e in record["exercises"] for c in e["checks"]] == ["doubles_each_element", "works_on_plain_numbers"]
    assert "Traceback" not in err


# ------------------------------------------------------------------ full disks
@pytest.mark.slow
def test_a_full_disk_costs_neither_results_nor_files(dojo, handed_in):
    """-o to a full device: the results are printed, the device stays a device, exit code 2."""
    done = grade(dojo, handed_in, "--json", "-o", "/dev/full", "--device", "cpu")
    assert (done.returncode, done.stderr) == (
        2,
        "torchdojo: /dev/full cannot be written: No space left on device; the old contents are unchanged\n",
    )
    assert json.loads(done.stdout)["score"] == 1
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)


@pytest.mark.slow
def test_a_full_standard_output_is_one_line(dojo, handed_in):
    """`torchdojo grade ... > /dev/full` is not reported as an internal error."""
    with open("/dev/full", "w") as full:
        done = grade(dojo, handed_in, "--json", "--device", "cpu", stdout=full)
    assert (done.returncode, done.stderr) == (2, "torchdojo: standard output cannot be written: No space left on device\n")


@contextlib.contextmanager
def small_files():
    """No file may grow beyond ten bytes, as on a full disk: only around one call, for pytest writes to files too."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_file_that_cannot_be_written_whole_stays_as_it_was(tmp_path):
    """Not even half of the new text is there, and no temporary files."""
    file = tmp_path / "record.json"
    file.write_text("old")
    with pytest.raises(UsageError) as caught, small_files():
        write_file(file, "n" * 1000)
    assert str(caught.value) == f"{file} cannot be written: File too large; the old contents are unchanged"
    assert file.read_text() == "old" and sorted(p.name for p in tmp_path.iterdir()) == ["record.json"]


def test_a_file_is_written_through_a_link_and_a_folder_is_refused(tmp_path):
    """The link stays a link."""
    (tmp_path / "link").symlink_to("real")
    write_file(tmp_path / "link", "text")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real").read_text() == "text"
    with pytest.raises(UsageError, match="cannot be written: Is a directory; the old contents are unchanged"):
        write_file(tmp_path, "text")


# ------------------------------------------------------------------ every option arrives
@pytest.mark.parametrize("name", ["report", "regrade", "verify", "release", "result", "deliver"])
def test_a_command_hands_on_all_of_its_options(name):
    """With the names of its function's parameters; `python -m torchdojo` is the same program."""
    module = importlib.import_module(f"torchdojo.commands.{name}")
    options = {parameter.name for parameter in module.command.params}
    assert options == set(inspect.signature(module.run).parameters)
    said = subprocess.run([sys.executable, "-m", "torchdojo", name, "--help"], capture_output=True, text=True, check=True, timeout=60)
    assert said.stdout.startswith(f"Usage: torchdojo {name} ")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_the_command_says(name):
    """The help line for the list is defined in `cli`, because the list must not import the commands."""
    assert COMMANDS[name] == cli.commands[name].load().help


def test_the_list_of_commands_is_whole():
    """Every module in `commands` with a command is in the list."""
    modules = {m.name for m in pkgutil.iter_modules(commands.__path__)}
    assert {m for m in modules if hasattr(importlib.import_module(f"torchdojo.commands.{m}"), "command")} == set(COMMANDS)


def imported(*words, **variables):
    """What the program prints, and the modules that it has imported when it ends."""
    code = "import sys\nfrom torchdojo.cli import cli\ntry:\n    cli(prog_name='torchdojo')\nfinally:\n    print(*sys.modules, file=sys.stderr)"
    where = {**os.environ, **variables}
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=60, env=where)
    return done.stdout + done.stderr, set(done.stderr.split())


@pytest.mark.parametrize("words, said", [(["--help"], "solution   Show our"), (["--version"], "version 0"), ([], "solution   Show our")])
def test_the_list_of_commands_imports_none(words, said):
    """It doesn't import the engine either, so it appears at once."""
    output, modules = imported(*words)
    assert said in output
    assert {m.split(".")[1] for m in modules if m.startswith("torchdojo.")} == {"cli", "common", "worker"} and "torch" not in modules


def test_completion_imports_no_command():
    """A shell asks after each press of the Tab key."""
    output, modules = imported(COMP_WORDS="torchdojo so", COMP_CWORD="1", _TORCHDOJO_COMPLETE="bash_complete")
    assert output.startswith("plain,solution\n")
    assert "torchdojo.commands" not in modules and "torch" not in modules


@pytest.mark.parametrize("name", COMMANDS)
def test_help_on_a_command_imports_no_pytorch(name):
    """Options are defined in the command's module, which imports slow modules only when it runs."""
    _, modules = imported(name, "--help")
    assert f"torchdojo.commands.{name}" in modules
    assert not modules & {"torch", "numpy", "hypothesis", "nbformat", "rich", "pytest"}


# ------------------------------------------------------------------ the same through pytest
@pytest.mark.slow
def test_hidden_graders_run_as_pytest_items(dojo, handed_in, tmp_path):
    """`pytest graders --submission PATH`: the same verdicts, points as properties, feedback without a traceback."""
    report = tmp_path / "report.xml"
    done = warm.python("-m", "pytest", "graders", "--submission", handed_in, f"--junitxml={report}", "-q", cwd=dojo.root)
    assert done.returncode == 1
    cases = {case.get("name"): case for case in ElementTree.parse(report).iter("testcase")}
    points = {name: [p.get("value") for p in case.iter("property")] for name, case in cases.items()}
    assert points == {"doubles_each_element": ["2", "0"], "works_on_plain_numbers": ["1", "0"], "adds_everything": ["1", "1"]}
    said = cases["doubles_each_element"].find("failure").text.splitlines()
    assert said[0] == "Each element is doubled.   0 of 2 points" and said[-1] == "             print(double(x))"
    assert "1 of 2 done (1 star), 1 not yet. Try first: exercises/01_toys/ex01_double.py" in done.stdout


@pytest.mark.slow
def test_pytest_says_once_what_is_wrong_with_a_submission(dojo, tmp_path):
    """One line with the reason and exit code 2, however many graders there are; a missing file is named."""
    (tmp_path / "nothing").mkdir()
    make_submission(tmp_path / "lacks", double=RIGHT[DOUBLE])
    holds_none = "Exit: nothing holds no exercise; expected files like ex01_double.py."
    for tree, path, code, line in (
        ("graders", "there", 2, "Exit: --submission: {} does not exist; give the folder or the exercise file to grade"),
        ("exercises", "there", 2, "Exit: --submission: {} does not exist; give the folder or the exercise file to grade"),
        ("graders", "nothing", 2, holds_none),
        ("exercises", "lacks", 1, "went wrong   ex02_total.py was not handed in"),
    ):
        done = warm.python("-m", "pytest", tree, "--submission", tmp_path / path, "-q", "-p", "no:cacheprovider", cwd=dojo.root)
        said = (done.stdout + done.stderr).splitlines()
        assert (done.returncode, said.count(line.format(tmp_path / path))) == (code, 1), (tree, path, said)
        assert "Traceback" not in done.stdout and "Run(root" not in done.stdout


def test_a_record_is_not_written_over_a_folder(dojo, tmp_path, monkeypatch):
    """Refused before the submission is looked for, and so before anything is graded."""
    monkeypatch.chdir(dojo.root)
    with pytest.raises(UsageError, match="cannot be written: it is a folder; name a file in it"):
        command.run("no submission", as_json=True, only=[], output=str(tmp_path), seed=0)


def test_a_folder_that_was_deleted_is_reported(tmp_path):
    """A shell may still be in it; that is not reported as an internal error."""
    gone = tmp_path / "gone"
    gone.mkdir()
    code = f"import os; os.chdir({str(gone)!r}); os.rmdir({str(gone)!r}); {ENTRY}"
    environment = os.environ | STARTED | {"OMP_NUM_THREADS": "1"}  # or the command starts itself again, and the folder is gone by then
    done = subprocess.run(command_line("reference", code=code), capture_output=True, text=True, timeout=60, env=environment)
    assert (done.returncode, done.stderr) == (2, "torchdojo: the current folder was deleted; change to another folder\n")
