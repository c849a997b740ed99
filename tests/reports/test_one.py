"""Writers for other systems: golden texts for each case, the rules of each format, and the real programs if they are available."""

from __future__ import annotations

import base64
import csv
import io
import itertools
import json
import os
import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from result_records import BONUS, CONTEXT, HOSTILE, RELU, SITUATIONS, VJP, WORDS, check, exercise, problem_of_result, record

from torchdojo.common.errors import UsageError
from torchdojo.judge.record import number
from torchdojo.reports.one import FORMATS, file_of, write
from torchdojo.reports.one.classroom import runners
from torchdojo.reports.points import completed, redacted, scaled
from torchdojo.reports.rows import rows, whole

GOLDEN = Path(__file__).parents[1] / "results"


def written(name: str, situation: str) -> str:
    return write(name, SITUATIONS[situation], CONTEXT)


def data(name: str, situation: str) -> Any:
    return json.loads(written(name, situation))


@pytest.mark.parametrize(("name", "situation"), list(itertools.product(FORMATS, SITUATIONS)))
def test_the_golden_text(name: str, situation: str) -> None:
    """TORCHDOJO_GOLDEN=write writes new files; look at what changed. Long texts are stored by their beginning."""
    got = written(name, situation)
    if name == "classroom":  # decoded, for people who read the golden text
        got = json.dumps(runners(SITUATIONS[situation]), indent=1, ensure_ascii=False) + "\n"
    got = got if len(got) < 6000 else got[:6000] + "\n"
    file = GOLDEN / f"{situation}.{name}{Path(file_of(name)).suffix}"
    if os.environ.get("TORCHDOJO_GOLDEN") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(got, encoding="utf-8", errors="surrogatepass", newline="")

    assert got == file.read_bytes().decode("utf-8", "surrogatepass")


def test_an_exercise_that_we_broke_costs_nothing_in_gradescope() -> None:
    """Its total is the assignment's: the remaining part of 6 points counts for all of them."""
    left = record(exercise(VJP, check("passed", 1, "A."), check("failed", 2, "B.")), exercise(RELU, check("error", 0, "C.")))
    right = record(exercise(VJP, check("passed", 3, "A.")), exercise(RELU, check("error", 0, "C.")))

    assert [json.loads(write("gradescope", r, {"total": "6"}))["score"] for r in (left, right)] == [2, 6]
    assert [json.loads(write("gradescope", r, {}))["score"] for r in (left, right)] == [1, 3]


def test_all_runners_fit_into_one_environment() -> None:
    """Each one could be as large as a variable may be; together they are one step's outputs."""
    long = [check("failed", 1, f"Claim {i}.", WORDS * 20) for i in range(30)]
    lines = write("classroom", record(*(exercise(f"01_toys/ex{i:02}_long{i}", *long) for i in range(90))), {})

    assert len(lines) < 1_000_000
    assert all(len(line) < 131_000 for line in lines.splitlines())


def test_points_that_no_list_of_tests_can_hold_are_hundredths() -> None:
    """A check of 100,000 points next to one of half a point would be 200,000 tests."""
    found = runners(record(exercise(VJP, check("passed", 1e8, "A."), check("failed", 0.5, "B."))))["ex04_vjp"]

    assert len(found["tests"]) == 100
    assert found["status"] == "fail" and 0 < sum(t["score"] for t in found["tests"]) < found["max_score"]


@pytest.mark.parametrize("name", FORMATS)
def test_what_a_hostile_program_says_stays_text(name: str) -> None:
    """No control characters, no reversed text, no line that a CI log obeys, in any format."""
    if name == "json":
        return  # the record is for programs; whoever prints it cleans it
    got = written(name, "hostile")
    texts = [got] if name != "classroom" else [base64.b64decode(line.partition("=")[2]).decode() for line in got.splitlines()[:-1]]

    for text in texts:
        text = text if not text.lstrip().startswith(("{", "[")) else "\n".join(strings(json.loads(text)))
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u200b\u202e\ud800-\udfff]", text.replace("\r\n", "\n"))
        commands = [line for line in text.splitlines() if line.lstrip().startswith(("::", "##["))]
        assert all(re.match("::(error file=exercises/|notice title=Points::0 of 5)", line) for line in commands)


def strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [s for v in value.values() for s in strings(v)]
    return [s for v in value for s in strings(v)] if isinstance(value, list) else [str(value)]


# ------------------------------------------------------------------ GitHub Classroom's reporter
weights = st.lists(st.tuples(st.sampled_from([1, 2, 3, 0.5, 4 / 9, 1.5, 7]), st.sampled_from(["passed", "failed", "todo", "crashed"])), min_size=1, max_size=8)


def reporter_totals(found: dict[str, dict]) -> tuple[float, float, float]:
    """Shown, reported and possible, in the order and the arithmetic of the reporter."""
    shown = reported = possible = 0.0
    for result in found.values():
        passed = sum(t["status"] == "pass" for t in result["tests"])
        shown += passed / len(result["tests"]) * (result["max_score"] or 0)
        if result["max_score"]:
            possible += result["max_score"]
            for t in result["tests"]:
                reported += t["score"]
    return shown, reported, possible


@pytest.mark.slow
@example([[(1, "passed"), (1, "passed"), (1, "failed"), (3, "passed"), (3, "passed"), (3, "failed"), (3, "failed"), (7, "passed")]])
@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(weights, min_size=1, max_size=5))
def test_the_reporter_shows_what_it_reports(groups: list) -> None:
    """Both totals agree bit for bit, and with the record; the status is pass only for full marks."""
    made = record(*(exercise(f"01_a/ex0{i}_b", *(check(s, w, f"Claim {j}.") for j, (w, s) in enumerate(g))) for i, g in enumerate(groups)))

    found = runners(made)
    shown, reported, possible = reporter_totals(found)

    assert shown == reported
    assert reported == pytest.approx(made["score"], abs=0.01 * made["max_score"])
    assert possible == pytest.approx(made["max_score"], abs=1e-3)
    assert [r["status"] == "pass" for r in found.values()] == [all(s == "passed" for _, s in g) for g in groups]
    assert all(r["tests"] and {type(t["score"]) for t in r["tests"]} <= {int, float} for r in found.values())


def test_no_value_is_too_long_for_an_environment() -> None:
    """Even if every one of many checks prints a lot."""
    many = record(exercise(VJP, *(check("failed", 1, f"Claim {i} {HOSTILE}", HOSTILE * 50) for i in range(150))))

    for line in write("classroom", many).splitlines():
        assert len(line) < 131_000


def test_hidden_checks_note_the_line_of_the_record():
    """Not a line that the learner's own text mentions."""
    forged = "went wrong   ValueError: no\n             raised at ex01_double.py line 99"
    failed = record(exercise("01_toys/ex01_double", check("failed", 1, "It doubles.", forged, line=7), check("failed", 1, "It halves.", forged)))
    assert re.findall(r",line=(\d+),", write("github", failed, {})) == ["7", "1"]
    assert [found["location"]["lines"]["begin"] for found in json.loads(write("codequality", failed, {}))] == [7, 1]


def test_an_empty_record_still_has_a_result() -> None:
    """The reporter stops with a misleading message if a runner has no tests."""
    assert write("classroom", record()).splitlines()[-1] == "runners=torchdojo"
    assert runners(record())["torchdojo"]["tests"] != []


