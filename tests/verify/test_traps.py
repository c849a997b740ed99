"""Author mistakes that would let wrong answers pass: each is reported in one line, by `verify` and by grading."""

from __future__ import annotations

import json
import sys
from types import SimpleNamespace

import pytest
import warm
from test_verify import verify
from verify_dojo import GRADER, exercise, make_dojo

from torchdojo.course.exercise import Dojo
from torchdojo.grading.checks import returns_something
from torchdojo.verify import mutation
from torchdojo.verify.findings import Report, Wrong, totals
from torchdojo.verify.report import row

linux = pytest.mark.skipif(sys.platform != "linux", reason="verify forks its processes, on Linux only")
SILENT = '''

@check(x=tensor("n"))
def silent(solution, x):
    """Claim."""
    solution.double(x)
'''
NONE = '''

@check(x=tensor("n"))
def none(solution, x):
    """Claim."""
    return [].append(solution.double(x))
'''


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    root = tmp_path_factory.mktemp("traps")
    exercise(root, "ex01_silent", grader=GRADER + SILENT)
    exercise(root, "ex02_none", grader=GRADER + NONE)
    return root


SAYS = "grade_{}.py: the check {} returns nothing, so every answer passes. Let it return what it observes."


@pytest.mark.slow
@linux
def test_verify_tells_a_check_that_returns_nothing(root):
    found = json.loads(verify(root, "ex01", "--quick", "--json").stdout)["exercises"][0]["findings"]

    assert [f["sentence"] for f in found] == [SAYS.format("ex01_silent", "silent")]


@pytest.mark.slow
@linux
def test_verify_tells_a_check_that_sees_none_everywhere(root):
    found = json.loads(verify(root, "ex02", "--quick", "--json").stdout)["exercises"][0]["findings"]

    assert SAYS.format("ex02_none", "none") in [f["told"].strip() for f in found]


@pytest.mark.slow
@pytest.mark.parametrize(("stem", "name"), [("ex01_silent", "silent"), ("ex02_none", "none")])
def test_grading_tells_it_in_one_line_and_it_costs_nobody_points(root, stem, name):
    done = warm.python("-m", "torchdojo", "grade", "reference", "--course", ".", "--only", stem, "--json", cwd=root)

    record = json.loads(done.stdout)["exercises"][0]
    check = next(c for c in record["checks"] if c["name"] == name)
    assert (check["status"], check["max_score"], record["score"], done.returncode) == ("error", 0, 3, 3)
    told = [line for line in done.stderr.splitlines() if SAYS.format(stem, name) in line]
    assert len(told) == 1 and "Traceback" not in done.stderr, done.stderr


def no_return(solution):
    solution.f()


def bare_return(solution):
    if solution:
        return
    solution.f()


def branch(solution):
    if solution:
        return 1
    return None


def either(solution):
    return solution.f() if solution else None


@pytest.mark.parametrize(("function", "says"), [(no_return, False), (bare_return, False), (branch, True), (either, True)])
def test_a_function_without_a_value_to_return_is_seen(function, says):
    assert returns_something(function) is says
    assert returns_something(lambda solution: 0) is True


def test_equivalent_mutants_are_not_among_the_wrong_ones_that_visible_tests_catch():
    wrong = [
        Wrong("mutant", "a", "", {"check": "passed"}, "equivalent", seen=False),
        Wrong("mutant", "b", "", {"check": "failed"}, "refused", seen=True),
    ]
    report = Report("01_small/ex01_good", {"check": "Claim."}, wrong=wrong)

    assert (totals([report]).seen, totals([report]).tried_visibly) == (1, 1)
    assert "1/1" in row(report)


@pytest.mark.parametrize(("there", "place"), [(True, "ex01_good_variants.py, "), (False, "ex01_good_variants.py (create it in reference/01_small/), ")])
def test_a_file_of_variants_that_is_missing_is_named_with_its_folder(tmp_path, monkeypatch, there, place):
    """At the level `checked` there is none until a mutant must be listed."""
    exercise = Dojo(make_dojo(tmp_path)).exercises[0]
    if not there:
        exercise.variants_file.unlink()
    monkeypatch.setattr(mutation, "_rejected_with_other_seeds", lambda bench, mutant: (None, 0))
    monkeypatch.setattr(mutation, "difference", lambda exercise, source: None)
    report, names = Report(exercise.id), {"grader": exercise.grader.name, "stub": exercise.stub.name, "variants": exercise.variants_file.name}
    mutant = SimpleNamespace(id="m-L1-1", description="changed", content="m: return x", source="", diff="")

    mutation._judge_mutant(SimpleNamespace(beat=str, report=report, names=names, exercise=exercise), mutant, Wrong("mutant", "m", ""), False)

    assert f"list it in EQUIVALENT of {place}" in report.findings[0].sentence
