"""Right solutions in which a habit can be tried: the reference, and each alternative in its place.

A slip that fits one way of writing the solution may not exist in another: a loop has no reduction to exchange, a reduction
no counter to begin too early. Hidden side only.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from torchdojo.course.edit_calls import edit_call
from torchdojo.course.exercise import Exercise
from torchdojo.variants import EditedVariant

MOST = 5
REFERENCE = "reference"


def hosts(exercise: Exercise) -> Iterator[tuple[str, ast.Module, list[ast.stmt]]]:
    """(name, whole module, the definitions in which people slip) for the reference and for its alternatives."""
    reference = exercise.reference.read_text(encoding="utf-8")
    module = ast.parse(reference)
    yield REFERENCE, module, _definitions(module)
    if not exercise.variants_file.exists():
        return
    variants = ast.parse(exercise.variants_file.read_text(encoding="utf-8"))
    edited = {v.name: v for v in exercise.variants if isinstance(v, EditedVariant) and v.kind == "alternative"}
    count = 1
    for node in variants.body:
        if edit_call(node) and isinstance(node, ast.Assign) and count < MOST and (title := ast.unparse(node.targets[0])) in edited:
            count += 1
            statements = edited[title].edited_statements()
            whole = ast.parse(reference)
            whole.body += [*_helpers(variants, exercise.stem), *statements]
            yield title, whole, _definitions(ast.Module(statements, []))
        name = _stands_for(node)
        if name and count < MOST:
            count += 1
            own = ast.parse(ast.unparse(node)).body[0]
            assert isinstance(own, (ast.FunctionDef, ast.ClassDef))
            title, own.name, own.decorator_list = own.name, name, []
            whole = ast.parse(reference)
            whole.body += [*_helpers(variants, exercise.stem), own]
            yield title, whole, [own]
        several = _stand_for_several(node)
        if isinstance(node, ast.FunctionDef) and several and count < MOST:
            count += 1
            whole = ast.parse(reference)
            whole.body += [*_helpers(variants, exercise.stem), *several]
            yield node.name, whole, _definitions(ast.Module(several, []))


def _definitions(module: ast.Module) -> list[ast.stmt]:
    return [node for node in module.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]


def _stands_for(node: ast.stmt) -> str | None:
    """The one name that an alternative replaces; None for everything else."""
    if not isinstance(node, (ast.FunctionDef, ast.ClassDef)) or len(node.decorator_list) != 1:
        return None
    mark = node.decorator_list[0]
    if not isinstance(mark, ast.Call) or getattr(mark.func, "id", "") != "alternative" or len(mark.args) != 1:
        return None
    return str(mark.args[0].value) if isinstance(mark.args[0], ast.Constant) else None


def _stand_for_several(node: ast.stmt) -> list[ast.stmt]:
    """The definitions inside of an alternative that replaces several names, under those names."""
    if not isinstance(node, ast.FunctionDef) or [ast.unparse(d) for d in node.decorator_list] != ["alternative()"]:
        return []
    *inner, last = ast.parse(ast.unparse(node)).body[0].body[ast.get_docstring(node) is not None :]  # type: ignore[attr-defined]
    if not isinstance(last, ast.Return) or not isinstance(last.value, ast.Dict) or not all(isinstance(n, (ast.FunctionDef, ast.ClassDef)) for n in inner):
        return []
    called = {value.id: str(key.value) for key, value in zip(last.value.keys, last.value.values, strict=True) if isinstance(key, ast.Constant) and isinstance(value, ast.Name)}
    for found in [n for one in inner for n in ast.walk(one)]:
        if isinstance(found, ast.Name):
            found.id = called.get(found.id, found.id)
        elif isinstance(found, (ast.FunctionDef, ast.ClassDef)):
            found.name = called.get(found.name, found.name)
    return list(inner)


def _helpers(variants: ast.Module, stem: str) -> list[ast.stmt]:
    """What alternatives share: imports, functions and values of the variants file; not what is marked there."""

    def shared(node: ast.stmt) -> bool:
        if isinstance(node, ast.ImportFrom):
            return node.module not in ("torchdojo.variants", stem)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            return not node.decorator_list
        return isinstance(node, (ast.Import, ast.Assign)) and edit_call(node) is None

    return [node for node in variants.body if shared(node)]