def report_really(found: str, main: str) -> subprocess.CompletedProcess[str]:
    lines = dict(line.split("=", 1) for line in found.splitlines())
    names = lines.pop("runners")
    environment = {f"{k.upper()}_RESULTS": v for k, v in lines.items()} | {"INPUT_RUNNERS": names, "PATH": os.environ["PATH"]}
    return subprocess.run(["node", main], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("situation", SITUATIONS)
def test_the_real_reporter_agrees(situation: str) -> None:
    """Its exit code, both totals, and nothing undefined."""
    main = os.environ.get("TORCHDOJO_CLASSROOM_REPORTER")
    if not main or not shutil.which("node"):
        pytest.skip("TORCHDOJO_CLASSROOM_REPORTER does not name the reporter's dist/main.js, or there is no node")

    done = report_really(written("classroom", situation), main)

    want = SITUATIONS[situation]
    score = sum(e["score"] for e in want["exercises"] if e["id"] != BONUS)  # it has no extra credit
    assert done.returncode == (situation != "all_right"), done.stdout + done.stderr
    assert not re.search("NaN|undefined|null", done.stdout)
    reports = re.findall(r"^::notice title=Autograding report::(.*)$", done.stdout, re.MULTILINE)
    assert [json.loads(r) for r in reports] == [{"totalPoints": score, "maxPoints": want["max_score"]}]
    shown = re.findall(r"^Total points for \S+: ([\d.]+)/", done.stdout, re.MULTILINE)
    assert sum(map(float, shown)) == score


# ------------------------------------------------------------------ Classroom 50
@pytest.mark.parametrize("situation", SITUATIONS)
def test_classroom50_takes_every_result(situation: str) -> None:
    """By its rules."""
    found = data("classroom50", situation)

    assert problem_of_result(found) is None
    assert (found["score"] == found["max-score"] > 0) == (situation in ("all_right", "ours", "bonus"))

# its smallest score is a millionth of a point, and the sum lies that near to a half of the last digit
SMALL = [
    [(16, "part", 19), (1, "failed", 14)],
    [(13, "part", 26), (Fraction(1, 92), "failed", 3), (Fraction(39, 64), "part", 39)],
    [
        (Fraction(49, 76), "part", 43), (Fraction(3, 86), "part", 1), (19, "part", 51), (5, "part", 19), (Fraction(409, 52), "part", 11),
        (Fraction(1, 61), "passed", 9), (19, "passed", 43), (Fraction(18, 41), "failed", 9), (20, "failed", 50),
    ],
    [(4, "part", 57), (15, "failed", 20), (Fraction(1113, 95), "part", 29), (Fraction(65, 94), "failed", 52), (10, "passed", 84)],
    [(Fraction(65, 94), "failed", 28), (Fraction(75, 79), "part", 84), (10, "part", 1), (Fraction(17, 89), "part", 63)],
    [(Fraction(1751, 61), "part", 75), (30, "failed", 99), (12, "part", 67), (4, "part", 57), (13, "part", 77)],
]  # fmt: skip


@pytest.mark.slow
@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.lists(st.tuples(weights, st.integers(1, 20)), min_size=1, max_size=5))
def test_whole_points_are_full_for_full_marks_alone(groups: list) -> None:
    """Whatever the weights and the points of the release."""
    made = record(*(exercise(f"01_a/ex0{i}_b", *(check(s, w, f"Claim {j}.") for j, (w, s) in enumerate(g))) for i, (g, _) in enumerate(groups)))
    points = {f"01_a/ex0{i}_b": p for i, (_, p) in enumerate(groups)}

    found = json.loads(write("classroom50", scaled(made, points), CONTEXT))

    assert found["max-score"] == sum(points.values())
    for (checks, p), t in zip(groups, found["tests"], strict=True):
        right = all(s == "passed" for _, s in checks)
        assert (t["score"] == t["max-score"] == p) == right == t["passed"]


def test_a_share_of_points_is_rounded_down() -> None:
    """Never up, and the last point is only for a completely right submission."""
    assert [whole(Fraction(n, 10), Fraction(1), 3) for n in range(11)] == [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3]
    assert whole(Fraction(999_999, 1_000_000), Fraction(1), 1) == 0


def test_classroom50_says_what_it_has_to_know() -> None:
    """A result without an owner would be discarded silently."""
    with pytest.raises(UsageError, match="needs owner"):
        write("classroom50", SITUATIONS["half"], {k: v for k, v in CONTEXT.items() if k != "owner"})


