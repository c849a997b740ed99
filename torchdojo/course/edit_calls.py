"""Read the edits of a variants file from its text, without importing it: `name = mistake.edited(...)`."""

from __future__ import annotations

import ast


def edit_call(node: ast.stmt) -> ast.Call | None:
    """The call, if a statement marks an edit; the statement is an assignment, or the author forgot the name."""
    call = node.value if isinstance(node, (ast.Assign, ast.AnnAssign, ast.Expr)) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "edited":
        return None
    return call if isinstance(call.func.value, ast.Name) and call.func.value.id in ("mistake", "alternative") else None


def sentence_of(call: ast.Call) -> str:
    """The sentence that an edit is marked with; "" where it is no plain text."""
    given = [call.args[2]] if len(call.args) > 2 else [k.value for k in call.keywords if k.arg == "sentence"]
    sentence = given[0].value if given and isinstance(given[0], ast.Constant) else ""
    return sentence if isinstance(sentence, str) else ""
