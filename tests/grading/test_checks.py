"""`check`: its options are keyword parameters that an editor completes, and a misspelled one is named."""

from __future__ import annotations

import dataclasses
import inspect
import re

import pytest

from torchdojo.common.errors import AuthorError
from torchdojo.grading import check, loop_in
from torchdojo.grading.checks import Check, Forbidden, share_rules

OPTIONS = [f for f in dataclasses.fields(Check) if f.name not in ("function", "specs", "verdict", "rules", "adopted")]
PARAMETERS = inspect.signature(check).parameters


@pytest.mark.parametrize("option", OPTIONS, ids=[f.name for f in OPTIONS])
def test_each_option_is_a_keyword_parameter_with_a_type_and_a_description(option: dataclasses.Field) -> None:
    """Its default is the one that a check has."""
    parameter = PARAMETERS[option.name]
    default = {} if option.default is dataclasses.MISSING else option.default

    assert parameter.kind is parameter.KEYWORD_ONLY and parameter.annotation is not parameter.empty
    assert (parameter.default if parameter.default is not None else default) == default
    assert f"\n        {option.name} " in check.__doc__


def test_there_is_no_other_parameter() -> None:
    """Every other keyword is an argument of the check's function."""
    assert set(PARAMETERS) - {f.name for f in OPTIONS} == {"arguments"}


def test_options_reach_the_check() -> None:
    """Options are set, other keywords are drawn."""

    @check(points=3, star=True, seconds=1.0, n=[1, 2])
    def doubles(solution, n):
        return solution.double(n)

    assert (doubles.points, doubles.star, doubles.seconds, doubles.specs) == (3, True, 1.0, {"n": [1, 2]})


def test_a_misspelled_option_is_named() -> None:
    """Next to an argument that is missing."""
    with pytest.raises(AuthorError) as caught:

        @check(point=3)
        def doubles(solution, n):
            return solution.double(n)

    said = "@check(...) sets point, but the function has no such argument; did you mean the option points?"
    assert str(caught.value) == f"doubles: set the argument n in @check(...); {said}"


def double(solution, n):
    return solution.double(n)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"points": 0}, "points is 0; points must be a number above 0"),
        ({"points": "2"}, "points is '2'; points must be a number above 0"),
        ({"star": 1}, "star is 1; write star=True for a check that counts only for full marks"),
        ({"reveal": "all"}, "reveal must be one of none, title, gap, full"),
    ],
)
def test_a_value_that_means_nothing_is_named(options: dict[str, object], said: str) -> None:
    with pytest.raises(AuthorError, match=re.escape(said)):
        check(n=[1], **options)(double)


def test_the_solution_comes_first() -> None:
    """A check is called with it."""
    with pytest.raises(AuthorError, match="must take `solution` as its first argument"):

        @check(n=[1])
        def doubles(n, solution):
            return solution.double(n)


def test_the_graders_rules_hold_in_all_its_checks() -> None:
    """They cost the exercise, also where the check forbids the same for itself; a check may allow itself what it needs."""
    own = check(n=[1], forbids={"aten.sum": "sum", "aten.mean": "mean"}, because="Add by hand.")(double)
    allowing = check(n=[1], allows=("aten.sum",))(double)
    share_rules([own, allowing], {"aten.sum": "torch.sum", "aten.cumsum": ("cumsum", "it adds.")}, "No sums.")

    assert {pattern: isinstance(sentence, Forbidden) for pattern, sentence in own.rules.items()} == {"aten.sum": True, "aten.mean": False, "aten.cumsum": True}
    assert own.rules["aten.sum"] == "you used torch.sum; No sums." and own.rules["aten.cumsum"] == "you used cumsum; it adds."
    assert set(allowing.rules) == {"aten.cumsum"}


@pytest.mark.parametrize(
    ("few", "many", "why"),
    [
        ((3, 100), [(3, 100), (3, 100)], ""),
        ((3, 100), [(3, 100), (4, 100)], "more PyTorch operations ran"),
        ((3, 100), [(3, 100), (3, 101)], "Python took more steps"),
        ((3, 1600), [(3, 1600)], "Python took 1600 steps"),
    ],
)
def test_a_loop_shows_in_work_that_grows(few: tuple[int, int], many: list[tuple[int, int]], why: str) -> None:
    """Along any one of the sizes; or in too much work at all of them."""
    assert loop_in(few, many) == why
