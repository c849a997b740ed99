"""`torchdojo verify` on a dojo of nine small exercises, one of them correct: each fault has its own sentence."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import warm
from verify_dojo import make_dojo

from torchdojo.commands import new
from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.course.templates import FILL_IN
from torchdojo.verify import conditions
from torchdojo.verify.findings import Report, Wrong
from torchdojo.verify.page import page
from torchdojo.verify.prove import _files_are_there
from torchdojo.verify.report import percent, row
from torchdojo.verify.selection import chosen, touched_by
from torchdojo.verify.texts import prove_texts

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="verify forks its processes, on Linux only"),
    pytest.mark.timeout(900),
    pytest.mark.together(4),  # one run of `verify` over all nine exercises takes longest in the whole suite
]


PROGRAM = "from torchdojo.cli import main; main()"


def verify(root: Path, *options: str, program: str = PROGRAM) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"OMP_NUM_THREADS": "1", "COLUMNS": "200"}
    return warm.python("-c", program, "verify", *options, cwd=root, env=environment, timeout=550, ahead=False)


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """The small dojo; nobody writes to it."""
    return make_dojo(tmp_path_factory.mktemp("verify"))


@pytest.fixture(scope="module")
def done(root):
    """One run over all of it."""
    return verify(root, "--json")


@pytest.fixture(scope="module")
def reports(done):
    """Its reports, by the exercise's number."""
    assert done.stdout, done.stderr
    found = json.loads(done.stdout)["exercises"]
    return {int(e["id"].split("/ex")[1][:2]): Report.from_json(e) for e in found}


def sentences(report: Report, proof: str | None = None) -> list[str]:
    return [f.sentence for f in report.findings if proof in (None, f.proof)]


# ------------------------------------------------------------------ the exercise without fault
def test_a_good_exercise_is_proved(reports):
    good = reports[1]

    assert sentences(good) == []
    assert good.stub_todo and good.reference_right and good.complete
    assert good.alternatives == {"adds": True, "stretches": True, "by_addition": True}
    assert {w.verdict for w in good.mistakes} == {"right"}
    assert {w.verdict for w in good.mutants} == {"refused"}


def test_the_reference_is_tried_under_every_condition(reports):
    assert [c for c in reports[1].conditions if "on sim" not in c] == [
        "as it is graded",
        "a second time in the same process",
        "with seed 1 and two threads",
        "with seed 2 and float64 as default dtype",
    ]


def test_the_kill_table_says_which_check_rejects_what(reports):
    table = {w.name: w.rejected_by for w in reports[1].wrong}

    assert table["makes_floats"] == ["doubles_integers"]
    assert table["adds_a_little"] == ["doubles"]
    assert table["add_detach-L8-1"] == ["keeps_the_graph"]
    assert table["squares"] == ["doubles", "doubles_integers", "keeps_the_graph"]


def test_visible_tests_are_asked_too(reports):
    seen = {w.name: w.seen for w in reports[1].wrong}

    assert seen["squares"] is True  # 1 and 9 for 1 and 3
    assert seen["makes_floats"] is False


# ------------------------------------------------------------------ faults of checks
def test_a_blind_check_is_an_error(reports):
    assert "grade_ex02_blind.py: the check blind rejects nothing. Sharpen it, or delete it." in sentences(reports[2])


def test_a_check_that_rejects_only_errors_is_told_though_it_is_kept(reports):
    assert (
        "grade_ex02_blind.py: the check only_errors rejects only solutions that raise (1 rejection)."
        " Return the values that it should compare, delete it, or mention the error in its title."
        in sentences(reports[2])
    )
    assert sum("only solutions that raise" in s for r in reports.values() for s in sentences(r)) == 1


def test_a_check_that_rejects_nothing_alone_needs_a_reason(reports):
    assert (
        "grade_ex02_blind.py: the check without_reason rejects nothing that no other check rejects"
        " (doubles rejects all of its 2). Add a known mistake that only this check rejects, delete the check, or give the reason why it stays in KEPT." in sentences(reports[2])
    )
    assert not any("with_reason rejects" in s for s in sentences(reports[2]))


