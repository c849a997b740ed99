"""No code reads the program's own sentences: said in nonsense, verdicts, kinds of causes, line numbers and exports stay the same."""

import ast
import hashlib
import json
from pathlib import Path
from unittest import mock

import pytest
from result_records import CONTEXT

from torchdojo.common import clock
from torchdojo.course.exercise import Dojo
from torchdojo.explain import causes, error_causes, labels, layout, message, programs, search
from torchdojo.explain.cause import Cause
from torchdojo.explain.records import record_of
from torchdojo.judge.compare import Difference
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.record import ExerciseRecord, Record
from torchdojo.reports.one import FORMATS, write
from torchdojo.reports.rows import rows
from torchdojo.verify.trusted import Trusted

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.timeout(600)
EXERCISES = (
    *("01_tensors/ex06", "02_broadcasting/ex03", "03_autograd/ex01_", "06_modules/ex06"),
    *("04_functions/ex04", "05_optimizers/ex04", "07_training/ex03"),
)
MISTAKES = 4  # of each exercise, taken for unknown ones, so that rules are asked


def nonsense(text: str) -> str:
    """Other words for other sentences, the same for the same."""
    return f"Lorem {hashlib.sha256(text.encode()).hexdigest()[:12]} ipsum." if text else ""


def in_nonsense(stack) -> None:
    """Each sentence is nonsense from the moment it is made."""

    def renamed(kind: type, place: int) -> None:
        before = kind.__init__

        def init(self, *args, **kwargs):
            args = [nonsense(a) if n == place and not a.startswith("Lorem ") else a for n, a in enumerate(args)]
            if "sentence" in kwargs and not kwargs["sentence"].startswith("Lorem "):
                kwargs["sentence"] = nonsense(kwargs["sentence"])
            before(self, *args, **kwargs)

        stack.enter_context(mock.patch.object(kind, "__init__", init))

    renamed(Cause, 1)
    renamed(Difference, 2)
    stack.enter_context(mock.patch.object(layout, "raised_text", lambda *args: nonsense(str(args))))
    stack.enter_context(mock.patch.dict(labels.LABELS, {name: nonsense(label)[:12] for name, label in labels.LABELS.items()}))
    explained = error_causes.explain_error
    for module in (error_causes, layout, message):
        stack.enter_context(mock.patch.object(module, "explain_error", lambda raised: nonsense(explained(raised) or "") or None))


def graded(exercise, variant, oracle):
    """(statuses, the kind of each cause, the record) of a known mistake that is taken for an unknown one."""
    session = Trusted(oracle, lambda: programs.overlaid(exercise, variant), variant.name)
    kinds, of_verdict = [], causes.of_verdict

    def noted(*args):
        found = of_verdict(*args)
        kinds.append(found and found.kind)
        return found

    with mock.patch.object(search, "named", lambda *_: None), mock.patch.object(causes, "of_verdict", noted):
        checks = [record_of(session.result(exercise, check)) for check in exercise.grading.checks]
    assert not session.faults, session.faults
    return [c.status for c in checks], kinds, Record("a", ["cpu"], [ExerciseRecord(exercise.id, checks)]).to_json()


def numbers(record: dict) -> list:
    """What a record says without words."""
    return [(row.place, row.status, row.score, row.worth, row.line) for row in rows(record)]


def without_words(record: dict) -> dict:
    """The same record with every text of a message replaced by one word."""
    plain = json.loads(json.dumps(record))
    for check in (c for e in plain["exercises"] for c in e["checks"]):
        check["feedback"], check["cause"], check["printed"] = "words" * bool(check["feedback"]), "words" if check["cause"] else None, ""
        check["parts"], check["seconds"] = {}, 0
    return plain


@pytest.mark.slow
@pytest.mark.parametrize("path", EXERCISES)
def test_nothing_but_words_depends_on_words(path, monkeypatch):
    """Verdicts, kinds of causes, lines, points, and what each format makes of them."""
    from contextlib import ExitStack

    monkeypatch.setattr(clock, "limited", lambda seconds: ExitStack())  # the machine may be busy
    (exercise,) = Dojo(ROOT).select(path)
    known = [v for v in exercise.variants if v.kind == "mistake"]
    in_words, without = (Oracle(0, devices=["cpu"]) for _ in range(2))  # each keeps what mistakes answer: computed once in either way
    for variant in known[:: len(known) // MISTAKES][:MISTAKES]:
        statuses, kinds, record = graded(exercise, variant, in_words)
        with ExitStack() as stack:
            in_nonsense(stack)
            statuses_then, kinds_then, record_then = graded(exercise, variant, without)
        assert statuses_then == statuses and kinds_then == kinds, variant.name
        assert numbers(record_then) == numbers(record), variant.name
        said = [c["cause"] for e in record_then["exercises"] for c in e["checks"] if c["cause"]]
        assert all(cause.startswith("Lorem ") for cause in said) and (said or not any(kinds))
        for name in FORMATS:
            assert write(name, without_words(record_then), CONTEXT) == write(name, without_words(record), CONTEXT), name


READS = ("startswith", "endswith", "partition", "rpartition", "split", "splitlines", "replace", "removeprefix", "removesuffix", "find", "index", "count")
SENTENCES = ("sentence", "feedback", "description")
ALLOWED = {
    "reports/many/_analysis.py",  # the first line of a message is shown
    "reports/many/markdown.py",  # a fence that no line of a message can close
    "verify/further.py",  # the first line of what a check says is shown
    "verify/report.py",
}


@pytest.mark.parametrize("file", sorted((ROOT / "torchdojo").rglob("*.py")), ids=lambda file: file.stem)
def test_no_module_takes_a_sentence_apart(file):
    """No search in one, no question how it begins or ends."""

    def is_sentence(node: ast.AST) -> bool:
        return isinstance(node, ast.Attribute) and node.attr in SENTENCES

    found = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Compare) and any(isinstance(op, (ast.In, ast.NotIn)) for op in node.ops):
            found += [node.lineno for part in node.comparators if is_sentence(part)]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            of_re = isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
            found += [node.lineno] * (node.func.attr in READS and is_sentence(node.func.value))
            found += [node.lineno for argument in node.args if (of_re or node.func.attr in ("search", "match", "fullmatch")) and is_sentence(argument)]
    assert not found or file.relative_to(ROOT / "torchdojo").as_posix() in ALLOWED, found


OF_PLACES = {
    "answers.py": "where a place lies in containers; names of PyTorch's own buffers",
    "facts_by_input.py": "a name of PyTorch's own buffer",
    "call.py": "a place that is called after the arguments of a call",
    "steps.py": "the number of a step",
}


@pytest.mark.parametrize("file", sorted((ROOT / "torchdojo" / "explain").rglob("*.py")), ids=lambda file: file.stem)
def test_no_rule_reads_the_names_that_graders_give(file):
    """What a fact is about follows from its value: keys are for people, and may be reworded."""

    def is_place(node: ast.AST) -> bool:
        return (isinstance(node, ast.Name) and node.id in ("path", "place")) or (isinstance(node, ast.Attribute) and node.attr == "path")

    found = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)) and isinstance(node.left, ast.Constant):
            found += [node.lineno] * (is_place(node.comparators[0]) and str(node.left.value).isalpha())
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            found += [node.lineno] * (node.func.attr in ("startswith", "endswith") and is_place(node.func.value))
            found += [node.lineno] * (node.func.attr in ("search", "match", "fullmatch") and any(map(is_place, node.args)))
    assert not found or file.name in OF_PLACES, found
