"""Tell a known mistake to a learner whose file may be written in another way.

A mistake is found by what the code does. Its sentence may name what its author wrote, `is_causal=True` for example; a file that does
the same by other means is told a comparison.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from typing import TYPE_CHECKING

from torchdojo.explain.own_names import Written, written
from torchdojo.explain.programs import Named
from torchdojo.variants import EditedVariant, Variant

if TYPE_CHECKING:
    from torchdojo.course.exercise import Exercise

COMPARED = "Your code behaves like code with this mistake: "
CODE = re.compile(r"\b(\w+)(?=\(|=\w)|(?<=\w)\.(\w+)|(?<!\w)\.(\w+)|\b(\w*[a-z]_[a-z]\w*)\b")
"""A name in a sentence that can only be code: with a bracket, a value, a dot or an underscore."""


def told(exercise: Exercise, named: Named, learner: Written | None) -> str:
    """Known mistakes, worded for this learner."""

    def words(variant: Variant) -> str:
        alike = [v for v in exercise.variants if v.kind == "mistake" and v.sentence == variant.sentence]  # one mistake, written in several ways
        said = [of_variant(exercise, v, learner) for v in alike or [variant]]
        return variant.sentence if variant.sentence in said else min(said)

    return named.told(words)


def of_variant(exercise: Exercise, variant: Variant, learner: Written | None) -> str:
    """The mistake's sentence; as a comparison where the learner's file has none of the code that it names, and that the reference hasn't."""
    named = {name for groups in CODE.findall(variant.sentence) for name in groups if name}
    if learner is not None and named:
        named &= _names(_text(variant)) - _names(exercise.reference.read_text(encoding="utf-8"))
    is_there = learner is None or not named or learner.names & named
    return variant.sentence if is_there else f"{COMPARED}{variant.sentence}"


def _text(variant: Variant) -> str:
    if isinstance(variant, EditedVariant):
        return variant.text
    try:
        return textwrap.dedent(inspect.getsource(variant.body))
    except (OSError, TypeError):
        return ""


def _names(text: str) -> frozenset[str]:
    found = written(text.encode())
    return found.names if found is not None else frozenset()
