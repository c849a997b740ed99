"""What `torchdojo verify` reports about the points that a known mistake loses."""

from __future__ import annotations

import json
import sys
from types import ModuleType, SimpleNamespace

import pytest
from test_verify import verify
from verify_dojo import FACTS_CHECK, GRADER, VARIANTS, exercise

from torchdojo.course.exercise import Exercise
from torchdojo.course.trusted import import_trusted
from torchdojo.judge.charge import lacks_form
from torchdojo.judge.compare import ANSWER, FACTS, Difference
from torchdojo.judge.result import Verdict
from torchdojo.verify import points
from torchdojo.verify.findings import Report, Wrong
from torchdojo.verify.lines import differing_lines
from torchdojo.verify.points import summary, table
from torchdojo.verify.texts import full_marks

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="verify forks its processes, on Linux only")

LUCK = '''

@mistake("double")
def wrong_for_seven(x):
    """7 stays 7."""
    return torch.where(x == 0.875, x, 2 * x)
'''

FLATTENS = '''

@mistake("double")
def flattens_too(x):
    """Integers are one too large, and five axes become one."""
    return 2 * x.reshape(-1) if x.dim() == 5 else 2 * x + (not x.is_floating_point())
'''


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """An exercise whose points are fair, one whose are not, one whose author names checks and common mistakes."""
    root = tmp_path_factory.mktemp("points")
    exercise(root, "ex01_fair")
    harsh, _, rest = VARIANTS.partition('@mistake("double")\ndef one_too_many')
    exercise(root, "ex02_harsh", variants=harsh + '@mistake("double")\ndef in_place' + rest.partition("def in_place")[2])
    named = VARIANTS.replace('@mistake("double")\ndef squares', '@mistake("double", about="doubles", common=True)\ndef squares')
    named = named.replace(
        '@mistake("double")\ndef adds_a_little', '@mistake("double", about=("keeps_the_graph", "gone"))\ndef adds_a_little'
    )
    exercise(root, "ex03_named", variants=named)
    exercise(root, "ex04_luck", variants="import torch\n" + VARIANTS + LUCK)
    cheap = VARIANTS.replace('@mistake("double")\ndef one_too_many', '@mistake("double", pitfall="Integers")\ndef one_too_many')
    grader = GRADER.replace('@check(x=tensor("..."))', '@check(points=5, x=tensor("..."))') + FACTS_CHECK
    exercise(root, "ex05_unfair", variants=cheap + FLATTENS, grader=grader)
    both = FLATTENS.replace('"double"', '"double", about=("doubles_integers", "keeps_the_axes")')
    exercise(root, "ex06_both", variants=VARIANTS + both, grader=GRADER + FACTS_CHECK)
    return root


@pytest.fixture(scope="module")
def done(root):
    return verify(root, "--points", "--json")


@pytest.fixture(scope="module")
def reports(done):
    assert done.stdout, done.stderr
    return {int(e["id"].split("/ex")[1][:2]): Report.from_json(e) for e in json.loads(done.stdout)["exercises"]}


def sentences(report: Report) -> list[str]:
    return [f.sentence for f in report.findings]


def test_each_mistake_has_its_share_and_the_checks_that_are_not_about_it(reports):
    assert sentences(reports[1]) == []
    gross = "about doubles, keeps_the_graph; also fails doubles_integers"
    assert table(reports[1]) == [
        "01_small/ex01_fair: one-line mistakes lose 33 % (median of 7); the most is 100 % (adds_two).",
        f"  100 %     3 of 3  adds_two        one line             {gross}",
        f"  100 %     3 of 3  in_place        one line             {gross}",
        f"  100 %     3 of 3  squares         one line             {gross}",
        "   33 %     1 of 3  adds_a_little   one line             about doubles",
        "   33 %     1 of 3  cuts_the_graph  one line             about keeps_the_graph",
        "   33 %     1 of 3  makes_floats    one line             about doubles_integers",
        "   33 %     1 of 3  one_too_many    one line             about doubles_integers",
    ]


def test_no_mutants_and_no_visible_tests_are_tried(reports, done):
    assert all(w.kind == "mistake" and w.seen is None for r in reports.values() for w in r.wrong)
    assert "visible" not in done.stderr


def test_a_median_above_half_is_a_finding(reports):
    assert sentences(reports[2]) == [
        "grade_ex02_harsh.py: a one-line mistake loses 100 % of the points (median of 5). Keep what one check is about out of the"
        " inputs of the others, until the median is at most 50 %; `torchdojo verify 01_small/ex02_harsh --points` shows each"
        " mistake."
    ]


def test_an_effect_lost_besides_and_a_cheap_pitfall_are_findings(reports):
    assert sentences(reports[5]) == [
        "ex05_unfair_variants.py: one_too_many is a Pitfall of the stub and loses 12 % of the points. Give the checks that reject it"
        " more; at least 20 % is fair.",
        "ex05_unfair_variants.py: flattens_too also loses keeps_the_axes, which is about an effect. Let its facts be right there; if"
        " the mistake breaks the effect, name that check in about= too.",
    ]


