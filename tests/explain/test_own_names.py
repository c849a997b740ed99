"""What is said of a slip speaks of the learner's own code: names and loops that are there, or a comparison."""

from pathlib import Path
from types import ModuleType

import pytest

from torchdojo.course.exercise import Dojo
from torchdojo.explain import slip_sentences, slips
from torchdojo.explain.cause import Cause
from torchdojo.explain.own_names import written
from torchdojo.judge.oracle import Oracle
from torchdojo.mutate.slip import Form, Kind, Of, Slip, Step
from torchdojo.verify.trusted import Trusted

ROOT = Path(__file__).resolve().parents[2]
CODE = written(b'"""one_hot and square are named here."""\n\n\ndef total(xs, out):\n    """A loop."""\n    out += xs[0].abs()\n    return torch.sub(out, 1)\n')


def line(name):
    return Step(Of.LINE, name)


def call(name):
    return Step(Of.CALL, name)


@pytest.mark.parametrize(
    ("slip", "told"),
    [
        (Slip(Kind.NEIGHBOUR, Form.SQUARE, "abs", "square"), "You used `abs` where the `square` belongs."),
        (Slip(Kind.CHANGE_SIGN, Form.BECAME, "+=", "-="), "You used `+=` where `-=` belongs."),
        (Slip(Kind.SWAP_FUNCTION, Form.BECAME, "square", "abs"), "Your code behaves as if it used `square` instead of `abs`."),
        (Slip(Kind.CHANGE_SIGN, Form.BECAME, "-=", "+="), "Your code behaves as if it used `-=` instead of `+=`."),
        (Slip(Kind.WRONG_NAME, Form.PLAIN, "xs", "out"), "Your code behaves as if it used `xs` instead of `out` (your names may differ)."),
        (Slip(Kind.WRONG_NAME, Form.PLAIN, "xs", "y"), "Your code behaves as if it used one variable instead of another."),
        (Slip(Kind.ONCE, Form.BEFORE, belongs=line("out")), "The line that sets `out` (or your name for it) runs once, before the loop: run it inside the loop."),
        (Slip(Kind.ONCE, Form.AFTER, belongs=line("row")), "A step runs once, after the loop: run it inside the loop."),
        (Slip(Kind.ORDER_OF_STEPS, Form.LATE, line("row"), line("n")), "Your code behaves as if two steps were in the wrong order."),
        (Slip(Kind.ORDER_OF_STEPS, Form.EARLY, call("abs"), line("n")), "`abs` comes too early: it belongs after a step."),
        (Slip(Kind.AGAIN, belongs="leaf"), "A value is computed again after its inputs have changed: use the first value."),
        (Slip(Kind.DROP_TERM, Form.DROPPED, belongs="g"), "Your code behaves as if a term or a factor were missing from the formula."),
        (Slip(Kind.DROP_TERM, Form.DROPPED, belongs="xs"), "Your code behaves as if a term or a factor were missing from the formula: `xs`, or your name for it."),
        (Slip(Kind.TWICE, Form.PLAIN, call("step")), "Your code behaves like code with this mistake: `step` runs twice."),
        (Slip(Kind.ORDER_OF_STEPS, Form.LATE, call("abs"), call("step")), "Your code behaves like code with this mistake: `abs` comes too late: it belongs before `step`."),
        (Slip(Kind.TWICE, Form.PLAIN, call("abs")), "`abs` runs twice."),
        (Slip(Kind.DROP_MATH, Form.DROPPED, belongs="sqrt"), "You never call `sqrt`."),
        (Slip(Kind.DROP_MATH, Form.DROPPED, belongs="abs"), "Your code behaves as if the call of `abs` were missing."),
        (Slip(Kind.LEFT_OUT, Form.STEP, belongs=call("abs")), "Your code behaves as if `abs` were missing."),
        (Slip(Kind.LEFT_OUT, Form.WITHOUT, belongs="correction", place="sub"), "You call `sub` without `correction`, so its default applies."),
        (Slip(Kind.LEFT_OUT, Form.WITHOUT, belongs="xs", place="sub"), "Your code does what `sub` does with the default of `xs`."),
        (Slip(Kind.DROP_KEYWORD, Form.KEYWORD_DROPPED, belongs="out"), "Your code behaves as if `out` were not passed on in a call."),
        (Slip(Kind.FLIP_MINUS, Form.DROPPED), "Your code behaves as if a minus sign were missing, or one were too many."),
    ],
)
def test_names_that_the_learner_has_not_written(slip, told):
    """They are a comparison, or left out; what is missing need not be there, and words about the code are no code."""
    known = slip_sentences.cause([slip])
    found = slip_sentences.retold(known, CODE)

    assert found.sentence == told and found.kind == slip.kind
    assert slip_sentences.retold(known, None) == known


