"""What known mistakes answer is computed once, kept in a file, and looked up: the words stay the same."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from torchdojo.course.exercise import find_dojo
from torchdojo.explain import outcomes, programs, reach, search
from torchdojo.explain.message import word
from torchdojo.grading.checks import check
from torchdojo.judge.oracle import Oracle
from torchdojo.variants import EditedVariant, apply_changes, mistake
from torchdojo.verify.trusted import Trusted

EXERCISE = "02_broadcasting/ex02"
NAMED = search.named


@pytest.fixture
def exercise():
    (found,) = find_dojo().select(EXERCISE)
    return found


def told(exercise, oracle, variant, monkeypatch, without):
    """The messages for a mistake; with `without`, as if the library did not hold it."""
    others = [variant.name] if without else []
    monkeypatch.setattr(search, "named", lambda session, e, check, _=(): NAMED(session, e, check, others))
    session = Trusted(oracle, lambda: programs.overlaid(exercise, variant), variant.name)
    verdicts = {c: session.verdict(exercise, c) for c in exercise.grading.checks}
    return [word(session, exercise, c, v).text for c, v in verdicts.items() if v.status != "passed"]


def with_table(file, key="one"):
    oracle = Oracle(devices=["cpu"])
    oracle.kept = outcomes.Kept(file, lambda exercise: key)
    return oracle


def every(exercise, monkeypatch, make):
    """The messages for all mistakes, known and left out, each with an oracle of its own."""
    known = [v for v in exercise.variants if v.kind == "mistake"]
    return [told(exercise, make(), v, monkeypatch, without) for v in known for without in (False, True)]


@pytest.mark.slow
def test_the_words_are_the_same_whichever_way_they_are_found(exercise, tmp_path, monkeypatch):
    """Nothing kept; prepared and read from a file; left there by others."""
    plain = every(exercise, monkeypatch, lambda: Oracle(devices=["cpu"]))
    ahead = with_table(tmp_path / "ahead")
    programs.prepare(Trusted(ahead, lambda: exercise.reference_module, "right"), exercise)
    ahead.kept.save()

    assert any(plain) and every(exercise, monkeypatch, lambda: with_table(tmp_path / "ahead")) == plain
    shared = with_table(tmp_path / "shared")
    assert every(exercise, monkeypatch, lambda: shared) == plain


@pytest.mark.slow
def test_what_is_in_the_file_is_not_computed_again(exercise, tmp_path, monkeypatch):
    """The second process runs no mistake."""
    variant = next(v for v in exercise.variants if v.kind == "mistake")
    first = with_table(tmp_path / "kept")
    found = told(exercise, first, variant, monkeypatch, without=True)
    first.kept.save()

    second = with_table(tmp_path / "kept")
    monkeypatch.setattr(programs, "outcomes_of", lambda *_: pytest.fail("a mistake was run again"))
    assert told(exercise, second, variant, monkeypatch, without=True) == found


@pytest.mark.slow
def test_a_dear_check_is_run_only_for_mistakes_that_agree_elsewhere(exercise, tmp_path, monkeypatch):
    """Nothing is prepared for it; the mistake is named there all the same."""
    dear, ran, plain = exercise.grading.checks[0], set(), programs.outcomes_of
    for module in (programs, search):
        monkeypatch.setattr(module, "is_dear", lambda check: check is dear)
    monkeypatch.setattr(programs, "outcomes_of", lambda oracle, e, check, v: (ran.add((check, v.name)), plain(oracle, e, check, v))[1])
    known = [v for v in exercise.variants if v.kind == "mistake"]
    oracle = with_table(tmp_path / "kept")
    programs.prepare(Trusted(oracle, lambda: exercise.reference_module, "right"), exercise)
    assert ran and dear not in {check for check, _ in ran}

    for variant in known:
        session = Trusted(oracle, lambda v=variant: programs.overlaid(exercise, v), variant.name)
        if session.verdict(exercise, dear).status == "failed":
            ran.clear()
            assert search.named(session, exercise, dear).sentence == variant.sentence
            tried = {name for check, name in ran if check is dear}
            assert tried < {v.name for v in known} and variant.name in tried


def test_what_two_mistakes_do_alike_is_looked_at_once(exercise, monkeypatch):
    """One outcome, one sketch, one judgment for both."""
    known = [v for v in exercise.variants if v.kind == "mistake"]
    one, oracle = exercise.grading.checks[0], Oracle(devices=["cpu"])
    first, second = (oracle.variant(exercise, one, name, lambda: programs.overlaid(exercise, known[0])) for name in "ab")
    assert len(first) and all(a is b for a, b in zip(first, second, strict=True))
    made = []
    for outcome in (first[0], second[0], first[1]):
        assert oracle.found(outcome, "what", lambda: made.append(1) or b"it") == b"it"
    assert len(made) == 1 + (first[0] is not first[1])


def test_another_key_begins_anew(exercise, tmp_path):
    """A course that changed finds nothing of before, and its table takes the place of the old one."""
    for key in ("one", "two"):
        table = with_table(tmp_path / "kept", key).kept
        assert not table.is_ready(exercise)
        assert table.table(exercise).get(outcomes.READY, lambda key=key: key.encode()) == key.encode()
        table.save()
        assert with_table(tmp_path / "kept", key).kept.is_ready(exercise)
    assert not with_table(tmp_path / "kept", "one").kept.is_ready(exercise)


def test_a_damaged_file_costs_time_only(exercise, tmp_path):
    """What cannot be read or written is computed."""
    (tmp_path / "kept").write_bytes(b"no database" * 100)
    table = with_table(tmp_path / "kept").kept
    assert table.table(exercise).get("name", lambda: b"made") == b"made"
    table.save()


def ready(file, exercise, key="one"):
    """A file with a table that is complete."""
    made = outcomes.Kept(file, lambda _: key)
    made.table(exercise).get("name", lambda: b"made")
    made.table(exercise).get(outcomes.READY, lambda: b"")
    made.save()
    return made


def test_what_a_release_brings_along_is_read_and_never_written(exercise, tmp_path):
    """A course that was released has the tables of the copy that it came from; what is computed later lies beside them."""
    (tmp_path / "course").mkdir()
    copied = ready(tmp_path / "teacher", exercise).copy([exercise], tmp_path / "course" / outcomes.NAME)
    before = (tmp_path / "course" / outcomes.NAME).read_bytes()

    course = outcomes.of_course(tmp_path / "course", lambda _: "one")
    assert copied == 1 and course.is_ready(exercise)
    assert course.table(exercise).get("name", lambda: pytest.fail("computed again")) == b"made"
    course.table(exercise).get("another", lambda: b"later")
    course.save()

    again = outcomes.of_course(tmp_path / "course", lambda _: "one")
    assert again.table(exercise).get("another", lambda: pytest.fail("computed again")) == b"later"
    assert (tmp_path / "course" / outcomes.NAME).read_bytes() == before
    assert not outcomes.of_course(tmp_path / "course", lambda _: "two").is_ready(exercise)


def test_only_what_is_complete_is_copied(exercise, tmp_path):
    """A table that lacks something would be taken for one that lacks nothing."""
    partly = outcomes.Kept(tmp_path / "partly", lambda _: "one")
    partly.table(exercise).get("name", lambda: b"made")
    partly.save()
    assert partly.copy([exercise], tmp_path / "copy") == 0 and not (tmp_path / "copy").exists()


def test_a_course_that_cannot_be_written_to_uses_another_folder(tmp_path, monkeypatch):
    """A course may be on a read-only disk; the folder of the grades is at hand then."""
    (tmp_path / "course").mkdir()
    assert outcomes.of_course(tmp_path / "course", str, tmp_path / "grades").file.is_relative_to(tmp_path / "course")
    monkeypatch.setattr(outcomes.os, "access", lambda *_: False)
    assert outcomes.of_course(tmp_path / "course", str, tmp_path / "grades").file.parent == tmp_path / "grades"
    assert outcomes.of_course(tmp_path / "course", str).file is None


REFERENCE = """import math

