"""Similar answers: disguised copies are found; answers that are similar by chance are not."""

import pytest

from torchdojo.classroom.alike import FEWEST, groups

STUB = '''
"""A stub."""
import torch


def summary(x):
    """Return a dict."""
    raise NotImplementedError
'''
ANSWER = '''
import torch


def spread(values, center):
    gap = values - center
    return (gap * gap).sum() / len(values)


def summary(x):
    middle = x.mean(dim=0, keepdim=True)
    wide = spread(x, middle)
    low = x.min()
    if low < 0:
        raise ValueError(f"too low: {low}")
    return {"mean": middle, "spread": wide, "low": low}
'''
COPIES = {
    "renamed": ANSWER.replace("middle", "m").replace("gap", "delta").replace("spread(", "var("),
    "reordered": ANSWER.replace("    low = x.min()\n", "").replace("    middle =", "    low = x.min()\n    middle =").replace("dim=0, keepdim=True", "keepdim=True, dim=0"),
    "commented": ANSWER.replace("    wide", "    # how wide it is\n    wide").replace("def summary(x):", 'def summary(x):\n    """My own."""'),
    "reformatted": ANSWER.replace("x.mean(dim=0, keepdim=True)", "x.mean(\n        dim=0,\n        keepdim=True,\n    )").replace("(gap * gap).sum()", "((gap * gap)).sum()"),
    "imported otherwise": ANSWER.replace("import torch\n", "import torch as t\nfrom torch import nn\n"),
    "annotated": ANSWER.replace("def summary(x):", "def summary(x: torch.Tensor) -> dict:").replace("    low = x", "    low: torch.Tensor = x"),
    "another message": ANSWER.replace("too low", "negative numbers, such as"),
}
OTHERS = {
    "another constant": ANSWER.replace("dim=0", "dim=1"),
    "another operation": ANSWER.replace("x.min()", "x.max()"),
    "another comparison": ANSWER.replace("low < 0", "low <= 0"),
    "one step more": ANSWER.replace("    low =", "    x = x + 0\n    low ="),
    "out of the branch": ANSWER.replace('        raise ValueError(f"too low: {low}")', '        pass\n    raise ValueError(f"too low: {low}")'),
    "another variable": ANSWER.replace("(gap * gap)", "(gap * values)"),
}


CLAUSES = ANSWER.replace("def summary(x):", """count = 0
def summary(x):
    global count
    count += 1
    try:
        sizes = x.tolist()
    except ValueError as problem:
        sizes = [problem]
    match sizes:
        case [head, *tail]:
            torch.zeros(head)
        case {"all": whole, **rest}:
            torch.zeros(whole)
    def closed():
        nonlocal sizes
        sizes = None""")


def alike(answers, known=(), stub=STUB, reference=ANSWER):
    return [g.students for g in groups("01_toys/ex01", stub, reference, known, answers)]


@pytest.mark.parametrize("copy", COPIES.values(), ids=COPIES)
def test_a_disguised_copy_is_found(copy):
    """And is the same answer, with each change alone."""
    assert copy != ANSWER
    assert alike({"ada": ANSWER, "ben": copy, "cy": OTHERS["one step more"]}) == [("ada", "ben")]


@pytest.mark.parametrize("name", ["count", "sizes", "problem", "head", "tail", "whole", "rest"])
def test_a_name_is_left_out_whatever_binds_it(name):
    """A global or nonlocal statement, an except clause, a pattern."""
    assert alike({"ada": CLAUSES, "ben": CLAUSES.replace(name, "renamed")}, reference=CLAUSES) == [("ada", "ben")]


def test_an_imported_name_is_what_it_stands_for():
    """With or without its module before it."""
    copy = CLAUSES.replace("import torch\n", "from torch import zeros\n").replace("torch.zeros", "zeros")
    assert alike({"ada": CLAUSES, "ben": copy}, reference=CLAUSES) == [("ada", "ben")]


@pytest.mark.parametrize("before, after", [("except ValueError", "except KeyError"), ('"all"', '"any"'), ("[head, *tail]", "[*tail, head]")])
def test_another_clause_is_not_alike(before, after):
    """Another exception is caught, another pattern matched."""
    assert alike({"ada": CLAUSES, "ben": CLAUSES.replace(before, after)}, reference=CLAUSES) == []


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_another_answer_is_not_alike(other):
    """One that does something else, however close it is."""
    assert other != ANSWER and alike({"ada": ANSWER, "ben": other}) == []


def test_what_the_course_knows_is_no_hint():
    """A known answer, disguised or not; one of more than a hundred known ones is rare again."""
    pair = {"ada": ANSWER, "ben": COPIES["renamed"]}
    assert alike(pair, [COPIES["reordered"]]) == []
    assert alike(pair, [ANSWER, *[OTHERS["another constant"]] * 99]) == []
    assert alike(pair, [ANSWER, *[OTHERS["another constant"]] * 100]) == [("ada", "ben")]


def test_a_large_group_is_no_hint():
    """Larger than three and larger than a fifth of the class: then it is the usual answer. Three of a small class are a hint."""
    others = {f"o{n}": ANSWER.replace("dim=0", f"dim={n + 1}") for n in range(16)}
    four = {f"s{n}": ANSWER for n in range(4)}
    assert alike(four | others) == [tuple(four)]
    others.popitem()
    assert alike(four | others) == []
    assert alike({f"s{n}": ANSWER for n in range(3)}) == [("s0", "s1", "s2")]


def test_short_answers_are_left_out():
    """Few statements are alike by themselves: in the exercise, in an answer, and beside what the stub gives."""
    short = "def summary(x):\n    return {'mean': x.mean()}\n"
    assert FEWEST > 1 and alike({"ada": short, "ben": short}) == []
    assert alike({"ada": ANSWER, "ben": ANSWER}, reference=short) == []
    assert alike({"ada": ANSWER, "ben": ANSWER}, stub=ANSWER) == []


@pytest.mark.parametrize("source", ["def summary(x:", "x = '\0'", "(" * 5000, "\ud800"])
def test_what_is_no_python_is_like_nothing(source):
    """Two such files are not alike, and don't stop the comparison."""
    assert alike({"ada": source, "ben": source, "cy": ANSWER, "dee": ANSWER}) == [("cy", "dee")]