def test_kept_names_checks_of_the_file(reports):
    assert (
        "grade_ex02_blind.py: KEPT names long_gone, which is not a check of this file. Delete it, or correct the name."
        in sentences(reports[2])
    )


# ------------------------------------------------------------------ faults of variants
def test_a_mistake_that_passes(reports):
    assert "ex03_named_variants.py: is_right passes every check. Add an input where it differs, or delete it." in sentences(
        reports[3], "mistakes"
    )


def test_a_mistake_that_is_taken_for_another(reports):
    assert any(
        s.startswith("ex03_named_variants.py: triples_in_disguise is taken for triples in the check ")
        and s.endswith(". Add an input that tells them apart, or make the two one mistake.")
        for s in sentences(reports[3], "mistakes")
    )


def test_mistakes_that_nothing_tells_apart_are_unnamed(reports):
    assert (
        "ex03_named_variants.py: halves is not named, because it behaves like halves_too in every check."
        " Add an input that tells them apart, or make them one mistake." in sentences(reports[3], "mistakes")
    )


def test_mistakes_that_differ_only_in_facts_beside_a_wrong_answer_are_unnamed(reports):
    assert (
        "ex03_named_variants.py: sevenfold is not named, because it behaves like sevenfold_without_axes in every check."
        " Add an input that tells them apart, or make them one mistake." in sentences(reports[3], "mistakes")
    )


def test_the_confusion_matrix_counts_them(reports):
    verdicts = [w.verdict for w in reports[3].mistakes]

    assert {v: verdicts.count(v) for v in set(verdicts)} == {"right": 8, "passed": 1, "wrong": 1, "unnamed": 4}


def test_a_rejected_alternative_names_the_check_and_shows_the_counterexample(reports):
    found = [f for f in reports[3].findings if f.proof == "alternatives"]

    assert found[0].sentence == (
        "grade_ex03_named.py: the check doubles rejects the correct solution hands_x_itself_back."
        " Let the check accept it, or delete hands_x_itself_back from ex03_named_variants.py."
    )
    assert "got dtype float64, wanted float32" in found[0].told
    assert reports[3].alternatives == {"adds": True, "stretches": True, "hands_x_itself_back": False}


# ------------------------------------------------------------------ faults of stubs and visible tests
def test_a_stub_that_is_begun(reports):
    assert not reports[4].stub_todo
    assert (
        "ex04_begun.py: the check doubles reports the stub as failed, not as 'to do'. Let the stub raise NotImplementedError"
        " where the learner's work begins, and let the check call it." in sentences(reports[4])
    )
    assert "test_ex04_begun.py: test_doubles reports the stub as failed, not as 'to do'. Let it call what the learner writes." in sentences(
        reports[4]
    )


def test_stub_and_reference_agree(reports):
    assert {
        "ex04_begun.py: the stub has `double(x: torch.Tensor, factor: int=2) -> torch.Tensor`, the reference"
        " `double(x: torch.Tensor) -> torch.Tensor`. Give both the same signature.",
        "ex04_begun.py: the summary of double is 'Return x two times.' in the stub, 'Return twice x.' in the reference."
        " Give both the same.",
        "ex04_begun.py: the reference defines no triple. Define it there, or remove it from the stub.",
    } <= set(sentences(reports[4], "stub"))


def test_a_false_example(reports):
    found = [f for f in reports[4].findings if "the example of" in f.sentence]

    assert [f.sentence for f in found] == [
        "ex04_begun.py: the example of double is not true of the reference. Correct it in the docstring."
    ]
    assert found[0].told == "printed    tensor([2., 4.])\ndocstring  tensor([2., 5.])"


def test_a_visible_test_that_the_reference_fails(reports):
    assert "test_ex04_begun.py: test_doubles reports the reference as failed. Correct the test or the reference." in sentences(
        reports[4], "reference"
    )