RATE = 0.5


def half(x):
    return RATE * x


def twice(x):
    return half(4 * x)


class Halver:
    def __call__(self, x):
        return half(x)


def other(x):
    return math.sqrt(x)
"""


@pytest.mark.parametrize(
    "old, new, changed",
    [
        ("4 * x", "2 * x", {"twice"}),
        ("def other(x):", "def other(x, y=1):", {"other"}),
        ("RATE = 0.5", "RATE = 0.25", {"RATE"}),
        ("RATE = 0.5", "RATE = 0.5\nsqrt = None", {"sqrt"}),
        ("import math", "import cmath as math", set()),
        ("RATE = 0.5", "RATE = [0.5]\nRATE[0] = 1", set()),
        ("RATE = 0.5", "RATE = half.rate = 0.5", set()),
    ],
)
def test_what_an_edit_changes(old, new, changed):
    """A statement that defines nothing may change anything."""
    assert edited(old, new).changes() == changed


def edited(old, new):
    edit = mistake.edited(old, new, "It is wrong.")
    return EditedVariant("mistake", "wrong", "", (), edit, text=apply_changes(REFERENCE, edit.changes), reference=REFERENCE)


@pytest.mark.parametrize(
    "asks, spared",
    [
        (lambda solution: solution.half(1), {"twice", "other"}),
        (lambda solution: solution.twice(1), {"other"}),
        (lambda solution: solution.Halver()(1), {"twice", "other"}),
        (lambda solution: solution.other(4), {"RATE", "half", "twice"}),
        (lambda solution: sorted(vars(solution._module)), set()),
    ],
)
def test_a_mistake_is_not_run_in_a_check_that_never_comes_to_it(tmp_path, asks, spared):
    """Neither itself nor by way of other definitions."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    file = tmp_path / "a" / "b" / "ex01_half.py"
    file.write_text(REFERENCE)
    one, oracle = check()(asks), Oracle(devices=["cpu"])
    exercise = SimpleNamespace(id="b/ex01_half", stem="ex01_half", reference=file)
    changes = {"RATE": ("0.5", "1.5"), "half": ("RATE * x", "x"), "twice": ("4 * x", "x"), "other": ("math.sqrt(x)", "x")}
    mistakes = [replace(edited(*change), name=name) for name, change in changes.items()]
    reach.stand_in(oracle, exercise, [one], mistakes)
    ran = set()
    for m in mistakes:
        list(oracle.variant(exercise, one, m.name, lambda m=m: ran.add(m.name)))
    assert ran == changes.keys() - spared


@pytest.mark.parametrize("line", ["print(half(1))", "half.rate = 2", "@twice\ndef third(x):\n    return x"])
def test_a_reference_that_does_more_than_define_spares_nothing(line):
    assert reach._uses(REFERENCE) and reach._uses(f"{REFERENCE}\n{line}\n") is None


@pytest.mark.slow
@pytest.mark.parametrize("name", ["02_broadcasting/ex06", "08_debugging/ex05", "11_language_models/ex03"])
def test_what_is_spared_would_have_been_the_same(name, monkeypatch):
    """The tables are equal byte by byte, and fewer mistakes are run."""
    (exercise,) = find_dojo().select(name)
    tables, ran, plain = [], [], programs.overlaid
    for spares in (True, False):
        if not spares:
            monkeypatch.setattr(programs, "stand_in", lambda *_: None)
        oracle = Oracle(devices=["cpu"])
        monkeypatch.setattr(programs, "overlaid", lambda e, v, s=spares: (ran.append(s), plain(e, v))[1])
        programs.prepare(Trusted(oracle, lambda: exercise.reference_module, "right"), exercise)
        tables.append(outcomes.table(oracle, exercise).rows)
    assert tables[0] == tables[1] and ran.count(True) < 0.95 * ran.count(False)