def test_a_mistake_may_be_about_an_effect_besides(reports):
    assert sentences(reports[6]) == []


def test_the_author_says_what_a_mistake_is_about_and_that_it_is_common(reports):
    squares = next(w for w in reports[3].mistakes if w.name == "squares")

    assert (squares.about, squares.common) == (["doubles"], True)
    assert sentences(reports[3]) == [
        "ex03_named_variants.py: the common mistake squares loses 100 % of the points. Let doubles_integers and keeps_the_graph"
        " use inputs where it is right. At most 70 % is fair.",
        "ex03_named_variants.py: adds_a_little is about the check keeps_the_graph, which accepts it. Add an input that shows it, or"
        " name another check.",
        "ex03_named_variants.py: adds_a_little is about gone, which is not a check of grade_ex03_named.py. Correct the name.",
    ]


def test_the_last_line_sums_up(reports):
    assert summary(list(reports.values())[:3]) == (
        "01_small: a one-line mistake in the task loses 33 % (median of 19), 25 % (too much) on checks about something else (mean);"
        " 0 also lose a check of effects; 0 Pitfalls below 20 %.\n"
        "Points: a one-line mistake loses 33 % (median of 19); the most is 100 % (01_small/ex01_fair: squares);"
        " 1 exercise with a median above 50 %; 1 of 1 common mistake above 70 %."
    )


def bench(**statuses: str) -> tuple[SimpleNamespace, Wrong]:
    """A check of values, a check of effects and one for the star, and a mistake with these statuses."""
    checks = [
        SimpleNamespace(name="values", star=False, beside=False, verdict=None, points=2),
        SimpleNamespace(name="effect", star=False, beside=True, verdict=None, points=1),
        SimpleNamespace(name="star", star=True, beside=False, verdict=None, points=1),
    ]
    return SimpleNamespace(checks=checks), Wrong("mistake", "slip", "", statuses=statuses)


@pytest.mark.parametrize(
    ("failed", "about"), [(["star"], ["star"]), (["effect", "star"], ["effect"]), (["values", "effect", "star"], ["values"])]
)
def test_a_mistake_of_the_task_is_about_a_check_of_the_task(failed, about):
    known, wrong = bench(**{name: "failed" if name in failed else "passed" for name in ("values", "effect", "star")})
    unmarked = SimpleNamespace(marks=SimpleNamespace(about=()))

    assert points._about(known, unmarked, wrong, {"values": 9, "effect": 2, "star": 1}) == about


@pytest.mark.parametrize(("star", "effects"), [("passed", ["effect"]), ("failed", [])])
def test_a_mistake_with_nothing_right_loses_the_effects_too(star, effects):
    known, wrong = bench(values="failed", effect="failed", star=star)
    wrong.about = ["values"]

    points._note_collateral(known, wrong)

    assert wrong.effects == effects


def test_an_effect_is_not_lost_beside_an_answer_without_form():
    known, wrong = bench(values="failed", effect="failed", star="passed")
    wrong.about, wrong.formless = ["values"], ["effect"]

    points._note_collateral(known, wrong)

    assert (wrong.effects, wrong.collateral) == ([], 1)


def test_the_table_marks_a_pitfall_and_a_check_of_effects():
    statuses = {"values": "failed", "effect": "failed"}
    slip = Wrong("mistake", "slip", "", statuses, points=4, lost=3, about=["values"], effects=["effect"], lines=1, pitfall=True)

    line = table(Report("01_small/ex01_fair", wrong=[slip]))[-1]

    assert line == "   75 %     3 of 4  slip  one line, Pitfall    about values; also fails effect (effect)"


@pytest.mark.parametrize(
    ("rung", "part", "lacks"),
    [("runs", None, True), ("shape", ANSWER, True), ("value", ANSWER, False), ("type", FACTS, False), ("changed", None, False)],
)
def test_an_answer_without_form(rung, part, lacks):
    assert lacks_form(Verdict("failed", Difference(rung, (), "", part=part))) == lacks


@pytest.mark.slow
def test_points_that_hang_on_the_seed_are_a_finding(root):
    done = verify(root, "ex04", "--seeds", "6", "--json")

    found = sentences(Report.from_json(json.loads(done.stdout)["exercises"][0]))
    assert [s.partition(" points with seed 0 and ")[0] for s in found] == ["ex04_luck_variants.py: wrong_for_seven loses 0"], found
    assert "(doubles)" in found[0]
    assert done.returncode == 1


@pytest.mark.slow
def test_points_are_printed_without_the_other_proofs(root):
    done = verify(root, "ex01", "--points")

    assert done.stdout.startswith("\n01_small/ex01_fair: one-line mistakes lose"), done.stdout
    assert "Mistakes by the cause that was named" not in done.stdout
    assert done.returncode == 0


