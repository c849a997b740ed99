"""Which failed checks are paid: a device fault costs one check, and wrong numbers cost no check of effects."""

from types import SimpleNamespace

import pytest
import torch

from torchdojo.grading.checks import check
from torchdojo.judge.charge import charge
from torchdojo.judge.oracle import Oracle
from torchdojo.verify.trusted import Trusted

X = torch.tensor([[1.0, 2.0], [3.0, 5.0]]), torch.tensor([[4.0, 1.0], [2.0, 8.0]]), torch.tensor([[0.0, 7.0], [6.0, 9.0]]), torch.tensor([[5.0, 3.0], [2.0, 6.0]])


class oracle:
    def double(x):  # noqa: N805
        return x * 2


@check(points=3, x=(*X, torch.zeros(2, 2)))  # of zeros, the input itself is right
def doubles(solution, x):
    """Each element is doubled."""
    return solution.double(x)


@check(points=1, x=X, beside=True)
def x_is_not_changed(solution, x):
    """x is not changed."""
    return solution.double(x), {}


@check(points=1, x=X, beside=True)
def keeps_x(solution, x):
    """The result has its own memory."""
    return solution.double(x), {}


@check(points=2, x=X, beside=True)
def is_called_once(solution, x):
    """Nothing is printed."""
    given = x.clone()
    found = solution.double(given)
    return found, {"x unchanged": torch.equal(given, x)}


@check(points=1, x=X)
def takes_negative_numbers(solution, x):
    """Negative numbers are doubled."""
    return solution.double(-x)


@check(points=1, star=True, x=X)
def works_for_the_star(solution, x):
    """Numbers above 1 are doubled."""
    return solution.double(x + 1)


@check(points=2, x=X, about_device=True)
def is_on_the_device(solution, x):
    """The result is on the device of x."""
    return {"device": str(solution.double(x).device)}


@check(points=1, x=X)
def work_is_small(solution, x):
    """One operation is enough."""
    return solution.double(x), 1


@work_is_small.rule
def _(_seen):
    return None


CHECKS = [doubles, x_is_not_changed, is_called_once, takes_negative_numbers, works_for_the_star, work_is_small]


def statuses(double, checks=CHECKS, devices=("cpu",)):
    """What each check says before and after charge, as one letter each: passed or failed."""
    exercise = SimpleNamespace(id="toys", grading=SimpleNamespace(checks=list(checks), oracle=oracle), grader=SimpleNamespace(name="grade_toys.py"))
    session = Trusted(Oracle(0, devices=devices), lambda: SimpleNamespace(double=double), "toys")
    before = {c.name: session.verdict(exercise, c).status for c in checks}
    after = {c.name: session.charged(exercise, c).status for c in checks}
    assert session.faults == []
    return {name: (before[name][0] + after[name][0]) for name in before}


def wrong_in_part(x):
    """Wrong for one of the inputs."""
    return x * 3 if abs(x[0, 0]) == 4 else x * 2


def test_right_code_passes():
    assert set(statuses(oracle.double).values()) == {"pp"}


def test_wrong_numbers_cost_no_check_of_effects():
    """Checks of values and of rules are charged; checks of effects are paid."""
    want = {"doubles": "ff", "x_is_not_changed": "fp", "is_called_once": "fp", "takes_negative_numbers": "ff", "works_for_the_star": "pp", "work_is_small": "ff"}
    assert statuses(wrong_in_part) == want


def test_an_effect_that_is_wrong_is_charged():
    """Wrong numbers and a changed argument: the checks of that effect fail."""

    def double(x):
        found = wrong_in_part(x)
        if x[0, 0] == 5:
            x[0, 1] = 0.5
        return found

    found = statuses(double)
    assert found["x_is_not_changed"] == found["is_called_once"] == "ff"


def test_shared_memory_is_named_without_the_place_of_the_answer():
    """The whole answer is the result, also where facts stand beside it."""
    exercise = SimpleNamespace(id="toys", grading=SimpleNamespace(checks=[keeps_x], oracle=SimpleNamespace(double=torch.clone)))
    found = Trusted(Oracle(), lambda: SimpleNamespace(double=lambda x: x), "toys").charged(exercise, keeps_x)
    assert found.difference.sentence == "the result shares memory with the argument x: changing one would change the other"


