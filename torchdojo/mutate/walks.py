"""Ways to loop over the wrong things: a loop that skips an item, parameters that are visited twice or not at all.

Like `habits`: each changes a right solution in one place, and `slips` runs what results.
"""

from __future__ import annotations

import ast

from torchdojo.mutate.expressions import Made, Make, places, tried
from torchdojo.mutate.habits import Habits, blocks, called
from torchdojo.mutate.slip import Form, Kind, Slip


def habits(definitions: list[ast.stmt]) -> Habits:
    """All slips of this module in these definitions. Each change is undone before the next."""
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
    ("[p for m in {0}.modules() for p in m.parameters(recurse=False)]", Form.TWICE_MET),
    (
        "dict.fromkeys(p for m in {0}.children() for p in m.parameters(recurse=False))",
        Form.DIRECT_CHILDREN,
    ),
    (
        "[p for m in {0}.children() for p in m.parameters()]",
        Form.OF_CHILDREN,
    ),
    ("{0}.parameters(recurse=False)", Form.OWN_ONLY),
    ("[p for name, p in {0}.named_parameters() if 'weight' in name]", Form.WEIGHTS),
    (
        "dict.fromkeys(p for m in {0}.modules() if type(m).__name__ == 'Linear' for p in m.parameters())",
        Form.LINEAR,
    ),
    ("[*{0}.parameters(), *{0}.buffers()]", Form.BUFFERS),
    ("{0}.state_dict(keep_vars=True).values()", Form.STATE_DICT),
    ("[p for p in {0}.parameters() if p.requires_grad]", Form.LEARNING),
    (
        "{{p.data_ptr(): p for p in {0}.parameters()}}.values()",
        Form.ADDRESS,
    ),
)


def _parameters(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "parameters" and not node.args + node.keywords:
        for text, form in _PARAMETERS:
            yield Slip(Kind.PARAMETERS, form), ast.parse(text.format(ast.unparse(node.func.value)), mode="eval").body


def _children(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """children() for the places of a module, where one module may have two."""
    walked = isinstance(above, (ast.For, ast.comprehension)) and above.iter is node
    own = walked and isinstance(node, ast.Name) and node.id == "self"
    listed = called_on(node, "values") == "_modules"
    if own or listed:
        yield Slip(Kind.PARAMETERS, Form.MET_ONCE), ast.parse("self.children()" if own else f"{ast.unparse(node.func.value.value)}.children()", mode="eval").body  # type: ignore[attr-defined]


def called_on(node: ast.AST, method: str) -> str:
    """The attribute whose method is called: `_modules` for `self._modules.values()`; '' for everything else."""
    if isinstance(node, ast.Call) and called(node) == method and isinstance(node.func, ast.Attribute):
        return getattr(node.func.value, "attr", "")
    return ""


# ------------------------------------------------------------------ rounds
def _one_left_out(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    if isinstance(above, (ast.For, ast.comprehension)) and above.iter is node:
        for form, part in ((Form.LAST, "[:-1]"), (Form.FIRST, "[1:]")):
            yield Slip(Kind.ROUND, form), ast.parse(f"list({ast.unparse(node)}){part}", mode="eval").body


def _from_the_start(block: list[ast.stmt]) -> Habits:
    """Each iteration starts from the value before the loop, not from the result of the previous iteration."""
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
            yield Slip(Kind.ROUND, Form.AT_FIRST)
            for use in uses:
                use.id = name
            del block[at]
