"""Pages of the site about the course, as Markdown: the list of chapters, lessons that link to their exercises, and tasks.

A task page has what the stub says, and the first hint. It is made from the stub as it was handed out, so it never has an answer.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from torchdojo.course import stubs
from torchdojo.course.exercise import Exercise
from torchdojo.course.hints import hints_of
from torchdojo.course.lesson_text import sections
from torchdojo.course.path import for_experts
from torchdojo.course.positions import WRITTEN, title_of
from torchdojo.course.task import sections_of

BOXES = {"Pitfall": "warning", "For full marks": "success"}
DIFFICULTY = re.compile(r"^Difficulty \d of 5, .*\n?", re.MULTILINE)
ROW = re.compile(r"\S(?:.*\S)?  +\S")
ITEM = re.compile(r"(?:[*-]|\d+\.) ")
NAMED = re.compile(r"^Exercise: `(\w+)`\.$", re.MULTILINE)
LIST = re.compile(r"^((?![*] |\d+\. )\S.*)\n([*] |1\. )", re.MULTILINE)
SPECIAL = re.compile(r"(^[*] )|([\\*_<\[#|{])", re.MULTILINE)
CODE = re.compile(r"(`[^`]+`)")
Definition = ast.FunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Part:
    """A function or class of the stub; or the statements between two of them, whose name and text are ''.

    code: its lines without the docstring, with `...` in place of each NotImplementedError. text: the docstring.
    """

    name: str
    code: str
    text: str


def overview(course: Mapping[str, Sequence[Exercise]]) -> str:
    """The page with all chapters and exercises."""
    rows, lists = [], []
    for chapter, exercises in course.items():
        link = f"[{chapter[:2]} {title_of(chapter)}]({chapter}/index.md){' (for experts)' * for_experts(exercises[0].lesson)}"
        core = [e for e in exercises if not e.bonus]
        levels = [e.facts["difficulty"] for e in core]
        minutes = sum(e.facts["minutes"] for e in core)
        rows.append(f"| {link} | {len(core)} | {minutes} | {min(levels)} to {max(levels)} |")
        lists += [f"\n### {chapter[:2]} {title_of(chapter)}\n", "| exercise | task | difficulty | minutes |", "|---|---|---|---|"]
        lists += [
            f"| [{e.stem}]({e.id}.md) | {escaped(title(e))} | {e.facts['difficulty']} | {e.facts['minutes']} |" for e in exercises
        ]
    fast = [e for exercises in course.values() for e in exercises if e.facts["fast"]]
    lines = [
        "# Lessons and exercises",
        "",
        "For learners. Take the chapters from top to bottom. Read a section of the lesson, then do the exercise at its end.",
        "Minutes and difficulty are those of the core exercises; each chapter has bonus exercises, too.",
        "",
        "## Chapters",
        "",
        "| chapter | exercises | minutes | difficulty, of 5 |",
        "|---|---|---|---|",
        *rows,
        "",
        "## Fast track",
        "",
        f"Short of time? Do these {len(fast)} exercises, about {sum(e.facts['minutes'] for e in fast)} minutes:",
        "",
        *(f"1. [{e.id}]({e.id}.md): {escaped(title(e))}" for e in fast),
        "",
        "`torchdojo watch --fast-track` shows them one after the other.",
        "",
        "## Exercises",
        *lists,
        "",
        "New here? Begin with [the first five minutes](../first-five-minutes.md).",
    ]
    return "\n".join(lines) + "\n"


def lesson(text: str, exercises: Sequence[Exercise]) -> str:
    """A lesson whose exercise lines link to the tasks, with minutes and difficulty."""
    by_stem = {e.stem: e for e in exercises}

    def linked(match: re.Match[str]) -> str:
        exercise = by_stem.get(match[1])
        return f"Exercise: [`{match[1]}`]({match[1]}.md), {effort(exercise)}." if exercise else match[0]

    minutes = [e.facts["minutes"] for e in exercises if not e.bonus]
    heading, _, rest = text.partition("\n")
    size = f"{len(minutes)} exercises, about {sum(minutes)} minutes, and {len(exercises) - len(minutes)} bonus exercises."
    return NAMED.sub(linked, f"{heading}\n\n{size}\n{rest}")


def page(exercise: Exercise) -> str:
    """The task of an exercise: what the stub says, the code in it, how to check an answer, and the first hint."""
    source = stubs.pristine(exercise) or exercise.stub.read_text(encoding="utf-8")
    docstring = ast.get_docstring(ast.parse(source)) or ""
    place = WRITTEN.match(docstring)
    facts = [place[0].rstrip(": ")] if place else []
    facts += [effort(exercise), *["fast track"] * exercise.facts["fast"]]
    blocks = [f"# {escaped(title(exercise))}", f"{', '.join(facts)}. Your file: `exercises/{exercise.id}.py`."]
    blocks.append(f"Read first: {reading(exercise)}.")
    blocks += described(DIFFICULTY.sub("", docstring.partition("\n")[2]).strip("\n"))
    for part in parts_of(source):
        blocks += [f"## `{part.name}`"] * bool(part.name)
        blocks += [fenced(part.code, "python"), *described(part.text)]
    blocks.append("## Check your answer")
    blocks.append("Save the file, and run its visible tests; or let `torchdojo watch` run them whenever you save.")
    test = exercise.test.relative_to(exercise.root).as_posix()
    blocks.append(fenced(f"pytest {test}\ntorchdojo watch {exercise.id}", "sh"))
    blocks += [boxed("??? question", "A first hint", prose(hint)) for hint in hints_of(exercise)[:1]]
    return "\n\n".join(blocks) + "\n"


def parts_of(source: str) -> list[Part]:
    """The parts of a stub in its order, without imports and the file's own docstring."""
    lines, parts = source.splitlines(), []
    between: list[ast.stmt] = []
    for node in [*ast.parse(source).body, None]:
        if node is None or isinstance(node, (Definition, ast.Import, ast.ImportFrom)):
            if between:
                parts.append(Part("", "\n".join(lines[between[0].lineno - 1 : between[-1].end_lineno]), ""))
            between = []
        elif not _is_docstring(node):
            between.append(node)
        if isinstance(node, Definition):
            parts.append(Part(node.name, _code(node, lines), ast.get_docstring(node) or ""))
    return parts


