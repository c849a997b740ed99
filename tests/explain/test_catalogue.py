"""Edits of a learner's file: what each kind makes of a program, where it may stand, and that no word of the reference is in it."""

import ast
from pathlib import Path

import pytest

from torchdojo.course.exercise import find_dojo
from torchdojo.explain import inverses
from torchdojo.explain.edits import Kind, candidates
from torchdojo.mutate.edits import Code

ROOT = Path(__file__).resolve().parents[2]
ALL = range(1, 100)


def made(source: str, kind: Kind, lines=ALL) -> list[str]:
    """What the edits of a kind make of a program."""
    return [one.text for one in candidates(source, lines) if one.kind is kind]


def body(*statements: str, header: str = "def f(x, y, dim):") -> str:
    return "\n".join([header, *(f"    {statement}" for statement in statements), ""])


REPAIRS = {
    "another axis": (Kind.AXIS, "return x.sum(0)", "return x.sum(-1)"),
    "an axis where none is named": (Kind.AXIS, "return x.sum()", "return x.sum(dim=dim, keepdim=True)"),
    "one reduction along an axis for another of everything": (Kind.AXIS, "return x - x.max()", "return x - x.amax(dim, keepdim=True)"),
    "keepdim": (Kind.KEEPDIM, "return x / x.sum(dim)", "return x / x.sum(dim, keepdim=True)"),
    "a neighbor in its family": (Kind.FUNCTION, "return x.sum(dim)", "return x.mean(dim)"),
    "view and reshape": (Kind.FUNCTION, "return x.view(-1)", "return x.reshape(-1)"),
    "an operator": (Kind.OPERATOR, "return x + y", "return x - y"),
    "a comparison": (Kind.CONDITION, "return x > 0", "return x >= 0"),
    "a number": (Kind.NUMBER, "return x * 3", "return x * 2"),
    "True for False": (Kind.FLAG, "x.backward(retain_graph=False)", "x.backward(retain_graph=True)"),
    "arguments exchanged": (Kind.EXCHANGED, "return x.where(x > 0, y)", "return x.where(y, x > 0)"),
    "an unused parameter": (Kind.KEYWORD, "return g(x, y)", "return g(x, y, dim=dim)"),
    "dtype and device": (Kind.KEYWORD, "return torch.zeros(3) + x + y + dim", "return torch.zeros(3, dtype=x.dtype, device=x.device) + x + y + dim"),
    "a call too many": (Kind.LESS, "return x.detach() + y", "return x + y"),
    "a transpose too many": (Kind.LESS, "return x @ y.T", "return x @ y"),
    "a call too few": (Kind.ADDED, "return x - y", "return x - y.detach()"),
    "an axis too few": (Kind.ADDED, "return x - y", "return x - y.unsqueeze(-1)"),
    "another variable": (Kind.NAME, "return x - y", "return y - y"),
    "the opposite sign": (Kind.SIGN, "return x * y", "return (-x) * y"),
    "the inverted mask": (Kind.SIGN, "return x.masked_fill(y, 0)", "return x.masked_fill((~y), 0)"),
    "a bound": (Kind.BOUND, "return x[:y]", "return x[:y + 1]"),
    "a function that keeps small numbers": (Kind.FUNCTION, "return torch.log(1 + x)", "return torch.log1p(x)"),
    "another that does": (Kind.FUNCTION, "return torch.exp(x) - 1", "return torch.expm1(x)"),
    "where for a product": (Kind.FUNCTION, "return x * (x > 0)", "return torch.where(x > 0, x, 0)"),
    "two indices in one": (Kind.INDEX, "return x[:][y]", "return x[:, y]"),
    "the end of a text": (Kind.CONDITION, 'return "bias" in x', 'return x.endswith("bias")'),
    "the order of a loop": (Kind.WALKED, "return [one for one in x]", "return [one for one in sorted(x)]"),
    "in place": (Kind.IN_PLACE, "x += y", "x = x + y"),
}


@pytest.mark.parametrize("name", REPAIRS)
def test_an_edit_puts_in_or_takes_out_one_thing(name):
    """One edit of the catalogue leads from the first line to the second."""
    kind, wrong, right = REPAIRS[name]

    assert body(right) in made(body(wrong), kind)


def test_two_steps_change_their_order():
    (found,) = [one for one in candidates(body("x.step()", "x.zero_grad()"), ALL) if one.kind is Kind.ORDER]

    assert found.text == body("x.zero_grad()", "x.step()") and found.lines == (2, 3)


def test_a_step_is_left_out_doubled_and_moved():
    source = body("x.zero_grad()", "for one in y:", "    one.backward()", "    x.step()", "return x")

    assert body("pass", "for one in y:", "    one.backward()", "    x.step()", "return x") in made(source, Kind.DELETED)
    assert body("pass", "for one in y:", "    x.zero_grad()", "    one.backward()", "    x.step()", "return x") in made(source, Kind.MOVED)
    assert body("x.zero_grad()", "for one in y:", "    one.backward()", "    pass", "x.step()", "return x") in made(source, Kind.MOVED)
    assert body("x.zero_grad()", "for one in y:", "    x.step()", "    one.backward()", "    x.step()", "return x") in made(source, Kind.AGAIN)