# ------------------------------------------------------------------ mutants
def test_an_equivalent_mutant_needs_a_reason_that_holds(reports):
    verdicts = {w.name: w.verdict for w in reports[5].mutants}

    assert verdicts["in_place_update-L10-1"] == "equivalent"
    assert {
        "ex05_equal_variants.py: EQUIVALENT gives no reason for 'change_number: for _ in range(3):'. Write one.",
        "ex05_equal_variants.py: 'change_number: for _ in range(3):' is listed as equivalent, but the check doubles rejects it."
        " Delete it from EQUIVALENT.",
        "ex05_equal_variants.py: EQUIVALENT lists 'change_nothing: total = x', which is not a mutant. Delete it, or correct it.",
    } <= set(sentences(reports[5], "mutants"))


def test_a_mutant_of_gradients_counts_only_if_a_check_asks_for_one(reports):
    """The fifth exercise has no check of gradients, though its stub mentions them."""
    assert "add_detach-L8-1" in {w.name for w in reports[1].mutants}
    assert not [w.name for w in reports[5].mutants if w.name.startswith("add_detach")]
    assert (
        "ex05_equal.py mentions gradients, but no check asks for one. Add a check that does, or list it in EQUIVALENT of"
        " ex05_equal_variants.py, with the reason: 'add_detach: total = (total + x).detach()'."
    ) in sentences(reports[5], "mutants")


def test_a_mutant_that_never_ends_is_stopped(reports):
    stopped = [w for w in reports[6].mutants if "timeout" in w.statuses.values()]

    assert stopped
    assert all(w.verdict == "refused" and w.rejected_by_one is None for w in stopped)


# ------------------------------------------------------------------ what cannot be proved
def test_an_oracle_that_breaks(reports):
    found = next(f for f in reports[7].findings if f.proof == "reference")

    assert found.sentence == (
        "grade_ex07_broken.py: the check doubles breaks on the reference as it is graded."
        " Correct the check, its oracle or the reference."
    )
    assert "the oracle of doubles raised NameError: name 'nothing' is not defined" in found.told
    assert reports[7].mutants == []


def test_a_reference_that_is_right_in_some_surroundings_only(reports):
    assert sentences(reports[8], "reference") == [
        f"ex08_fragile.py: the reference warns in the check {check} with seed 2 and float64 as default dtype."
        " Change it so that it doesn't."
        for check in ("doubles", "doubles_integers")
    ] + [
        f"grade_ex08_fragile.py: the check {check} rejects the reference under torch.no_grad()."
        " Correct the check, its oracle or the reference."
        for check in ("doubles", "doubles_integers")
    ]


def test_a_missing_file(reports):
    assert sentences(reports[9]) == [
        "graders/01_small/grade_ex09_missing.py is missing. Write the hidden checks."
    ]


def test_a_missing_file_names_the_guide_where_there_is_one(tmp_path):
    """A course of one's own has no docs/."""
    missing, report = Exercise(tmp_path, "01_small/ex01_none"), Report("01_small/ex01_none")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "authors.md").touch()

    assert not _files_are_there(missing, report, "quick")
    assert sentences(report) == [
        "exercises/01_small/ex01_none.py is missing. Write the stub; docs/authors.md shows the form.",
        "graders/01_small/grade_ex01_none.py is missing. Write the hidden checks; docs/authors.md shows the form.",
    ]


# ------------------------------------------------------------------ the command
def test_findings_are_exit_code_1(done):
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert found["schema"] == "torchdojo/verify/v1"
    assert found["totals"]["exercises"] == 9
    assert found["totals"]["named"]["wrong"] == 1
    assert found["exercises"][0]["score"] == 1.0
    assert found["exercises"][0]["kills"]["doubles_integers"]["alone"] == 2


@pytest.mark.slow
def test_a_proved_exercise_is_exit_code_0_and_has_a_page(root, tmp_path):
    done = verify(root, "01_small/ex01", "--html", str(tmp_path / "page.html"))

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].startswith(
        "Stubs to do 1 of 1; references right 1 of 1; alternatives accepted 3 of 3; mistakes rejected 8 and named 8 of 8;"
        " mutation score 100.0 % (7 rejected of 7, 0 equivalent); no findings ("
    )
    text = (tmp_path / "page.html").read_text()
    assert "+    return (2 * x).detach()" in text  # a mutant's difference
    assert "What its author reads:" in text
    assert "src=" not in text and "http" not in text  # self-contained


