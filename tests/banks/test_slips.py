"""Single mistakes, and the checks that they must not cost: what those say is true of the file."""

from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from torchdojo.course.exercise import Dojo
from torchdojo.explain.programs import overlaid
from torchdojo.judge.oracle import Oracle
from torchdojo.verify.trusted import Trusted

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]

# exercise, known mistake, the checks that are paid beside it
SLIPS = [
    ("02_broadcasting/ex07_softmax", "maximum_loses_its_axis", {"x_stays_as_it_was"}),
    ("02_broadcasting/ex06_masks", "ones_instead_of_true", {"the_results_lie_on_the_device", "default_device_is_used_without_an_argument"}),
    ("05_optimizers/ex01_make_line_data", "seeds_the_generator", {"global_random_state_is_left_alone", "results_are_on_the_generators_device"}),
    ("05_optimizers/ex05_fit_line", "clears_before_the_step", {"works_on_copies", "trained_starts_stay", "results_have_no_graph"}),
    ("05_optimizers/ex06_sgd", "DampsLaterGradients", {"parameters_and_gradients_stay_the_same_tensors"}),
    ("05_optimizers/ex07_adam", "NoBiasCorrection", {"state_lives_beside_its_parameter"}),
    ("05_optimizers/ex07_adam", "EpsInsideTheRoot", {"takes_a_generator", "recording_stays_as_it_was", "state_lives_beside_its_parameter"}),
    ("06_modules/ex02_two_layer_mlp", "AlwaysSixteen", {"layers_are_registered_under_their_names"}),
]


@pytest.fixture(scope="module")
def found():
    """What each check says of a wrong solution: by itself, and after `charge`."""
    dojo, oracle = Dojo(ROOT), Oracle(0, devices=["cpu", "sim"])

    def of(name, make):
        (exercise,) = dojo.select(name)
        session = Trusted(oracle, lambda: make(exercise), f"{make}")
        checks = {c.name: (session.verdict(exercise, c).status, session.charged(exercise, c).status) for c in exercise.grading.checks}
        assert session.faults == []
        return checks

    return of


@pytest.mark.parametrize(("name", "mistake", "paid"), SLIPS, ids=lambda value: value if isinstance(value, str) else "")
def test_a_slip_does_not_cost_what_is_right(name, mistake, paid, found):
    """These checks are passed, some of them beside wrong numbers; checks of values are charged."""
    checks = found(name, lambda exercise: overlaid(exercise, next(v for v in exercise.variants if v.name == mistake)))
    assert {name: checks[name][1] for name in paid} == dict.fromkeys(paid, "passed")
    assert ("failed", "passed") in checks.values() and ("failed", "failed") in checks.values()


def adds_a_number_of_the_cpu(exercise):
    """Right on the CPU: a tensor of one number that lies there takes part."""
    attend = exercise.reference_module.attend
    return SimpleNamespace(attend=lambda q, k, v: attend(q + torch.zeros(1, dtype=q.dtype), k, v))


def leaves_the_batch_where_it_is(exercise):
    """Right on the CPU: the training step never moves anything."""
    text = exercise.reference.read_text(encoding="utf-8").replace(".to(device)", "")
    names = {}
    exec(text, names)
    return SimpleNamespace(train_step=names["train_step"])


@pytest.mark.parametrize(
    ("name", "make", "charged"),
    [
        ("10_attention/ex02_attend", adds_a_number_of_the_cpu, "gradients_reach_q_k_and_v"),
        ("07_training/ex01_train_step", leaves_the_batch_where_it_is, "brings_the_batch_to_the_model"),
    ],
)
def test_a_device_fault_costs_one_check(name, make, charged, found):
    """All others count by the CPU, also where two checks are about the device."""
    checks = found(name, make)
    assert sum(alone == "failed" for alone, _ in checks.values()) > 1
    assert [check for check, (_, status) in checks.items() if status != "passed"] == [charged]
