"""What an author says about code outside the course that does what an exercise asks: its names, and where it may differ.

`graders/CHAPTER/public_STEM.py` holds one `PUBLIC = Public(...)`, which `torchdojo check` reads. An exercise without one can be
checked too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Convention:
    """A known difference that is a choice, not a mistake.

    sentence: what such code does. oracle: makes the oracle of this convention from the grader's; None: the same.
    leaves_out: checks that mean nothing under it. narrows: the values that an argument of checks then has. adapter: lines that are
    added to the adapter.
    """

    sentence: str
    oracle: Callable[[Any], Any] | None = None
    leaves_out: tuple[str, ...] = ()
    narrows: Mapping[str, list[Any]] = field(default_factory=dict)
    adapter: str = ""


@dataclass(frozen=True)
class Public:
    """Public code for an exercise.

    called: what people call it. takes: what other code calls an argument, and the expression of ours that it gets.
    layers: for each layer or parameter of ours, alternatives of patterns of names. An alternative of several patterns names the
    pieces that ours is made of. keeps: arguments of __init__ that are attributes, too.
    not_asked: checks of cases that such code promises nothing for, and why. lacks: checks of what such code may not have, and why;
    they aren't asked only if the code raises an error, because a wrong answer is wrong.
    """

    called: tuple[str, ...]
    takes: Mapping[str, str] = field(default_factory=dict)
    layers: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    keeps: tuple[str, ...] = ()
    not_asked: Mapping[str, str] = field(default_factory=dict)
    lacks: Mapping[str, str] = field(default_factory=dict)
    conventions: Mapping[str, Convention] = field(default_factory=dict)