COMPARES = Slip(Kind.CHANGE_COMPARISON, Form.BECAME, "<", "<=")


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (b"return a < b\n", "A comparison tests `<` instead of `<=`."),
        (b"return torch.lt(a, b)\n", "A comparison tests `<` instead of `<=`."),
        (b"return a <= b\n", "Your code behaves as if a comparison tested `<` instead of `<=`."),
        (b"return a == b\n", "Your code behaves as if a comparison tested `<` instead of `<=`."),
    ],
)
def test_an_operator_is_told_where_it_stands(code, told):
    """`<=` is no `<`; another comparison in the file is not the one."""
    file = written(b"def f(a, b):\n    " + code)
    assert slip_sentences.retold(slip_sentences.cause([COMPARES]), file).sentence == told


@pytest.mark.parametrize(
    ("slip", "true", "untrue"),
    [
        (Slip(Kind.ADD_DETACH, Form.IN_GENERAL), "x.detach()", "x + 1"),
        (Slip(Kind.DETACHED), "x.item()", "x + 1"),
        (Slip(Kind.ADD_TRANSPOSE, Form.IN_GENERAL), "x.T", "x + 1"),
        (Slip(Kind.AGAIN, belongs="loss"), "(f(x).mean(), f(x).mean())", "f(x).mean()"),
        (Slip(Kind.AGAIN, belongs="loss"), "(f(x), f(x))", "(x.item(), x.item(), len(x), len(x))"),
        (Slip(Kind.EXCHANGED, place="g"), "g(x, 1)", "g(x)"),
        (Slip(Kind.EXCHANGED, place="g"), "g(x, 1)", "h(x, 1)"),
        (Slip(Kind.LEFT_OUT, belongs="with torch.no_grad()"), "x", "torch.no_grad()"),
        (Slip(Kind.LEFT_OUT, belongs="with torch.no_grad()"), "x", "[torch.no_grad()]"),
        (Slip(Kind.NEGATE_CONDITION, Form.IN_GENERAL), "1 if x else 2", "x + 1"),
        (Slip(Kind.NEGATE_CONDITION, Form.IN_GENERAL), "[a for a in x if a]", "[a for a in x]"),
        (Slip(Kind.SWAP_OPERANDS, Form.IN_GENERAL), "x - 1", "x + 1"),
        (Slip(Kind.SWAP_REDUCTION, Form.IN_GENERAL), "x.mean()", "x.exp()"),
        (Slip(Kind.TOGGLE_KEEPDIM, Form.IN_GENERAL), "x.sum(0, keepdim=True)", "x.sum(0)"),
        (Slip(Kind.FLIP_FLAG, Form.IN_GENERAL), "f(x, True)", "f(x, 1)"),
        (Slip(Kind.IN_PLACE, Form.IN_GENERAL), "x.mul_(2)", "x.mul(2)"),
    ],
)
def test_a_sentence_is_told_only_where_it_may_be_true(slip, true, untrue):
    """What it says stands there, or can be left out: else nobody hears of it."""
    fits = [slip_sentences.fits([slip], written(f"def f(x):\n    return {code}\n".encode())) for code in (true, untrue)]
    assert fits == [True, False]


def test_a_block_that_only_the_reference_has_is_not_told():
    """No learner knows the reference's own `_evaluation`."""
    slip = Slip(Kind.LEFT_OUT, belongs="with _evaluation(backbone)")
    assert not slip_sentences.fits([slip], written(b"def f(x):\n    return x\n"))


