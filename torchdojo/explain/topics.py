"""What a path in an answer is about: the only module that reads the keys that graders return.

docs/graders.md lists the words for authors, tests/explain/topics.txt what each key of the course speaks of.
"""

from __future__ import annotations

import functools
import re
from enum import Enum


class Topic(Enum):
    """A subject of a path such as 'model.training afterwards'; the value is the pattern that recognizes it."""

    MODE = r"(?<!grad )(?<!inference )(?<!drops in training )\bmodes?\b|^train(ing)?(?=$|[.\[])|\.training\b|\btraining flags\b"
    GRAPH = r"requires[ _]grad|\bgraphs?\b|saved (tensors|for backward)|tensors saved|enabled|(grad|inference) mode"
    UNDISTURBED = r"\bundisturbed\b"
    CALLS = (
        r"\bcalls?\b|\bruns?\b|\bpasses\b|\bsteps\b|\btimes\b|\bevents?\b|\bforward\b|order|\boperations\b|\bheld\b"
        r"|\bnames?\b|\bkeys?\b|\bentries\b|^$"
    )
    EVAL_MODE = r"^(?!.*train).*eval"
    AT_THE_END = r"after|at the end|left|unchanged"
    RECORDING = r"enabled|(grad|inference) mode"
    AS_BEFORE = r"unchanged|as before|as it was"
    REQUIRES_GRAD = r"requires[ _]grad"
    RESULT_REQUIRES_GRAD = r"^requires grad$"
    LOSSES = r"^(history|losses)$"
    ORDER = r"order"
    HELD = r"held"
    OLD_GRADIENT = r"\bold (\w*\.grad|gradients\b)|\bthat (was|were) the gradient"
    SLOPE = r"grad|deriv|returned|slope"
    GRAD = r"grad"
    NAMED_GRAD = r"\.grad$"
    GRAD_ATTRIBUTE = r"^[^\[]*\.grad(\[|$)"
    REQUIRES_GRAD_FLAG = r"requires[ _]grad$"
    BEFORE = r"\bold\b|\bbefore\b"
    RETURNED = r"^returned\b"
    RETURN = r"returned"
    NOTHING_RETURNED = r"^returned$"
    SHAPE = r"^shape"


_KNOWN = {topic: re.compile(topic.value, re.DOTALL) for topic in Topic}
_WRITTEN = re.compile(r"(?P<before>(?:.*\.)?(?P<one>[^.]+)) after writing to (?P<other>[^.]+)")
_STEP = re.compile(r"\b(?:step|call|round|epoch|update) (\d+)")
_READS = re.compile(r"\berror of (.+)")


@functools.lru_cache(4096)
def speaks_of(path: str, topic: Topic) -> bool:
    """Is the path about this topic?"""
    return _KNOWN[topic].search(path) is not None


def written_to(path: str) -> tuple[str, str, str] | None:
    """For 'tensor after writing to the array': the path before the write, what is observed, and what was written to."""
    found = _WRITTEN.fullmatch(path)
    return (found["before"], found["one"], found["other"]) if found else None


def step(path: str) -> int | None:
    """The number of the step that the path belongs to."""
    found = _STEP.search(path)
    return int(found[1]) if found else None


def read_by(path: str) -> str | None:
    """The call in an error's name: 'torch.load(path)' for 'error of torch.load(path)'."""
    found = _READS.search(path)
    return found[1] if found else None
