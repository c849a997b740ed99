"""A rule pays only beside right values, and what is forbidden costs the exercise, or only its part."""

import threading
from types import SimpleNamespace

import pytest
import torch
from tiny_dojo import DOUBLE, RIGHT, make_dojo, make_submission

from torchdojo.course.exercise import Dojo
from torchdojo.explain.records import records_of
from torchdojo.grading import Forbidden, check, operations, watched
from torchdojo.grading.checks import share_rules
from torchdojo.judge.compare import ANSWER, FACTS
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.session import Session
from torchdojo.judge.verdict import differs
from torchdojo.submission.opening import open_submission
from torchdojo.wire import strict as wire
from torchdojo.wire.outcome import Outcome
from torchdojo.worker.rules import INSIDE, STOPPED, Watch

GRADER = '''"""Hidden checks for double."""

import torch

from torchdojo.grading import check, tensor, watched

FORBIDS = {"aten.mul*": "a product"}
BECAUSE = "add instead."


class oracle:
    def double(x):
        return x + x


@check(points=3, x=tensor("n"))
def doubles(solution, x):
    """Each element is doubled."""
    return solution.double(x)


@check(points=1, x=tensor("n"), allows=("aten.mul*",))
def a_product_of_our_own(solution, x):
    """Three times as much is doubled as well."""
    return solution.double(x * 3)


@check(points=1, x=tensor("n"), minimum=1)
def no_loop(solution, x):
    """The work does not grow."""
    few, many = (watched(lambda t=t: solution.double(t)) for t in (x, x.repeat(5)))
    return [few.answer, many.answer], len(many.operations) - len(few.operations)


@no_loop.rule
def _(more):
    return "there is a loop" if more > 0 else None
'''


@pytest.fixture
def graded(tmp_path, zygote):
    """A function that grades one text of double and returns its records by check."""
    root = make_dojo(tmp_path / "dojo")
    (root / "graders" / f"{DOUBLE.replace('ex01', 'grade_ex01')}.py").write_text(GRADER)

    def grade(text, extra=""):
        (root / "graders" / f"{DOUBLE.replace('ex01', 'grade_ex01')}.py").write_text(GRADER + extra)
        dojo = Dojo(root)
        exercise = next(e for e in dojo.exercises if e.id == DOUBLE)
        submission = open_submission(make_submission(tmp_path / "handed in", double=text), dojo)[0]
        session = Session(zygote, submission, Oracle())
        try:
            return {record.name: record for record in records_of(session, exercise)}
        finally:
            session.close()

    return grade


ADDS = "def double(x):\n    return x + x\n"
LOOPS = "import torch\n\ndef double(x):\n    return torch.stack([v + v for v in x]) if len(x) else x + x\n"


def test_right_answers_without_what_is_forbidden_have_all_points(graded):
    """A check whose own code does what is forbidden allows it."""
    assert [r.status for r in graded(ADDS).values()] == ["passed"] * 3


def test_what_is_forbidden_costs_the_whole_exercise(graded):
    """Also a check that allows it, since its own code does it, and one that saw nothing of it."""
    found = graded(RIGHT[DOUBLE])
    assert [r.score for r in found.values()] == [0, 0, 0]
    assert "you used a product; add instead." in found["doubles"].feedback
    assert "you used a product; add instead. It costs all points of the exercise" in found["a_product_of_our_own"].feedback


def test_what_one_check_forbids_costs_that_check(graded):
    """A side part: the other checks don't look at it."""
    extra = '''

@check(points=1, x=tensor("n"), forbids={"aten.stack": "torch.stack"}, because="it is not needed.")
def stacks_nothing(solution, x):
    """The elements stay in one tensor."""
    return solution.double(x)
'''
    found = graded("import torch\n\ndef double(x):\n    return torch.stack([x, x]).sum(0)\n", extra)
    assert [r.status for r in found.values()] == ["passed"] * 3 + ["failed"]
    assert "you used torch.stack; it is not needed." in found["stacks_nothing"].feedback


def test_an_error_of_the_grader_costs_nobody_points_beside_a_price(graded):
    """A check that can't be graded is an error of its own; the others are passed, or pay the price."""
    extra = '''

@check(points=1, x=tensor("n"))
def breaks(solution, x):
    """The oracle has no such function."""
    return solution.double(x)


@breaks.judge
def _(seen):
    raise OSError("a fault of ours")
'''
    assert [r.status for r in graded(ADDS, extra).values()] == ["passed"] * 3 + ["error"]
    assert [r.status for r in graded(RIGHT[DOUBLE], extra).values()] == ["failed"] * 3 + ["error"]


