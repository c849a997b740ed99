"""Mark the known mistakes and the unusual but correct solutions of an exercise.

A variants file has complete pieces of code that replace names of the reference solution. `verify` submits
each one: a mistake must be refused and named, an alternative must get full marks. The same mistakes explain wrong answers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Variant:
    """One replacement: its kind, the names of the reference that it replaces, and its author's sentence.

    about: the checks that exist for this mistake. common: many learners make it.
    """

    kind: str
    name: str
    sentence: str
    replaces: tuple[str, ...]
    body: Any
    about: tuple[str, ...] = ()
    common: bool = False

    def replacements(self) -> dict[str, Any]:
        """The names that this variant puts in place of the reference's, with their new values."""
        found = dict.fromkeys(self.replaces, self.body) if self.replaces else dict(self.body())
        for name, value in found.items():
            if isinstance(value, type) and value.__module__ == self.body.__module__:
                _call(value, name)
        return found


def _call(stand_in: type, name: str) -> None:
    """Give a class the name of what it replaces: PyTorch names a Function in its errors, and these are compared as well."""
    stand_in.__name__ = name
    node = getattr(stand_in, "_backward_cls", None)
    if node is not None:
        node.__name__ = f"{name}Backward"


def mistake(*replaces: str, about: str | tuple[str, ...] = (), common: bool = False) -> Callable[[T], T]:
    """Mark a function or class as a known mistake that replaces the names in `replaces`.

    Without names, the function is called and returns a dict of replacements. The docstring is the message for its author.
    about: the checks that exist for this mistake; by default `verify` uses the check that refuses the fewest mistakes.
    common: many learners make it, so it may lose at most 70 % of the points. Only `verify` uses these two.
    """
    return _marker("mistake", replaces, (about,) if isinstance(about, str) else tuple(about), common)


def alternative(*replaces: str) -> Callable[[T], T]:
    """Mark a function or class as an odd-but-correct solution in place of the names in `replaces`."""
    return _marker("alternative", replaces)


def _marker(kind: str, replaces: tuple[str, ...], about: tuple[str, ...] = (), common: bool = False) -> Callable[[T], T]:
    def mark(body: T) -> T:
        name = getattr(body, "__name__", "?")
        sentence = " ".join((getattr(body, "__doc__", None) or "").split())
        _marked.setdefault(getattr(body, "__module__", "?"), []).append(
            Variant(kind, name, sentence, replaces, body, about, common)
        )
        return body

    return mark


_marked: dict[str, list[Variant]] = {}


def variants_of(module: Any) -> list[Variant]:
    """The variants that an imported variants module has marked, in the order of the file."""
    return [variant for variant in _marked.get(module.__name__, []) if getattr(module, variant.name, None) is variant.body]
