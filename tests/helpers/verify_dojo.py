"""A dojo for the tests of `torchdojo verify`: one exercise is correct, and each of the others has one or more faults."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

STUB = '''
"""Small {n} of 9: twice a tensor.

Difficulty 1 of 5, about 1 minutes.
"""

import torch


def double(x: torch.Tensor) -> torch.Tensor:
    """Return twice x.

    Example:
        >>> double(torch.tensor([1.0, 2.0]))
        tensor([2., 4.])
    """
    raise NotImplementedError("write double()")
'''

TEST = '''
import torch

from {stem} import double
from torchdojo import assert_same


def test_doubles():
    """Twice 1 and 3 is 2 and 6."""
    assert_same(double(torch.tensor([1.0, 3.0])), torch.tensor([2.0, 6.0]))
'''

REFERENCE = '''
"""Twice."""

import torch


def double(x: torch.Tensor) -> torch.Tensor:
    """Return twice x."""
    return 2 * x
'''

VARIANTS = '''
from torchdojo.variants import alternative, mistake

HINTS = ("one", "two", "three")


@mistake("double")
def squares(x):
    """You squared x."""
    return x * x


@mistake("double")
def adds_two(x):
    """You added two."""
    return x + 2


@mistake("double")
def makes_floats(x):
    """Integers became floats: 2.0 is a float."""
    return 2.0 * x


@mistake("double")
def adds_a_little(x):
    """Something was added to numbers that are no integers."""
    return 2 * x + 0.25 if x.is_floating_point() else 2 * x


@mistake("double")
def one_too_many(x):
    """Integers are one too large."""
    return 2 * x if x.is_floating_point() else 2 * x + 1


@mistake("double")
def cuts_the_graph(x):
    """The graph was cut off: leave detach out."""
    return 2 * x.detach()


@mistake("double")
def in_place(x):
    """x itself was changed: multiply into a new tensor."""
    return x.mul_(2)


@alternative("double")
def adds(x):
    """x and x."""
    return x + x


@alternative("double")
def stretches(x):
    """By a method."""
    return x.mul(2)
'''

EDITED = '''

two_axes_at_most = mistake.edited("2 * x", "2 * x if x.dim() < 3 else x", "A tensor of three axes stayed as it was.")

by_addition = alternative.edited(
    "return 2 * x",
    """
    total = x.clone()
    return total + x
    """,
    "In two steps.",
)
'''

GRADER = '''
import torch

from torchdojo.grading import check, tensor


class oracle:
    def double(x):
        return x + x


@check(x=tensor("..."))
def doubles(solution, x):
    """Every element is doubled."""
    return solution.double(x)


@check(x=tensor("n", dtype="int64"))
def doubles_integers(solution, x):
    """Integers stay integers."""
    return solution.double(x)


@check(x=tensor("n", layouts=False), minimum=1)
def keeps_the_graph(solution, x):
    """The slope is 2."""
    x.requires_grad_()
    return torch.autograd.grad(solution.double(x).sum(), x)[0]
'''

BLIND_CHECKS = '''

KEPT = {"with_reason": "it is heard first", "only_errors": "a reason", "long_gone": "it was here once"}


@check(x=tensor("n", layouts=False), mutates=("x",))
def blind(solution, x):
    """It can be called."""
    solution.double(x)
    return "it was called"


@check(x=tensor("n"), mutates=("x",))
def only_errors(solution, x):
    """It takes a tensor that learns."""
    return solution.double(torch.ones(2, requires_grad=True)) is not None


@check(x=tensor("n"))
def without_reason(solution, x):
    """The shape stays."""
    return solution.double(x).shape


@check(x=tensor("n"))
def with_reason(solution, x):
    """The shape stays, again."""
    return solution.double(x).shape
'''

ODD_VARIANTS = '''

import sys


@mistake("double")
def is_right(x):
    """You are right."""
    return x + x


@mistake("double")
def triples(x):
    """You tripled x."""
    return 3 * x


@mistake("double")
def triples_in_disguise(x):
    """You tripled x while nobody looked."""
    return 5 * x if "torchdojo.judge.session" in sys.modules else 3 * x


@mistake("double")
def halves(x):
    """You halved x."""
    return x // 2


@mistake("double")
def halves_too(x):
    """You halved x by another name."""
    return torch.floor_divide(x, 2)


@mistake("double")
def sevenfold(x):
    """You multiplied by seven."""
    return 7 * x


@mistake("double")
def sevenfold_without_axes(x):
    """You multiplied by seven, and a tensor of five axes lost four."""
    return 7 * x if x.dim() < 5 else 7 * x.reshape(-1)


@alternative("double")
def hands_x_itself_back(x):
    """Right, and rejected for a reason of this test."""
    return torch.stack([x, x]).sum(0).to(torch.float64)
'''

FACTS_CHECK = '''

@check(x=tensor("n"), beside=True)
def keeps_the_axes(solution, x):
    """A tensor of five axes keeps them."""
    return solution.double(x), {"axes": solution.double(x.new_ones(1, 1, 1, 1, 1)).dim()}
'''

BEGUN = '''
"""Small 4 of 9: twice a tensor."""

import torch


def double(x: torch.Tensor, factor: int = 2) -> torch.Tensor:
    """Return x two times.

    Example:
        >>> double(torch.tensor([1.0, 2.0]))
        tensor([2., 5.])
    """
    return x


def triple(x):
    """Return x three times."""
    raise NotImplementedError
'''

LOOP = '''
"""Twice."""

import torch


def double(x: torch.Tensor) -> torch.Tensor:
    """Return twice x."""
    total = torch.zeros_like(x)
    for _ in range(2):
        total = total + x
    return total
'''

EQUIVALENT = '''

EQUIVALENT = {
    "in_place_update: total += x": "total is a tensor of our own",
    "change_number: for _ in range(3):": "",
    "change_nothing: total = x": "it was a mutant once",
}
'''

ENDLESS = '''
"""Twice."""

import torch


def double(x: torch.Tensor) -> torch.Tensor:
    """Return twice x."""
    count = 2
    while count > 1:
        x, count = 2 * x, count - 1
    return x
'''

FRAGILE = '''
"""Twice, by the slope of the square, with a warning."""

import warnings

import torch


def double(x: torch.Tensor) -> torch.Tensor:
    """Return twice x."""
    if torch.get_default_dtype() == torch.float64:
        warnings.warn("this is double", stacklevel=1)
    leaf = x.detach().requires_grad_()
    return torch.autograd.grad((leaf**2).sum(), leaf)[0]
'''


def make_dojo(root: Path) -> Path:
    """Write the dojo into an empty folder."""
    exercise(root, "ex01_good", variants=VARIANTS + EDITED)
    exercise(root, "ex02_blind", grader=GRADER + BLIND_CHECKS)
    exercise(root, "ex03_named", variants="import torch\n" + VARIANTS + ODD_VARIANTS, grader=GRADER + FACTS_CHECK)
    exercise(root, "ex04_begun", stub=BEGUN, test=TEST.replace("6.0", "7.0"))
    without_graph = GRADER.partition('@check(x=tensor("n", layouts')[0]
    gradients = STUB.replace("    Example:", "    Gradients reach x.\n\n    Example:")
    exercise(root, "ex05_equal", stub=gradients, reference=LOOP, variants=VARIANTS + EQUIVALENT, grader=without_graph)
    exercise(root, "ex06_endless", reference=ENDLESS)
    exercise(root, "ex07_broken", grader=GRADER.replace("return x + x", "return x + nothing", 1))
    promise = STUB.replace("    Example:", "    The answer is the same inside torch.no_grad().\n\n    Example:")
    exercise(root, "ex08_fragile", stub=promise, reference=FRAGILE, grader=without_graph.replace('"int64"', '"float32"'))
    exercise(root, "ex09_missing", grader=None, variants=VARIANTS.partition("@alternative")[0])
    return root


def exercise(root: Path, stem: str, **other: str | None) -> None:
    """Write the five files of an exercise; None leaves one out."""
    texts = {"stub": STUB, "test": TEST, "reference": REFERENCE, "variants": VARIANTS, "grader": GRADER} | other
    places = {
        "stub": f"exercises/01_small/{stem}.py",
        "test": f"exercises/01_small/test_{stem}.py",
        "reference": f"reference/01_small/{stem}.py",
        "variants": f"reference/01_small/{stem}_variants.py",
        "grader": f"graders/01_small/grade_{stem}.py",
    }
    for what, text in texts.items():
        if text is not None:
            path = root / places[what]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text).lstrip().replace("{stem}", stem).replace("{n}", str(int(stem[2:4]))))