@pytest.mark.parametrize("rule", ["rule", "judge"])
def test_a_rule_says_whether_it_costs_the_check_or_the_exercise(graded, rule):
    """By a plain sentence, or by Forbidden; a judge's second sentence changes nothing about it."""
    seen = "found" if rule == "rule" else "found[1]"
    extra = f'''

from torchdojo.grading import Forbidden


@check(points=1, x=tensor("n", layouts=False), minimum=1)
def is_not_stacked(solution, x):
    """The elements stay in one tensor."""
    run = watched(lambda: solution.double(x), "stack")
    return run.answer, run.called


@is_not_stacked.{rule}
def _(found):
    return (Forbidden("you used torch.stack."), "why") if {seen} else None
'''
    stacks = "import torch\n\ndef double(x):\n    return torch.stack([x, x]).sum(0)\n"
    assert [r.score for r in graded(stacks, extra.replace("Forbidden(", "str(")).values()] == [3, 1, 1, 0]
    found = graded(stacks, extra)
    assert [r.score for r in found.values()] == [0, 0, 0, 0]
    assert "you used torch.stack. It costs all points of the exercise; the check that saw it" in found["doubles"].feedback
    assert [r.score for r in graded(ADDS, extra).values()] == [3, 1, 1, 1]


def test_a_rule_is_judged_where_the_answer_is_right(graded):
    assert "there is a loop" in graded(LOOPS)["no_loop"].feedback


@pytest.mark.parametrize("text", ["def double(x):\n    return x.new_ones(len(x))\n", "def double(x):\n    return None\n"])
def test_a_rule_pays_nothing_beside_a_wrong_answer(graded, text):
    """However well the rule is kept, and the message says so."""
    record = graded(text)["no_loop"]
    assert record.score == 0
    assert "the answer is wrong, so this check can't tell yet whether its rule is kept" in record.feedback


def test_facts_are_compared_once_the_answer_is_right():
    """The same without a judge: a side effect that a wrong answer lacks is worth nothing."""

    @check(beside=True)
    def silent(solution):
        return None

    def told(value, printed=("printed",)):
        wanted = Outcome(({"w": 2.0}, dict.fromkeys(printed, "")))
        found = differs(SimpleNamespace(), SimpleNamespace(), silent, Outcome(value), {}, lambda: wanted, "cpu")
        return found and (found.part, found.path, found.sentence)

    assert told(({"w": 2.0}, {"printed": ""})) is None
    wrong = "the answer is wrong: w: got 3, wanted 2"
    assert told(({"w": 3.0}, {"printed": ""})) == (ANSWER, "w", wrong)
    assert told(({"w": 2.0}, {"printed": "x"})) == (FACTS, "printed", "printed: got 'x', wanted ''")
    assert told({"w": 2.0})[-1] == "the answer doesn't have the expected form"
    assert told(({"w": 3.0}, {}), ()) == (ANSWER, "w", "the answer is wrong: w: got 3, wanted 2")


def test_what_the_grader_forbids_is_forbidden_in_all_checks():
    @check(forbids={"aten.relu": "torch.relu"}, because="write it.")
    def first(solution):
        return None

    @check(forbids={"aten.exp": "exp"}, because="no.", allows=("aten.tanh",))
    def second(solution):
        return None

    @check()
    def third(solution):
        return None

    share_rules([first, second, third], {"aten.tanh": ("tanh", "not here.")}, "")
    everywhere = {"aten.tanh": "you used tanh; not here."}
    assert third.rules == everywhere and first.rules == everywhere | {"aten.relu": "you used torch.relu; write it."}
    assert second.rules == {"aten.exp": "you used exp; no."}
    assert second.broken(["aten.exp", "aten.add", "aten.tanh"]) == ["you used exp; no."]
    assert [isinstance(s, Forbidden) for s in first.broken(["aten.relu", "aten.tanh", STOPPED])] == [False, True, True]
    assert STOPPED in third.broken([STOPPED])[0] and third.because == "write it."


# ------------------------------------------------------------------ what is seen
X = torch.tensor([[1.0, -2.0], [0.5, 4.0]])


def seen(function, *patterns):
    with Watch(patterns) as found:
        function()
    assert not torch.autograd._profiler_enabled() and threading.getprofile() is None
    return found.matched


@pytest.mark.parametrize(
    "function",
    [
        lambda: torch.softmax(X, 0), lambda: torch.ops.aten._softmax(X, 0, False), lambda: torch.nn.Softmax(1)(X),
        lambda: torch.vmap(lambda row: row.softmax(0))(X), lambda: torch.inference_mode()(torch.softmax)(X, 0),
        lambda: torch.nn.functional.cross_entropy(X, torch.tensor([0, 1])),
    ],
)  # fmt: skip
def test_an_operation_is_seen_by_whatever_name_it_is_called(function):
    assert seen(function, "aten.*softmax*")
    assert not seen(function, "aten.relu")


