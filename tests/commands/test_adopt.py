"""`torchdojo adopt`: an exercise from a solution and its pytest file, and how such an exercise is graded."""

from __future__ import annotations

import re
import sys
import types
from pathlib import Path

import pytest
from click.testing import CliRunner
from tiny_dojo import make_dojo, write

from torchdojo.adoption.examples import examples_of
from torchdojo.adoption.modules import modules_in
from torchdojo.commands.adopt import command
from torchdojo.common.errors import AuthorError, UsageError
from torchdojo.course.adopted import refuse_adopted
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.course.points import points_of, without_points
from torchdojo.explain.records import records_of
from torchdojo.grading.adopted_tests import adopted, read_tests
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.session import Session
from torchdojo.sandbox.linux import Zygote
from torchdojo.submission.folder import Submission
from torchdojo.worker.pytest_item import complaint_of
from torchdojo.worker.raised import MissingName
from torchdojo.worker.run import Solution

ID = "02_images/ex01_filters"
SOLUTION = '''import math

SIZE = 3


def _near(xs, i):
    return xs[max(0, i - 1) : i + 2]


def smooth(xs):
    """Return the mean of each value and its neighbors.

    >>> smooth([0.0, 4.0])
    [2.0, 2.0]
    >>> smooth([])
    Traceback (most recent call last):
    ValueError: there are no values
    """
    if not xs:
        raise ValueError("there are no values")
    return [math.fsum(near := _near(xs, i)) / len(near) for i in range(len(xs))]


class Counter:
    """Adds up.

    >>> c = Counter()
    >>> c.add(2)
    >>> print(c.total)
    2
    """

    def __init__(self): self.total = 0

    def add(self, n):
        self.total += n  # nothing is returned


def shown(xs):
    """Print the values.

    >>> for x in xs: print(x)
    1
    """
    print(*xs)
'''
TESTS = '''import pytest
import filters as f
from filters import Counter, shown, smooth


@pytest.fixture
def data():
    yield [1.0, 2.0, 6.0]


@pytest.mark.points(2)
def test_length(data):
    """The length stays."""
    assert len(smooth(data)) == len(data)


@pytest.mark.parametrize("xs, want", [([3.0], [3.0]), ([0.0, 4.0], [2.0, 2.0])])
def test_values(xs, want):
    assert f.smooth(xs) == pytest.approx(want)


class TestCounter:
    def test_counts(self, capsys):
        counter = Counter()
        counter.add(2)
        assert counter.total == 2, "the total is wrong"

    def test_shown(self, capsys, tmp_path, monkeypatch):
        shown([1, 2])
        assert capsys.readouterr().out == "1 2\\n"


def test_no_values():
    with pytest.raises(ValueError, match="no values"):
        smooth([])


@pytest.mark.skip(reason="on Mondays")
def test_never():
    pass


@pytest.mark.xfail
def test_expected_to_fail():
    assert False
'''
NAMES = ["test_length", "test_values", "TestCounter::test_counts", "TestCounter::test_shown", "test_no_values", "test_never", "test_expected_to_fail"]


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = make_dojo(tmp_path / "course")
    monkeypatch.chdir(root)
    return root


def adopt(solution: str, tests: str, name: str = ID, module: str = "filters") -> str:
    """What the command prints. Raises its error."""
    files = write(Path("mine") / "test_filters.py", tests), write(Path("mine") / f"{module}.py", solution)
    result = CliRunner().invoke(command, [str(files[0]), "--solution", str(files[1]), "--as", name])
    if result.exception is not None:
        raise result.exception
    return result.stdout


def complaint(solution: str, test: str, tests: str = TESTS) -> str:
    """What pytest says of a solution."""
    module = types.ModuleType("ex01_filters")
    exec(compile(solution, "ex01_filters.py", "exec"), vars(module))
    return complaint_of(Solution(module), tests, test, ("filters",))


