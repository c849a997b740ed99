"""What a learner who runs pytest sees: calm lines, a reason for each wrong answer, and otherwise the usual pytest."""

import json
import os
import re
import runpy
from types import SimpleNamespace

import pytest
import torch
import warm
from tiny_dojo import DOUBLE, RIGHT, STUBS, TESTS, TOTAL, make_dojo, write

from torchdojo.learner import collect
from torchdojo.learner.side_by_side import pairs, without_docstrings
from torchdojo.learner.summary import write as write_summary

pytestmark = pytest.mark.timeout(300)  # other processes are started, perhaps on a busy machine

FAULTS = {
    "ex01_stub": STUBS[DOUBLE],
    "ex02_wrong": "def double(x):\n    print('x is', x)\n    return x * 3\n",
    "ex03_none": "def double(x):\n    x * 2\n",
    "ex04_syntax": "def double(x)\n    return x * 2\n",
    "ex05_missing": "def duoble(x):\n    return x * 2\n",
    "ex06_module": "import numpyy\n",
    "ex07_exit": "import sys\n\ndef double(x):\n    sys.exit()\n",
    "ex08_quits": "import sys\nsys.exit()\n",
    "ex09_loop": "def double(x):\n    while True:\n        x = x + 1\n",
    "ex10_raises": "def double(x):\n    return x @ x.reshape(1, -1)\n",
    "ex11_right": RIGHT[DOUBLE],
    "ex12_later": "def double(x):\n    if x.sum() == 0:\n        raise NotImplementedError('later')\n    return x * 2\n",
}
ONE_TEST = TESTS[DOUBLE].split("def test_nothing")[0].rstrip() + "\n"


def run_pytest(folder, *words, **environment):
    """Run pytest as a learner does; returns (exit code, output without times)."""
    environment = os.environ | {"OMP_NUM_THREADS": "1", "COLUMNS": "120", "PY_COLORS": "0"} | environment
    done = warm.python("-m", "pytest", *words, cwd=folder, env=environment)
    assert done.stderr == ""
    return done.returncode, re.sub(r"in \d[\d.]*s( \([\d:]+\))?", "in 0s", done.stdout)


@pytest.fixture(scope="module")
def sick(tmp_path_factory):
    """A chapter in which every exercise has another fault, and the output of one run over all of it."""
    root = tmp_path_factory.mktemp("sick")
    write(root / "pytest.ini", "[pytest]\ntimeout = 2\naddopts = -p no:cacheprovider\n")
    write(root / "conftest.py", "")
    for stem, text in FAULTS.items():
        write(root / "exercises" / "01_faults" / f"{stem}.py", text)
        write(root / "exercises" / "01_faults" / f"test_{stem}.py", ONE_TEST.replace("ex01_double", stem))
    os.utime(root / "exercises/01_faults/ex02_wrong.py", (2e9, 2e9))  # saved last
    return root, *run_pytest(root, "exercises")


