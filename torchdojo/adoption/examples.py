"""The examples in docstrings and in texts, as tests."""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from torchdojo.adoption.asserts import asserted_example
from torchdojo.adoption.modules import Definition


@dataclass
class Examples:
    """Tests from examples. names: the functions and classes that have them. left: those that can't be converted, with reasons."""

    tests: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    def add(self, what: str, text: str) -> bool:
        """Add the examples of a text as one test. what: where they stand. Does the text have any?"""
        if ">>>" not in text:
            return False
        try:
            lines = [line for e in doctest.DocTestParser().get_examples(text) for line in asserted_example(e)]
        except (ValueError, SyntaxError) as error:
            self.left.append(f"the example of {what}: {error}")
            return False
        name = re.sub(r"\W+", "_", what.lower()).strip("_")
        body = "\n".join(f"    {row}" for line in lines for row in line.split("\n"))
        self.tests.append(f'def test_example_of_{name}():\n    """The example of {what} is right."""\n{body}\n')
        return True


def examples_of(solution: str) -> Examples:
    """The examples of a module and its public functions, classes and their methods. Each docstring is one test."""
    examples = Examples()
    tree = ast.parse(solution)
    examples.add("the module", ast.get_docstring(tree) or "")
    for what, node in _public(tree):
        if examples.add(what, ast.get_docstring(node) or ""):
            examples.names.append(what.partition(".")[0])
    return examples


def examples_in(text: str) -> Examples:
    """The examples of a text file. They build on one another, so they are one test."""
    examples = Examples()
    examples.add("the text", text)
    return examples


def _public(tree: ast.Module) -> Iterator[tuple[str, Definition]]:
    for node in tree.body:
        if isinstance(node, Definition) and not node.name.startswith("_"):
            yield node.name, node
            if isinstance(node, ast.ClassDef):
                methods = (n for n in node.body if isinstance(n, Definition) and not n.name.startswith("_"))
                yield from ((f"{node.name}.{method.name}", method) for method in methods)