def _is_docstring(node: ast.stmt) -> bool:
    """Is this statement a docstring?"""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _code(node: Definition, lines: list[str]) -> str:
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    replaced: dict[int, str | None] = {}  # by line; None: the line is left out
    if _is_docstring(node.body[0]):
        replaced.update(dict.fromkeys(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)))
    for inner in ast.walk(node):
        if isinstance(inner, ast.Raise) and inner.exc and "NotImplementedError" in ast.unparse(inner.exc):
            replaced.update(dict.fromkeys(range(inner.lineno, (inner.end_lineno or 0) + 1)))
            replaced[inner.lineno] = " " * inner.col_offset + "..."
    numbered = [(n, replaced.get(n, lines[n - 1])) for n in range(first, (node.end_lineno or 0) + 1)]
    return re.sub(r":\n\n+", ":\n", "\n".join(line for _, line in numbered if line is not None), count=1)


def title(exercise: Exercise) -> str:
    """What the exercise is about, with a capital letter."""
    text: str = exercise.facts["title"]
    return text[:1].upper() + text[1:]


def effort(exercise: Exercise) -> str:
    """'difficulty 2 of 5, about 10 minutes'"""
    return f"difficulty {exercise.facts['difficulty']} of 5, about {exercise.facts['minutes']} minutes"


def reading(exercise: Exercise) -> str:
    """A link to the section of the lesson that prepares the exercise."""
    name, _, fragment = exercise.reading.partition("#")
    text = exercise.lesson.read_text(encoding="utf-8")
    heading = next((heading for heading, body in sections(text) if exercise.is_prepared_by(body)), name)
    return f"[{escaped(heading)}](index.md{'#' * bool(fragment)}{fragment})"


def described(docstring: str) -> Iterator[str]:
    """The blocks of a docstring."""
    for section in sections_of(docstring):
        if section.heading in BOXES:
            yield boxed(f"!!! {BOXES[section.heading]}", section.heading, prose(section.text))
        elif rows := table(section.text, section.heading):
            yield rows
        else:
            yield from [f"**{section.heading}**"] * bool(section.heading)
            yield fenced(section.text, "pycon") if section.text.startswith(">>>") else prose(section.text)


def table(text: str, heading: str = "") -> str:
    """Lines such as 'x  (batch, time)  floating point' as a table of two columns; '' for other text."""
    rows: list[list[str]] = []
    for line in text.splitlines():
        name, *cells = re.split(r" {2,}", line)
        if name and cells:
            rows.append([name, *cells])
        elif rows and not name:
            rows[-1][-1] += " " + " ".join(cells)
        else:
            return ""
    lines = [f"| `{name}` | {escaped(', '.join(cells).replace(';,', ';').replace(':,', ':'))} |" for name, *cells in rows]
    return "\n".join([f"| {heading} | |", "|---|---|", *lines]) if lines else ""


def prose(text: str) -> str:
    """Paragraphs, lists and tables, their special characters escaped. Indented lines are code, unless they continue those."""
    blocks: list[str] = []
    for indented, lines in groupby(text.splitlines(), key=_indented()):
        block = textwrap.dedent("\n".join(lines)).strip("\n")
        if indented:
            blocks.append(prose(block) if ITEM.match(block) else fenced(block))
        else:
            blocks += [table(part) or escaped(LIST.sub(r"\1\n\n\2", part)) for part in block.split("\n\n") if part]
    return "\n\n".join(blocks)


def _indented() -> Callable[[str], bool]:
    """Says of each line in turn whether it belongs to an indented block; an empty line belongs to the block before it."""
    item = block = False

    def step(line: str) -> bool:
        nonlocal item, block
        if line:
            item = bool(ITEM.match(line) or ROW.match(line)) or (item and line.startswith("  "))
            block = line.startswith("  ") and not item
        else:
            item = False
        return block

    return step


def escaped(text: str) -> str:
    """Text whose characters mean themselves in Markdown; code between backticks and the marks of a list stay."""
    parts = CODE.split(text)
    return "".join(part if CODE.fullmatch(part) else SPECIAL.sub(lambda m: m[1] or "\\" + m[2], part) for part in parts)


def fenced(code: str, language: str = "") -> str:
    """A block of code; without a language, it is Python if it can be parsed as such."""
    try:
        ast.parse(code)
    except SyntaxError:
        language = language or "text"
    return f"```{language or 'python'}\n{code}\n```"


def boxed(kind: str, heading: str, text: str) -> str:
    return f'{kind} "{heading}"\n' + textwrap.indent(text, "    ")