CLAIM = """claim        Each element is doubled.
tried        x = torch.tensor([1.0, 3.0])
             got = double(x)
             assert_same(got, torch.tensor([2.0, 6.0]))
"""
AGAIN = "try again    pytest exercises/01_faults -k "
EXPLAINED = {
    "ex02_wrong": f"""{CLAIM}got          torch.tensor([3., 9.])
wanted       torch.tensor([2., 6.])
went wrong   2 of 2 elements differ, the worst at [1]: got 9, wanted 6
{AGAIN}ex02_wrong
------------------------------------------------- Captured stdout call -------------------------------------------------
x is tensor([1., 3.])
""",
    "ex03_none": f"""{CLAIM}got          None
wanted       torch.tensor([2., 6.])
went wrong   got None (is a return missing?), wanted a tensor
{AGAIN}ex03_none
""",
    "ex04_syntax": """went wrong   ex04_syntax.py line 1 cannot be imported. SyntaxError: expected ':'
             def double(x)
""",
    "ex05_missing": """went wrong   ex05_missing.py defines no double
likely cause Define double in the file, with exactly this name.
""",
    "ex06_module": """went wrong   ex06_module.py line 1 cannot be imported. ModuleNotFoundError: No module named 'numpyy'
             import numpyy
likely cause The module is not installed here, and no file of that name is next to the exercise. Check the spelling, and submit your own modules in the exercise's folder.
""",
    "ex07_exit": f"""{CLAIM}went wrong   SystemExit: the program was ended by exit()
             raised at ex07_exit.py line 4, in double: sys.exit()
likely cause exit() ends the whole program; return from the function instead.
{AGAIN}ex07_exit
""",
    "ex08_quits": """went wrong   ex08_quits.py line 2 cannot be imported. SystemExit
             sys.exit()
likely cause exit() at the top of the file ends the whole program; remove it.
""",
    "ex09_loop": f"""{CLAIM}went wrong   stopped after 2 seconds: it may loop forever; it was at line LINE of ex09_loop.py: CODE
{AGAIN}ex09_loop
""",
    "ex10_raises": f"""{CLAIM}went wrong   RuntimeError: mat1 and mat2 shapes cannot be multiplied (1x2 and 1x2)
             raised at ex10_raises.py line 2, in double: return x @ x.reshape(1, -1)
likely cause In A @ B the last axis of A must match the first axis of B: print both shapes.
{AGAIN}ex10_raises
""",
}
SUMMARY = """====================================================== exercises =======================================================
01_faults
  ex01_stub     to do
  ex02_wrong    not yet   0 of 1 tests pass
  ex03_none     not yet   0 of 1 tests pass
  ex04_syntax   not yet   0 of 1 tests pass
  ex05_missing  not yet   0 of 1 tests pass
  ex06_module   not yet   0 of 1 tests pass
  ex07_exit     not yet   0 of 1 tests pass
  ex08_quits    not yet   0 of 1 tests pass
  ex09_loop     not yet   0 of 1 tests pass
  ex10_raises   not yet   0 of 1 tests pass
  ex11_right    done
  ex12_later    done

2 of 12 done, 9 not yet, 1 to do. Try first: exercises/01_faults/ex02_wrong.py
"""


def test_every_fault_is_explained_word_for_word(sick):
    """One after the other under pytest's headings, without a traceback, and none hides the others."""
    _, _, output = sick
    failures = output.split(" FAILURES ")[1].split(" exercises ")[0]
    parts = re.split(r"^_{10,}.*_{10,}\n", failures, flags=re.MULTILINE)[1:]
    parts[-1] = re.sub(r"^=+$", "", parts[-1].rstrip("=")).rstrip("=")
    loops = list(EXPLAINED).index("ex09_loop")
    parts[loops] = re.sub(r"line \d of ex09_loop.py: .*", "line LINE of ex09_loop.py: CODE", parts[loops])
    assert dict(zip(EXPLAINED, parts, strict=True)) == EXPLAINED


def test_the_summary_has_a_line_for_each_exercise(sick):
    """To do, not yet or done, a count, and what to try first; the exit code says that not everything is done."""
    _, code, output = sick
    assert code == 1
    assert SUMMARY in output


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    """The toy dojo with one exercise done and one wrong."""
    root = make_dojo(tmp_path_factory.mktemp("toy"))
    write(root / "exercises" / f"{DOUBLE}.py", "def double(x):\n    print('seen')\n    return x + 2\n")
    write(root / "exercises/01_toys/ex02_total.py", "def total(x):\n    return x.sum()\n")
    return root


@pytest.mark.parametrize(("line", "todo"), [("raise NotImplementedError('later')", True), ("x.cpu()", False)])
def test_only_a_raise_of_ones_own_is_to_do(tmp_path, line, todo):
    """PyTorch raises NotImplementedError too, when it is asked for the numbers of a meta tensor: that is a failure."""
    file = tmp_path / "ex01_double.py"
    write(file, f"def double(x):\n    {line}\n")
    names = runpy.run_path(str(file))
    with pytest.raises(NotImplementedError) as caught:
        names["double"](torch.empty(2, device="meta"))
    assert collect._is_todo(caught.value, tmp_path / "test_ex01_double.py") is todo