@pytest.mark.parametrize(
    ("test", "right", "wrong", "words"),
    [
        ("test_length", "range(len(xs))]", "range(1)]", r"assert 1 == 3\n \+  where 1 = len\(\[1\.5\]\)"),
        ("test_values", "len(near)", "3", r"case xs0-want0: assert \[1\.0\] == approx\(\[3\.0"),
        ("TestCounter::test_counts", "+= n", "+= n + 1", r"the total is wrong\nassert 3 == 2"),
        ("TestCounter::test_shown", "print(*xs)", "print(xs)", r"assert '\[1, 2\]\\n' == '1 2\\n'"),
        ("test_no_values", 'raise ValueError("there are no values")', "return []", "DID NOT RAISE"),
        ("test_no_values", "there are no values", "empty", "Regex pattern did not match"),
    ],
)
def test_a_failed_assert_is_told_with_its_values(test: str, right: str, wrong: str, words: str) -> None:
    """And the right solution passes: fixtures, parameters, classes, captured output, expected errors."""
    assert right in SOLUTION
    assert complaint(SOLUTION, test) == ""
    assert re.search(words, complaint(SOLUTION.replace(right, wrong), test), re.DOTALL)


@pytest.mark.parametrize("imported", ["from pkg.a import filters as f", "import pkg.a.filters as f", "import pkg.a.filters; f = pkg.a.filters"])
def test_a_module_of_a_package_is_the_learners_file(imported: str) -> None:
    """However the tests import it."""
    module = types.ModuleType("ex01_filters")
    exec(SOLUTION, vars(module))
    tests = f"{imported}\n\n\ndef test_a():\n    assert f.smooth([1.0]) == [2.0]\n"
    assert "assert [1.0] == [2.0]" in complaint_of(Solution(module), tests, "test_a", modules_in(tests, "filters"))


def test_only_a_test_that_ran_passes() -> None:
    """A skipped test and a missing one have no verdict; a failure that the author expects is none."""
    assert complaint(SOLUTION, "test_never") == "pytest skipped this test: on Mondays"
    assert complaint(SOLUTION, "test_of_another_file") == "pytest did not run this test"
    assert complaint(SOLUTION, "test_expected_to_fail") == ""
    assert "fixture 'absent' not found" in complaint(SOLUTION, "test_a", "def test_a(absent):\n    pass\n")


@pytest.mark.parametrize(
    ("solution", "error"),
    [
        (SOLUTION.replace("def smooth", "def smoothed"), MissingName),
        (SOLUTION.replace("if not xs:", "raise NotImplementedError\n    if not xs:"), NotImplementedError),
        (SOLUTION.replace("if not xs:", "assert xs is None\n    if not xs:"), AssertionError),
        (SOLUTION.replace("if not xs:", "xs.absent\n    if not xs:"), AttributeError),
    ],
)
def test_an_error_of_the_solution_is_raised_as_it_is(solution: str, error: type[BaseException]) -> None:
    """So that the message can name its line: also an assert of the learner's own, and what says that nothing is done yet."""
    with pytest.raises(error):
        complaint(solution, "test_length")


def test_an_adopted_exercise_has_stub_visible_tests_reference_and_grader(course: Path) -> None:
    """The stub has no answers, and no private helper; each example that can be a test is one, and the other is listed."""
    told = adopt(SOLUTION, TESTS)

    exercise = Exercise(course, ID)
    stub, visible = exercise.stub.read_text(), exercise.test.read_text()
    compile(stub, "stub", "exec")
    assert stub.startswith('"""Images 1 of 1: filters.\n\nDifficulty 2 of 5') and "SIZE = 3" in stub and "import math" in stub
    assert all(words not in stub for words in ("_near", "fsum", "self.total", "nothing is returned")) and stub.count("raise NotImplementedError") == 4
    assert "Return the mean of each value" in stub and "def add(self, n):" in stub
    assert "assert smooth([0.0, 4.0]) == [2.0, 2.0]" in visible and "with pytest.raises(ValueError):" in visible
    assert "assert str(c.total) == '2'" in visible and "from ex01_filters import smooth, Counter" in visible
    assert "Not converted: the example of shown: it prints something besides a value." in told
    assert exercise.reference.read_text().endswith(SOLUTION) and (exercise.grader.parent / "tests_ex01_filters.py").read_text() == TESTS
    assert "`ex01_filters`" in exercise.lesson.read_text() and "decided beside the learner's code" in told
    compile(visible, "visible", "exec")


