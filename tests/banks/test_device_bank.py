"""The bank of device programs: every bug is refused, and every right program passes. See device_programs/README.md."""

import device_bank
import pytest
from rotation import part

from torchdojo import sim


@pytest.fixture(scope="module")
def judges():
    """Workers that know the simulated device, and one oracle: many programs answer the same exercise."""
    from torchdojo.sandbox.start import start

    zygote = start(["sim", "optim"])
    from torchdojo.judge.oracle import Oracle

    yield {"zygote": zygote, "oracle": Oracle(devices=["cpu", "sim"])}
    zygote.close()


pytestmark = [
    pytest.mark.slow,
    pytest.mark.every_run,
    pytest.mark.skipif(sim.why_not() is not None, reason=str(sim.why_not())),
    pytest.mark.timeout(600),
]


def test_every_bug_is_refused(judges):
    """On the CPU or on the simulated device."""
    found = list(device_bank.graded(part(device_bank.programs("bugs")), **judges))

    assert [one.name for one in found if not one.check] == []
    assert [one for one in found if "broke the process" in one.difference] == []


def test_every_right_program_gets_full_marks(judges):
    """However unusual its style is."""
    found = device_bank.graded(part(device_bank.programs("right")), **judges)

    assert {one.name: (one.check, one.device, one.difference) for one in found if one.check} == {}


def test_the_bank_is_large_and_covers_what_learners_write():
    """At least 60 bugs and 30 right programs, from all chapters with tensors."""
    bugs, right = device_bank.programs("bugs"), device_bank.programs("right")

    assert len(bugs) >= 60 and len(right) >= 30
    assert len({device_bank.exercise_of(program).partition("/")[0] for program in bugs}) >= 7