def test_untouched_stubs_are_to_do(tmp_path):
    """No traceback and no failure, but not a pass either."""
    root = make_dojo(tmp_path)
    code, output = run_pytest(root, "exercises/01_toys", "-q")
    assert code == 1
    assert output == (
        "---                                                                                                              [100%]\n"
        "====================================================== exercises =======================================================\n"
        "01_toys\n  ex01_double  to do\n  ex02_total   to do\n\n0 of 2 done, 2 to do. Try first: exercises/01_toys/ex01_double.py\n"
        "3 todo in 0s\n"
    )


@pytest.mark.slow
def test_changed_code_with_repaired_still_false_is_named(tmp_path):
    """REPAIRED = False is to do; if the code differs from the stub's, the line says what is missing."""
    root = make_dojo(tmp_path)
    stub = "REPAIRED = False\n\n\ndef double(x):\n    return x\n"
    write(root / "exercises/stubs.json", json.dumps({DOUBLE: stub}))
    write(root / "exercises" / f"{DOUBLE}.py", stub)
    assert "  ex01_double  to do\n" in run_pytest(root, "exercises", "-q")[1]
    write(root / "exercises" / f"{DOUBLE}.py", stub.replace("return x", "return 2 * x"))
    code, output = run_pytest(root, "exercises", "-q")
    assert code == 1
    assert "  ex01_double  to do   the code has changed: set REPAIRED = True to have it graded\n" in output


@pytest.mark.slow
def test_the_reference_passes_the_visible_tests(toy):
    """--submission tests the files of another folder; if all are done, the exit code is 0."""
    code, output = run_pytest(toy, "exercises", "--submission", "reference", "-q")
    assert (code, output.splitlines()[-2:]) == (0, ["2 of 2 done. All done.", "3 passed in 0s"])


@pytest.mark.slow
def test_pytests_own_options_keep_working(toy):
    """-v, -k, -x, -s and a single file, from another folder."""
    code, output = run_pytest(
        toy / "graders", "../exercises/01_toys/test_ex01_double.py", "-v", "-x", "-s", "-k", "three or nothing"
    )
    assert code == 1
    assert "test_three_becomes_six seen\nFAILED" in output  # -v and -s
    assert "stopping after 1 failures" in output and "test_nothing_stays_nothing" not in output  # -x
    assert "ex02_total" not in output
    code, output = run_pytest(toy, "-k", "total", "-q", "exercises")
    assert (code, output.splitlines()[-1]) == (0, "1 passed, 2 deselected in 0s")


@pytest.mark.slow
def test_a_traceback_can_be_had(toy):
    """--tb=short is pytest's own."""
    _, output = run_pytest(toy, "exercises", "--tb=short", "-q")
    assert "E   torchdojo.learner.asserts.NotSame: got          torch.tensor([3., 5.])" in output
    assert "in test_three_becomes_six\n    assert_same(got, torch.tensor([2.0, 6.0]))" in output


@pytest.mark.slow
def test_two_processes_tell_the_same(toy):
    """-n 2, with pytest-xdist."""
    pytest.importorskip("xdist")
    code, output = run_pytest(toy, "exercises", "-q", "-n", "2")
    assert code == 1
    assert "  ex01_double  not yet   0 of 2 tests pass\n  ex02_total   done\n" in output
    assert "went wrong   2 of 2 elements differ, the worst at [0]: got 3, wanted 2" in output


@pytest.mark.slow
def test_a_process_that_dies_costs_no_line_of_the_summary(tmp_path):
    """With -n the other process continues; the exercise that ended its process is named, with the cause."""
    pytest.importorskip("xdist")
    root = make_dojo(tmp_path)
    write(root / "exercises" / f"{DOUBLE}.py", "import os\n\ndef double(x):\n    os.kill(os.getpid(), 9)\n")
    code, output = run_pytest(root, "exercises", "-q", "-n", "1")
    assert code == 1
    assert "  ex01_double  not yet   0 of 2 tests pass\n  ex02_total   to do\n" in output
    assert "went wrong   the process that ran this test died\nlikely cause The code in 01_toys/ex01_double.py ended" in output