@pytest.mark.slow
def test_quick_leaves_out_mutants_and_repetitions(root):
    done = verify(root, "01_small/ex01", "--quick", "--json")

    (report,) = json.loads(done.stdout)["exercises"]
    assert done.returncode == 0
    assert report["conditions"] == {"as it is graded": True}
    assert {w["kind"] for w in report["wrong"]} == {"mistake"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["nothing"], "torchdojo: no chapter or exercise is called 'nothing'; there are: 01_small\n"),
        (["--sample", "3"], "torchdojo: --sample 3: write K/N with K from 1 to N, for example --sample 3/10\n"),
        (["--changed", "-x"], "torchdojo: --changed -x: give a git revision, for example --changed origin/main\n"),
        (["--jobs", "0"], "torchdojo: --mutants must be at least 0, --jobs and --seeds at least 1\n"),
    ],
)
def test_wrong_usage_is_exit_code_2(root, options, said):
    done = verify(root, *options)

    assert (done.returncode, done.stderr) == (2, said)


# ------------------------------------------------------------------ which exercises
def test_changed_files_touch_their_exercise(root):
    exercises = Dojo(root).exercises

    files = ["graders/01_small/grade_ex02_blind.py", "reference/01_small/ex03_named_variants.py", "README.md"]
    assert touched_by(files, exercises) == {"01_small/ex02_blind", "01_small/ex03_named"}
    assert touched_by(["exercises/01_small/README.md"], exercises) == set()
    assert len(touched_by(["exercises/01_small/helper.py"], exercises)) == 9
    assert len(touched_by(["torchdojo/judge/compare.py"], exercises)) == 9
    assert len(touched_by(["graders/shared.py"], exercises)) == 9


def test_changed_asks_git_and_sample_adds_a_part(tmp_path):
    root = make_dojo(tmp_path)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(root)]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        subprocess.run([*git, *command], check=True)
    stub = root / "exercises/01_small/ex03_named.py"
    stub.write_text(stub.read_text() + "\n")
    dojo = Dojo(root)

    assert [e.stem for e in chosen(dojo, [], "HEAD", None)] == ["ex03_named"]
    assert [e.stem for e in chosen(dojo, [], "HEAD", "2/4")] == ["ex02_blind", "ex03_named", "ex07_broken"]
    parts = [e.stem for k in (1, 2, 3, 4) for e in chosen(dojo, [], None, f"{k}/4")]
    assert sorted(parts) == [e.stem for e in dojo.exercises]
    with pytest.raises(UsageError, match=r"--changed nowhere: git reports: .*; give a revision that exists"):
        chosen(dojo, [], "nowhere", None)


# ------------------------------------------------------------------ words
def test_what_was_not_tried_is_neither_right_nor_wrong():
    """A grader that can't be read, or a mistake that ended the process: nothing is reported about stub and reference."""
    assert row(Report("01_small/ex01_good"))[2:4] == ("-", "-")
    tried = Report("01_small/ex01_good", checks={"doubles": "Doubles."}, conditions={"as it is graded": False})
    assert row(tried)[2:4] == ("NOT", "NOT")


def test_a_score_is_rounded_down():
    assert [percent(x) for x in (1.0, 0.99999, 0.99, None)] == ["100.0 %", "99.9 %", "99.0 %", "-"]


def test_a_page_escapes_what_it_shows():
    report = Report("01_small/ex01_good", checks={"<c>": "<title>"})
    report.wrong = [Wrong("mutant", "<m>", "a < b", {"<c>": "failed"}, "refused", diff="<diff>", told="<told>")]

    text = page([report], 1.0)

    assert not any(raw in text for raw in ("<c>", "<m>", "<diff>", "<told>", "a < b"))
    assert "&lt;diff&gt;" in text and "&lt;told&gt;" in text