def test_the_grader_has_a_check_for_each_test(course: Path) -> None:
    """With the points of the marks, which the table can change, and the mark in its title; nothing is asked of an oracle."""
    adopt(SOLUTION, TESTS)
    exercise = Dojo(course).graded()[-1]

    checks = exercise.grading.checks

    assert [c.name for c in checks] == [name.replace("::", "_") for name in NAMES]
    assert [c.points for c in checks] == [2, 1, 1, 1, 1, 1, 1]
    assert checks[0].title == "The length stays (decided beside the learner's code)."
    assert all(c.title.endswith("(decided beside the learner's code).") and c.code for c in checks)
    assert len(Oracle(0, devices=["cpu"]).runs(checks[0])) == 1


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux only")
def test_a_locked_worker_runs_the_tests(course: Path, zygote: Zygote) -> None:
    """The solution passes all that ran, the stub is to do in each check, a mistake costs the checks that notice it."""
    adopt(SOLUTION, TESTS.partition("@pytest.mark.skip")[0])
    exercise = Dojo(course).graded()[-1]

    def statuses(text: str) -> tuple[list[str], str]:
        file = write(course / "submission" / f"{exercise.id}.py", text)
        session = Session(zygote, Submission("ada", {exercise.id: file}, {}), Oracle(0, devices=["cpu"]))
        records = [*records_of(session, exercise, explain=False)]
        session.close()
        return [record.status for record in records], records[0].feedback

    assert statuses(SOLUTION) == (["passed"] * 5, "")
    assert statuses(exercise.stub.read_text())[0] == ["todo"] * 5
    found, words = statuses(SOLUTION.replace("range(len(xs))]", "range(1)]"))
    assert found == ["failed", "failed", "passed", "passed", "passed"] and "assert 1 == 3" in words


def test_the_points_of_tests_become_points_of_checks(course: Path) -> None:
    """`regrade --points` finds them in the table, and the table is no part of the digest of what a verdict depends on."""
    adopt(SOLUTION, TESTS)
    exercise = Exercise(course, ID)
    text = exercise.grader.read_text()
    write(exercise.grader, text.replace('"test_length": 2', '"test_length": 7'))
    names = [name.replace("::", "_") for name in NAMES]
    assert points_of(exercise, names) == dict(zip(names, (7, 1, 1, 1, 1, 1, 1), strict=True))
    assert without_points(text.encode()) == without_points(exercise.grader.read_bytes())
    assert without_points(text.replace('("filters",)', '("f",)').encode()) != without_points(text.encode())


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"tests": "import filters\n"}, "has no tests"),
        ({"tests": "def test_a():\n    pass\n"}, "doesn't import filters"),
        ({"tests": "def test_a(:\n"}, "cannot be read as Python"),
        ({"solution": "def smooth(:\n"}, "cannot be read as Python"),
        ({"name": "images/filters"}, "not a valid exercise name"),
        ({"name": "01_toys/ex09_double"}, "is taken by 01_toys/ex01_double"),
    ],
)
def test_what_cannot_be_adopted_is_one_line(course: Path, change: dict[str, str], problem: str) -> None:
    """And nothing is written."""
    before = sorted(course.rglob("*"))
    with pytest.raises(UsageError, match=re.escape(problem)):
        adopt(**{"solution": SOLUTION, "tests": TESTS, **change})
    assert [f for f in sorted(course.rglob("*")) if "mine" not in f.parts] == before


