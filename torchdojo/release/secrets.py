"""What must never be in a released repo, as token sequences: function bodies, answers, words of mistakes and hints, hidden checks.

Sources are parsed, never run. A token is a word, a number or a symbol. Quotes, comments, blanks and line breaks don't count, so
a copy is recognized in a diff, a notebook, a docstring or after reformatting.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from torchdojo.course import given
from torchdojo.course.edit_calls import edit_call, sentence_of
from torchdojo.course.exercise import Dojo, Exercise

LONG = 20  # tokens from which a body is recognized by itself; a shorter one is recognized only with its `def`
WORDS = 8  # equal words in a row that can't be an accident
Tokens = tuple[str, ...]

_TOKEN = re.compile(r"\w+|[^\w\s\"'`#\\]")
_LINE_START = re.compile(r"^[ \t]*(?:\d+(?:\t| {2,}| *\|))?[ \t]*(?:>>>|\.\.\.|[-+>|])?[ \t]*", re.MULTILINE)  # listings, diffs
_ESCAPED = re.compile(r"\\[ntr\"']")
_LAST_COMMA = re.compile(r",(?=\s*[)\]}])")
_DOCSTRING = re.compile(r"[rR]?(\"\"\"|''').*?\1", re.DOTALL)
_COMMENT = re.compile(r"#[^\n]*")


def tokens(text: str) -> list[str]:
    """The tokens of any text; comments and docstrings count as text."""
    return _TOKEN.findall(_LAST_COMMA.sub("", _LINE_START.sub("", _ESCAPED.sub(" ", text))))


def code_tokens(text: str) -> list[str]:
    """The tokens of a program, without comments and docstrings."""
    return tokens(_COMMENT.sub("", _DOCSTRING.sub("", text)))


@dataclass(frozen=True)
class Secret:
    """Something that must not leave. own: a learner may come to write the same."""

    kind: str
    where: str
    tokens: Tokens
    own: bool = False


def paths_of(dojo: Dojo) -> list[str]:
    """Paths that reveal the secrets' location: a compiled file contains its source's path, and little other text."""
    files = (f for e in dojo.exercises for f in (e.reference, e.variants_file, *e.grader_files) if f.exists())
    return sorted({f.relative_to(dojo.root).as_posix() for f in files})


def secrets_of(dojo: Dojo, hints: int) -> list[Secret]:
    """All secrets of a dojo, of every exercise, whether it is released or not. What stubs or given files contain is public.

    hints: how many levels are released.
    """
    secrets = _secrets(dojo, hints)
    shown = {file for e in dojo.exercises for file in (e.stub, *given.files(e.given))}
    public = _occurring(secrets, shown)
    return [s for s in secrets if s.tokens not in public]


def shared_by_given(dojo: Dojo, hints: int) -> dict[str, list[Secret]]:
    """{path of a given file: the secrets that it contains and no stub does}: released, because the author put them there."""
    secrets = _secrets(dojo, hints)
    public = _occurring(secrets, {e.stub for e in dojo.exercises})
    hidden = [s for s in secrets if s.tokens not in public]
    files = sorted({file for e in dojo.exercises for file in given.files(e.given)})
    shared = {file.relative_to(dojo.root).as_posix(): _occurring(hidden, [file]) for file in files}
    return {path: list(secrets.values()) for path, secrets in shared.items() if secrets}


def _secrets(dojo: Dojo, hints: int) -> list[Secret]:
    by_tokens: dict[Tokens, Secret] = {}
    for exercise in dojo.exercises:
        for secret in _of_exercise(exercise, hints):
            by_tokens.setdefault(secret.tokens, secret)
    return list(by_tokens.values())


def _occurring(secrets: Iterable[Secret], files: Iterable[Path]) -> dict[Tokens, Secret]:
    index = Index(secrets)
    texts = [file.read_text(encoding="utf-8", errors="replace") for file in files]
    return {s.tokens: s for text in texts for words in (tokens(text), code_tokens(text)) for s in index.matches(words)}


def _of_exercise(exercise: Exercise, hints: int) -> Iterator[Secret]:
    for tree, file in (
        ("reference", exercise.reference),
        ("reference", exercise.variants_file),
        *(("graders", file) for file in exercise.grader_files),
    ):
        if not file.exists():
            continue
        name = file.relative_to(exercise.root).as_posix()
        whole = tokens(text := file.read_text(encoding="utf-8"))
        if whole != code_tokens(text):  # with our docstrings and comments it is our text
            yield Secret("a copy of", name, tuple(whole))
        yield from _of_file(file, name, own=tree == "reference", hints=hints)


def _of_file(file: Path, name: str, *, own: bool, hints: int) -> Iterator[Secret]:
    source = file.read_text(encoding="utf-8")
    tree = ast.parse(source)
    for place, node in _secret_functions(tree, name):
        body = code_tokens(_segment(source, node.body[0].lineno, node.end_lineno or 0))
        whole = code_tokens(_segment(source, node.lineno, node.end_lineno or 0))
        if len(body) >= LONG:
            yield Secret("the body of", f"{name}: {place}", tuple(body), own)
        elif isinstance(node, ast.ClassDef) or "." not in place or _is_solution(name):
            yield Secret("the body of", f"{name}: {place}", tuple(whole), own)
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            named = ast.unparse(statement.targets[0] if isinstance(statement, ast.Assign) else statement.target)
            if call := edit_call(statement):
                yield from _words(sentence_of(call), f"{name}: {named}")
            if named == "HINTS":
                yield from _hints(statement, name, hints)
            elif len(literal := code_tokens(_segment(source, statement.lineno, statement.end_lineno or 0))) >= LONG:
                yield from _answers(named, literal, name, own)
    for item in ast.walk(tree):
        if isinstance(item, ast.FunctionDef) or (own and isinstance(item, ast.Module | ast.ClassDef)):
            yield from _words(ast.get_docstring(item) or "", f"{name}: {getattr(item, 'name', 'its docstring')}")


def _words(text: str, where: str) -> Iterator[Secret]:
    words = tokens(text)
    if len(words) >= WORDS:
        yield Secret("words of", where, tuple(words))


def _answers(named: str, value: list[str], name: str, own: bool) -> Iterator[Secret]:
    """An assignment whole, and the inside of a dict, which may be copied alone."""
    yield Secret("the value of", f"{name}: {named}", tuple(value), own)
    if "{" in value:
        inside = value[value.index("{") + 1 : -1]
        if len(inside) >= LONG:
            yield Secret("the value of", f"{name}: {named}", tuple(inside), own)


def _hints(statement: ast.Assign | ast.AnnAssign, name: str, released: int) -> Iterator[Secret]:
    if statement.value is None:
        return
    for level, hint in enumerate(ast.literal_eval(statement.value), 1):
        if level > released:
            yield Secret("words of", f"{name}: hint {level}", tuple(tokens(hint)))


def _secret_functions(tree: ast.Module, name: str) -> Iterator[tuple[str, ast.FunctionDef | ast.ClassDef]]:
    """All of a solution; of graders and lists of mistakes, what is a check, a variant or an oracle. Helpers are not secret."""
    for node in tree.body:
        secret = isinstance(node, ast.FunctionDef | ast.ClassDef) and (
            node.name == "oracle" or any(map(_marks, node.decorator_list))
        )
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and (secret or _is_solution(name)):
            yield node.name, node
            for method in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(method, ast.FunctionDef):
                    yield f"{node.name}.{method.name}", method


def _marks(decorator: ast.expr) -> bool:
    """Is it `@check(...)`, `@its_name.judge`, `@mistake(...)` or another mark of ours? `@contextmanager` is none."""
    while isinstance(decorator, ast.Call | ast.Attribute):
        decorator = decorator.func if isinstance(decorator, ast.Call) else decorator.value
    return not (isinstance(decorator, ast.Name) and decorator.id in ("contextlib", "contextmanager", "functools", "dataclass"))


def _is_solution(name: str) -> bool:
    return name.startswith("reference") and not name.endswith("_variants.py")


def _segment(source: str, first: int, last: int) -> str:
    return "\n".join(source.splitlines()[first - 1 : max(last, first)])


class Index:
    """Finds many sequences in a text at once: by their first few tokens, then whole."""

    GRAM = 5

    def __init__(self, secrets: Iterable[Secret]) -> None:
        self.by_start: dict[Tokens, list[Secret]] = {}
        for secret in secrets:
            if len(secret.tokens) >= self.GRAM:
                self.by_start.setdefault(secret.tokens[: self.GRAM], []).append(secret)

    def matches(self, text: list[str]) -> Iterator[Secret]:
        """The secrets that occur in a text, each once."""
        seen = set()
        grams = zip(*(text[i:] for i in range(self.GRAM)), strict=False)
        for place, gram in enumerate(grams):
            for secret in self.by_start.get(gram, ()):
                if secret not in seen and tuple(text[place : place + len(secret.tokens)]) == secret.tokens:
                    seen.add(secret)
                    yield secret
