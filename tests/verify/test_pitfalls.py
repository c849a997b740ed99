"""What `torchdojo verify` reports about the Pitfalls of a stub: the visible tests must see them."""

from __future__ import annotations

import json
import sys

import pytest
from test_verify import verify
from verify_dojo import STUB, TEST, VARIANTS, exercise

from torchdojo.verify.pitfalls import pitfalls

linux = pytest.mark.skipif(sys.platform != "linux", reason="verify forks its processes, on Linux only")

WARNED = STUB.replace("    Example:", "    Pitfall:\n        The square of 2 is 4,\n        and so is its double.\n\n    Example:")
MARKED = VARIANTS.replace('@mistake("double")\ndef squares', '@mistake("double", pitfall="The square of 2 is 4, and so")\ndef squares')
BLIND = TEST.replace("[1.0, 3.0]", "[0.0, 2.0]").replace("[2.0, 6.0]", "[0.0, 4.0]")


def findings(tmp_path, stub=WARNED, test=TEST, variants=MARKED, quick=True):
    """The findings about the Pitfalls of one exercise."""
    exercise(tmp_path, "ex01_warned", stub=stub, test=test, variants=variants)
    done = verify(tmp_path, "--json", *(["--quick"] if quick else ["--mutants", "0"]))
    assert done.stdout, done.stderr
    (report,) = json.loads(done.stdout)["exercises"]
    assert not [f for f in report["findings"] if f["proof"] == "files"], report["findings"]
    return [f["sentence"] for f in report["findings"] if f["proof"] == "pitfalls"]


@linux
def test_a_pitfall_that_a_visible_test_rejects_is_no_finding(tmp_path):
    assert findings(tmp_path) == []


@pytest.mark.slow
@linux
@pytest.mark.parametrize("quick", [True, False])
def test_a_pitfall_that_passes_the_visible_tests_is_a_finding(tmp_path, quick):
    """0 and 2 are equal to their squares' doubles: numbers that hide the mistake."""
    assert findings(tmp_path, test=BLIND, quick=quick) == [
        "test_ex01_warned.py: the stub's Pitfall passes the visible tests: squares."
        " Change a size or a number so that one of them fails."
    ]


@pytest.mark.slow
@linux
def test_a_pitfall_without_a_mistake_is_a_finding(tmp_path):
    """Also for one of two Pitfalls. Without enough known mistakes the exercise isn't `proved`, and nothing is asked."""
    without = "ex01_warned.py: no known mistake is the Pitfall"
    (alone,) = findings(tmp_path / "alone", variants=VARIANTS)
    assert alone.startswith(f"{without} 'The square of 2 is 4, and so is its double....'")
    second = WARNED.replace("    Example:", "    Pitfall:\n        x += x changes x.\n\n    Example:")
    (other,) = findings(tmp_path / "second", stub=second)
    assert other.startswith(f"{without} 'x += x changes x.")
    assert findings(tmp_path / "few", variants=VARIANTS.partition("@alternative")[0]) == []


@pytest.mark.slow
@linux
def test_a_mistake_quotes_the_stub(tmp_path):
    """A quote may run over the end of a line. One that the stub doesn't contain is a finding."""
    (wrong,) = findings(tmp_path, variants=MARKED.replace("4, and so", "4. So"), stub=STUB)
    assert wrong == "ex01_warned_variants.py: squares has pitfall='The square of 2 is 4. So', which no Pitfall of the stub contains. Quote the stub."


def test_the_pitfalls_of_a_stub():
    """Of functions, of the file, at the end of a docstring and before other sections."""
    text = '"""Quiz.\n\nPitfall:\n    One\n    line.\n"""\n\ndef f():\n    """F.\n\n    Pitfall:\n        Another.\n\n    Shapes:\n        x\n    """\n'
    assert pitfalls(text) == ["One line.", "Another."]
    assert pitfalls('"""Without."""') == []