# ------------------------------------------------------------------ a process that does not come back
@pytest.mark.slow
def test_a_variant_that_ends_its_process_costs_its_exercise_only(tmp_path):
    root = make_dojo(tmp_path)
    for stem, body in (("ex01_good", "while True: pass"), ("ex02_blind", "import os; os._exit(5)")):
        file = root / f"reference/01_small/{stem}_variants.py"
        file.write_text(file.read_text().replace("return x * x", body))
    patched = "import torchdojo.verify.pool as pool; pool.SILENT_SECONDS = 10.0; from torchdojo.cli import main; main()"
    done = verify(root, "01_small", "--quick", "--json", program=patched)

    found = {e["id"]: [f["sentence"] for f in e["findings"]] for e in json.loads(done.stdout)["exercises"]}
    assert found["01_small/ex01_good"] == ["ex01_good_variants.py: squares doesn't end. Make it end by itself."]
    assert found["01_small/ex02_blind"] == ["ex02_blind_variants.py: squares ends the process that runs it. Make it return."]
    assert "01_small/ex05_equal" in found and done.returncode == 1


# ------------------------------------------------------------------ what was not filled in
@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """An exercise as `torchdojo new` makes it, in a dojo with a table of concepts."""
    for folder in ("exercises", "reference", "graders", "docs"):
        (tmp_path / folder).mkdir()
    (tmp_path / "docs" / "concepts.md").write_text("| id | what |\n|---|---|\n| E08 | masks |\n")
    monkeypatch.chdir(tmp_path)
    new.run("09_attention/ex01_fresh_softmax")
    return Exercise(tmp_path, "09_attention/ex01_fresh_softmax")


@pytest.mark.parametrize("name", ["class", "torch"])
def test_a_name_that_python_needs_is_refused(fresh, name):
    """The stub couldn't be imported, or would shadow PyTorch."""
    with pytest.raises(UsageError, match=f"the name {name} is reserved in Python; choose another name"):
        new.run(f"09_attention/ex02_{name}")


def unfinished(exercise):
    names = {"grader": exercise.grader.name, "variants": exercise.variants_file.name}
    report = Report(exercise.id)
    prove_texts(SimpleNamespace(exercise=exercise, report=report, names=names, checks=exercise.grading.checks))
    return [finding.sentence for finding in report.findings]


def test_all_of_a_template_is_asked_for(fresh):
    found = unfinished(fresh)

    assert [words for words in FILL_IN if not any(repr(words) in s for s in found)] == []
    assert "exercises/09_attention/README.md: 'What one has to know.' comes from the template. Replace it with your own text." in found
    assert found[-1] == (
        'grade_ex01_fresh_softmax.py: CONCEPTS is empty. Name what the exercise teaches, as in ("E08",);'
        " docs/concepts.md lists the ids."
    )


def test_titles_hints_and_concepts_are_looked_at(fresh):
    grader, variants = fresh.grader.read_text(), fresh.variants_file.read_text()
    long = "Every number is doubled, whatever the shape and the layout of x may be, always, and nothing else is done to it at all."
    grader = grader.replace("Every number is doubled, for every shape and layout.", long)
    fresh.grader.write_text(grader.replace("CONCEPTS = ()", 'CONCEPTS = ("E08", "Z99")'))
    fresh.variants_file.write_text(variants.replace('    "A nudge: where to look.",\n', ""))

    found = unfinished(fresh)

    assert "grade_ex01_fresh_softmax.py: the title of doubles_every_number has 118 characters. Say it in at most 100." in found
    assert (
        "ex01_fresh_softmax_variants.py: there are 2 hints in HINTS. Write three: a nudge, the concept, nearly the code." in found
    )
    unknown = [s for s in found if "CONCEPTS" in s]
    assert unknown == [
        "grade_ex01_fresh_softmax.py: CONCEPTS names Z99, which docs/concepts.md doesn't list. Correct it, or add a line there."
    ]


