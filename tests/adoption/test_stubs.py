"""The stub of a notebook's answer, from the markers of each format; the asserts and functions of its tests."""

from __future__ import annotations

import doctest

import pytest
from nbformat import v4

from torchdojo.adoption.asserts import asserted, asserted_example
from torchdojo.adoption.context import entries_of, names_used, needs_of
from torchdojo.adoption.nbgrader import answer_of as of_nbgrader
from torchdojo.adoption.otter import answer_of as of_otter
from torchdojo.adoption.otter import config_of
from torchdojo.adoption.stubs import stub_body, without_displays
from torchdojo.adoption.testfiles import function_text

ID = "02_a/ex01_b"


def raises(what: str) -> str:
    return f'raise NotImplementedError("{ID}: {what}")'


@pytest.mark.parametrize(
    ("answer", "stub"),
    [
        (of_otter("x = 2 # SOLUTION\nx"), f"{raises('assign x, then delete this line')}\nx = ..."),
        (of_otter("a = 1\nb = a + f(c=1)  #SOLUTION"), f"a = 1\n{raises('assign b, then delete this line')}\nb = ..."),
        (of_otter("def f(x):\n    return x # SOLUTION"), f"def f(x):\n    {raises('write f()')}"),
        (of_otter("def f(x):\n    y = x # SOLUTION\n    return y"), f"def f(x):\n    {raises('write f(), then delete this line')}\n    y = ...\n    return y"),
        (of_otter('def f(x):\n    # BEGIN SOLUTION NO PROMPT\n    return x\n    # END SOLUTION\n    """ # BEGIN PROMPT\n    return ...\n    """; # END PROMPT'), f"def f(x):\n    {raises('write f(), then delete this line')}\n    return ..."),
        (of_otter("def f(x):\n    return x # SOLUTION NO PROMPT"), f"def f(x):\n    {raises('write f()')}"),
        (of_otter("n = 3 # SEED\n# BEGIN IGNORE\nleak = 1\n# END IGNORE\nm = 2 # IGNORE\nd['a'] = n # SOLUTION"), f"n = 3\n{raises('assign d, then delete this line')}\nd['a'] = ..."),
        (of_nbgrader("x = 1\n### BEGIN SOLUTION\nimport os\ny = x\nz = y\n### END SOLUTION"), f"x = 1\nimport os\n{raises('assign y, z, then delete this line')}\ny = ...\nz = ..."),
        (of_nbgrader("def f(a, *, b=1):\n    'Sum.'\n    return a + b"), f"def f(a, *, b=1):\n    'Sum.'\n    {raises('write f()')}"),
        (of_nbgrader("class A:\n    def __init__(self):\n        self.n = 0\n\n    def up(self):\n        ### BEGIN SOLUTION\n        self.n += 1\n        ### END SOLUTION"), f"class A:\n    def __init__(self):\n        self.n = 0\n\n    def up(self):\n        {raises('write up()')}"),
        (of_nbgrader("class A:\n    k = 1\n    ### BEGIN SOLUTION\n    def up(self):\n        return 1\n    ### END SOLUTION"), f"class A:\n    k = 1\n    def up(self):\n        {raises('write A()')}"),
        (of_nbgrader("d['rat'] = 1"), f"{raises('assign d, then delete this line')}\nd = ..."),
        (of_otter("for i in xs: # SOLUTION\n    n += i # SOLUTION"), f"{raises('assign n, then delete this line')}\nn = ..."),
        (of_nbgrader("half = 1\nx = [half for half in xs]\n"), f"{raises('assign x, then delete this line')}\nx = ..."),
        (of_nbgrader("def helper():\n    return 1\n\ndef x():\n    return helper()"), f"def x():\n    {raises('write x()')}"),
        (of_nbgrader("i, j = 1, 2"), f"{raises('assign i, j, then delete this line')}\ni = ...\nj = ..."),
    ],
)
def test_a_stub_raises_where_something_is_missing(answer: object, stub: str) -> None:
    """And has no line of the solution; it is Python, and its functions keep what is given. Only names that tests use are asked for."""
    body = stub_body(answer, ID, set("xyzabdn")).text  # type: ignore[arg-type]
    compile(body, "stub", "exec")
    assert "\n".join(line for line in body.split("\n") if line.strip()) == "\n".join(line for line in stub.split("\n") if line.strip())


def test_given_functions_are_named() -> None:
    """Those that learners don't write, and methods of a class that is given."""
    answer = of_nbgrader("def given():\n    return 1\n\nclass B:\n    def m(self):\n        return 2\n\ndef f():\n    ### BEGIN SOLUTION\n    return 3\n    ### END SOLUTION")
    assert stub_body(answer, ID, set()).complete == ["given", "m"]


