"""Mark the known mistakes and the unusual but correct solutions of an exercise.

A variants file writes them in two forms. An edit changes a few lines of the reference's text: `mistake.edited(old, new, sentence)`.
Code that differs more is written out: a function or class below `@mistake("name")` replaces that name of the reference.
`verify` submits each variant: a mistake must be refused and named, an alternative must get full marks. The same mistakes explain
wrong answers.
"""

from __future__ import annotations

import ast
import builtins
import functools
import itertools
import linecache
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import Any, TypeVar

T = TypeVar("T")

Change = tuple[str, str] | tuple[str, str, int]
"""Old text, new text, and which occurrence of the old text is meant; without a number it occurs once."""

Names = str | tuple[str, ...]


class EditError(ValueError):
    """An edit that does not fit the reference: one sentence with the variant's name and the text, and what to do."""


# ------------------------------------------------------------------ what a variants file marks
class Mistake:
    """What `mistake` is: a decorator for code that is written out, and `mistake.edited` for edits of the reference."""

    def __call__(
        self,
        *replaces: str,
        about: Names = (),
        common: bool = False,
        forbidden: Names = (),
        pitfall: Names = (),
    ) -> Callable[[T], T]:
        """Mark a function or class as a known mistake that replaces the names in `replaces`.

        Without names, the function is called and returns a dict of replacements. The docstring is the message for its author.
        about: the checks that exist for this mistake; by default `verify` uses the check that refuses the fewest mistakes.
        common: many learners make it, so it may lose at most 70 % of the points.
        forbidden: it is right but for this, in the words of the stub's "Not allowed".
        pitfall: it is what a "Pitfall" of the stub warns of, in words of it; the visible tests must reject it.
        `verify` uses these four, and `torchdojo break` asks about Pitfalls first.
        """
        return _marker("mistake", replaces, _marks(about, common, forbidden, pitfall))

    def edited(
        self,
        old: str,
        new: str,
        sentence: str,
        *,
        occurrence: int | None = None,
        also: Iterable[Change] = (),
        about: Names = (),
        common: bool = False,
        forbidden: Names = (),
        pitfall: Names = (),
    ) -> Edit:
        """A known mistake: the reference's text with `new` in place of `old`. Assign it to a variable, which is its name.

        `old` must occur exactly once; otherwise `occurrence` says which one is meant, counted from 1. `also`: further
        changes, (old, new) or (old, new, occurrence). Further lines of a text are indented like the line where `old` begins.
        A text that begins with a line break is a block: its own indentation and its first and last line break don't count.
        The new text may use names of the reference and of the variants file. sentence: the message for the mistake's author.
        """
        changes = _changes(old, new, occurrence, also)
        return Edit("mistake", changes, sentence, _marks(about, common, forbidden, pitfall))


class Alternative:
    """What `alternative` is: like `mistake`, for unusual but correct solutions."""

    def __call__(self, *replaces: str) -> Callable[[T], T]:
        """Mark a function or class as an unusual but correct solution in place of the names in `replaces`."""
        return _marker("alternative", replaces)

    def edited(self, old: str, new: str, sentence: str, *, occurrence: int | None = None, also: Iterable[Change] = ()) -> Edit:
        """A correct solution: the reference's text with `new` in place of `old`, as in `mistake.edited`."""
        return Edit("alternative", _changes(old, new, occurrence, also), sentence)


mistake = Mistake()
alternative = Alternative()


@dataclass(frozen=True)
class Marks:
    """What `verify` has to know about a mistake. forbidden and pitfall quote the stub."""

    about: tuple[str, ...] = ()
    common: bool = False
    forbidden: tuple[str, ...] = ()
    pitfall: tuple[str, ...] = ()


@dataclass(frozen=True)
class Edit:
    """A marked edit, before it is applied."""

    kind: str
    changes: tuple[tuple[str, str, int | None], ...]
    sentence: str
    marks: Marks = Marks()


def _changes(old: str, new: str, occurrence: int | None, also: Iterable[Change]) -> tuple[tuple[str, str, int | None], ...]:
    return ((old, new, occurrence), *((one[0], one[1], one[2] if len(one) > 2 else None) for one in also))