# ------------------------------------------------------------------ lines
def lines(tmp_path, variants: str, reference: str) -> dict[str, int | None]:
    (tmp_path / "ours.py").write_text(reference)
    (tmp_path / "ours_variants.py").write_text("from torchdojo.variants import alternative, mistake\n" + variants)
    ours: ModuleType = import_trusted(tmp_path / "ours.py", "ours")
    from torchdojo.variants import variants_of

    return differing_lines(variants_of(import_trusted(tmp_path / "ours_variants.py", "ours_variants")), ours)


REFERENCE = '''
def f(x: int) -> int:
    """Claim."""
    y = x + 1  # a comment
    z = y * 2
    return z - 3
'''


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("def m(x):\n    '''Another claim.'''\n    y = x + 1\n    z = y * 3\n    return z - 3\n", 1),
        ("def m(x):\n    y = x - 1\n    z = y * 3\n    return z - 4\n", 3),
        ("def m(x):\n    return f(x) + 1\n", 1),
        ("def m(x):\n    total = 0\n    for _ in range(x):\n        total += 1\n    return total\n", 4),
    ],
)
def test_lines_that_differ_from_the_reference(tmp_path, body, count):
    assert lines(tmp_path, f"from ours import f\n\n@mistake('f')\n{body}", REFERENCE) == {"m": count}


def test_an_alternative_is_right_code_too(tmp_path):
    loop = "    total = -1\n    for _ in range({}):\n        total += 2\n    return total\n"
    text = f"@alternative('f')\ndef a(x):\n{loop.format('x')}\n@mistake('f')\ndef m(x):\n{loop.format('x + 1')}"
    assert lines(tmp_path, text, REFERENCE) == {"m": 1}


def test_a_subclass_counts_the_method_that_it_replaces(tmp_path):
    base = "class Base:\n    def go(self):\n        a = 1\n        b = 2\n        return a + b\n"
    one, other = (f"@mistake('F')\nclass {name}(Base):\n    def go(self):\n        a = 1\n" for name in "MN")
    text = f"{base}\n{one}        b = 3\n        return a + b\n\n{other}        b = 4\n        c = a * b\n        return c - 8\n"
    assert lines(tmp_path, text, "class F:\n    def go(self):\n        return 3\n") == {"M": 1, "N": 3}


def test_answers_of_a_quiz_are_counted_by_question(tmp_path):
    text = "@mistake()\ndef m():\n    return {'ANSWERS': {'a': 1, 'b': 3, 'c': 4}}\n"
    assert lines(tmp_path, text, "ANSWERS = {'a': 1, 'b': 2, 'c': 3}\n") == {"m": 2}


def test_nothing_to_sum_up():
    assert summary([Report("01_small/ex01_fair", wrong=[Wrong("mutant", "m", "")])]) == ""
    assert table(Report("01_small/ex01_fair")) == []


def test_the_task_is_worth_most_and_visible_tests_ask_for_it_alone(tmp_path):
    """Two of three points for the star are too many; a mistake that only the star's check rejects isn't expected to fail visible tests."""
    exercise(tmp_path, "ex01_stars")
    found = Exercise(tmp_path, "01_small/ex01_stars")
    grader = found.grader.read_text()
    found.grader.write_text(grader.replace('@check(x=tensor("n"', '@check(star=True, x=tensor("n"'))
    report = Report(found.id)
    report.wrong = [Wrong("mistake", n, "", {c: "failed"}, seen=True) for n, c in (("a", "doubles"), ("b", "keeps_the_graph"))]
    names = {"grader": found.grader.name, "variants": found.variants_file.name}
    points._weigh_the_task(SimpleNamespace(exercise=found, report=report, names=names, checks=found.grading.checks))

    assert sentences(report) == [
        "grade_ex01_stars.py: the task is worth 33 % of the points; it should be worth at least 60 %. Give its checks more points,"
        " or those with star=True fewer.",
        "test_ex01_stars.py: the visible tests reject b, which only star checks reject. Visible tests cover the task alone: remove"
        " that case from them, or add it to a check of the task.",
    ]


def test_a_stub_has_the_list_where_its_grader_has_stars(tmp_path):
    """In both directions; a line alone is not a list."""
    exercise(tmp_path, "ex01_stars")
    found = Exercise(tmp_path, "01_small/ex01_stars")
    stub, grader = found.stub.read_text(), found.grader.read_text()
    assert list(full_marks(found)) == []
    found.stub.write_text(stub.replace("    Example:", "    For full marks:\n        * Integers stay integers.\n\n    Example:"))
    assert "but no check of grade_ex01_stars.py has star=True. Mark the checks" in " ".join(full_marks(found))
    found.grader.write_text(grader.replace('@check(x=tensor("n"', '@check(star=True, x=tensor("n"'))
    assert list(full_marks(Exercise(tmp_path, found.id))) == []
    found.stub.write_text(stub.replace("    Example:", "    For full marks:\n\n    Example:"))
    assert "the check doubles_integers has star=True, but no docstring of the stub has a line" in " ".join(full_marks(Exercise(tmp_path, found.id)))