def test_a_patched_comparison_holds_for_no_other_exercise(tmp_path):
    """What compares answers is put back after each import, like PyTorch's own functions."""
    root = make_dojo(tmp_path)
    patched = "import torchdojo.learner.asserts as a\na.compare = lambda *args, **kwargs: None\n\ndef double(x):\n    return x\n"
    write(root / "exercises" / f"{DOUBLE}.py", patched)
    write(root / "exercises" / "01_toys/ex02_total.py", "def total(x):\n    return x\n")
    status, output = run_pytest(root, "exercises", "-q")
    assert status == 1 and "  ex02_total   not yet" in output and "  ex01_double  not yet" in output


@pytest.mark.parametrize("code", ["import os\n\ndef double(x):\n    os._exit(0)\n", "import os\nos._exit(0)\n"])
def test_os_exit_costs_only_its_own_exercise(tmp_path, code):
    """Called in a test or at import, it would end pytest before the other exercises are listed."""
    root = make_dojo(tmp_path)
    write(root / "exercises" / f"{DOUBLE}.py", code)
    status, output = run_pytest(root, "exercises", "-q")
    assert status == 1
    assert "  ex01_double  not yet   0 of " in output and "  ex02_total   to do\n" in output
    assert "SystemExit" in output and "os._exit(0)" in output


@pytest.mark.slow
def test_an_exercise_file_may_be_named(toy):
    """Learners have the exercise open, not its test."""
    named = run_pytest(toy, "exercises/01_toys/ex01_double.py", "-q")
    assert named == run_pytest(toy, "exercises/01_toys/test_ex01_double.py", "-q")
    code, output = run_pytest(toy / "exercises" / "01_toys", "ex01_double.py::test_three_becomes_six", "-q")
    assert code == 1 and "0 of 1 tests pass, 1 not run" in output


PARTS = (
    ["exercises", "-k", "three"],
    ["exercises/01_toys/test_ex01_double.py::test_three_becomes_six"],
    ["exercises/01_toys/ex01_double.py::test_nothing_stays_nothing"],
    ["exercises", "--deselect", "exercises/01_toys/test_ex01_double.py::test_nothing_stays_nothing"],
    ["exercises", "--lf"],
    ["exercises", "--sw"],
    ["exercises", "-x"],
)


@pytest.mark.slow
@pytest.mark.parametrize("words", PARTS, ids=lambda words: words[-1])
def test_a_part_of_the_tests_makes_no_exercise_done(tmp_path, words):
    """The answer is wrong for one of two tests, and only the other test runs."""
    root = make_dojo(tmp_path)
    write(root / "pytest.ini", "[pytest]\n")
    wrong = "def double(x):\n    return x * 2 + (x.sum() == 0)\n"
    if words[-1] in ("--lf", "--sw"):  # in the second run only what failed in the first
        write(root / "exercises" / f"{DOUBLE}.py", wrong)
        run_pytest(root, *words)
        wrong = "def double(x):\n    return x * 2 - (x.sum() == 4).float()\n"
    elif words[-1] == "-x" or ("nothing" in words[-1] and "--deselect" not in words):
        wrong = "def double(x):\n    return x\n"
    write(root / "exercises" / f"{DOUBLE}.py", wrong)
    _, output = run_pytest(root, *words)
    said = "not yet   0 of 1 tests pass, 1 not run" if words[-1] == "-x" else "1 of 2 tests ran, passes"
    assert f"  ex01_double  {said}\n" in output, output
    assert "All done" not in output and not re.search(r"[1-9] of \d done", output)


