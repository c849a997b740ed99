"""The content is consistent: every exercise is complete, every concept is taught, every lesson's code does what it says."""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import itertools
import re
import statistics
import sys
import warnings
from collections import Counter
from pathlib import Path

import pytest

from torchdojo.commands.catalogue import updated
from torchdojo.course import given, stubs
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.course.lesson import background
from torchdojo.course.lesson_text import anchor, sections
from torchdojo.course.path import recommended
from torchdojo.course.positions import positioned
from torchdojo.verify.lessons import FENCE, run_lesson, same_text
from torchdojo.verify.tasks import gaps
from torchdojo.verify.texts import CONCEPT, full_marks
from torchdojo.worker.run import global_state, restore

ROOT = Path(__file__).resolve().parents[2]
DOJO = Dojo(ROOT)
CHAPTERS = sorted({e.chapter for e in DOJO.exercises})
each = pytest.mark.parametrize("exercise", DOJO.exercises, ids=lambda e: e.id)
each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)

# What the chapters teach, by id.
TABLE = (ROOT / "docs" / "concepts.md").read_text(encoding="utf-8")
CONCEPTS = set(CONCEPT.findall(TABLE)) - {"id"}
NOT_GRADED = set(re.findall(r"[A-Z]\d\d", TABLE.partition("not graded: ")[2].partition("\n")[0]))


@each
def test_an_exercise_has_all_its_files(exercise: Exercise) -> None:
    """Stub, visible test, reference, variants and grader exist."""
    files = (exercise.stub, exercise.test, exercise.reference, exercise.variants_file, exercise.grader)

    assert [f.name for f in files if not f.exists()] == []


def test_there_are_seventy_core_exercises() -> None:
    """They are spread over chapters and numbered; no chapter uses a number twice or leaves one out."""
    core = [e for e in DOJO.exercises if e.place == "ex"]

    assert len(CHAPTERS) >= 8 and len(core) >= 70
    for chapter in CHAPTERS:
        numbers = [int(e.stem[2:4]) for e in core if e.chapter == chapter]
        assert sorted(numbers) == list(range(1, len(numbers) + 1)), chapter


def test_no_name_is_taken_twice() -> None:
    """A visible test imports its exercise by its plain name, so file names and public names are unique."""
    stems = Counter(e.stem for e in DOJO.exercises)
    names = Counter(
        node.name
        for e in DOJO.exercises
        for node in ast.parse(e.stub.read_text(encoding="utf-8")).body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_")
    )

    assert [s for s, n in stems.items() if n > 1] == []
    assert [name for name, n in names.items() if n > 1] == []


@each
def test_a_stub_lists_what_full_marks_ask_for(exercise: Exercise) -> None:
    """If its grader has checks for the star, and only then; the task is worth at least 60 % of the points."""
    checks = exercise.grading.checks
    points = sum(c.points for c in checks)

    assert list(full_marks(exercise)) == []
    assert sum(c.points for c in exercise.grading.task) >= 0.6 * points


@each
def test_a_stub_says_how_hard_and_how_long(exercise: Exercise) -> None:
    """The second paragraph of the docstring gives difficulty and minutes; the first gives its position in the chapter."""
    facts = exercise.facts

    assert 1 <= facts["difficulty"] <= 5 and 3 <= facts["minutes"] <= 75
    assert positioned(exercise, DOJO) == exercise.stub.read_text(encoding="utf-8"), "run: torchdojo catalogue"


def test_the_fast_track_is_short_and_leads_through_the_course() -> None:
    """It has exercises of at least eight chapters, and takes at most four hours."""
    fast = [e for e in DOJO.exercises if e.facts["fast"]]

    assert len({e.chapter for e in fast}) >= 8
    assert sum(e.facts["minutes"] for e in fast) <= 240


