"""What `torchdojo verify` reports where doing what a stub forbids costs another price than the stub states."""

from __future__ import annotations

import json
import sys

import pytest
from test_verify import verify
from verify_dojo import GRADER, STUB, VARIANTS, exercise

from torchdojo.verify.prices import PART, WHOLE, bans, uncovered

linux = pytest.mark.skipif(sys.platform != "linux", reason="verify forks its processes, on Linux only")

LISTED = f"torch.add and a Python loop {WHOLE}, and Tensor.tolist() {PART}"
PRICED = STUB.replace("    Example:", f"    Not allowed: {LISTED}. Multiply.\n\n    Example:")
CHECKED = GRADER.replace("check, tensor", "Forbidden, check, tensor, watched") + '''

FORBIDS = {"aten.add": "torch.add"}
BECAUSE = "multiply."


@check(x=tensor("n", layouts=False), minimum=2, devices=False)
def multiplies(solution, x):
    """The elements stay in one tensor."""
    few, many = (watched(lambda t=t: solution.double(t), "tolist") for t in (x, torch.cat([x] * 9)))
    return [few.answer, many.answer], {"more": len(many.operations) - len(few.operations), "left": few.called}


@multiplies.rule
def _(found):
    if found["left"]:
        return "you used tolist()"
    return Forbidden("there is a Python loop") if found["more"] > 0 else None
'''
MARKED = VARIANTS.replace("x + x", "x.mul(2)").replace("x + 2", "x - -2").replace("2 * x + ", "2 * x - -") + '''

import torch


@mistake("double", forbidden="torch.add")
def by_sums(x):
    """You used torch.add: multiply."""
    return torch.add(x, x)


@mistake("double", forbidden="a Python loop")
def by_a_loop(x):
    """You looped over the elements: multiply all of them."""
    return torch.stack([2 * part for part in x.reshape(-1)]).reshape(x.shape) if x.numel() else 2 * x


@mistake("double", forbidden="Tensor.tolist()")
def looks_with_tolist(x):
    """tolist() copies every element: leave it out."""
    x.tolist()
    return 2 * x
'''


def found(tmp_path, stub=PRICED, grader=CHECKED, variants=MARKED):
    """The findings about prices of one exercise, without the name of the exercise."""
    exercise(tmp_path, "ex01_priced", stub=stub, grader=grader, variants=variants)
    done = verify(tmp_path, "--points", "--json")
    assert done.stdout, done.stderr
    (report,) = json.loads(done.stdout)["exercises"]
    assert not [f for f in report["findings"] if f["proof"] == "files"], report["findings"]
    return [f["sentence"].replace("ex01_priced", "ex01") for f in report["findings"] if f["proof"] == "prices"]


@linux
def test_what_is_forbidden_and_priced_and_paid_is_no_finding(tmp_path):
    assert found(tmp_path) == []


@pytest.mark.slow
@linux
def test_a_forbidden_whole_solution_that_earns_points_is_a_finding(tmp_path):
    """A rule that costs its check alone; an operation that nothing watches; a part that costs the exercise."""
    mild = CHECKED.replace('Forbidden("there is a Python loop")', '"there is a Python loop"').replace('"aten.add"', '"aten.addmm"')
    sums, loop = found(tmp_path / "mild", grader=mild)
    assert sums.startswith("ex01_variants.py: by_sums does the exercise by torch.add, and earns 4 of 4 points.")
    assert loop.startswith("ex01_variants.py: by_a_loop does the exercise by a Python loop, and earns 3 of 4 points.")
    harsh = CHECKED.replace('"you used tolist()"', 'Forbidden("you used tolist()")')
    assert [s.partition(" for a part")[0] for s in found(tmp_path / "harsh", grader=harsh)] == [
        "ex01_variants.py: looks_with_tolist uses Tensor.tolist()"
    ]
    free = CHECKED.replace('        return "you used tolist()"', "        pass")
    assert ["earns 4 of 4 points. It should cost that part." in s for s in found(tmp_path / "free", grader=free)] == [True]


@pytest.mark.slow
@linux
def test_what_no_mistake_does_and_what_the_stub_does_not_list_are_findings(tmp_path):
    (loop, unmarked) = sorted(found(tmp_path / "unmarked", variants=MARKED.replace(', forbidden="a Python loop"', "")))
    assert loop.startswith("ex01.py: 'a Python loop' is not allowed, and no known mistake does it.")
    assert unmarked.startswith("ex01_variants.py: by_a_loop costs the exercise, because it is forbidden.")
    (unlisted,) = found(tmp_path / "unlisted", variants=MARKED.replace('forbidden="torch.add"', 'forbidden=("torch.add", "numpy")'))
    assert unlisted.startswith("ex01_variants.py: by_sums has forbidden='numpy', which no 'Not allowed' of the stub lists.")


@pytest.mark.slow
@linux
def test_the_price_stands_in_the_stub(tmp_path):
    without = PRICED.replace(f" {WHOLE}", "").replace(f" {PART}", "")
    (unpriced,) = found(tmp_path / "unpriced", stub=without)
    assert unpriced.startswith("ex01.py: 'Not allowed: torch.add and a Python loop, and Tensor....' doesn't say what it costs.")
    silent = found(tmp_path / "silent", stub=STUB)
    assert silent[0].startswith("ex01.py: FORBIDS costs the exercise, but the stub doesn't say so.")


def test_the_items_of_a_list():
    """Across lines, with reasons in parentheses, and both prices in one paragraph."""
    text = f'''
    Not allowed: torch.histc (in any
    spelling), tolist() and NumPy {WHOLE},
    and torch.nn.functional.linear or a loss {PART}. A, b and c will do.

    Not allowed: torch.optim. Write it.
    """'''
    priced, unpriced = bans(text)
    assert [(ban.items, ban.whole) for ban in priced] == [
        (["torch.histc", "tolist()", "NumPy"], True),
        (["torch.nn.functional.linear", "a loss"], False),
    ]
    assert unpriced == ["torch.optim. Write it."]
    assert uncovered(priced[0], ["histc", "NumPy"]) == ["torch.histc", "tolist()"]
    assert uncovered(priced[0], ["torch.histc", "tolist() and NumPy"]) == []