def _marks(about: Names, common: bool, forbidden: Names, pitfall: Names) -> Marks:
    about, forbidden, pitfall = ((names,) if isinstance(names, str) else tuple(names) for names in (about, forbidden, pitfall))
    return Marks(about, common, forbidden, pitfall)


def _marker(kind: str, replaces: tuple[str, ...], marks: Marks = Marks()) -> Callable[[T], T]:
    def mark(body: T) -> T:
        name = getattr(body, "__name__", "?")
        sentence = _on_one_line(getattr(body, "__doc__", None) or "")
        _marked.setdefault(getattr(body, "__module__", "?"), []).append(Variant(kind, name, sentence, replaces, body, marks))
        return body

    return mark


_marked: dict[str, list[Variant]] = {}


# ------------------------------------------------------------------ the variants of an exercise
@dataclass(frozen=True)
class Variant:
    """A known mistake or an alternative: the names of the reference that it replaces, and its author's sentence."""

    kind: str
    name: str
    sentence: str
    replaces: tuple[str, ...]
    body: Any
    marks: Marks = Marks()

    def replacements(self) -> dict[str, Any]:
        """The names that this variant puts in place of the reference's, with their new values."""
        replacements = dict.fromkeys(self.replaces, self.body) if self.replaces else dict(self.body())
        for name, value in replacements.items():
            if isinstance(value, type) and value.__module__ == self.body.__module__:
                _call(value, name)
        return replacements

    def changes(self) -> set[str]:
        """The names of the reference that mean something else here; none where that can't be told."""
        return set(self.replaces)

    def put_over(self, module: Any) -> None:
        """Turn a module that holds the reference into this variant."""
        for name, value in self.replacements().items():
            setattr(module, name, value)


@dataclass(frozen=True)
class EditedVariant(Variant):
    """A variant that is an edit of the reference.

    text: the whole edited reference. reference: its text before. file: the name of the edited text in tracebacks.
    home: the names of the variants file.
    """

    text: str = ""
    reference: str = field(default="", repr=False)
    file: str = ""
    home: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @functools.cached_property
    def code(self) -> CodeType:
        """The edited reference, compiled. Raises EditError if it is not valid Python."""
        try:
            return compile(self.text, self.file, "exec", dont_inherit=True)
        except SyntaxError as error:
            problem = f"{self.name}: with this edit, line {error.lineno} of the reference is not valid Python ({error.msg})"
            raise EditError(f"{problem}. Correct the new text.") from None

    def edited_statements(self) -> list[ast.stmt]:
        """The statements of the edited reference that differ from the reference's."""
        before = {ast.dump(node) for node in ast.parse(self.reference).body}
        return [node for node in ast.parse(self.text).body if ast.dump(node) not in before]

    def replacements(self) -> dict[str, Any]:
        """The names that edited statements define, with their new values."""
        namespace = {"__name__": self.home["__name__"].removesuffix("_variants")}
        self._run(namespace)
        return {name: namespace[name] for node in self.edited_statements() for name in defined(node)}

    def changes(self) -> set[str]:
        before, after = ({ast.dump(node): defined(node) for node in ast.parse(text).body} for text in (self.reference, self.text))
        names = [(before | after)[node] for node in before.keys() ^ after.keys()]
        return set().union(*names) if all(names) else set()

    def put_over(self, module: Any) -> None:
        """Run the edited reference in a module that holds the reference. The module's `__file__` becomes `self.file`."""
        self._run(vars(module))

    def _run(self, namespace: dict[str, Any]) -> None:
        linecache.cache[self.file] = len(self.text), None, self.text.splitlines(keepends=True), self.file
        used = {node.id for node in ast.walk(ast.parse(self.text)) if isinstance(node, ast.Name)}
        for name in (used & self.home.keys()) - namespace.keys() - vars(builtins).keys():
            namespace[name] = self.home[name]
        namespace["__file__"] = self.file
        exec(self.code, namespace)


