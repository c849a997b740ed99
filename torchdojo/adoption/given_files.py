"""What an assignment reads from beside its notebook: data files, modules and pictures, which come with the chapter."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

from torchdojo.adoption.testfiles import replace_nodes
from torchdojo.course.lesson import KINDS, pictures
from torchdojo.submission.notebook_code import parsed

IMPORT = "from given.paths import given_file"
PATHS = '''"""Where the data files of this chapter are."""

from pathlib import Path


def given_file(name: str) -> str:
    """Return the path of a file that lies beside this module."""
    return str(Path(__file__).parent / name)
'''
USED = re.compile(r"given_file\('([^']+)'\)|from given\.(\w+) import|from given import (\w+)")


@dataclass
class GivenFiles:
    """The files beside a notebook, as its code names them. folder: where they lie."""

    folder: Path

    def adapted(self, code: str) -> str:
        """Code in which the files and modules beside the notebook are those of the chapter."""
        tree = parsed(code)
        if tree is None:
            return code
        nodes: list[ast.expr | ast.stmt] = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and self._is_file(n.value)]
        nodes += [n for n in ast.walk(tree) if isinstance(n, (ast.Import, ast.ImportFrom)) and self._is_here(n)]
        return replace_nodes(code, nodes, self._words) if nodes else code

    def files(self, texts: list[str]) -> dict[str, bytes]:
        """{path in the chapter's given/: content} of what these texts use."""
        used: dict[str, bytes] = {}
        for data, module, name in (match for text in texts for match in USED.findall(text)):
            path = data or f"{module or name}.py"
            if path == "paths.py":
                used[path] = PATHS.encode()
            elif (self.folder / path).is_file():
                used[path] = (self.folder / path).read_bytes()
        return used

    def pictures(self, lesson: str) -> dict[str, bytes]:
        """{path: content} of the pictures that a lesson shows."""
        shown = {p.target for p in pictures(lesson) if Path(p.target).suffix in KINDS and self._is_file(p.target)}
        return {target: (self.folder / target).read_bytes() for target in sorted(shown)}

    def _is_file(self, value: object) -> bool:
        if (
            not isinstance(value, str)
            or not re.fullmatch(r"(?:\./)?[\w][\w ./-]*\.\w+", value)
            or ".." in value
            or value.endswith(".py")
        ):
            return False
        return (self.folder / value).is_file()

    def _is_here(self, node: ast.stmt) -> bool:
        """Does it import a module that lies beside the notebook?"""
        if isinstance(node, ast.ImportFrom):
            return not node.level and (self.folder / f"{node.module}.py").is_file()
        return isinstance(node, ast.Import) and len(node.names) == 1 and (self.folder / f"{node.names[0].name}.py").is_file()

    def _words(self, node: ast.expr | ast.stmt) -> str:
        if isinstance(node, ast.Constant):
            return f"given_file({str(node.value).removeprefix('./')!r})"
        if isinstance(node, ast.ImportFrom):
            return ast.unparse(ast.ImportFrom(f"given.{node.module}", node.names, 0))
        assert isinstance(node, ast.Import)
        return ast.unparse(ast.ImportFrom("given", node.names, 0))
