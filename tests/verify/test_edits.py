"""Variants that are edits of the reference: `mistake.edited(old, new, sentence)`."""

from __future__ import annotations

import traceback

import pytest
import torch
from verify_dojo import EDITED, REFERENCE, VARIANTS, exercise

from torchdojo.common.errors import AuthorError
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.explain.programs import overlaid
from torchdojo.release.secrets import secrets_of
from torchdojo.variants import EditError, Variant, apply_changes
from torchdojo.verify.lines import differing_lines
from torchdojo.verify.texts import _defined_twice, _variants

TEXT = """def f(x):
    if x:
        y = x + 1
        return y
    return x + 1
"""


def made(tmp_path, variants: str, reference: str = REFERENCE) -> Exercise:
    """An exercise with these variants beside a reference."""
    exercise(tmp_path, "ex01_edits", variants="from torchdojo.variants import alternative, mistake\n" + variants, reference=reference)
    (found,) = Dojo(tmp_path).exercises
    return found


def by_name(found: Exercise) -> dict[str, Variant]:
    return {v.name: v for v in found.variants}


# ------------------------------------------------------------------ texts
@pytest.mark.parametrize(
    ("changes", "edited"),
    [
        ([("y = x", "y = 2 * x", None)], TEXT.replace("y = x", "y = 2 * x")),
        ([("x + 1", "x", 2)], TEXT.replace("return x + 1", "return x")),
        ([("x + 1", "x", 1), ("def f(x)", "def f(x, k)", None)], TEXT.replace("y = x + 1", "y = x").replace("f(x)", "f(x, k)")),
        ([("y = x + 1\nreturn y", "return x + 1", None)], TEXT.replace("y = x + 1\n        return y", "return x + 1")),
        (
            [("return y", "\n            for _ in range(2):\n                y += 1\n            return y\n        ", None)],
            TEXT.replace("return y", "for _ in range(2):\n            y += 1\n        return y"),
        ),
    ],
    ids=["once", "the second of two", "two changes", "lines are indented like the first", "a block has its own indentation"],
)
def test_changes_are_made_in_the_text(changes, edited):
    assert apply_changes(TEXT, changes) == edited


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([("z = x", "", None)], "there is no text 'z = x'. Correct the old text."),
        ([("", "y", None)], "there is no text ''. Correct the old text."),
        ([("y = x + 1\n    return y", "", None)], "there is no text 'y = x + 1\\n    return y'. Correct the old text."),
        ([("x + 1", "", None)], "'x + 1' occurs 2 times. Lengthen the old text, or say which: occurrence=1 is the first."),
        ([("x + 1", "", 3)], "'x + 1' has no occurrence 3: it occurs 2 times. Correct the number."),
        ([("y = x", "a", None), ("x + 1", "b", 1)], "two changes overlap at 'b'. Make one change of them."),
    ],
    ids=["not there", "empty", "indented twice", "not unique", "no such occurrence", "overlap"],
)
def test_changes_that_cannot_be_made(changes, said):
    with pytest.raises(EditError) as error:
        apply_changes(TEXT, changes)

    assert str(error.value) == said


# ------------------------------------------------------------------ variants
def test_an_edited_variant_is_the_same_as_a_written_one(tmp_path):
    """It has its variable's name, its place in the file, its sentence, and it behaves like the written function."""
    quadruples = 'quadruples = mistake.edited("2 * x", "4 * x", "You took x four times.")\n'
    written = '\n\n@mistake("double")\ndef written(x):\n    """You took x four times."""\n    return 4 * x\n'
    found = made(tmp_path, VARIANTS + EDITED + quadruples + written)
    variants, x = by_name(found), torch.tensor([1.0, 3.0])

    assert [v.name for v in found.variants][-3:] == ["by_addition", "quadruples", "written"]
    assert variants["quadruples"].sentence == variants["written"].sentence and variants["quadruples"].kind == "mistake"
    assert torch.equal(overlaid(found, variants["quadruples"]).double(x), overlaid(found, variants["written"]).double(x))
    assert torch.equal(overlaid(found, variants["by_addition"]).double(x), 2 * x)
    assert torch.equal(variants["quadruples"].replacements()["double"](x), 4 * x)
    assert list(variants["by_addition"].replacements()) == ["double"]
    assert differing_lines(found.variants, found.reference_module)["quadruples"] == 1