def defined(node: ast.stmt) -> list[str]:
    """The names that a statement of a module defines; none where it does anything besides, as `a[0] = b` does."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    return names if len(names) == len(targets) else []


def _call(stand_in: type, name: str) -> None:
    """Give a class the name of what it replaces: PyTorch names a Function in its errors, and these are compared as well."""
    stand_in.__name__ = name
    node = getattr(stand_in, "_backward_cls", None)
    if node is not None:
        node.__name__ = f"{name}Backward"


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def variants_of(module: Any) -> list[Variant]:
    """The variants that an imported variants module has marked, in the order of the file.

    Edits are applied to the file of the reference beside it. Raises EditError for edits that don't apply.
    """
    written: dict[str, list[Variant]] = {}
    for variant in _marked.get(module.__name__, []):
        if getattr(module, variant.name, None) is variant.body:
            written.setdefault(variant.name, []).append(variant)
    variants: list[Variant] = []
    wrong: list[tuple[str, str]] = []
    file = Path(str(getattr(module, "__file__", "")))
    file = file.with_name(file.name.removesuffix("_variants.py") + ".py") if file.name else file
    reference = file.read_text(encoding="utf-8") if any(isinstance(value, Edit) for value in vars(module).values()) else ""
    for name, value in list(vars(module).items()):
        if not isinstance(value, Edit):
            variants += written.get(name, [])
            continue
        try:
            text = apply_changes(reference, value.changes)
        except EditError as error:
            wrong.append((name, str(error)))
            continue
        told, shown = _on_one_line(value.sentence), f"{file} with {name}"
        variants.append(EditedVariant(value.kind, name, told, (), value, value.marks, text, reference, shown, vars(module)))
    if wrong:
        others = f" Edits that don't apply either: {', '.join(name for name, _ in wrong[1:])}." if wrong[1:] else ""
        raise EditError(f"{wrong[0][0]}: in {file.name}, {wrong[0][1]}{others}")
    return variants


# ------------------------------------------------------------------ texts
def apply_changes(text: str, changes: Iterable[tuple[str, str, int | None]]) -> str:
    """The text with all changes, each found in the original text. Raises EditError, without the name of the variant."""
    spans = sorted(_span(text, *change) for change in changes)
    for (_, end, _), (start, _, new) in itertools.pairwise(spans):
        if start < end:
            raise EditError(f"two changes overlap at {new!r}. Make one change of them.")
    for start, end, new in reversed(spans):
        text = text[:start] + new + text[end:]
    return text


def _span(text: str, old: str, new: str, occurrence: int | None) -> tuple[int, int, str]:
    """Where a change begins and ends, and the new text, indented."""
    old, new = (textwrap.dedent(part).strip("\n") if part.startswith("\n") else part for part in (old, new))
    places = [(start, indent) for start, indent in _lines_like(text, old) if text.startswith(_indented(old, indent), start)]
    if not old or not places:
        raise EditError(f"there is no text {old!r}. Correct the old text.")
    if occurrence is None and len(places) > 1:
        raise EditError(f"{old!r} occurs {len(places)} times. Lengthen the old text, or say which: occurrence=1 is the first.")
    if occurrence is not None and not 1 <= occurrence <= len(places):
        raise EditError(f"{old!r} has no occurrence {occurrence}: it occurs {len(places)} times. Correct the number.")
    start, indent = places[(occurrence or 1) - 1]
    return start, start + len(_indented(old, indent)), _indented(new, indent)


def _lines_like(text: str, old: str) -> Iterator[tuple[int, str]]:
    """Where the first line of the old text occurs, each with the indentation of the line there."""
    first = old.partition("\n")[0]
    start = text.find(first) if first else -1
    while start >= 0:
        end = begin = text.rfind("\n", 0, start) + 1
        while end < start and text[end] == " ":
            end += 1
        yield start, text[begin:end]
        start = text.find(first, start + len(first))


def _indented(text: str, indent: str) -> str:
    return re.sub(r"\n(?=[^\n])", "\n" + indent, text) if "\n" in text else text