def test_isolation_can_be_required_of_the_verdicts_too(course: Path) -> None:
    """Where a verdict is decided beside the learner's code, nothing is graded."""
    refuse_adopted(Dojo(course).graded())
    adopt(SOLUTION, TESTS)
    with pytest.raises(UsageError, match=f"the adopted tests of {ID} are decided beside the learner's code; nothing was graded"):
        refuse_adopted(Dojo(course).graded())


def test_tests_that_are_gone_are_an_error_of_the_author(course: Path) -> None:
    """A file that was deleted, a name in the table that no test has."""
    adopt(SOLUTION, TESTS)
    grader = str(Exercise(course, ID).grader)
    with pytest.raises(AuthorError, match="has no such test"):
        adopted(grader, "tests_ex01_filters.py", modules=("filters",), points={"test_lenght": 1})
    with pytest.raises(AuthorError, match="cannot be read"):
        adopted(grader, "tests_ex02_gone.py", modules=("filters",))


def test_names_and_examples_of_other_files() -> None:
    """Packages, unittest classes, an async test that pytest would not run, examples of values without a literal."""
    assert modules_in("from pkg.a.filters import smooth\n", "filters") == ["pkg", "pkg.a", "pkg.a.filters"]
    assert modules_in("from pkg import filters as f\nimport filtersx\n", "filters") == ["pkg", "pkg.filters"]
    assert [t.name for t in read_tests("class A(unittest.TestCase):\n    def test_a(self): ...\nclass B:\n    def test_b(self): ...\n")] == ["A::test_a"]
    found = examples_of('def f():\n    """F.\n\n    >>> f()  # doctest: +ELLIPSIS\n    1\n    """\ndef g():\n    """>>> g()\n    <g>\n    """\n')
    assert found.left == ["the example of f: options of doctest can't be converted"]
    assert "assert repr(g()) == '<g>'" in found.tests[0]


def test_examples_alone_make_an_exercise(course: Path) -> None:
    """Those of docstrings, of methods too, and those of a text: visible tests and hidden checks."""
    file = write(Path("mine/filters.py"), SOLUTION)
    CliRunner().invoke(command, [str(file), "--as", ID], catch_exceptions=False)
    exercise = Dojo(course).graded()[-1]
    hidden = (exercise.grader.parent / "tests_ex01_filters.py").read_text()
    assert [c.name for c in exercise.grading.checks] == ["test_example_of_smooth", "test_example_of_counter"]
    assert "assert smooth([0.0, 4.0]) == [2.0, 2.0]" in hidden and "assert smooth([0.0, 4.0]) == [2.0, 2.0]" in exercise.test.read_text()
    compile(hidden, "hidden", "exec")

    text = write(Path("mine/usage.md"), "Smooth it:\n\n>>> smooth([3.0])\n[3.0]\n\nThat is all.\n")
    args = [str(text), "--solution", str(file), "--as", "02_images/ex02_usage"]
    CliRunner().invoke(command, args, catch_exceptions=False)
    exercise = Dojo(course).graded()[-1]
    assert [c.name for c in exercise.grading.checks] == ["test_example_of_the_text"] and "smooth([3.0])" in exercise.test.read_text()


@pytest.mark.parametrize(
    ("name", "text", "options", "words"),
    [
        ("a.py", "x = 1\n", [], "has no example"),
        ("a.py", TESTS, [], "has tests; name with --solution the file that they test"),
        ("a.txt", ">>> 1\n1\n", [], "is a text; name with --solution"),
        ("a.py", 'def f():\n    """\n    >>> for x in (1, 2): print(x)\n    1\n    2\n    """\n', [], "it prints something besides a value"),
    ],
)
def test_a_file_without_a_usable_test_is_one_line(course: Path, name: str, text: str, options: list[str], words: str) -> None:
    """Which says what to do."""
    file = write(Path("mine") / name, text)
    result = CliRunner().invoke(command, [str(file), "--as", ID, *options])
    assert isinstance(result.exception, UsageError) and words in str(result.exception)
    assert not (course / "graders/02_images").exists()
