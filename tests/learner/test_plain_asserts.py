"""The failure of a plain assert in a visible test uses the test's own words, and gives a likely cause once."""

import os
import re

import pytest
import torch
import warm
from tiny_dojo import DOUBLE, make_dojo, write

from torchdojo.learner.asserts import NotSame, assert_same

pytestmark = pytest.mark.timeout(120)  # other processes are started, perhaps on a busy machine

HEAD = '"""Visible tests for double."""\n\nimport torch\n\nfrom ex01_double import double\nfrom torchdojo import assert_same\n\n\n'


def told(root, body, solution, *words, head=HEAD):
    """The messages of the tests in `body`, without claim, tried and the last row."""
    write(root / "exercises/01_toys/test_ex01_double.py", head + body)
    write(root / "exercises" / f"{DOUBLE}.py", solution)
    words = ["exercises/01_toys", "-k", "ex01", "-q", "--color=no", *words]
    done = warm.python("-m", "pytest", *words, cwd=root, env=os.environ | {"COLUMNS": "120", "OMP_NUM_THREADS": "1"})
    found = done.stdout.partition("= FAILURES =")[2].partition("\n= ")[0]
    blocks = re.split(r"^_{3,}.*_{3,}$", found, flags=re.MULTILINE)[1:]
    assert blocks, done.stdout
    return [re.split(r"^try again", b, flags=re.MULTILINE)[0].partition("tried ")[2].splitlines()[1:] for b in blocks]


@pytest.fixture
def root(tmp_path):
    return make_dojo(tmp_path / "dojo")


LINES = {
    "assert got.shape == (3,)": ["got          torch.Size([2])", "wanted       (3,)", "went wrong   this does not hold: got.shape == (3,)"],
    "assert got is None": ["got          torch.tensor([3., 9.])", "wanted       None", "went wrong   this does not hold: got is None"],
    "assert got.requires_grad": ["went wrong   this does not hold: got.requires_grad"],
    "assert not got.is_leaf": ["went wrong   this does not hold: not got.is_leaf"],
    "assert got.is_leaf and got.requires_grad": ["went wrong   this does not hold: got.requires_grad"],
    "assert got.is_leaf and double(x).is_sparse": ["went wrong   this does not hold: got.is_leaf and double(x).is_sparse"],
    "assert None not in {'a': None}.values()": ["went wrong   this does not hold: None not in {'a': None}.values()"],
    "assert got[0] < 2.5": ["got          torch.tensor(3.)", "went wrong   this does not hold: got[0] < 2.5"],
    "assert got.grad_fn, 'there is no graph'": ["went wrong   there is no graph"],
    "assert Odd() == got": ["got          Odd(...)", "wanted       torch.tensor([3., 9.])", "went wrong   this does not hold: Odd() == got"],
    "assert (\n        len(got)\n        == 7\n    )": ["got          2", "wanted       7", "went wrong   this does not hold: len(got) == 7"],
}
ODD = "class Odd:\n    __hash__ = None\n\n    def __eq__(self, other):\n        return False\n\n    def __repr__(self):\n        raise ValueError\n\n\n"


@pytest.mark.slow
@pytest.mark.parametrize("plain", ["", "--assert=plain"])
def test_an_assert_is_told_without_introspection(root, plain):
    """Both sides of a comparison, or the assertion; if pytest doesn't rewrite it, the assertion."""
    tests = [
        f'def test_{n}():\n    """Claim {n}."""\n    x = torch.tensor([1.0, 3.0])\n    got = double(x)\n    {line}\n'
        for n, line in enumerate(LINES)
    ]
    found = told(root, ODD + "\n\n".join(tests), "def double(x):\n    return x * 3\n", *[plain] * bool(plain))
    for line, lines, wanted in zip(LINES, found, LINES.values(), strict=True):
        rest = lines[2 + line.count("\n") :]
        assert rest == ([w for w in wanted if w.startswith("went")] if plain else wanted), line


@pytest.mark.slow
def test_an_assert_of_the_learners_own_is_told_as_an_error(root):
    """With its line in their file."""
    body = 'def test_a():\n    """Claim."""\n    assert double(2) == 4\n'
    (lines,) = told(root, body, "def double(x):\n    assert x > 5\n")
    assert lines == ["went wrong   AssertionError", "             raised at ex01_double.py line 2, in double: assert x > 5"]


@pytest.mark.slow
def test_a_cause_is_told_once(root):
    """Not for every failing test: the others name the one that shows it."""
    body = "\n\n".join(
        f'def test_{name}():\n    """{claim}"""\n    assert_same(double(torch.tensor({value})), torch.tensor({want}))\n'
        for name, claim, value, want in [("a", "Two and four.", "[1, 2]", "[2, 4]"), ("b", "Six and ten.", "[3, 5]", "[6, 10]")]
    )
    found = told(root, body, "def double(x):\n    return x * 2.0\n")
    assert [" ".join(line.strip() for line in lines[3:]) for lines in found] == [
        "likely cause These are floating-point numbers instead of integers.",
        "likely cause As for “Two and four”.",
    ]


def test_a_variable_that_holds_the_answer_is_no_input():
    """A test may give the answer the name of an argument."""
    train = torch.tensor([[1.0, 2.0], [3.0, 5.0]])
    with pytest.raises(NotSame) as told:
        assert_same(train, torch.tensor([[9.0, 8.0], [7.0, 4.0]]))
    assert told.value.cause is None


@pytest.mark.slow
def test_a_random_answer_is_the_same_in_each_run(root):
    """The global generators are seeded before each test: a message can be read again, and known mistakes are recognized."""
    body = 'def test_a():\n    """Two."""\n    assert_same(double(torch.tensor([1.0])), torch.tensor([2.0]))\n'
    code = "import random\n\nimport torch\n\n\ndef double(x):\n    return x * torch.rand(1) + random.random()\n"
    assert told(root, body, code) == told(root, body, code)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "named"), [('torch.linspace(0, 1, 4, device="meta")', False), ('warnings.filterwarnings("ignore", "nothing")', True)]
)
def test_filters_that_pytorch_adds_are_not_the_learners(root, line, named):
    """PyTorch imports parts of itself on first use, such as the meta device's, and these add warnings filters."""
    body = 'def test_a():\n    """Two."""\n    assert_same(double(torch.tensor([1.0])), torch.tensor([2.0]))\n'
    [lines] = told(root, body, f"import warnings\n\nimport torch\n\n\ndef double(x):\n    {line}\n    return x * 3\n")
    assert ("changed the warnings filters" in " ".join(lines)) == named, lines
