"""Say of a learner's own code what was found out with a right solution of ours, in names that stand in that code.

A slip is found by changing the reference, so its sentence knows the reference's names and loops. It behaves as the learner's
code does, but that may be written in another way: what is not there is not spoken of, or only as a comparison.
"""

from __future__ import annotations

import ast
import functools
import re
from dataclasses import dataclass

from torchdojo.common.plain_text import syntax_tree
from torchdojo.explain.cause import Cause
from torchdojo.judge.recheck.suspicion import MOST

ABOUT = (
    (re.compile(r"\bloops?\b|\b(every|each|from) round\b", re.IGNORECASE), (ast.For, ast.While, ast.comprehension), "map"),
    (re.compile(r"^A bound\b"), (ast.Slice,), "range arange narrow linspace"),
    (re.compile(r"\bchildren\b|\bthe module itself\b"), (), "children named_children modules named_modules _modules _parameters recurse"),
    (re.compile(r"\bnamed weight\b"), (), "weight"),
    (re.compile(r"\bstate_dict\(\)"), (), "state_dict"),
    (re.compile(r"\bBuffers are met\b"), (), "buffers named_buffers state_dict _buffers"),
    (re.compile(r"\baddress in memory\b"), (), "data_ptr untyped_storage storage id"),
    (re.compile(r"\bparameters of nn\.Linear\b"), (), "Linear"),
    (re.compile(r"^A comparison\b"), (ast.Compare,), "lt le gt ge eq ne less greater"),
)
"""What a sentence speaks of, the syntax that it is, and the functions that do the same."""
STANDS = re.compile(r"`(?P<there>[^`]+)` stands where (?P<right>(the )?`[^`]+` belongs.*)")
AS_IF = re.compile(r"It behaves as if `(?P<one>[^`]+)` stood where `(?P<other>[^`]+)` belongs \(your names may differ\)\.")
A_LINE = re.compile(r"\bthe line that sets `(?P<name>[^`]+)` \(or what you call it\)", re.IGNORECASE)
A_VALUE = re.compile(r"`(?P<name>[^`]+)` \(or what you call it\)")
AT_THE_END = re.compile(r": `(?P<name>[^`]+)`, or what you call it\.$")
STEPS = re.compile(r"^`(?P<one>[\w.]+)` (?:comes too|runs|is applied|is computed)(?:.* belongs (?:before|after) `(?P<other>[\w.]+)`)?")


@dataclass(frozen=True)
class Written:
    """What stands in a learner's file."""

    text: str
    names: frozenset[str]
    kinds: frozenset[type[ast.AST]]
    ends: frozenset[str] = frozenset()  # the functions that end without a return, at least on one way through them

    def has(self, name: str) -> bool:
        """Is this written there: all names of it, or an operator?"""
        words = re.findall(r"[A-Za-z_]\w*", name)
        return self.names.issuperset(words) if words else name in self.text


@functools.lru_cache(64)
def written(code: bytes) -> Written | None:
    """What stands in a file; None where it is no Python, or too large or nested too deep to be looked at."""
    try:
        if len(code) > MOST:
            return None
        tree = syntax_tree(code)
        for node in ast.walk(tree):  # words about the code are no code
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and len(node.body) > 1 and ast.get_docstring(node):
                del node.body[0]
        text = ast.unparse(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    nodes = list(ast.walk(tree))
    named = (getattr(n, field, None) for n in nodes for field in ("id", "attr", "arg", "name"))
    return Written(text, frozenset(n for n in named if isinstance(n, str)), frozenset(map(type, nodes)), missing_returns(tree))


def missing_returns(tree: ast.Module) -> frozenset[str]:
    """The names of functions, and of methods behind their class, whose end can be reached, so that they give None there."""
    found = set()
    owners: list[ast.Module | ast.ClassDef] = [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]
    for owner in owners:
        before = f"{owner.name}." if isinstance(owner, ast.ClassDef) else ""
        functions = [node for node in owner.body if isinstance(node, ast.FunctionDef)]
        found |= {before + f.name for f in functions if _comes_to_its_end(f.body)}
    return frozenset(found)


def _comes_to_its_end(block: list[ast.stmt]) -> bool:
    last = block[-1]
    if isinstance(last, ast.If):
        return _comes_to_its_end(last.body) or not last.orelse or _comes_to_its_end(last.orelse)
    if isinstance(last, ast.With):
        return _comes_to_its_end(last.body)
    if isinstance(last, ast.Try):
        ways = [last.orelse or last.body, *(handler.body for handler in last.handlers)]
        return any(map(_comes_to_its_end, ways)) and not (last.finalbody and not _comes_to_its_end(last.finalbody))
    if isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and last.test.value:
        return any(isinstance(node, ast.Break) for node in ast.walk(last))
    return not isinstance(last, (ast.Return, ast.Raise))


def fits(said: str, learner: Written | None) -> bool:
    """Can it be true of this code? A loop that is not there leaves nothing out."""
    if learner is None:
        return True
    spoken_of = [(kinds, names.split()) for about, kinds, names in ABOUT if about.search(said)]
    return all(learner.kinds.intersection(kinds) or learner.names.intersection(names) for kinds, names in spoken_of)


def retold(cause: Cause, learner: Written | None) -> Cause:
    """The same cause without names that the learner has not written, or as a comparison."""
    return cause if learner is None else Cause(cause.kind, _retold(str(cause), learner))


def _retold(said: str, learner: Written) -> str:
    if (found := STANDS.fullmatch(said)) and not learner.has(found["there"]):
        return f"It behaves as if `{found['there']}` stood where {found['right']}"
    if (found := AS_IF.fullmatch(said)) and not (learner.has(found["one"]) and learner.has(found["other"])):
        return "It behaves as if one variable stood where another belongs."
    lines = [line for line in A_LINE.finditer(said) if not learner.has(line["name"])]
    if len(lines) == 2 and "comes too" in said:
        return "Two steps are in the wrong order."
    for line in reversed(lines):
        said = f"{said[: line.start()]}{'A' if line.start() == 0 else 'a'} step{said[line.end() :]}"
    for value in [v for v in A_VALUE.finditer(said) if not learner.has(v["name"])][:1]:
        said = f"{said[: value.start()]}{'A' if value.start() == 0 else 'a'} value{said[value.end() :]}"
    if (found := AT_THE_END.search(said)) and not learner.has(found["name"]):
        return f"{said[: found.start()]}."
    if (found := STEPS.match(said)) and not all(learner.has(name) for name in found.groups() if name):
        return f"It behaves like code with this slip: {said}"
    return said
