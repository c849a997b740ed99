"""How checks use a reference, and inputs beyond theirs on which a mutant differs, or doesn't."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
import torch
from verify_dojo import make_dojo

from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.verify.direct import DirectCalls
from torchdojo.verify.findings import Finding, Report, Wrong
from torchdojo.verify.further import asks_for_gradient, difference, functions_called
from torchdojo.verify.kill_table import superfluous
from torchdojo.verify.report import show

pytestmark = [pytest.mark.skipif(sys.platform != "linux", reason="verify forks its processes, on Linux only"), pytest.mark.slow]
IMAGES = Path(__file__).parents[1] / "courses/images"


def exercise(name: str) -> Exercise:
    return Dojo(IMAGES).select(name)[0]


def mutated(name: str, old: str, new: str) -> str:
    source = exercise(name).reference.read_text()
    assert old in source
    return source.replace(old, new)


# ------------------------------------------------------------------ how checks use the reference
def test_checks_call_functions_themselves() -> None:
    """What a function of the solution calls is not the check's call. Methods have their class's name."""
    assert functions_called(exercise("ex02_blur")) == {
        "rows_are_blurred": ["blur_rows"],
        "both_axes_are_blurred": ["blur"],
        "no_loop_over_rows": ["blur_rows"],
    }
    assert functions_called(exercise("ex01_flip")) == {
        "draws_with_the_probability": ["RandomFlip.__init__", "RandomFlip.draw"],
        "images_are_flipped": ["RandomFlip.__call__", "RandomFlip.__init__"],
        "defaults_are_used": ["RandomFlip.__call__", "RandomFlip.__init__"],
    }


def test_a_check_that_asks_for_a_gradient_is_known_by_its_outcome(tmp_path: Path) -> None:
    """No word of the check or the stub decides."""
    assert not asks_for_gradient(exercise("ex02_blur"))
    assert asks_for_gradient(Dojo(make_dojo(tmp_path)).select("ex01_good")[0])


# ------------------------------------------------------------------ further inputs
@pytest.mark.parametrize(
    ("name", "old", "new", "calls", "problem"),
    [
        ("ex02_crop", "value: float = 0.0", "value: float = 1.0", "center_crop(<(2, 1, 5)>, 2)", "got 1, wanted 0"),
        ("ex01_pyramid", "smallest: int = 1", "smallest: int = 2", "pyramid(<", "got 4 items, wanted 5"),
        ("ex01_pyramid", "> smallest", ">= smallest", "pyramid(<", "TimeoutError: no answer after 2 seconds"),
        ("ex01_pyramid", "> smallest", "> (smallest if smallest != 4 else 5)", "pyramid(<", "got 3 items, wanted 4"),
        ("bonus1_cutout", "fill: float = 0.0", "fill: float = 9.0", "cutout(<", "got 9, wanted 0"),
        ("ex01_flip", "limit: float = 8.0", "limit: float = 1.0", "RandomFlip(seed=0); RandomFlip(...)(<", "got 1, wanted 4"),
    ],
)
def test_a_difference_that_no_check_shows_is_shown(name: str, old: str, new: str, calls: str, problem: str) -> None:
    """A default that nothing calls, a loop that doesn't end, a number between those that checks use."""
    shown = difference(exercise(name), mutated(name, old, new))

    assert shown["calls"].startswith(calls) and problem in shown["problem"]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("ex01_flip", "clamp(", "clamp_("),
        ("ex01_pyramid", ", count_include_pad=False", ""),
        ("ex02_crop", ".clone()", ".detach()"),
        ("ex02_blur", "radius = len(weights) // 2", "radius = len(weights)\n    radius //= 2"),
    ],
)
def test_right_programs_are_the_same_on_all_further_inputs(name: str, old: str, new: str) -> None:
    """Their own tensor is changed in place; an argument has no effect; a copy of a copy is left out; one more
    statement is no loop, so the rule is kept."""
    assert difference(exercise(name), mutated(name, old, new)) == {"calls": "", "problem": ""}


def test_a_mutant_that_ends_the_process_is_not_shown_to_be_equivalent() -> None:
    """Nothing is known of it then."""
    assert difference(exercise("ex01_gray"), "import os\nos._exit(0)\n") is None


def test_sizes_change_together() -> None:
    """All tensors of a call that share a size keep sharing it."""
    module, shapes = ModuleType("images"), set()
    exec("def f(x, y, n=3):\n    shapes.add((tuple(x.shape), tuple(y.shape), n))", vars(module) | {"shapes": shapes}, vars(module))
    module.f.__globals__["shapes"], module.f.__module__ = shapes, "images"
    direct = DirectCalls()
    direct.around(module)
    module.f(torch.zeros(1, 4), torch.zeros(4), 7)
    direct.chance = Random(0)
    for _ in range(300):
        module.f(torch.zeros(1, 4), torch.zeros(4), 7)

    assert all(x[1] == y[0] for x, y, _ in shapes)
    assert len({x for x, _, _ in shapes}) > 8 and {n for _, _, n in shapes} == {3, 4, 5, 6, 7}


# ------------------------------------------------------------------ what follows from it
def test_checks_are_compared_with_those_of_the_same_functions() -> None:
    """Everything wrong in f is wrong in g, which calls f: the check of f isn't superfluous."""
    report = Report("x", checks={"f": "", "g": ""}, wrong=[Wrong("mutant", "m", "", {"f": "failed", "g": "failed"}, "refused")])

    assert superfluous(report, ["f", "g"], {"f": ["f"], "g": ["g"]}) == {}
    assert superfluous(report, ["f", "g"], {"f": ["A.__init__", "A.f"], "g": ["A.__init__", "A.g"]}) == {}
    assert superfluous(report, ["f"], {"f": ["f"], "g": ["f", "g"]}) == {"f": "g rejects all of its 1"}
    assert superfluous(report, ["f"], {}) == {"f": "g rejects all of its 1"}


def test_superfluous_checks_can_all_be_deleted() -> None:
    """Of two that reject the same, one stays: the one that rejects more, or else the first."""
    wrong = [Wrong("mutant", name, "", dict.fromkeys(checks, "failed"), "refused") for name, checks in (("m", "abc"), ("n", "ab"))]
    report = Report("x", checks=dict.fromkeys("abc", ""), wrong=wrong)

    assert superfluous(report, ["a", "b", "c"], {}) == {"c": "a rejects all of its 1", "b": "a rejects all of its 2"}
    assert superfluous(report, ["a", "b"], {}) == {"b": "a rejects all of its 2"}


def test_findings_are_shown_by_rank(capsys: pytest.CaptureFixture[str]) -> None:
    """What is broken in any exercise comes before a gap that is shown in another."""
    one, other = Report("01/ex01"), Report("01/ex02")
    one.findings = [Finding("checks", "third."), Finding("mutants", "second.", shown=True)]
    other.findings, other.notes = [Finding("stub", "first.")], ["a note."]

    show([one, other], 1.0)

    text = capsys.readouterr().out
    places = [text.index(words) for words in ("first.", "second.", "third.", "a note.")]
    assert places == sorted(places)
