"""What `verify` says of a task by reading: arguments without an explanation, and imports that the stub lacks."""

from __future__ import annotations

import ast

import pytest
from verify_dojo import STUB, exercise

from torchdojo.course.exercise import Exercise
from torchdojo.verify.tasks import gaps, modules_bound, modules_needed, unexplained

FUNCTION = 'def f(x, {argument}):\n    """Return x.\n\n    {text}\n\n    Example:\n        >>> f(1, rate=2)\n        1\n    """\n    raise NotImplementedError\n'
CLASS = 'class Layer:\n    """Keep width.\n\n    {text}\n    """\n\n    def __init__(self, width, {argument}):\n        """Create it."""\n        raise NotImplementedError\n\n    def forward(self, x):\n        """Use x."""\n'


@pytest.mark.parametrize("source", [FUNCTION, CLASS])
@pytest.mark.parametrize("argument", ["rate", "*rate", "**rate", "*, rate=0.0", "rate: float = 0.0"])
def test_an_argument_is_explained_outside_of_the_example(source: str, argument: str) -> None:
    """In the text of the function or class, or in a list for full marks."""
    for text in ("Nothing else, not even a rateless one.", ""):
        assert [name for _, name in unexplained(ast.parse(source.format(argument=argument, text=text)))] == ["rate"]
    for text in ("It is scaled by rate.", "For full marks:\n        * rate may be 0"):
        assert list(unexplained(ast.parse(source.format(argument=argument, text=text)))) == []


def test_arguments_of_a_given_function_need_no_words() -> None:
    """The learner reads it. In a repair, what is there is the task."""
    given = FUNCTION.format(argument="rate", text="").replace("raise NotImplementedError", "return x")

    assert list(unexplained(ast.parse(given))) == []
    assert list(unexplained(ast.parse(f"REPAIRED = False\n{given}"))) == [("f", "rate")]


@pytest.mark.parametrize(
    ("reference", "stub", "missing"),
    [
        ("import torch", "from torch.utils.data import Dataset", {"torch"}),
        ("from torch.utils.data import get_worker_info", "from torch.utils.data import Dataset", {"torch.utils.data"}),
        ("from torch.nn import functional as F", "import numpy as np", {"torch.nn.functional"}),
        ("import numpy as np\nimport torch", "import torch", {"numpy"}),
        ("from torch.nn import functional as F", "from torch import nn", set()),
        ("from torch.utils.data import WeightedRandomSampler", "import torch", set()),
        ("import copy\nfrom itertools import islice", "import torch", set()),
    ],
)
def test_a_module_that_the_reference_needs_is_within_reach(reference: str, stub: str, missing: set[str]) -> None:
    """A module that is bound brings everything inside. Python's own modules are the learner's choice."""
    bound = modules_bound(ast.parse(stub))

    assert {m for m in modules_needed(ast.parse(reference)) if not any(f"{m}.".startswith(f"{b}.") for b in bound)} == missing


@pytest.mark.parametrize(
    ("symptom", "findings"),
    [
        ("Symptom. `torchdojo symptom ex01_it` runs\n\n    1\n\nand prints\n\n    1\n", []),
        ("Symptom. This\n\n    1\n\nprints\n\n    1\n", ["ex01_it.py: say how to see the symptom: `torchdojo symptom ex01_it` runs the program."]),
        ("Symptom. `torchdojo symptom ex01_it` runs" + " on" * 150, ["ex01_it.py: there are 169 words before the code. Show the symptom in at most 150."]),
    ],
)
def test_a_symptom_is_short_and_can_be_run(tmp_path, symptom, findings) -> None:
    exercise(tmp_path, "ex01_it", stub=STUB.replace("minutes.\n", f"minutes.\n\n{symptom}\n"))

    assert list(gaps(Exercise(tmp_path, "01_small/ex01_it"))) == findings