def test_what_only_shows_something_is_left_out() -> None:
    """Values and prints at the end of a cell; calls that do something stay, and so do lines that are shared."""
    assert without_displays("'''Your answer.'''\nx = 1\nf(x)\nprint(x)\nx, 2\nx == 1;") == "x = 1\nf(x)"
    assert without_displays("x = 1; x") == "x = 1; x"


def shown(text: str) -> list[object]:
    return [v4.new_output("execute_result", data={"text/plain": text}, execution_count=1)]


@pytest.mark.parametrize(
    ("cell", "outputs", "wanted"),
    [
        ("f(1)", shown("[1, 2]"), "assert f(1) == [1, 2]"),
        ("a + b", shown("3"), "assert (a + b) == 3"),
        ("f(1) == 2", shown("True"), "assert f(1) == 2"),
        ("x in y", shown("False"), "assert not (x in y)"),
        ("f(1)", shown("np.float64(0.5)"), "assert f(1) == pytest.approx(0.5)"),
        ("f(1)", shown("-2"), "assert f(1) == -2"),
        ("f(1)", shown("array([1, 2])"), "assert repr(f(1)) == 'array([1, 2])'"),
        ("y = 2\n# a hint\nf(y);", shown("4"), "y = 2\n# a hint\nassert f(y) == 4"),
        ("print(x)", [v4.new_output("stream", text="3\n")], "assert str(x) == '3'"),
        ("all(x == y)", [], "assert all(x == y)"),
        ("def test_a():\n    assert x\n\ntest_a()", [], "def test_a():\n    assert x\n\ntest_a()"),
        ("assert x == 1", [], "assert x == 1"),
    ],
)
def test_a_cell_is_compared_with_its_output(cell: str, outputs: list[object], wanted: str) -> None:
    """As Otter does, which runs it as a doctest."""
    assert asserted(cell, outputs) == wanted
    compile(wanted, "test", "exec")


@pytest.mark.parametrize(("cell", "words"), [("f(1)", "no output of it is saved"), ("x", "no output of it is saved"), ("# later", "no code"), ("print(x)\nprint(y)", "what is printed")])
def test_what_has_no_assert_says_why(cell: str, words: str) -> None:
    """In words for the instructor."""
    outputs = [v4.new_output("stream", text="3\n4\n")] if "print" in cell else []
    with pytest.raises(ValueError, match=words):
        asserted(cell, outputs)


def test_examples_become_asserts() -> None:
    """Plain ones for pytest."""
    (example,) = doctest.DocTestParser().get_examples(">>> f(2)\n[4]\n")
    assert [*asserted_example(example)] == ["assert f(2) == [4]"]


def test_settings_of_a_question_are_read() -> None:
    """Names, numbers, words and lists; comments aside."""
    config = config_of("name: q1 # the first\npoints:\n  - 1\n  - 0.5\nmanual: False\nexport: true\n")
    assert config == {"name": "q1", "points": [1, 0.5], "manual": False, "export": True}


def test_names_that_a_cell_needs() -> None:
    """In the order in which statements run; blocks bind what they open and loop over."""
    assert names_used("with f() as g:\n    print(g)\nfor i in xs:\n    y = i\ny + z") == {"f", "print", "xs", "z"}
    assert names_used("x = x + 1\nn += 1\ndel old\ndef h():\n    return later\nlater = 1") == {"x", "n", "old"}
    assert names_used("try:\n    import a\nexcept E as e:\n    print(e)") == {"E", "print"}


def test_what_a_question_needs_of_other_cells() -> None:
    """The last binding before it and all changes since; answers of others are theirs; a star may bring anything."""
    entries = [*entries_of("import numpy as np\nd = {}\nd['a'] = 1\nunused = 2\nnp.random.seed(3)", 1), *entries_of("def f():\n    return d", 2, owner=0), *entries_of("x = f() + g(d)", 3)]
    needs = needs_of({"x", "np", "len"}, entries, own=1)
    assert [e.text for e in needs.entries] == ["import numpy as np", "d = {}", "d['a'] = 1", "np.random.seed(3)", "x = f() + g(d)"]
    assert needs.owners == {0: ["f"]} and needs.missing == ["g"]
    starred = needs_of({"g"}, entries_of("from tools import *", 1), own=1)
    assert [e.text for e in starred.entries] == ["from tools import *"] and not starred.missing


def test_a_test_is_a_function_of_its_own() -> None:
    """It gets what it changes as an argument; texts keep their lines; a text at the top is its title."""
    text = function_text("test_a", '"""Doubled."""\nx = x * 2\nassert x == """a\nb"""', [], "The test in cell 3.")
    assert text == 'def test_a(x=x):\n    """Doubled."""\n    x = x * 2\n    assert x == """a\nb"""'
    assert function_text("test_b", "assert y", ["y = f()"], "The test in cell 3.") == 'def test_b():\n    """The test in cell 3."""\n    y = f()\n    assert y'