def test_an_edit_may_use_names_of_the_variants_file_and_other_names_of_the_reference(tmp_path):
    """Calls inside of the reference find the edited code, and edited code finds a helper of the variants file."""
    reference = "import torch\n\n\ndef half(x):\n    return x / 2\n\n\ndef double(x):\n    return half(4 * x)\n"
    text = 'import math\n\nthirds = mistake.edited("x / 2", "x / math.floor(3.5)", "A third.", about="doubles", common=True)\n'
    (variant,) = (found := made(tmp_path, text, reference)).variants

    assert overlaid(found, variant).double(torch.tensor(3.0)) == 4.0
    assert (variant.marks.about, variant.marks.common) == (("doubles",), True)


def test_tracebacks_show_the_edited_line(tmp_path):
    found = made(tmp_path, 'breaks = mistake.edited("2 * x", "2 * y", "There is no y.")\n')

    with pytest.raises(NameError) as error:
        overlaid(found, found.variants[0]).double(torch.ones(1))

    frame = traceback.extract_tb(error.value.__traceback__)[-1]
    assert frame.filename.endswith("ex01_edits.py with breaks") and (frame.name, frame.line) == ("double", "return 2 * y")


def test_a_function_of_autograd_keeps_its_name_in_errors(tmp_path):
    reference = """import torch


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, grad):
        return 2 * grad
"""
    found = made(tmp_path, 'two_answers = mistake.edited("return 2 * grad", "return grad, grad", "One too many.")\n', reference)

    with pytest.raises(RuntimeError, match="function TwiceBackward returned an incorrect number of gradients"):
        overlaid(found, found.variants[0]).Twice.apply(torch.ones(1, requires_grad=True)).sum().backward()


def test_the_sentence_of_an_edit_is_a_secret(tmp_path):
    made(tmp_path, 'triples = mistake.edited("2 * x", "3 * x", "You took x three times, and twice is what was asked for.")\n')

    assert "reference/01_small/ex01_edits_variants.py: triples" in {s.where for s in secrets_of(Dojo(tmp_path), 0) if s.kind == "words of"}


# ------------------------------------------------------------------ what is told
def test_edits_that_no_longer_apply_are_named_in_one_line(tmp_path):
    found = made(tmp_path, 'one = mistake.edited("3 * x", "x", "One.")\n\ntwo = mistake.edited("4 * x", "x", "Two.")\n')

    with pytest.raises(AuthorError) as error:
        _ = found.variants

    first = "ex01_edits_variants.py: one: in ex01_edits.py, there is no text '3 * x'. Correct the old text."
    assert str(error.value) == first + " Edits that don't apply either: two."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('mistake.edited("2 * x", "x", "x itself.")\n', "ex01_edits_variants.py line 2: this edit has no name. Assign it to a variable."),
        ('same = mistake.edited("2 * x", "2 *  x", "?")\n', "ex01_edits_variants.py: same: this edit changes nothing. Change the new text, or delete it."),
        ('cut = mistake.edited("2 * x", "2 *", "?")\n', "ex01_edits_variants.py: cut: with this edit, line 8 of the reference is not valid Python (invalid syntax). Correct the new text."),
        ('mute = mistake.edited("2 * x", "x", "")\n', "ex01_edits_variants.py: the mistake mute has no sentence. Say in it what happened and what to change."),
    ],
    ids=["no name", "no change", "no Python", "no sentence"],
)
def test_an_author_is_told_what_an_edit_lacks(tmp_path, text, said):
    assert list(_variants(made(tmp_path, text))) == [said]


def test_an_edit_that_replaces_another_one_is_named():
    text = 'a = mistake.edited("x", "y", "?")\na = mistake.edited("x", "z", "?")\n'
    assert list(_defined_twice(text)) == ["a"]