# ------------------------------------------------------------------ the others
@pytest.mark.parametrize("situation", SITUATIONS)
def test_gradescope_takes_every_result(situation: str) -> None:
    """Keys and words match its specification, and points add up."""
    found = data("gradescope", situation)

    assert set(found) <= {"score", "visibility", "stdout_visibility", "output", "output_format", "tests"}
    for t in found["tests"]:
        assert set(t) <= {"name", "name_format", "number", "score", "max_score", "output", "output_format", "status", "visibility"}
        assert t.get("status", "passed") in ("passed", "failed") and t["output_format"] == "text"
    assert found["score"] == sum(t["score"] for t in found["tests"]) == SITUATIONS[situation]["score"]


def test_gradescope_keeps_back_what_is_not_revealed() -> None:
    """Until grades are published, if nothing may be shown."""
    found = json.loads(write("gradescope", redacted(SITUATIONS["half"], "none"), {"reveal": "none"}))

    assert {t["visibility"] for t in found["tests"]} == {"after_published"}
    assert found["tests"][0]["name"] == f"{VJP}: Hidden check 1."


@pytest.mark.parametrize("situation", SITUATIONS)
def test_prairielearn_takes_every_result(situation: str) -> None:
    """A share between 0 and 1, and 1 only for everything, or with bonus points; points on all tests; under a megabyte."""
    text = written("prairielearn", situation)
    found = json.loads(text)

    assert len(text) < 1_000_000
    assert found["gradable"] and 0 <= found["score"] <= 1
    assert (found["score"] == 1) == (situation in ("all_right", "ours", "bonus"))
    assert all({"points", "max_points", "name", "output"} <= set(t) for t in found["tests"])


def test_prairielearn_does_not_count_what_only_we_broke() -> None:
    """No score, so that no attempt is used."""
    found = json.loads(write("prairielearn", record(exercise(VJP, check("error", 0, "A claim.")))))

    assert found["gradable"] is False and "score" not in found


@pytest.mark.parametrize("situation", SITUATIONS)
def test_exercism_takes_every_result(situation: str) -> None:
    """Version 3: its status names, a message for every failure, short output."""
    found = data("exercism", situation)

    assert found["version"] == 3
    assert found["status"] == {"all_right": "pass", "ours": "error"}.get(situation, "fail")
    assert (found["message"] is not None) == (found["status"] == "error")
    for t in found["tests"]:
        assert t["status"] in ("pass", "fail", "error") and (t["message"] is None) == (t["status"] == "pass")
        assert len(t["output"] or "") <= 500


@pytest.mark.parametrize("situation", SITUATIONS)
def test_gitlab_reads_the_junit_file(situation: str) -> None:
    """Well-formed, and its counts match its cases."""
    root = ElementTree.fromstring(written("gitlab", situation))

    for suite in root:
        for tag, count in (("testcase", "tests"), ("testcase/failure", "failures"), ("testcase/error", "errors"), ("testcase/skipped", "skipped")):
            assert len(suite.findall(tag)) == int(suite.get(count, "-1"))
    assert sum(float(p.get("value", "")) for p in root.iter("property") if p.get("name") == "score") == SITUATIONS[situation]["score"]


@pytest.mark.parametrize("situation", SITUATIONS)
def test_gitlab_reads_the_code_quality_report(situation: str) -> None:
    """Required keys, its severities, unique fingerprints."""
    found = data("codequality", situation)

    assert all(f["severity"] in ("info", "minor", "major", "critical", "blocker") for f in found)
    assert all(f["location"]["lines"]["begin"] >= 1 and f["location"]["path"].startswith("exercises/") for f in found)
    assert len({f["fingerprint"] for f in found}) == len(found)
    assert len(found) == {"all_right": 0, "half": 1, "nothing": 3, "crashed": 2, "ours": 0, "bonus": 2, "hostile": 2}[situation]


@pytest.mark.parametrize("situation", SITUATIONS)
def test_nbgrader_reads_the_grades(situation: str) -> None:
    """Its columns in its order, one row."""
    (row,) = csv.DictReader(io.StringIO(written("nbgrader", situation)))

    assert list(row) == ["assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email", "raw_score", "late_submission_penalty", "score", "max_score"]
    assert (row["student_id"], float(row["score"]), float(row["max_score"])) == ("ada", SITUATIONS[situation]["score"], SITUATIONS[situation]["max_score"])


