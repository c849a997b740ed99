"""What stub and reference must have in common, found by reading both: names, signatures, summaries, quiz questions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def disagreements(stub: str, reference: str, name: str) -> Iterator[str]:
    """A sentence for each difference between two sources. name: of the file, which is the same for both."""
    ours, theirs = _definitions(ast.parse(stub)), _definitions(ast.parse(reference))
    for what, node in ours.items():
        twin = theirs.get(what)
        if twin is None:
            if _is_public(what):
                yield f"{name}: the reference defines no {what}. Define it there, or remove it from the stub."
            continue
        if _signature(node) != _signature(twin):
            yield (f"{name}: the stub has `{_signature(node)}`, the reference `{_signature(twin)}`. Give both the same signature.")
        yield from _summaries(node, twin, what, name)
    ours_asked, theirs_asked = _questions(stub), _questions(reference)
    if ours_asked != theirs_asked:
        differing = ", ".join(sorted(ours_asked ^ theirs_asked))
        yield f"{name}: ANSWERS of stub and reference have different keys ({differing}). Give both the same keys."


def _definitions(tree: ast.Module) -> dict[str, Definition]:
    """Top-level functions and classes, and the methods of classes, by dotted name."""
    definitions: dict[str, Definition] = {}
    for node in tree.body:
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            definitions[node.name] = node
        if isinstance(node, ast.ClassDef):
            definitions |= {f"{node.name}.{m.name}": m for m in node.body if isinstance(m, FUNCTIONS)}
    return definitions


def _is_public(dotted: str) -> bool:
    return not any(part.startswith("_") and not part.startswith("__") for part in dotted.split("."))


def _signature(node: Definition) -> str:
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(ast.unparse(base) for base in node.bases)
        return f"class {node.name}({bases})" if bases else f"class {node.name}"
    known = ("staticmethod", "classmethod", "property")
    marks = [ast.unparse(d) for d in node.decorator_list if ast.unparse(d) in known]
    arrow = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return "".join(f"@{mark} " for mark in marks) + f"{node.name}({ast.unparse(node.args)}){arrow}"


def _summaries(node: Definition, twin: Definition, what: str, name: str) -> Iterator[str]:
    ours, theirs = _summary(node), _summary(twin)
    if "." in what and not (ours and theirs):
        return
    if ours != theirs:
        yield f"{name}: the summary of {what} is {ours!r} in the stub, {theirs!r} in the reference. Give both the same."


def _summary(node: Definition) -> str:
    """The first paragraph of a docstring, on one line."""
    return " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split())


def _questions(source: str) -> set[str]:
    """The keys of ANSWERS, where the source has such a dict."""
    for node in ast.parse(source).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        value = getattr(node, "value", None)
        if "ANSWERS" in names and isinstance(value, ast.Dict):
            return {ast.unparse(key) for key in value.keys if key is not None}
    return set()


def docstrings(source: str) -> Iterator[tuple[str, str]]:
    """(dotted name, docstring) for the module's public definitions."""
    for what, node in _definitions(ast.parse(source)).items():
        text = ast.get_docstring(node)
        if text and _is_public(what):
            yield what, text


def promises_no_grad(source: str) -> bool:
    """Does a docstring say that the answer is the same, or that the function works, under torch.no_grad()?"""
    for _, text in docstrings(source):
        for sentence in _sentences(text):
            if "no_grad()" in sentence and any(word in sentence.split() for word in ("same", "works")):
                return True
    return False


def _sentences(text: str) -> list[str]:
    flat = " ".join(text.replace("\n- ", ". ").split())
    return flat.replace(":", " ").replace(";", ".").replace(",", " ").split(". ")