@pytest.fixture(scope="module")
def taught() -> dict[str, set[str]]:
    """The chapters whose exercises teach a concept, by its id: the CONCEPTS of their graders."""
    found: dict[str, set[str]] = {}
    for e in DOJO.exercises:
        for node in ast.parse(e.grader.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "CONCEPTS":
                ids = ast.literal_eval(node.value)
                assert ids, f"{e.id}: CONCEPTS is empty; docs/concepts.md lists the ids"
                for concept in ids:
                    found.setdefault(concept, set()).add(e.chapter)
    return found


def test_every_concept_is_graded(taught: dict[str, set[str]]) -> None:
    """Each concept id appears in the CONCEPTS of at least one grader, and no unknown id does."""
    assert CONCEPTS - taught.keys() == NOT_GRADED
    assert sorted(taught.keys() - CONCEPTS) == []


def test_every_concept_is_told(taught: dict[str, set[str]]) -> None:
    """The words in the table's last column are in a lesson of a chapter that has an exercise on the concept."""
    lessons = {c: " ".join((ROOT / "exercises" / c / "README.md").read_text(encoding="utf-8").split()) for c in CHAPTERS}
    rows = re.findall(r"^\| ([A-Z]\d\d) \| .+ \| (.+) \|$", TABLE, re.MULTILINE)

    assert {concept for concept, _ in rows} == CONCEPTS
    assert [row for row in rows if not any(row[1] in lessons[c] for c in taught.get(row[0], CHAPTERS))] == []


def test_a_chapter_begins_easily_and_ends_with_its_hardest() -> None:
    """In the order to take them: the first two exercises have difficulty 1, and those of difficulty 4 and 5 are the last of the core."""
    for chapter in CHAPTERS:
        levels = [e.facts["difficulty"] for e in recommended(DOJO.exercises) if e.chapter == chapter and not e.bonus]
        hard = [level >= 4 for level in levels]
        assert set(levels[:2]) == {1} and hard == sorted(hard), chapter


def test_difficult_exercises_are_not_all_in_a_row() -> None:
    """In the order to take them, at most four exercises of difficulty 3 follow one another."""
    for chapter in CHAPTERS:
        levels = [e.facts["difficulty"] for e in recommended(DOJO.exercises) if e.chapter == chapter and not e.bonus]
        rows = [len(list(row)) for level, row in itertools.groupby(levels) if level == 3]
        assert max(rows, default=0) <= 4, chapter


def test_a_stub_is_short() -> None:
    """The median stub has at most 176 words before its list for full marks."""
    lengths = []
    for e in DOJO.exercises:
        nodes = [n for n in ast.walk(ast.parse(e.stub.read_text(encoding="utf-8"))) if isinstance(n, (ast.Module, ast.FunctionDef, ast.ClassDef))]
        docs = [ast.get_docstring(n) or "" for n in nodes]
        lengths.append(sum(len(re.split(r"^\s*For full marks:", doc, flags=re.MULTILINE)[0].split()) for doc in docs))

    assert statistics.median(lengths) <= 176


@each
def test_three_hints_that_give_nothing_away(exercise: Exercise) -> None:
    """None contains a whole line of the reference."""
    tree = ast.parse(exercise.variants_file.read_text(encoding="utf-8"))
    hints = next(
        ast.literal_eval(n.value) for n in tree.body if isinstance(n, ast.Assign) and getattr(n.targets[0], "id", "") == "HINTS"
    )
    lines = [line.strip() for line in exercise.reference.read_text(encoding="utf-8").splitlines()]
    code = [line for line in lines if len(line) > 25 and not line.startswith(("def ", "class ", "import ", "from ", '"""', "#"))]

    assert len(hints) == 3 and all(len(h) > 15 for h in hints)
    assert [line for line in code for h in hints if line in h] == []


@each
def test_at_least_five_mistakes_and_two_alternatives(exercise: Exercise) -> None:
    """Each with a sentence."""
    kinds = Counter(v.kind for v in exercise.variants)

    assert kinds["mistake"] >= 5 and kinds["alternative"] >= 2
    assert [v.name for v in exercise.variants if len(v.sentence) < 15] == []


@each
def test_the_example_is_true(exercise: Exercise) -> None:
    """The doctests of the stub pass for the reference."""
    if exercise.stem == "ex10_plots":
        pytest.importorskip("matplotlib", reason="the plots exercise needs matplotlib: pip install matplotlib")
    module = exercise.reference_module
    globs = {k: v for k, v in vars(module).items() if not k.startswith("__")} | {"torch": sys.modules["torch"]}
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    count = 0
    before = global_state()
    for node in ast.walk(ast.parse(exercise.stub.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and ">>>" in (ast.get_docstring(node) or ""):
            test = parser.get_doctest(ast.get_docstring(node) or "", dict(globs), exercise.id, str(exercise.stub), 0)
            said = io.StringIO()
            runner.run(test, out=said.write)
            assert said.getvalue() == ""
            count += len(test.examples)
    restore(before)

    assert count or exercise.chapter == "08_debugging" or "ANSWERS" in vars(module)


@each
def test_the_task_explains_its_arguments(exercise: Exercise) -> None:
    """The stub imports the modules that the reference needs, and a symptom is short."""
    assert list(gaps(exercise)) == []


# ------------------------------------------------------------------ lessons

def test_nothing_that_learners_run_drops_the_result_of_a_function() -> None:
    """PyTorch before 2.13 frees what forward saved with the result, so that a correct backward would raise an error."""
    files = [*DOJO.root.glob("exercises/*/*.py"), *DOJO.root.glob("exercises/*/README.md")]
    assert [str(file) for file in files if re.search(r"\.apply\([^()]*\)\.grad_fn\.apply", file.read_text())] == []


@each_chapter
def test_each_section_of_a_lesson_runs_by_itself(chapter: str) -> None:
    """With the lesson's first block and the sections that it links to."""
    if chapter == "07_training":
        pytest.importorskip("matplotlib", reason="this lesson draws with matplotlib: pip install matplotlib")
    file = ROOT / "exercises" / chapter / "README.md"
    text, before = file.read_text(encoding="utf-8"), global_state()
    wrong = {h: run_lesson(folder=str(file.parent), before=background(text, part), own=part) for h, part in sections(text)}
    restore(before)

    assert {heading: blocks for heading, blocks in wrong.items() if blocks} == {}


@each_chapter
def test_a_section_begins_with_why_it_matters(chapter: str) -> None:
    """In one or two sentences, below its heading."""
    text = (ROOT / "exercises" / chapter / "README.md").read_text(encoding="utf-8")
    wrong = [heading for heading, part in list(sections(text))[1:] if not part.startswith(f"## {heading}\n\nWhy this matters: ")]

    assert wrong == []


@each_chapter
def test_a_lesson_prints_what_it_says(chapter: str) -> None:
    """Each python block is run in order; the text block after it is its output."""
    if chapter == "07_training":
        pytest.importorskip("matplotlib", reason="this lesson draws with matplotlib: pip install matplotlib")
    given.importable(ROOT / "exercises" / chapter)
    text = (ROOT / "exercises" / chapter / "README.md").read_text(encoding="utf-8")
    blocks = FENCE.findall(text)
    namespace: dict[str, object] = {"__name__": f"lesson_{chapter}"}
    before = global_state()
    ran = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for (kind, code), following in zip(blocks, [*blocks, ("", "")][1:], strict=True):
            if kind != "python":
                continue
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                try:
                    exec(compile(code, f"{chapter}/README.md", "exec"), namespace)
                except Exception as error:
                    said.write(f"{type(error).__name__}: {error}\n")
            printed = said.getvalue()
            if following[0] == "text":
                assert same_text(printed, following[1]), f"{code}\n--- printed\n{printed}\n--- lesson says\n{following[1]}"
            else:
                assert printed == "", f"{code}\nprinted, but the lesson shows nothing: {printed}"
            ran += 1
    restore(before)

    assert ran >= 5, f"a lesson has at least five python blocks; this one has {ran}"


@each
def test_a_section_of_the_lesson_belongs_to_each_exercise(exercise: Exercise) -> None:
    """Feedback can link to it."""
    assert "#" in exercise.reading


@each_chapter
def test_links_resolve(chapter: str) -> None:
    """Every relative link in a lesson leads to a file, every anchor to a heading."""
    file = ROOT / "exercises" / chapter / "README.md"
    text = file.read_text(encoding="utf-8")
    plain = FENCE.sub("", text)
    headings = {anchor(line.lstrip("#").strip()) for line in plain.splitlines() if line.startswith("#")}
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", plain):
        path, _, fragment = target.partition("#")
        if path.startswith("http"):
            continue
        if (path and not (file.parent / path).exists()) or (not path and fragment not in headings):
            broken.append(target)

    assert broken == []


def test_the_readme_is_up_to_date() -> None:
    """Its table of chapters is generated: torchdojo catalogue."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    assert updated(text, DOJO) == text, "run: torchdojo catalogue"


def test_the_readme_shows_a_chapter_as_it_is() -> None:
    """Its sample has the first exercises of the chapter, and as many in all as the chapter."""
    sample = (ROOT / "README.md").read_text(encoding="utf-8").split("```")[1]
    path = [e.stem for e in recommended(DOJO.exercises) if e.chapter == "03_autograd"]
    names = re.findall(r"^  (\w+) {2,}(?:done|not yet|to do)", sample, re.MULTILINE)

    assert names == path[: len(names)] and len(names) > 3 and f" of {len(path)} done, " in sample


def test_the_kept_stubs_are_the_stubs() -> None:
    """stubs.json, from which `torchdojo reset` restores, is generated."""
    assert (ROOT / stubs.FILE).read_text(encoding="utf-8") == stubs.collected(DOJO), "run: torchdojo catalogue"