def test_a_summary_has_no_open_fence_and_no_table_out_of_step() -> None:
    """Whatever a title or message contains, the page's structure is intact."""
    text = written("summary", "hostile")

    assert text.count("\n```") % 2 == 0
    assert [line.count("|") - line.count("\\|") for line in text.splitlines() if line.startswith("| ")] == [4, 4, 4]
    outside = "".join(text.split("```")[::2])
    assert "<script>" not in outside and "[a](" not in outside and "@everyone" not in outside.replace("\\@", "")


# ------------------------------------------------------------------ points and what is revealed
def test_points_are_scaled_exactly_and_our_faults_cost_nothing() -> None:
    """Thirds add up to the whole; the other checks share the points of a check that failed by our fault; unreleased exercises are left out."""
    thirds = record(exercise(VJP, *(check("passed", 1, f"Claim {i}.") for i in range(3))), exercise(RELU, check("passed", 1, "A.")))
    assert scaled(thirds, {VJP: 10})["score"] == 10
    assert [e["id"] for e in scaled(thirds, {VJP: 10})["exercises"]] == [VJP]

    ours = scaled(SITUATIONS["ours"], {VJP: 6, RELU: 6})

    assert [(e["score"], e["max_score"]) for e in ours["exercises"]] == [(6, 6), (0, 0)]


@pytest.mark.slow
@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=12), st.integers(1, 100))
def test_scaled_points_add_up_in_every_format(weights: list[int], points: int) -> None:
    """Shares like 3/26 are recovered after they were floats."""
    made = scaled(record(exercise(VJP, *(check("passed", w, f"Claim {i}.") for i, w in enumerate(weights)))), {VJP: points})

    assert made["score"] == made["max_score"] == points
    assert json.loads(write("gradescope", made))["score"] == points
    assert reporter_totals(runners(made)) == (points, points, points)
    assert json.loads(write("classroom50", made, CONTEXT))["score"] == points


def decimal(text: Any) -> Fraction:
    """A number as it is written, not as a float."""
    return Fraction(str(text))


POINTS = st.one_of(st.integers(1, 20), st.fractions(Fraction(1, 97), 30, max_denominator=97))
CHECK = st.tuples(POINTS, st.sampled_from(["passed", "failed", "part", "part"]), st.integers(1, 99))


@pytest.mark.slow
@settings(max_examples=300, deadline=None, derandomize=True)
@example([[(1, "passed", 1), (1, "failed", 1), (1, "passed", 1)]] * 2, 10)
@example([[(7, "part", 50)] * 9] * 3, 50)
@example(SMALL, 1)
@given(st.lists(st.lists(CHECK, min_size=1, max_size=9), min_size=1, max_size=6), st.integers(1, 200))
def test_what_is_written_adds_up_exactly(groups: list, total: int) -> None:
    """Checks to exercises, exercises to the total, which is the exact one rounded; full stays full, and zero stays zero."""
    made, names = [], [f"03_autograd/ex{i:02}_one" for i in range(len(groups))]
    for name, group in zip(names, groups, strict=True):
        found = [check("passed" if kind == "passed" else "failed", float(w), f"Claim {i}.") for i, (w, kind, _) in enumerate(group)]
        for one, (w, kind, percent) in zip(found, group, strict=True):
            one["score"] = float(w) if kind == "passed" else float(w) * percent / 100 if kind == "part" else 0
        made.append(exercise(name, *found))
    share = Fraction(total, len(names))
    it = scaled(record(*made), {name: float(share) for name in names})

    gradescope = json.loads(write("gradescope", it))
    tests = gradescope["tests"]
    assert sum(decimal(t["score"]) for t in tests) == decimal(gradescope["score"]) == decimal(number(it["score"]))
    assert sum(decimal(t["max_score"]) for t in tests) == decimal(number(it["max_score"]))
    statuses = [kind for group in groups for _, kind, _ in group]
    for one, kind, before in zip(tests, statuses, [c for e in it["exercises"] for c in e["checks"]], strict=True):
        assert 0 <= one["score"] <= one["max_score"] and (kind != "passed" or one["score"] == one["max_score"]) and (kind != "failed" or not one["score"])
        assert abs(one["max_score"] - before["max_score"]) < 0.00031 and abs(one["score"] - before["score"]) < 0.00031
    assert [(t["points"], t["max_points"]) for t in json.loads(write("prairielearn", it))["tests"]] == [(t["score"], t["max_score"]) for t in tests]
    cases = [{p.get("name"): p.get("value") for p in case.iter("property")} for case in ElementTree.fromstring(write("gitlab", it)).iter("testcase")]
    assert [(c["score"], c["points"]) for c in cases] == [(str(t["score"]), str(t["max_score"])) for t in tests]
    summary = write("summary", it)
    table = re.findall(r"^\| \d\d.*\| ([\d.]+) of ([\d.]+) \|$", summary, re.MULTILINE)
    assert [sum(map(decimal, column)) for column in zip(*table, strict=True)] == [decimal(n) for n in re.match(r"# ([\d.]+) of ([\d.]+) points", summary).groups()]


