"""Correct code in ten public styles is not called wrong, and bugs that are planted in it are found.

`python tests/check/test_bank.py` runs the whole bank and prints the two counts; the tests run a part of it.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from cases import BUGS, CASES, Case

from torchdojo.check.proposal import given, proposal
from torchdojo.check.run import Report, check, public_of
from torchdojo.course.exercise import Exercise

ROOT = Path(__file__).resolve().parents[2]
BANK = Path(__file__).with_name("bank")
pytestmark = pytest.mark.slow


def report_of(case: Case, zygote: object, folder: Path, text: str) -> Report:
    """The report on a case whose file has this text. Public code is checked on the CPU here, which takes half of the time."""
    (folder / case.target.partition(":")[0]).write_text(text, encoding="utf-8")
    exercise = Exercise(ROOT, case.exercise)
    if case.adapter:
        (folder / "adapter.py").write_text(case.adapter, encoding="utf-8")
    found = given(exercise, case.target, folder, folder / "adapter.py") if case.adapter else proposal(exercise, case.target, folder)
    assert found.complete, found.open
    return check(zygote, exercise, found.files(), public_of(exercise), case.allow, ["cpu"], explain=False)  # type: ignore[arg-type]


def text_of(case: Case) -> str:
    return (BANK / case.target.partition(":")[0]).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["course rope", "functional attention", "complex rope", "blog momentum", "annotated function"])
def test_correct_code_is_not_called_wrong(name: str, zygote: object, tmp_path: Path) -> None:
    """No check is wrong, each difference was allowed, and at least one check is right."""
    report = report_of(CASES[name], zygote, tmp_path, text_of(CASES[name]))

    assert [finding.why for finding in report.wrong] == [] and report.faults == []
    assert set(report.differs) <= set(CASES[name].allow) and report.exit_code() == 0
    assert report.right


@pytest.mark.parametrize("name", [[*BUGS][10], *[*BUGS][-3:]])
def test_a_planted_bug_is_found(name: str, zygote: object, tmp_path: Path) -> None:
    """The buggy code is reported as wrong, or as different from what was allowed."""
    bug = BUGS[name]
    case, text = CASES[bug.case], text_of(CASES[bug.case])
    assert text.count(bug.old) == 1

    report = report_of(case, zygote, tmp_path, text.replace(bug.old, bug.new))

    assert report.exit_code() == 1 and report.faults == []


def main() -> None:
    """Run all of it."""
    from torchdojo.sandbox.start import start

    zygote = start(["optim", "grad"])
    counts = dict.fromkeys(("correct code called wrong", "bugs found"), 0)
    for name in (*CASES, *BUGS):
        bug = BUGS.get(name)
        case = CASES[bug.case] if bug else CASES[name]
        text = text_of(case).replace(bug.old, bug.new) if bug else text_of(case)
        with tempfile.TemporaryDirectory() as folder:
            report = report_of(case, zygote, Path(folder), text)
        counts["bugs found" if bug else "correct code called wrong"] += report.exit_code() == 1
        print(name, report.exit_code(), [finding.name for finding in report.wrong], flush=True)
    print(f"correct code called wrong: {counts['correct code called wrong']} of {len(CASES)}; bugs found: {counts['bugs found']} of {len(BUGS)}")
    zygote.close()


if __name__ == "__main__":
    main()