ITEMS = "import pytest\ndef pytest_collection_modifyitems(items):\n    for item in [i for i in items if 'six' in i.name]:\n        "
LEAVES_OUT = {
    "removed": ITEMS + "items.remove(item)\n",
    "skipped": ITEMS + "item.add_marker(pytest.mark.skip)\n",
    "expected to fail": ITEMS + "item.add_marker(pytest.mark.xfail)\n",
    "skipped in a fixture": "import pytest\n@pytest.fixture(autouse=True)\ndef later(request):\n    if 'six' in request.node.name:\n        pytest.skip()\n",
    "not collected": "def pytest_pycollect_makeitem(collector, name, obj):\n    return [] if 'six' in name else None\n",
    "not run": "def pytest_runtest_protocol(item, nextitem):\n    return True if 'six' in item.name else None\n",
}
SETTINGS = {
    "of another name": "python_functions = test_nothing*\n",
    "-k in the settings": "addopts = -k 'not six'\n",
    "-m": "addopts = -m hard\nmarkers = hard\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("how", [*LEAVES_OUT, *SETTINGS])
def test_tests_that_a_learners_settings_leave_out_make_no_exercise_done(tmp_path, how):
    """The answer is wrong, and a learner's conftest.py or pytest.ini leaves out the test that finds it."""
    root = make_dojo(tmp_path)
    write(root / f"exercises/{DOUBLE}.py", "def double(x):\n    return x * 0\n")
    test = root / "exercises/01_toys/test_ex01_double.py"
    if how == "-m":
        write(
            test,
            test.read_text()
            .replace("def test_nothing", "@pytest.mark.hard\ndef test_nothing")
            .replace("import torch\n", "import pytest\nimport torch\n"),
        )
    if how in SETTINGS:
        write(root / "pytest.ini", "[pytest]\n" + SETTINGS[how])
    else:
        write(root / "exercises/01_toys/conftest.py", LEAVES_OUT[how])
    _, output = run_pytest(root, "exercises/01_toys/test_ex01_double.py", "-q", "--record", "record.json")
    assert "  ex01_double  1 of 2 tests ran, passes\n" in output and "All done" not in output, output
    assert json.loads((root / "record.json").read_text())["score"] == 1


@pytest.mark.slow
def test_a_test_file_may_skip_what_is_not_installed(tmp_path):
    """By a mark or in its own fixture: the exercise can't be tested here, which is not the learner's fault."""
    root = make_dojo(tmp_path)
    write(root / f"exercises/{DOUBLE}.py", RIGHT[DOUBLE])
    test = root / "exercises/01_toys/test_ex01_double.py"
    write(
        test,
        test.read_text()
        .replace("def test_nothing", "@pytest.mark.skip\ndef test_nothing")
        .replace("import torch\n", "import pytest\nimport torch\n"),
    )
    _, output = run_pytest(root, "exercises/01_toys/test_ex01_double.py", "-q")
    assert "  ex01_double  skipped\n" in output
    write(
        test,
        TESTS[DOUBLE].replace(
            "def test_nothing_stays_nothing():\n",
            "def test_nothing_stays_nothing():\n    import pytest\n    pytest.importorskip('nowhere')\n",
        ),
    )
    _, output = run_pytest(root, "exercises/01_toys/test_ex01_double.py", "-q")
    assert "  ex01_double  skipped\n" in output


@pytest.mark.slow
def test_a_part_of_the_checks_makes_no_exercise_done(tmp_path):
    """The same for hidden graders."""
    root = make_dojo(tmp_path)
    check = '\n\n@check(points=1, x=tensor(\'n\'))\ndef stays(solution, x):\n    """It is a tensor."""\n    return solution.double(x).dim()\n'
    grader = root / "graders" / f"{DOUBLE.replace('ex01', 'grade_ex01')}.py"
    write(grader, grader.read_text() + check)
    write(root / "exercises" / f"{DOUBLE}.py", "def double(x):\n    return x\n")
    _, output = run_pytest(root, "graders/01_toys/grade_ex01_double.py", "-k", "stays")
    assert "  ex01_double  1 of 3 checks ran, passes\n" in output and "All done" not in output, output


@pytest.mark.slow
def test_watch_and_progress_know_no_part_either(tmp_path):
    """A conftest.py may leave out tests: the stored verdict says that not all of them ran."""
    root = make_dojo(tmp_path)
    write(root / "exercises/conftest.py", "def pytest_collection_modifyitems(items):\n    del items[1:]\n")
    write(root / "exercises" / f"{DOUBLE}.py", "def double(x):\n    return x * 2\n")
    code = "import sys, json; from torchdojo.learner.visible_tests import run_tests; run_tests(sys.argv[1], sys.argv[2], lambda v: print('VERDICT' + json.dumps(v)))"
    test = root / "exercises/01_toys/test_ex01_double.py"
    done = warm.python("-c", code, root, test, cwd=tmp_path, env=os.environ | {"PYTEST_ADDOPTS": "-k nowhere"})
    found = json.loads(done.stdout.partition("VERDICT")[2].splitlines()[0])
    assert (found["status"], found["passed"], found["total"]) == ("wrong", 1, 2)
    assert found["trouble"] == ["went wrong   1 of 2 tests did not run: a conftest.py or a plugin left them out"]


@pytest.mark.slow
def test_the_first_wrong_answer_stops_a_run_and_not_the_first_stub(tmp_path):
    """-x skips exercises that are to do; the exit code still says that some are."""
    root = make_dojo(tmp_path)
    write(root / "exercises" / f"{TOTAL}.py", "def total(x):\n    return x.mean()\n")
    code, output = run_pytest(root, "exercises", "-q", "-x")
    assert code == 1
    assert "stopping after 1 failures" in output
    assert "  ex01_double  to do\n  ex02_total   not yet   0 of 1 tests pass\n" in output
    write(root / "exercises" / f"{TOTAL}.py", RIGHT[TOTAL])
    code, output = run_pytest(root, "exercises", "-q", "-x")
    assert code == 1
    assert "1 of 2 done, 1 to do." in output and "stopping" not in output


@pytest.mark.slow
def test_stepwise_and_the_debugger_go_past_stubs(tmp_path):
    """--sw stops at the first wrong answer and starts there the next time; --pdb opens at a failure, not at a stub."""
    root = make_dojo(tmp_path)
    write(root / "pytest.ini", "[pytest]\n")
    write(root / "exercises" / f"{TOTAL}.py", "def total(x):\n    return x.mean()\n")
    code, output = run_pytest(root, "exercises", "-q", "--sw")
    assert "  ex01_double  to do\n  ex02_total   not yet   0 of 1 tests pass\n" in output
    assert code == 2 and "Interrupted: Test failed, continuing from this test next run." in output
    write(root / "exercises" / f"{TOTAL}.py", RIGHT[TOTAL])
    code, output = run_pytest(root, "exercises", "-q", "--sw")
    assert code == 0 and "1 passed, 2 deselected" in output
    code, output = run_pytest(root, "exercises", "-q", "--pdb")
    assert code == 1 and "1 of 2 done, 1 to do." in output and "PDB" not in output


def test_a_test_that_is_run_again_counts_once():
    """As pytest-rerunfailures runs it: the last run is its result."""
    said = []
    reporter = SimpleNamespace(
        section=lambda *_, **__: None, write=lambda *_, **__: None, write_line=lambda text, **_: said.append(text)
    )

    def ran(nodeid, status):
        return SimpleNamespace(nodeid=nodeid, dojo={"exercise": DOUBLE, "status": status, "root": "."})

    write_summary(reporter, [ran("a", "failed"), ran("b", "failed"), ran("a", "passed"), ran("b", "failed")])
    assert "not yet   1 of 2 tests pass" in said


@pytest.mark.slow
def test_an_endless_loop_is_not_waited_for_in_full_a_second_time(tmp_path):
    """The first test uses the whole limit; the other tests of that exercise wait less, unless a limit was given."""
    root = make_dojo(tmp_path)
    write(root / "pytest.ini", "[pytest]\ntimeout = 2\naddopts = -p no:cacheprovider\n")
    write(root / "conftest.py", "from torchdojo.learner import collect\n\ncollect.SHORT_SECONDS = 1\n")
    write(root / "exercises" / f"{DOUBLE}.py", "def double(x):\n    while True:\n        pass\n")

    def stopped(*words):
        return re.findall(r"stopped after (\d+) seconds", run_pytest(root, "exercises/01_toys/test_ex01_double.py", *words)[1])

    assert stopped() == ["2", "1"]
    assert stopped("--timeout=3") == ["3", "3"]


@pytest.mark.slow
def test_an_import_that_never_ends_is_stopped(tmp_path, monkeypatch):
    """With one sentence; the other exercises are tested."""
    from torchdojo.learner import collect

    monkeypatch.setattr(collect, "IMPORT_SECONDS", 1)
    file = write(tmp_path / "ex01_endless.py", "import time\n\nwhile True:\n    time.sleep(0.01)\n")
    with pytest.raises(collect.Unusable) as caught:
        collect.import_exercise(file)
    assert str(caught.value) == (
        "went wrong   ex01_endless.py did not finish importing within 1 seconds: it may loop forever; it was at line 4: time.sleep(0.01)"
    )


@pytest.mark.slow
def test_an_exercise_in_the_wrong_folder_is_found(tmp_path):
    """Its author wouldn't want a stub in its place."""
    root = make_dojo(tmp_path)
    (root / "exercises" / f"{DOUBLE}.py").rename(root / "exercises/ex01_double.py")
    _, output = run_pytest(root, "exercises", "-q")
    assert "went wrong   ex01_double.py is not there; move exercises/ex01_double.py back to exercises/01_toys/.\n" in output


def test_a_deleted_exercise_can_be_brought_back(tmp_path):
    """The message says how."""
    from torchdojo.learner import collect

    with pytest.raises(collect.Unusable) as caught:
        collect.import_exercise(tmp_path / "ex01_gone.py")
    assert str(caught.value) == "went wrong   ex01_gone.py is not there; `torchdojo reset ex01_gone` brings the stub back."


def test_a_file_that_may_not_be_read_is_told_as_one_that_cannot_be_imported(tmp_path, monkeypatch):
    """Even if nothing about it is known: pytest continues with the other files."""
    from torchdojo.learner import collect

    def refused(*_):
        raise PermissionError(13, "Permission denied")

    file = write(tmp_path / "ex01_locked.py", "x = 1\n")
    monkeypatch.setattr("pathlib.Path.read_bytes", refused)
    monkeypatch.setattr("torchdojo.learner.collect.import_file", refused)
    collect.make_device_known(file)
    with pytest.raises(collect.Unusable, match=r"ex01_locked\.py cannot be imported\. PermissionError"):
        collect.import_exercise(file)


@pytest.mark.slow
def test_a_record_that_cannot_be_written_is_an_error_in_one_line(sick):
    """`--record` names a missing folder: exit code 2, no traceback."""
    done = warm.python("-m", "pytest", "exercises/01_faults/test_ex11_right.py", "--record", "nowhere/record.json", cwd=sick[0])
    assert done.returncode == 2 and "Traceback" not in done.stdout + done.stderr
    assert done.stderr.splitlines()[-1].endswith(
        "record.json cannot be written: No such file or directory; the old contents are unchanged"
    )


def test_several_missing_names_are_called_these_names(tmp_path):
    """The remedy speaks of one name or of several, as many as the file lacks."""
    test = write(tmp_path / "test_ex01_two.py", "from ex01_two import one, two\n")
    said = [collect._missing_names(test, tmp_path / "ex01_two.py", SimpleNamespace(**there)) for there in ({}, {"one": 1})]
    assert "defines no one and two" in said[0] and "Define one and two in the file, with exactly these names." in said[0]
    assert "Define two in the file, with exactly this name." in said[1]


def test_docstrings_are_no_difference_to_our_solution():
    """Ours has other docstrings than the stub. They are left out on both sides; code beside one stays."""
    mine = without_docstrings('"""Mine."""\n\ndef f(x):\n    """Task.\n\n    More.\n    """\n    return x\n')
    ours = without_docstrings('"""Ours."""\n\ndef f(x):\n    """Short."""\n    return x\n')
    assert [mark for mark, _, _ in pairs(mine, ours)] == [" ", " "]
    assert without_docstrings('class A: "empty"\n') == [(1, 'class A: "empty"')]
