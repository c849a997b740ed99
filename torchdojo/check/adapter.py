"""Write an adapter: a file that defines what an exercise asks for by calling the code that is checked."""

from __future__ import annotations

import ast
from pathlib import Path

from torchdojo.check.definition import Definition, Parameter
from torchdojo.check.matching import OPEN, Match, Row
from torchdojo.check.source import Target
from torchdojo.common.errors import UsageError

HEAD = '"""Lets torchdojo check {name} as {exercise}: ours on the left, theirs on the right."""\n\n'


def adapter_text(
    target: Target, theirs: Definition, ours: Definition, found: Match, exercise: str, keeps: tuple[str, ...] = ()
) -> str:
    """The adapter for a match, with `...` for what is open. keeps: arguments that become attributes."""
    body = _body(theirs, ours, found, keeps)
    code = "\n".join(body)
    lines = ["from types import SimpleNamespace"] if "SimpleNamespace" in code else []
    helpers = [name for name in ("Borrowed", "not_asked") if name in code]
    if "nn." in code:
        lines.append("from torch import nn")
    if helpers:
        lines.append(f"from torchdojo_adapter import {', '.join(helpers)}")
    lines += [
        f"from {target.module} import {target.name} as theirs",
        "",
        *([""] if body[0].startswith(("def", "class")) else []),
        *body,
    ]
    return HEAD.format(name=target.name, exercise=exercise) + "\n".join(lines).lstrip("\n") + "\n"


def _body(theirs: Definition, ours: Definition, found: Match, keeps: tuple[str, ...]) -> list[str]:
    if ours.kind == "function":
        made = "theirs" if theirs.kind == "function" else f"theirs({_created(found)})"
        return [
            f"def {ours.name}({_header(ours.call)}):",
            *_refused(found, ours.call, "    "),
            f"    return {made}({_passed(found.call)})",
        ]
    if ours.kind == "Function":
        if theirs.kind == "Function":
            return [f"{ours.name} = theirs"]
        made = "theirs" if theirs.kind == "function" else f"theirs({_created(found)})"
        return [f"class {ours.name}:", f"    apply = staticmethod({made})"]
    if theirs.kind == "function":
        return [f"class {ours.name}:  # {theirs.name} is a function, and a class is asked for", f"    {OPEN}"]
    init = [f"    def __init__(self{_comma(_header(ours.create))}):"]
    if (found.layers and any((name,) != parts for name, parts in found.layers.items())) or found.problems:
        layers = {**{name: _names(parts) for name, parts in found.layers.items()}}
        layers |= {problem.rpartition(" ")[2]: OPEN for problem in found.problems}
        given = ", ".join(f"{name}={value}" for name, value in layers.items())
        init += [*_refused(found, ours.create, "        "), f"        super().__init__(theirs({_created(found)}), {given})"]
        run, base = "self.run", "Borrowed"
    else:
        init += [*_refused(found, ours.create, "        "), f"        super().__init__({_created(found)})"]
        run, base = "super().forward", "theirs"
    lines = [f"class {ours.name}({base}):", *init]
    lines += [f"        self.{name} = {name}" for name in keeps if name in {p.name for p in ours.create or ()}]
    if ours.kind == "Module":
        lines += ["", f"    def forward(self{_comma(_header(ours.call))}):", *_refused(found, ours.call, "        ")]
        lines += [f"        return {run}({_passed(found.call)})"]
    for method in ours.methods:
        if method not in (*theirs.methods, "__init__", "forward"):
            lines += ["", f"    def {method}(self, *args, **kwargs):", f'        not_asked("{theirs.name} has no {method}()")']
    return lines


def _names(parts: tuple[str, ...]) -> str:
    return repr(parts[0]) if len(parts) == 1 else repr(list(parts))


def _created(found: Match) -> str:
    given = _passed(found.create)
    return f"SimpleNamespace({given})" if found.config else given


def _passed(rows: tuple[Row, ...]) -> str:
    return ", ".join(f"{row.theirs}={row.ours}" for row in rows)


def _header(parameters: tuple[Parameter, ...] | None) -> str:
    return ", ".join(p.name if p.default is None else f"{p.name}={p.default}" for p in parameters or ())


def _comma(text: str) -> str:
    return f", {text}" if text else ""


def _refused(found: Match, parameters: tuple[Parameter, ...] | None, indent: str) -> list[str]:
    """Lines that leave out the checks that use an argument that the code doesn't have."""
    lines: list[str] = []
    for p in parameters or ():
        if p.name in found.unused:
            test = (
                f"if {p.name} is not {p.default}: " if p.default == "None" else f"if {p.name} != {p.default}: " if p.default else ""
            )
            lines.append(f'{indent}{test}not_asked("it takes no {p.name}")')
    return lines


def is_complete(match: Match, theirs: Definition, ours: Definition) -> bool:
    """Does the adapter work as it is written?"""
    functions = ours.kind in ("Module", "class") and theirs.kind == "function"
    required = {p.name for p in (*(ours.create or ()), *(ours.call or ())) if p.default is None}
    return not match.open and not functions and not required & set(match.unused)


def check_complete(file: Path, text: str) -> None:
    """Raises UsageError for an adapter that cannot be read, or in which something is still open."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        raise UsageError(f"{file.name} line {line}: {getattr(error, 'msg', error)}; correct the adapter") from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value is Ellipsis:
            raise UsageError(f"{file.name} line {node.lineno}: put a value in the place of `...`, then check again")
