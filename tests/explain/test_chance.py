"""A random result is named as random if the file draws numbers where the reference doesn't, and its answer changes with the seed."""

from pathlib import Path

import pytest

from torchdojo.course.exercise import Dojo
from torchdojo.course.trusted import import_trusted
from torchdojo.explain import chance, own_names
from torchdojo.judge.oracle import Oracle
from torchdojo.verify.trusted import Trusted

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("return self.fc2(", "return nn.functional.dropout(self.fc2(", True),
        ("return self.fc2(", "return 2 * (self.fc2(", False),  # wrong, and the same each time
    ],
)
def test_dropout_that_was_not_asked_for_is_named(tmp_path, old, new, named):
    """Whatever else the file mentions, the answer to another seed decides."""
    (exercise,) = Dojo(ROOT).select("06_modules/ex02")
    text = exercise.reference.read_text()
    assert text.count(old) == 1
    start, _, end = text.partition(old)
    file = tmp_path / f"{exercise.stem}.py"
    file.write_text(f"{start}{new}{end.rstrip()})\n\n\ndef unused(x):\n    return nn.functional.dropout(x)\n")
    oracle = Oracle(0, devices=["cpu"])
    session = Trusted(oracle, lambda: import_trusted(file, f"drops_{named}"), f"drops {named}")
    check = exercise.grading.checks[0]
    verdict = session.verdict(exercise, check)
    found = chance.cause(session, exercise, check, verdict, own_names.written(file.read_bytes()))
    assert verdict.status == "failed"
    assert (found is not None) is named
    assert not named or "Look at `dropout`" in found.sentence
