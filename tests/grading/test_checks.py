"""`check`: its options are keyword parameters that an editor completes, and a misspelled one is named."""

from __future__ import annotations

import dataclasses
import inspect

import pytest

from torchdojo.common.errors import AuthorError
from torchdojo.grading import check
from torchdojo.grading.checks import Check

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
