"""The code to check and its adapter: one that is proposed from signatures, or a given one."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

from torchdojo.check.adapter import adapter_text, check_complete, is_complete
from torchdojo.check.definition import Definition, definition_of, described
from torchdojo.check.matching import match, table
from torchdojo.check.run import public_of
from torchdojo.check.source import Target, target_of
from torchdojo.check.stage import Files, files_of
from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Exercise


@dataclass(frozen=True)
class Proposal:
    """An adapter, the table that explains it, and what is still open in it. folder: where its own imports begin."""

    target: Target
    theirs: Definition
    text: str
    folder: Path
    table: list[str]
    open: list[str]
    complete: bool

    def files(self) -> Files:
        """The files that a worker needs. Raises UsageError."""
        return files_of(self.target, self.text, self.folder)


def proposal(exercise: Exercise, word: str, here: Path) -> Proposal:
    """Propose an adapter for the code that a word names. Raises UsageError."""
    public = public_of(exercise)
    target = target_of(word, here)
    theirs = definition_of(target)
    best: Proposal | None = None
    for ours in offered(exercise):
        found = match(theirs, ours, public)
        text = adapter_text(target, theirs, ours, found, exercise.id, public.keeps)
        one = Proposal(
            target,
            theirs,
            text,
            here,
            table(theirs, ours, found),
            [*found.open, *_required(found.unused, ours)],
            is_complete(found, theirs, ours),
        )
        if ours.name.lower() == theirs.name.lower():
            return one
        alike = (ours.kind == "function") == (theirs.kind == "function")
        if best is None or (one.complete and not best.complete) or (alike and not best.complete and len(one.open) < len(best.open)):
            best = one
    if best is None:
        raise UsageError(f"{exercise.id} defines no function or class; write an adapter and give it with --adapter")
    return best


def _required(unused: tuple[str, ...], ours: Definition) -> list[str]:
    required = {p.name for p in (*(ours.create or ()), *(ours.call or ())) if p.default is None}
    return [f"{name} of {ours.name}" for name in unused if name in required]


def offered(exercise: Exercise) -> list[Definition]:
    """The functions and classes that the exercise's stub asks for."""
    text = exercise.stub.read_text(encoding="utf-8")
    names = [n.name for n in ast.parse(text).body if isinstance(n, (ast.FunctionDef, ast.ClassDef))]
    return [one for name in names if (one := described(text, name, exercise.stub)) is not None]


def given(exercise: Exercise, word: str, here: Path, adapter: Path) -> Proposal:
    """Read a finished adapter. Raises UsageError if it can't be used."""
    target = target_of(word, here)
    theirs = definition_of(target)
    try:
        text = adapter.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--adapter {adapter} cannot be read: {getattr(error, 'strerror', None) or 'it is not UTF-8'}") from None
    check_complete(adapter, text)
    tree = ast.parse(text)
    names = {n.name for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    names |= {t.id for n in tree.body if isinstance(n, ast.Assign) for t in n.targets if isinstance(t, ast.Name)}
    names |= {a.asname or a.name for n in tree.body if isinstance(n, ast.ImportFrom) for a in n.names}
    wanted = [one.name for one in offered(exercise)]
    if not names & set(wanted):
        raise UsageError(f"{adapter.name} defines none of what {exercise.id} asks for: {', '.join(wanted)}")
    lines = [f"  {', '.join(name for name in wanted if name in names)}: from {adapter.name}"]
    return Proposal(target, theirs, text, adapter.resolve().parent, lines, [], True)
