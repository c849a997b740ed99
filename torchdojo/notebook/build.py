"""Build a chapter's notebook from its lesson, stubs and visible tests. The same input gives the same bytes."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchdojo.course import given, stubs
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.course.lesson import KINDS, Picture, replace_pictures
from torchdojo.course.lesson_text import EXERCISE_LINE, anchor, lesson_of, sections
from torchdojo.course.notebook_cells import TAG, marked
from torchdojo.course.settings import settings_of
from torchdojo.learner.pictures import script_of
from torchdojo.notebook.check import digest_of

if TYPE_CHECKING:
    from nbformat import NotebookNode

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LESSON_LINK = re.compile(r"\]\(\.\./(\w+)/README\.md(?:#[\w-]*)?\)")  # from one chapter's lesson to another's
EMBEDDED = re.compile(r"^(<img alt=.*>)$", re.MULTILINE)
GIVEN = """# The files that come with this chapter. Run this cell once.
from torchdojo.notebook import lay_out

lay_out({"""
INSTALL = """# Installs torchdojo if it is missing: the wheel that came with the course, or the course's own folder.
import importlib.util
from pathlib import Path

if importlib.util.find_spec("torchdojo") is None:
    found = [wheel for folder in (".", "vendor", "../vendor") for wheel in Path(folder).glob("torchdojo-*.whl")]
    found += [Path(folder).resolve() for folder in (".", "..") if Path(folder, "torchdojo", "__init__.py").is_file()]
    if found:
        %pip install -q "{found[0]}"
    else:
        print("torchdojo is missing. Put its wheel, vendor/torchdojo-*.whl of the course, beside this notebook. Run this again.")"""
CHECK = """# Run the cell above, then this one: it says whether {stem} is right.
from torchdojo.notebook import check

check("{id}", r'''{tests}'''{picture}{stub})"""


def notebook_of(dojo: Dojo, chapter: str) -> NotebookNode:
    """The notebook of a chapter, with the stubs as they were handed out."""
    from nbformat import v4  # nbformat is slow to import

    exercises = {e.stem: e for e in dojo.exercises if e.chapter == chapter}
    cells = [code("install", install(dojo.root), tags=["install"])]
    cells += given_cells(dojo.root, chapter)
    used: dict[str, int] = {}
    for heading, body in sections(lesson_text(dojo.root, chapter)):
        for cell in _section(heading, body.strip(), exercises):
            used[cell.id] = used.get(cell.id, 0) + 1
            if used[cell.id] > 1:
                cell.id += f"-{used[cell.id]}"
            cells.append(cell)
    for exercise in exercises.values():  # those that the lesson does not mention
        if not any(c.id == exercise.stem for c in cells):
            cells += _exercise(exercise)
    book: NotebookNode = v4.new_notebook(cells=cells)
    book.metadata = {
        "kernelspec": KERNEL,
        "language_info": {"name": "python"},
        "torchdojo": {"chapter": chapter, "built": fingerprint(book)},
    }
    return book


def install(root: Path) -> str:
    """The cell that installs torchdojo from the notebook's surroundings, never from an index, and the course's requirements."""
    needed = [f"'{requirement}'" for requirement in settings_of(root).requirements]
    return "\n".join([INSTALL, *([f"%pip install -q {' '.join(needed)}"] if needed else [])])


def given_cells(root: Path, chapter: str) -> list[NotebookNode]:
    """A cell that writes the files that come with the chapter, for a notebook alone, as in Colab; none where none come with it."""
    folder = given.folder_of(root, chapter)
    plain, packed = list[str](), list[str]()
    for file in given.files(folder):
        data, name = file.read_bytes(), file.relative_to(folder).as_posix()
        try:
            plain.append(f"    {name!r}: {data.decode()!r},")  # text where it is text: a cell is read by people
        except UnicodeDecodeError:
            packed.append(f"    {name!r}: {base64.b85encode(data).decode()!r},")
    source = "\n".join([GIVEN, *plain, *(["}, packed={"] if packed else []), *packed, "})"])
    return [code(given.NAME, source, tags=[given.NAME])] if plain or packed else []


def lesson_text(root: Path, chapter: str) -> str:
    """The chapter's lesson with its pictures in it, so that a notebook alone shows them; a heading where there is none."""
    file = lesson_of(root, chapter)
    text = file.read_text(encoding="utf-8") if file.exists() else f"# {chapter}\n"
    return replace_pictures(text, lambda picture: _embedded(picture, file))


def _embedded(picture: Picture, lesson: Path) -> str:
    """The picture as HTML: JupyterLab shows no SVG that is attached to a cell."""
    file, alt = picture.file(lesson), html.escape(picture.alt)
    if file is None:
        return f'<img alt="{alt}">'
    data = base64.b64encode(file.read_bytes()).decode()
    return f'<img alt="{alt}" src="data:{KINDS[file.suffix]};base64,{data}">'


def fingerprint(book: Any) -> str:
    """A digest of what people change in a notebook: its sources, not its outputs."""
    hasher = hashlib.sha256()
    for cell in book.cells:
        hasher.update(f"{cell.cell_type}\0{cell.source}\0".encode("utf-8", "surrogatepass"))
    return hasher.hexdigest()[:20]


def _section(heading: str, body: str, exercises: dict[str, Exercise]) -> Iterator[NotebookNode]:
    """Prose, the lesson's code with what it prints, the section's exercises, and the prose that follows their lines."""
    slug = anchor(heading).replace("_", "-")[:40].strip("-") or "part"
    slug = re.sub(r"[^a-zA-Z0-9-]", "", slug) or "part"
    named = [exercises[stem] for stem in EXERCISE_LINE.findall(body) if stem in exercises]
    end = max((line.end() for line in EXERCISE_LINE.finditer(body) if "```" not in body[line.end() :]), default=len(body))
    body, after = EXERCISE_LINE.sub("", body[:end]), body[end:]
    blocks = list(FENCE.finditer(body))
    position = 0
    for number, block in enumerate(blocks):
        if block[1] == "text" and number and blocks[number - 1][1] == "python":
            yield from _prose(slug, body[position : block.start()])
            position = block.end()
        elif block[1] == "python":
            yield from _prose(slug, body[position : block.start()])
            printed = blocks[number + 1][2] if number + 1 < len(blocks) and blocks[number + 1][1] == "text" else ""
            yield lesson_code(f"{slug}-code", block[2], printed)
            position = block.end()
    yield from _prose(slug, body[position:])
    for exercise in named:
        yield from _exercise(exercise)
    yield from _prose(slug, after)


def _prose(slug: str, text: str) -> Iterator[NotebookNode]:
    from nbformat import v4  # nbformat is slow to import

    for part in EMBEDDED.split(text):  # a picture has a cell of its own, so text cells stay short
        if part.strip():
            yield v4.new_markdown_cell(LESSON_LINK.sub(r"](\1.ipynb)", part.strip()), id=slug)


def lesson_code(id: str, source: str, printed: str) -> NotebookNode:
    """A block of the lesson with its output; one that raises on purpose may, without stopping what follows."""
    from nbformat import v4  # nbformat is slow to import

    lines = printed.strip().splitlines()
    raised = re.fullmatch(r"(\w+(?:Error|Exception|Warning|Interrupt)): (.*)", lines[-1]) if lines else None
    cell = code(id, source.rstrip(), tags=["raises-exception"] if raised else [])
    before = lines[:-1] if raised else lines
    if before:
        cell.outputs.append(v4.new_output("stream", name="stdout", text="\n".join(before) + "\n"))
    if raised:
        cell.outputs.append(v4.new_output("error", ename=raised[1], evalue=raised[2], traceback=[lines[-1]]))
    return cell


def _exercise(exercise: Exercise) -> list[NotebookNode]:
    """The heading, the tagged cell with the stub, and the cell that checks it."""
    from nbformat import v4  # nbformat is slow to import

    facts = exercise.facts
    details = f" Difficulty {facts['difficulty']} of 5, about {facts['minutes']} minutes." if facts["minutes"] else ""
    title = f"### Exercise `{exercise.stem}`\n\n{facts['title'][:1].upper()}{facts['title'][1:]}.{details}"
    stub = stubs.pristine(exercise) or exercise.stub.read_text(encoding="utf-8")
    tests = exercise.test.read_text(encoding="utf-8") if exercise.test.exists() else ""
    script = script_of(exercise.stub)
    picture = f", picture=r'''{script.read_text(encoding='utf-8')}'''" if script.exists() else ""
    told = f', stub="{digest_of(stub)}"' * ("skip" in tests)  # whatever a skipped test says, a stub is to do
    checked = CHECK.format(stem=exercise.stem, id=exercise.id, tests=tests, picture=picture, stub=told)
    hidden = {"jupyter": {"source_hidden": True}, "cellView": "form"}  # JupyterLab's and Colab's words for it
    return [
        v4.new_markdown_cell(title, id=f"{exercise.stem}-title"),
        code(exercise.stem, marked(stub, exercise.id), tags=[f"{TAG}{exercise.id}"]),
        code(f"{exercise.stem}-check", checked, tags=["check"], **hidden),
    ]


def code(id: str, source: str, *, tags: list[str], **metadata: Any) -> NotebookNode:
    from nbformat import v4  # nbformat is slow to import

    cell: NotebookNode = v4.new_code_cell(source, id=id[:64], metadata=metadata | ({"tags": tags} if tags else {}))
    return cell