def test_an_operation_in_a_thread_is_seen():
    def apart():
        thread = threading.Thread(target=lambda: X.logsumexp(0))
        thread.start()
        thread.join()

    assert seen(apart, "aten.*log*sumexp*") == ["aten.logsumexp"]
    assert seen(lambda: operations(apart), "aten.*log*sumexp*") == ["aten.logsumexp"]
    assert "aten.logsumexp" in operations(apart)


def test_a_disabled_dispatcher_hides_nothing():
    def hidden():
        with torch._C._DisableTorchDispatch():
            X.relu()

    assert seen(hidden, "aten.relu") == ["aten.relu"]


def test_optimizers_and_backward_passes_have_names():
    def train():
        p = torch.nn.Parameter(torch.ones(2))
        p.sum().backward()
        torch.optim.SGD([p], lr=0.1).step()

    assert seen(train, "Optimizer.*") == ["Optimizer.step#SGD.step"]
    assert "autograd.engine.evaluate_function: SumBackward0" in seen(train, "autograd.engine*")
    assert not seen(train, INSIDE)


def test_the_recorder_is_on_for_one_watch_inside_of_another():
    with Watch(["aten.exp", "aten.relu"]) as outer:
        X.exp()
        assert seen_inside() == ["aten.relu"]
    assert outer.matched == ["aten.exp", "aten.relu"]


def seen_inside():
    with Watch(["aten.relu", "aten.exp"]) as inner:
        X.relu()
    return inner.matched


def test_who_stops_the_recorder_is_named():
    assert seen(lambda: torch._C._autograd._disable_profiler_legacy(), "aten.relu") == [STOPPED]


@pytest.mark.parametrize(
    "function",
    [
        lambda: torch.nn.Linear(2, 1), lambda: torch.nn.Linear.forward(torch.nn.Linear(2, 1), X), lambda: LINEAR(X),
        lambda: torch.nn.Bilinear(2, 2, 1), lambda: torch.nn.Sequential(torch.nn.ReLU()), lambda: Inherited(2, 1), lambda: Inherits()(X),
    ],
)  # fmt: skip
def test_a_layer_is_seen_where_it_is_made_or_called_or_inherited_from(function):
    assert seen(function, "nn.*inear", "nn.Identity", "nn.Sequential")
    assert not seen(function, "nn.Conv*")
    assert not torch.nn.modules.module._has_any_global_hook()


LINEAR = torch.nn.Linear(2, 1)


class Inherited(torch.nn.Linear):
    pass


class Inherits(torch.nn.Identity):
    pass


def test_a_module_of_ones_own_is_no_layer():
    class Mine(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.w = torch.nn.Parameter(torch.ones(2))

        def forward(self, x):
            return torch.nn.functional.linear(x, self.w)

    assert not seen(lambda: Mine()(X), "nn.*")


def test_who_removes_what_sees_layers_is_named():
    assert seen(lambda: torch.nn.modules.module._global_forward_pre_hooks.clear(), "nn.Linear") == [STOPPED]


class Own(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        return 2 * ctx.saved_tensors[0] * grad


class Leaning(Own):
    @staticmethod
    def backward(ctx, grad):
        with torch.enable_grad():
            x = ctx.saved_tensors[0].detach().requires_grad_()
            return torch.autograd.grad(x * x, x, grad)[0]


def test_autograd_inside_of_a_function_is_told_from_autograd_around_it():
    """By the engine, by a second derivative, and by hand: the rule doesn't apply to the engine around a Function."""
    from torchdojo.grading import raw_gradients

    x = X.clone().requires_grad_()
    for own, wanted in ((Own, []), (Leaning, [INSIDE])):
        assert seen(lambda own=own: (own.apply(x) * 3).sum().backward(), INSIDE) == wanted
        assert seen(lambda own=own: raw_gradients(own.apply(x), torch.ones_like(x), [x]), INSIDE) == wanted
        first = torch.autograd.grad(Own.apply(x).sum(), x, create_graph=True)[0]
        assert seen(first.sum().backward, INSIDE) == []


def test_one_watched_call_tells_everything():
    found = watched(lambda: torch.nn.functional.linear(X, X).tolist(), "linear", "tolist", "numpy")
    assert found.answer == torch.nn.functional.linear(X, X).tolist()
    assert found.called == ["linear", "tolist"] and found.operations and found.steps > 0


def test_a_run_sends_nothing_where_nothing_forbidden_was_seen():
    """Right answers then stay the same bytes and are not compared again."""
    from torchdojo.worker.run import run_example

    plain = run_example(lambda solution, x: x + 1, None, {"x": X})
    assert wire.encode(run_example(lambda solution, x: x + 1, None, {"x": X}, watch=["aten.mul"])) == wire.encode(plain)