# ------------------------------------------------------------------ slips of an author's hand
POSITION = "ex01_good.py: the position in the first line of its docstring is missing or out of date. Run: torchdojo catalogue"
SLIPS = {
    "reference": (
        ("return 2 * x", "retrun 2 * x"),
        "reference/01_small/ex01_good.py line 8 is not valid Python: invalid syntax. Correct it.",
    ),
    "an import": (("import torch\n", "import torcch\n"), "ex01_good.py line 3 cannot be imported: ModuleNotFoundError: No module named 'torcch'. Correct that line."),
    "difficulty": (
        ("Difficulty 1 of 5", "Difficulty 7 of 5"),
        "ex01_good.py: its docstring doesn't say how hard it is. Write 'Difficulty 2 of 5, about 10 minutes.' as the second paragraph.",
    ),
    "the number": (("Small 1 of 9: ", "Small 2 of 9: "), POSITION),
    "how many": (("Small 1 of 9: ", "Small 1 of 8: "), POSITION),
    "no position": (("Small 1 of 9: twice", "Twice"), POSITION),
    "another id": (
        ("write double()", "01_small/ex07_total: write double()"),
        "ex01_good.py: it names 01_small/ex07_total, which is not its own id. Write {id}.",
    ),
    "two checks of one name": (
        ("def doubles_integers(", "def doubles("),
        "grade_ex01_good.py: doubles is defined twice, and the first one is lost. Rename one of them.",
    ),
    "what is replaced": (
        ('@mistake("double")\ndef squares', '@mistake("duoble")\ndef squares'),
        "ex01_good_variants.py: squares replaces duoble, which the reference doesn't define. Correct the name in @mistake.",
    ),
    "a mistake's sentence": (
        ('    """You squared x."""\n', ""),
        "ex01_good_variants.py: the mistake squares has no docstring. Say in it what happened and what to change.",
    ),
    "points": (
        ('@check(x=tensor("..."))', '@check(points=0, x=tensor("..."))'),
        "grade_ex01_good.py: doubles: points is 0; points must be a number above 0",
    ),
    "a check that breaks": (
        ("return x + x", "return x + y"),
        "grade_ex01_good.py: the check doubles breaks on the reference as it is graded. Correct the check, its oracle or the reference.",
    ),
}
FILES = dict.fromkeys(("difficulty", "the number", "how many", "no position", "another id"), "exercises") | {"reference": "reference", "an import": "reference"}


@pytest.fixture(scope="module")
def slipped(tmp_path_factory):
    """What one run tells of each slip: a chapter for each, in which the first exercise has it."""
    root = make_dojo(tmp_path_factory.mktemp("verify") / "oracle")  # a folder's name is no word of an author's
    chapters = [f"{number:02d}_small" for number, _ in enumerate(SLIPS, 1)]
    for tree, chapter in itertools.product(("exercises", "reference", "graders"), chapters[1:]):
        shutil.copytree(root / tree / chapters[0], root / tree / chapter)
    for chapter, (slip, ((before, after), _)) in zip(chapters, SLIPS.items(), strict=True):
        files = {
            "exercises": root / "exercises" / chapter / "ex01_good.py",
            "reference": root / "reference" / chapter / "ex01_good.py",
            "variants": root / "reference" / chapter / "ex01_good_variants.py",
            "graders": root / "graders" / chapter / "grade_ex01_good.py",
        }
        file = files[FILES.get(slip, "variants" if "mistake" in before or "squared" in before else "graders")]
        text = file.read_text()
        assert before in text
        file.write_text(text.replace(before, after, 1))
    done = verify(root, "ex01_good", "--quick", "--json")
    assert done.returncode == 1, done.stderr
    reports = [Report.from_json(e) for e in json.loads(done.stdout)["exercises"]]
    return dict(zip(SLIPS, reports, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_of_the_hand_is_told_as_what_it_is(slipped, slip):
    """The first finding is the true one, with the file's name: not an internal error, and not a consequence."""
    report = slipped[slip]
    assert report.findings[0].sentence == SLIPS[slip][1].replace("{id}", report.id)
    assert "Traceback" not in "".join(f.told for f in report.findings)


def test_a_check_that_is_slow_is_named():
    """If it was slow both times that the reference ran: a single time may be due to the machine."""
    report = Report("01_small/ex01_good")
    bench = SimpleNamespace(report=report, names={"grader": "grade_ex01_good.py"}, normal_seconds={"fine": 9.0, "slow": 4.2})
    conditions._say_what_is_slow(bench, {"fine": 0.1, "slow": 5.0})
    assert sentences(report) == [
        "grade_ex01_good.py: the check slow takes 4 seconds on the reference. Make it faster: 3 seconds is the limit."
    ]