def test_points_of_a_release_add_up_in_gradescope() -> None:
    """Thirds of whole points: 3.3334, 3.3333 and 3.3333 are 10, and an exercise of 10 points shows 10."""
    thirds = record(*(exercise(name, *(check("passed", 1, f"Claim {i}.") for i in range(3))) for name in (VJP, RELU)))
    found = json.loads(write("gradescope", scaled(thirds, {VJP: 10, RELU: 10})))

    assert [t["score"] for t in found["tests"]] == [3.3334, 3.3333, 3.3333] * 2
    assert found["score"] == 20
    left = record(exercise(VJP, *(check("passed", 1, f"Claim {i}.") for i in range(3))), exercise(RELU, check("error", 0, "C.")))
    found = json.loads(write("gradescope", left, {"total": "10"}))
    assert [t["score"] for t in found["tests"]] == [3.3334, 3.3333, 3.3333, 0] and found["score"] == 10


def test_grading_that_was_stopped_is_never_worth_more() -> None:
    """Checks that didn't run are timed out; the exercise in which grading stopped can't be full. One that was finished can."""
    whole = record(exercise(VJP, check("passed", 1, "First.")))
    assert completed(whole, {VJP: 4}, "Too long.")["exercises"] == whole["exercises"]
    stopped = whole | {"interrupted": True}

    found = scaled(completed(stopped, {VJP: 4, RELU: 6}, "Too long."), {VJP: 4, RELU: 6})

    assert [(e["score"], e["max_score"]) for e in found["exercises"]] == [(2, 4), (0, 6)]


def test_no_check_earns_more_than_it_is_worth() -> None:
    """Whatever another program wrote into the record; one that passed earns all."""
    made = record(exercise(VJP, check("passed", 2, "First."), check("failed", 3, "Second.")))
    for part, score in zip(made["exercises"][0]["checks"], (1.5, 4), strict=True):
        part["score"] = score

    assert [(row.score, row.worth) for row in rows(made)] == [(2, 2), (3, 3)]


def test_each_level_tells_what_it_says() -> None:
    """none: points; title: claims; gap: messages, unless the check is secret; full: everything."""
    secret = check("failed", 2, "Secret claim.", "went wrong    x[3] is 7", secret=True, parts={"input": "x = [7]"})
    made = record(exercise(VJP, check("failed", 1, "Open claim.", "went wrong    it"), secret))

    said = {level: json.dumps(redacted(made, level)) for level in ("none", "title", "gap", "full")}

    seen = {level: [word for word in ("Open claim", "went wrong    it", "Secret claim", "x[3]", "x = [7]") if word in text] for level, text in said.items()}
    assert seen == {
        "none": [],
        "title": ["Open claim", "Secret claim"],
        "gap": ["Open claim", "went wrong    it", "Secret claim"],
        "full": ["Open claim", "went wrong    it", "Secret claim", "x[3]", "x = [7]"],
    }
    with pytest.raises(UsageError, match="--reveal is 'all'; choose one of none, title, gap, full"):
        redacted(made, "all")