def test_a_block_that_has_no_short_name_is_not_told():
    """`with ...` is a riddle."""
    assert not slip_sentences.fits([Slip(Kind.LEFT_OUT, belongs="with ...")], written(b"def f(x):\n    return x\n"))


def test_of_two_causes_each_is_retold():
    """Neither keeps a name that is not there; two that become the same sentence are told once."""
    there, gone = Slip(Kind.WRONG_NAME, Form.PLAIN, "xs", "out"), Slip(Kind.WRONG_NAME, Form.PLAIN, "xs", "leaves")
    both = Cause.one_of(slip_sentences.cause([there]), slip_sentences.cause([gone]))
    assert slip_sentences.retold(both, CODE).sentence == (
        "Your code behaves as if it used `xs` instead of `out` (your names may differ). Or: Your code behaves as if it used one variable instead of another."
    )
    alike = Cause.one_of(slip_sentences.cause([gone]), slip_sentences.cause([gone]))
    assert slip_sentences.retold(alike, CODE).sentence == "Your code behaves as if it used one variable instead of another."


def test_of_variables_that_are_not_there_none_is_wrong():
    """A constant answer may agree with such a slip by chance."""
    slip = Slip(Kind.WRONG_NAME, Form.PLAIN, "leaves", "y")
    assert not slip_sentences.fits([slip], written(b"def derivative(*a):\n    return 1.0\n"))
    assert slip_sentences.fits([slip], written(b"def derivative(y):\n    return 1.0\n")) and slip_sentences.fits([slip], None)


LOOPED = Slip(Kind.ROUND, Form.LAST)
BOUND = Slip(Kind.OFF_BY_ONE, Form.BOUND_DROPPED)


@pytest.mark.parametrize(
    ("slip", "code"),
    [
        (LOOPED, b"for a in b:\n    c()\n"),
        (Slip(Kind.ONCE, Form.BEFORE, belongs=call("step")), b"c = [a for a in b]\n"),
        (Slip(Kind.LAST_ONLY), b"c = list(map(a, b))\n"),
        (Slip(Kind.ORDER_OF_STEPS, Form.LATE, call("step"), Step(Of.LOOP)), b"while a:\n    b()\n"),
        (BOUND, b"a[1:]\n"),
        (BOUND, b"torch.arange(3)\n"),
        (Slip(Kind.CHANGE_COMPARISON, Form.IN_GENERAL), b"a < b\n"),
        (Slip(Kind.CHANGE_COMPARISON, Form.BECAME, "<", "<="), b"torch.lt(a, b)\n"),
    ],
)
def test_a_sentence_about_what_is_not_there_is_not_told(slip, code):
    """Who has written no loop leaves nothing out of it."""
    assert slip_sentences.fits([slip], written(code)) and slip_sentences.fits([slip], None)
    assert not slip_sentences.fits([slip], written(b"a + b\n"))


@pytest.mark.parametrize("code", [b"def broken(:\n", b"\0", b"\xff\xfe", b"x = 1\n" * 100_000, b"x = " + b"-" * 50_000 + b"1\n"])
def test_what_cannot_be_read_says_nothing(code):
    """Then the sentence is told as it is."""
    assert written(code) is None


def test_a_slip_of_a_loop_is_not_named_where_there_is_none():
    """The reference goes through its parameters; whoever updates the first of two by hand has written no loop."""
    (exercise,) = Dojo(ROOT).select("05_optimizers/ex04_sgd_step")
    one = b"import torch\n\n\ndef sgd_step_(params, lr):\n    with torch.no_grad():\n        p = next(iter(params), None)\n        if p is not None and p.grad is not None:\n            p -= lr * p.grad\n"

    def make():
        module = ModuleType(exercise.stem)
        exec(one, module.__dict__)
        return module

    session = Trusted(Oracle(0, devices=["cpu"]), make, "the first alone")
    verdicts = {check: session.verdict(exercise, check) for check in exercise.grading.checks}
    first = next(c for c, v in verdicts.items() if v.status == "failed")

    assert "loop" in slips.cause(exercise, first, verdicts, session.oracle).sentence
    assert slips.cause(exercise, first, verdicts, session.oracle, written(one)) is None
