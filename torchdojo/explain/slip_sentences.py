"""The only module that turns slips into sentences for learners: with the names of their own code, or as a comparison.

A slip is found by changing the reference, so it has the reference's names and loops. It behaves as the learner's code does,
but that may be written in another way: what is not there is not spoken of.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from torchdojo.explain.cause import Cause
from torchdojo.explain.mutant_phrases import GENERAL, precise
from torchdojo.explain.own_names import Written
from torchdojo.explain.slip_phrases import BLOCK_LEFT_OUT, HABITS, TWO_STEPS, Phrase, Subject
from torchdojo.explain.true_of import may_be
from torchdojo.mutate.slip import NAMELESS, Form, Kind, Of, Slip, Step

COMPARED = "Your code behaves like code with this mistake: "
STANDS_FOR: dict[Subject, tuple[tuple[type[ast.AST], ...], str]] = {
    Subject.LOOP: ((ast.For, ast.While, ast.comprehension), "map"),
    Subject.BOUND: ((ast.Slice,), "range arange narrow linspace"),
    Subject.COMPARISON: ((ast.Compare,), "lt le gt ge eq ne less greater"),
    Subject.CHILDREN: ((), "children named_children modules named_modules _modules _parameters recurse"),
    Subject.WEIGHT: ((), "weight"),
    Subject.LINEAR: ((), "Linear"),
    Subject.BUFFERS: ((), "buffers named_buffers state_dict _buffers"),
    Subject.STATE_DICT: ((), "state_dict"),
    Subject.ADDRESS: ((), "data_ptr untyped_storage storage id"),
}
"""The syntax that a subject is, and the functions that do the same."""


def is_told(slip: Slip) -> bool:
    """May it be reported to learners?"""
    return slip.kind in GENERAL or (slip.kind, slip.form) in HABITS


def cause(slips: Sequence[Slip]) -> Cause:
    """The cause that one slip is, or two at once, as precisely as names allow. The last gives the kind."""
    return _cause(slips, None)


def _cause(slips: Sequence[Slip], learner: Written | None) -> Cause:
    return Cause(slips[-1].kind, " ".join(_sentence(slip, learner, alone=n == 0) for n, slip in enumerate(slips)), tuple(slips))


def in_general(slip: Slip) -> Slip:
    """The same slip without names."""
    return Slip(slip.kind, Form.IN_GENERAL)


def retold(cause: Cause, learner: Written | None) -> Cause:
    """The same cause without names that the learner has not written, or as a comparison."""
    if cause.either:
        one, other = (retold(part, learner) for part in cause.either)
        return one if one.sentence == other.sentence else Cause.one_of(one, other)
    return _cause(cause.slips, learner) if cause.slips else cause


def fits(slips: Sequence[Slip], learner: Written | None) -> bool:
    """Can it be true of this code? Without a loop no loop is wrong, and variables that the code doesn't have can't be mixed up."""
    if learner is None:
        return True
    there = all(_stands_there(subject, learner) for slip in slips for subject in _about(slip))
    there = there and all(may_be(slip, learner) and _asks(slip, learner) for slip in slips)
    return there and not any(slip.kind is Kind.WRONG_NAME and not _either_is_written(slip, learner) for slip in slips)


def _asks(slip: Slip, learner: Written) -> bool:
    """Does the code contain the conditions that the sentence quotes: `if scaler.is_enabled()`?"""
    there = [part for name in _phrase(slip).names if isinstance(part := getattr(slip, name), Step) and part.of is Of.CONDITION]
    told = [step.name for step in (slip.found, slip.belongs) if isinstance(step, Step) and step.of is Of.CONDITION]
    asks = (name for condition in told for name in re.findall(r"\.([A-Za-z_]\w*)", condition))
    return learner.names.issuperset(asks) and all(learner.condition(step.name) is not None for step in there)


def _either_is_written(slip: Slip, learner: Written) -> bool:
    return any(isinstance(name, str) and _known(name, learner) for name in (slip.found, slip.belongs))


def _about(slip: Slip) -> tuple[Subject, ...]:
    of_loop = any(isinstance(step, Step) and step.of is Of.LOOP for step in (slip.found, slip.belongs))
    return (*_phrase(slip).about, *[Subject.LOOP] * of_loop)


def _stands_there(subject: Subject, learner: Written) -> bool:
    kinds, names = STANDS_FOR[subject]
    return bool(learner.kinds.intersection(kinds) or learner.names.intersection(names.split()))


def _phrase(slip: Slip) -> Phrase:
    if (slip.kind, slip.form) == (Kind.LEFT_OUT, Form.PLAIN) and isinstance(slip.belongs, str) and slip.belongs.startswith("with "):
        return BLOCK_LEFT_OUT
    return HABITS.get((slip.kind, slip.form)) or precise(slip) or GENERAL[slip.kind]


def _sentence(slip: Slip, learner: Written | None, alone: bool) -> str:
    """alone: is it the first that is said, so that it can be told as a comparison?"""
    phrase = _phrase(slip)
    values = {"found": slip.found, "belongs": slip.belongs, "place": slip.place}
    shown = {name: _shown(value, learner) for name, value in values.items()}
    unknown_lines = [v for v in values.values() if isinstance(v, Step) and v.of is Of.LINE and not _known(v.name, learner)]
    if len(unknown_lines) == 2 and slip.kind is Kind.ORDER_OF_STEPS:
        return TWO_STEPS
    text = phrase.text
    names = [_name(values[name]) for name in phrase.names]
    comparable = phrase.otherwise is not None or (
        names and names[0]
    )  # a sentence that starts with an unnamed step is used unchanged
    untrue = [name for part in phrase.absent if (name := _written_name(values[part])) and learner is not None and (learner.whole or learner).has(name)]
    if untrue or (comparable and not all(_known(name, learner) for name in names)):
        text = (COMPARED * alone if phrase.otherwise is None else "") + (phrase.otherwise or phrase.text)
    at_first = {name.capitalize(): value[:1].upper() + value[1:] for name, value in shown.items()}
    return text.format(**shown, **at_first)


def _known(name: str, learner: Written | None) -> bool:
    return learner is None or name in ("", NAMELESS) or learner.has(name)


def _name(value: str | Step) -> str:
    """What has to stand in the learner's code, where it is a name; '' for a step that is told in another way."""
    if isinstance(value, Step):
        return value.name if value.of is Of.CALL and value.name.isidentifier() else ""
    return value


def _written_name(value: str | Step) -> str:
    """By which name it would stand in the learner's code; '' where it has none."""
    return value.name if isinstance(value, Step) else value


def _shown(value: str | Step, learner: Written | None) -> str:
    if not isinstance(value, Step):
        return value
    if value.of is Of.LINE and not _known(value.name, learner):
        return "a step"
    if value.of is Of.CONDITION and learner is not None:
        return f"`if {learner.condition(value.name) or value.name}`"
    said = {
        Of.CALL: f"`{value.name}`",
        Of.LINE: f"the line that sets `{value.name}` (or your name for it)",
        Of.CONDITION: f"`if {value.name}`",
        Of.CHECK: "the check that raises",
        Of.LOOP: "the loop",
        Of.NOTHING: "a step",
    }
    return said[value.of]
