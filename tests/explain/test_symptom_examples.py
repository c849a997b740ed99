"""Each symptom has an example that is its test and its row in docs/reference/symptoms.md.

After a change of a sentence or an example, write the page again: python tests/explain/test_symptom_examples.py
"""

import sys
from itertools import groupby
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "tests" / "helpers"))

from causes import text_of  # noqa: E402
from symptom_examples import EXAMPLES, inputs, value  # noqa: E402

from torchdojo.explain.symptoms import symptom  # noqa: E402
from torchdojo.judge.compare import compare  # noqa: E402
from torchdojo.wire import strict as wire  # noqa: E402
from torchdojo.wire.strict import SeenTensor  # noqa: E402

PAGE = ROOT / "docs" / "reference" / "symptoms.md"
HEAD = """# What is said of a wrong answer

For instructors and developers: each symptom with an example. `x` is an argument of the learner's function, `y` is `x.sin() + 2`, and a symptom has to
fit all three inputs that are tried. [causes.md](../causes.md#2-symptoms) describes how they are ranked. `tests/explain/test_symptom_examples.py` runs every row.
"""


def page():
    """The page of all examples, a table for each family."""
    parts = [HEAD]
    for family, rows in groupby(EXAMPLES, key=lambda e: e.of):
        parts += [f"\n## {family}\n\n| the answer | expected | the sentence |\n|---|---|---|\n"]
        parts += [f"| `{e.got}`{'' if e.x == 'x' else f', `x = {e.x}`'} | `{e.want}` | {e.sentence} |\n" for e in rows]
    return "".join(parts)


def named(example, xs, nearly=lambda got: got):
    """The cause of an example's answers on these inputs."""
    xs = [value(example.x, x) for x in xs]
    cases = [(seen(nearly(value(example.got, x))), seen(value(example.want, x)), {"x": x}) for x in xs]
    difference = next(d for got, want, _ in cases if (d := compare(got, want)))
    return symptom(difference, cases)


def seen(answer):
    """A value as it arrives from a worker."""
    if isinstance(answer, torch.Tensor) and not answer.is_sparse:
        return SeenTensor(answer, "cpu")
    return wire.decode(wire.encode(answer))


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_an_example_has_its_sentence(example):
    """On all inputs together."""
    assert text_of(named(example, inputs())) == example.sentence


@pytest.mark.parametrize("example", [e for e in EXAMPLES if e.of == "The numbers are wrong"], ids=str)
def test_a_near_miss_is_not_named(example):
    """One element that does not fit, in one of the examples, and nothing is said."""

    def nearly(answer):
        answer = answer.clone()
        if answer.shape == (4, 4):
            answer[1, 2] += 0.37
        return answer

    assert named(example, inputs(), nearly) is None


def test_the_page_shows_the_examples():
    """Word for word."""
    assert PAGE.read_text(encoding="utf-8") == page(), f"write it again: python {Path(__file__).relative_to(ROOT)}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