def test_a_step_moves_to_the_other_side_of_a_branch():
    source = body("x.zero_grad()", "if dim:", "    raise ValueError(y)", "return x")

    assert body("pass", "if dim:", "    raise ValueError(y)", "x.zero_grad()", "return x") in made(source, Kind.MOVED)


def test_a_return_leaves_its_loop():
    source = body("for one in x:", "    y = y + one", "    return y")

    assert body("for one in x:", "    y = y + one", "    pass", "return y") in made(source, Kind.MOVED)


def test_no_return_leaves_its_branch():
    """What follows would never run."""
    source = body("if x:", "    y = x", "    return y", "return dim")

    assert not [text for text in made(source, Kind.MOVED) if "\n    return y\n" in text]


def test_a_step_runs_without_grad_mode():
    assert body("with torch.no_grad():", "    x -= y") in made(body("x -= y"), Kind.GRAD_MODE)


def test_steps_run_with_grad_mode_again():
    source = body("with torch.no_grad():", "    x -= y", "    y -= x", "return x")

    assert body("x -= y", "y -= x", "return x") in made(source, Kind.GRAD_MODE)


def test_only_statements_that_run_are_edited():
    source = body("if dim:", "    return x * 3", "return x * 5")

    found = list(candidates(source, [2, 4]))

    assert found and all(one.lines[0] in (2, 4) for one in found)


def test_no_condition_becomes_constant():
    """A condition that asks nothing any more only hides what is wrong in one branch."""
    source = body("if x > y and x is not None:", "    return x", "return y")

    tests = [node.test for one in candidates(source, ALL) for node in ast.walk(ast.parse(one.text)) if isinstance(node, ast.If)]

    assert tests
    assert not [ast.unparse(test) for test in tests if ast.unparse(test) in ("x > x", "y > y", "x > x and x is not None", "True", "False")]


def test_every_edit_is_another_program_with_its_place():
    source = body("# a comment, kept", "é = x.sum(0)  # and this one", "return é * 2 if dim else é")

    found = list(candidates(source, ALL))

    programs = [ast.dump(ast.parse(one.text)) for one in found]
    assert len(set(programs)) == len(programs) > 20 and ast.dump(ast.parse(source)) not in programs
    assert all(one.lines and 2 <= one.lines[0] <= 4 for one in found)
    assert all("# a comment, kept" in one.text for one in found)


UNDONE = {
    "02_broadcasting/ex07_softmax": ("def softmax(scores, axis):\n    e = torch.exp(scores)\n    return e / e.sum(axis, keepdim=True)\n", "scores - scores.amax(dim, keepdim=True)"),
    "02_broadcasting/ex03_center": ("def center(values, dim):\n    average = values.mean(dim)\n    return values - average\n", "values.mean(dim, keepdim=True)"),
    "02_broadcasting/ex06_masks": ("def one_hot(labels, classes):\n    return labels == torch.arange(classes)\n", "torch.arange(classes, device=labels.device)"),
}


NAMED = {"02_broadcasting/ex03_center": Kind.KEEPDIM, "02_broadcasting/ex06_masks": Kind.KEYWORD}
"""The catalogue has these edits as well, and a kind that says more."""


@pytest.fixture(scope="module")
def course():
    return find_dojo(ROOT)


@pytest.mark.parametrize("exercise", UNDONE)
def test_the_edit_of_a_known_mistake_is_undone(exercise, course):
    """With the learner's own names, where the file has what the mistake puts there."""
    source, right = UNDONE[exercise]
    source = source.replace("axis", "dim")
    known = inverses.pairs(course.select(exercise)[0])

    found = [one for one in candidates(source, ALL, known) if right in one.text]

    assert found[0].kind is NAMED.get(exercise, Kind.UNDONE)


def test_no_word_of_the_reference_enters_an_edit(course):
    """What an edit puts back is made of the words of the file and of the catalogue: it is written into a learner's process."""
    found = 0
    for exercise in course.select("02_broadcasting"):
        known = inverses.pairs(exercise) if exercise.grader.exists() and exercise.reference.exists() else []
        for file in sorted((ROOT / "tests" / "unseen").glob(f"{exercise.id}--*.py"))[:3]:
            source = file.read_text(encoding="utf-8")
            own = inverses.words_of(ast.parse(source))
            for node in (code := Code(source)).nodes:
                for _, edits in inverses.edits(code, node, known, own):
                    words = inverses.words_of(ast.parse(code.apply(edits)))
                    assert words <= own | inverses.CATALOGUE, words - own - inverses.CATALOGUE
                    found += 1
    assert found > 20
    unknown = ast.parse("secret_helper(x, 17)", mode="eval").body
    source = "def f(x):\n    return x.flip(0)\n"
    wrong = ast.parse("x.flip(0)", mode="eval").body
    code = Code(source)
    assert not [1 for node in code.nodes for _ in inverses.edits(code, node, [(unknown, wrong)], inverses.words_of(code.tree))]