@pytest.mark.parametrize(
    "double",
    [
        lambda x: torch.full_like(x, 0.625),
        lambda x: torch.zeros_like(x),
        lambda x: torch.full_like(x, torch.nan),
        lambda x: x.clone(),
        lambda x: torch.tensor([[2.0, 4.0], [6.0, 10.0]]),  # right for one input, the same for all
        lambda x: (x * 2)[:1] if x[0, 0] != 1 else x * 2,  # of another shape
        lambda x: (x * 2).tolist() if x[0, 0] != 1 else x * 2,  # of another type
        lambda x: x * 5,  # never right
        lambda x: x * (2 if x[0, 0] == 1 else 3),  # right for one input
    ],
    ids=["constant", "zeros", "nan", "its input", "one answer", "shape", "type", "never right", "luck"],
)
def test_garbage_is_not_paid(double):
    assert {found[1] for name, found in statuses(double).items() if name in ("x_is_not_changed", "is_called_once")} == {"f"}


def test_the_input_is_no_right_answer():
    """Where another function is to return its input, returning it doesn't earn effects."""

    @check(points=1, x=X)
    def keeps(solution, x):
        """x comes back."""
        return solution.keep(x)

    right = SimpleNamespace(double=lambda x: x * 2, keep=torch.clone)
    exercise = SimpleNamespace(id="toys", grading=SimpleNamespace(checks=[keeps, doubles, x_is_not_changed], oracle=right))
    session = Trusted(Oracle(), lambda: SimpleNamespace(double=torch.clone, keep=torch.clone), "toys")
    found = {c.name: session.charged(exercise, c).status for c in exercise.grading.checks}
    assert found == {"keeps": "passed", "doubles": "failed", "x_is_not_changed": "failed"}


def test_an_error_is_not_paid():
    def double(x):
        if x[0, 0] == 0:
            raise ValueError
        return wrong_in_part(x)

    assert statuses(double)["x_is_not_changed"] == "ff"


def test_the_numbers_must_be_charged_somewhere():
    """Only the input of a check of effects shows the mistake: then it is charged."""
    calls = []

    def double(x):
        calls.append(1)
        return x * 2 if len(calls) <= 3 * len(X) + 1 else x * 3

    found = statuses(double, [doubles, takes_negative_numbers, works_for_the_star, x_is_not_changed])
    assert found == {"doubles": "pp", "takes_negative_numbers": "pp", "works_for_the_star": "pp", "x_is_not_changed": "ff"}


def test_a_check_for_the_star_does_not_charge_for_the_task():
    """Otherwise an exercise would be done with wrong numbers in a check of its task."""
    found = statuses(lambda x: x * (3 if x[0, 0] == 5 else 2), [works_for_the_star, x_is_not_changed])
    assert found == {"works_for_the_star": "ff", "x_is_not_changed": "ff"}


# ------------------------------------------------------------------ the device
def only_on_the_cpu(x):
    return x * (2 if x.device.type == "cpu" else 3)


def test_a_device_fault_costs_one_check():
    """The cheapest of the task; all others count by the CPU."""
    found = statuses(only_on_the_cpu, devices=("cpu", "sim"))
    assert found == {name: "ff" if name == "x_is_not_changed" else "fp" for name in found}


def test_a_device_fault_costs_the_check_about_the_device():
    """Whatever its points."""
    found = statuses(lambda x: only_on_the_cpu(x.cpu() if x.device.type != "cpu" else x), [*CHECKS, is_on_the_device], ("cpu", "sim"))
    assert found == {name: "ff" if name == "is_on_the_device" else "fp" for name in found}


def test_two_checks_about_the_device_are_charged_once():
    """The cheaper one of the task."""
    other = check(points=1, x=X, about_device=True)(again)
    found = statuses(lambda x: (x * 2).cpu(), [doubles, is_on_the_device, other], ("cpu", "sim"))
    assert found == {"doubles": "fp", "is_on_the_device": "fp", "again": "ff"}


def again(solution, x):
    """The result is on the device of x, said again."""
    return {"device": str(solution.double(x).device)}


def test_a_mistake_on_the_cpu_is_charged_besides():
    """Wrong numbers there are charged where they are seen; the device costs one more check."""

    def double(x):
        return only_on_the_cpu(x) if (x >= 0).all() else x * 5

    found = statuses(double, [doubles, takes_negative_numbers, works_for_the_star], ("cpu", "sim"))
    assert found == {"doubles": "ff", "takes_negative_numbers": "ff", "works_for_the_star": "fp"}


def test_nothing_is_paid_without_a_verdict():
    assert charge(SimpleNamespace(id="toys"), {}, None, None, None) == {}
