"""Ways to go through the wrong things: a loop that leaves one out, parameters that are met twice or not at all.

Like `habits`: each changes a right solution in one place, and `slips` runs what results.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from torchdojo.mutate.expressions import Make, places, tried
from torchdojo.mutate.habits import Habit, blocks, called


def habits(definitions: list[ast.stmt]) -> Iterator[Habit]:
    """All of them in these definitions. Each change is undone before the next."""
    for node in definitions:
        for block in blocks(node):
            yield from _from_the_start(block)
    found = [place for node in definitions for place in places(node)]
    makes: tuple[Make, ...] = (_parameters, _children, _one_left_out)
    for make in makes:
        for place in found:
            yield from tried(place, make, definitions)


# ------------------------------------------------------------------ the parts of a module
_PARAMETERS = (
    ("[p for m in {0}.modules() for p in m.parameters(recurse=False)]", "A parameter that is used in two places is met twice: parameters() of the whole module yields each one once."),
    (
        "dict.fromkeys(p for m in {0}.children() for p in m.parameters(recurse=False))",
        "Only the direct children are looked at: parameters() goes through all levels, and through the module itself.",
    ),
    (
        "[p for m in {0}.children() for p in m.parameters()]",
        "Only what the children hold is met: what sits on the module itself is left out, and what two children share is met twice.",
    ),
    ("{0}.parameters(recurse=False)", "Only what sits on the module itself is looked at: parameters() goes through its children, too."),
    ("[p for name, p in {0}.named_parameters() if 'weight' in name]", "Only parameters that are named weight are met: a bias is a parameter too."),
    (
        "dict.fromkeys(p for m in {0}.modules() if type(m).__name__ == 'Linear' for p in m.parameters())",
        "Only the parameters of nn.Linear layers are met: any module may own parameters.",
    ),
    ("[*{0}.parameters(), *{0}.buffers()]", "Buffers are met as well: they belong to the state of a module, but they are no parameters."),
    ("{0}.state_dict(keep_vars=True).values()", "state_dict() holds buffers too, and shared parameters twice: parameters() yields the parameters, each one once."),
    ("[p for p in {0}.parameters() if p.requires_grad]", "Frozen parameters (requires_grad False) are left out."),
    (
        "{{p.data_ptr(): p for p in {0}.parameters()}}.values()",
        "Parameters are told apart by their address in memory, and several may have the same one: parameters() already yields each one once.",
    ),
)


def _parameters(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Iterator[tuple[str, str, ast.expr]]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "parameters" and not node.args + node.keywords:
        for text, said in _PARAMETERS:
            yield "parameters", said, ast.parse(text.format(ast.unparse(node.func.value)), mode="eval").body


def _children(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Iterator[tuple[str, str, ast.expr]]:
    """children() for the places of a module, where one module may have two."""
    walked = isinstance(above, (ast.For, ast.comprehension)) and above.iter is node
    own = walked and isinstance(node, ast.Name) and node.id == "self"
    listed = called_on(node, "values") == "_modules"
    if own or listed:
        said = "A module that has two places is met only once: children() and modules() leave out repeats."
        yield "parameters", said, ast.parse("self.children()" if own else f"{ast.unparse(node.func.value.value)}.children()", mode="eval").body  # type: ignore[attr-defined]


def called_on(node: ast.AST, method: str) -> str:
    """The attribute whose method is called: `_modules` for `self._modules.values()`; '' for everything else."""
    if isinstance(node, ast.Call) and called(node) == method and isinstance(node.func, ast.Attribute):
        return getattr(node.func.value, "attr", "")
    return ""


# ------------------------------------------------------------------ rounds
def _one_left_out(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Iterator[tuple[str, str, ast.expr]]:
    if isinstance(above, (ast.For, ast.comprehension)) and above.iter is node:
        for which, part in (("last", "[:-1]"), ("first", "[1:]")):
            yield "round", f"A loop leaves out the {which} one of the things that it goes through.", ast.parse(f"list({ast.unparse(node)}){part}", mode="eval").body


def _from_the_start(block: list[ast.stmt]) -> Iterator[Habit]:
    """Each round works on what there was before the loop, not on the result of the round before."""
    for at, loop in enumerate(block):
        if not isinstance(loop, ast.For):
            continue
        names = [n.targets[0].id for n in ast.walk(loop) if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name)]
        for name in dict.fromkeys(names):
            uses = [n for n in ast.walk(loop) if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)]
            if not uses:
                continue
            block.insert(at, ast.parse(f"{name}_at_first = {name}").body[0])
            for use in uses:
                use.id = f"{name}_at_first"
            yield "round", "Every round of a loop starts from what there was before the loop: each has to go on with the result of the one before."
            for use in uses:
                use.id = name
            del block[at]
