"""Commands that pages and messages propose exist, and work in each edition: a clone, an `init` folder, a released repository."""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import warm

from torchdojo.cli import cli
from torchdojo.commands import doctor, init
from torchdojo.common import toml
from torchdojo.course.exercise import Dojo

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    file
    for pattern in ("*.md", "docs/*.md", "exercises/*/README.md", "answers/README.md", "torchdojo/release/templates/*.md", "torchdojo/course/layouts/*/*.jinja")
    for file in ROOT.glob(pattern)
)
SOURCES = sorted(ROOT.glob("torchdojo/**/*.py"))
PROGRAM = r"(?:torchdojo|pytest|pip) [^`]"
IN_SPAN = re.compile(rf"`({PROGRAM}+)`")
IN_MESSAGE = re.compile(rf": ({PROGRAM}*?)(?=$|[;,)] |\.$|\. | \(|\"\"\")", re.MULTILINE)
BLOCK = re.compile(r"^```[^\n]*\n(.*?)^```$|^ {4,}(\S[^\n]*)$", re.MULTILINE | re.DOTALL)
BETWEEN = re.compile(r" +&& +| +\| +| +#.*|; | >&2")
PLACEHOLDER = re.compile(r"X|\{\w+\}|\.\.\.|[A-Z]+(\.json|:NAME)?|\[[A-Z]+\]|@FIRST@|\$.*")
EXERCISE = "01_tensors/ex02_column_grid"
ANSWER = "    return torch.linspace(lo, hi, n, dtype=dtype, device=device).unsqueeze(-1)\n"


def texts(file: Path) -> Iterator[str]:
    """The text of a page; the strings of a module, with X for what is put into them."""
    text = file.read_text(encoding="utf-8")
    if file.suffix != ".py":
        yield re.sub(r" \\\n +", " ", text)  # a command that goes on in the next line
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values)


def proposed(text: str, *, page: bool) -> set[str]:
    """The commands in a text: between backticks; in a page the lines of code, in a message what follows a colon."""
    matches = [*IN_SPAN.findall(text), *([] if page else IN_MESSAGE.findall(text))]
    matches += [line for block in BLOCK.findall(text) for line in "\n".join(block).splitlines()] * page
    parts = (part.removeprefix("$ ") for match in matches for part in BETWEEN.split(" ".join(match.split())))
    return {part for part in parts if re.match(PROGRAM, part)}


def problem(command: str, pytest_help: str) -> str | None:
    """What is wrong with a command by reading: an unknown program, option, choice, extra or file."""
    program, *words = shlex.split(command)
    if program == "torchdojo":
        return _of_torchdojo(words)
    if program == "pytest":
        unknown = [w for w in words if w.startswith("-") and w != "-n" and not re.search(rf"(?m)(^|[\s,]){w.partition('=')[0]}\b", pytest_help)]
        paths = [w for w in words if "/" in w and not PLACEHOLDER.search(w) and not any(ROOT.glob(w))]
        return f"{unknown} {paths}" if unknown or paths else None
    known = toml.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    extras = {extra for w in words for group in re.findall(r"\[(.*)\]", w) for extra in group.split(",")} - known.keys()
    return f"unknown extra {extras}" if extras else None


def _of_torchdojo(words: list[str]) -> str | None:
    command: click.Command = cli
    while isinstance(command, click.Group) and words:
        name, words = words[0], words[1:]
        if name not in command.commands:
            return f"no command {name}"
        command = command.commands[name]
        command = command.load() if hasattr(command, "load") else command
    options = {name: p for p in command.params for name in (*p.opts, *p.secondary_opts) if isinstance(p, click.Option)}
    arguments = [p for p in command.params if isinstance(p, click.Argument)]
    values = 0
    rest = iter(words)
    for word in rest:
        if word.startswith("-"):
            if word not in options:
                return f"no option {word}"
            value = "X" if options[word].is_flag else next(rest, "X")
            choices = getattr(options[word].type, "choices", None)
            if choices and not PLACEHOLDER.fullmatch(value) and value not in choices:
                return f"{word} has no choice {value}"
        else:
            values += word != "..."
    return "too many arguments" if values > len(arguments) and all(a.nargs == 1 for a in arguments) else None


@pytest.mark.slow
def test_each_command_of_a_page_or_message_exists() -> None:
    """With its options, choices, extras and files."""
    words = subprocess.run([sys.executable, "-m", "pytest", "--help"], cwd=ROOT, capture_output=True, text=True, timeout=60)
    commands = sorted({(c, f.name) for f in [*PAGES, *SOURCES] for t in texts(f) for c in proposed(t, page=f.suffix != ".py")})
    problems = {f"{where}: {c}": wrong for c, where in commands if (wrong := problem(c, words.stdout))}

    assert len(commands) > 150 and problems == {}


@pytest.mark.parametrize("command", ["torchdojo grades x", "torchdojo hint --next", "torchdojo hint a b", "torchdojo verify --level all", "pytest exercises/no.py", "pytest --all", "pip install -e '.[all]'"])
def test_a_wrong_command_is_noticed(command: str) -> None:
    assert problem(command, "  -q\n  --record FILE")


# ------------------------------------------------------------------ editions
def cloned(folder: Path) -> str:
    """A clone, and the text of its pages for learners."""
    subprocess.run(["git", "clone", "-q", str(ROOT), str(folder)], check=True)
    return readme(folder) + (folder / "docs/learners.md").read_text(encoding="utf-8").partition("## Learn on your own")[0]


def laid_out(folder: Path) -> str:
    init.run(str(folder))
    return readme(folder)


def released(folder: Path) -> str:
    warm.python("-m", "torchdojo", "release", folder, cwd=ROOT, timeout=200)
    return readme(folder)


def readme(folder: Path) -> str:
    return (folder / "README.md").read_text(encoding="utf-8")


ELSEWHERE = ("verify", "release", "catalogue", "course", "init", "grade", "report", "regrade", "result", "new", "deliver", "check")  # not a learner's
OPEN = ("watch", "mcp")  # they wait for a person


def is_for_learners(command: str) -> bool:
    program, *words = shlex.split(command)
    return program == "pytest" or (program == "torchdojo" and words[0] not in (*ELSEWHERE, *OPEN))


@pytest.mark.slow
@pytest.mark.kind("walkthrough")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("edition", [cloned, laid_out, released])
def test_the_commands_for_learners_work(edition, tmp_path: Path) -> None:
    """Those of the pages in each edition, and those that their output proposes: none ends as a wrong command does."""
    folder = tmp_path / "copy"
    text = edition(folder)
    stub = folder / "exercises" / f"{EXERCISE}.py"
    task = stub.read_text(encoding="utf-8")
    waiting = [command for command in sorted(proposed(text, page=True)) if is_for_learners(command)]
    ran: dict[str, int] = {}
    for code in ("", "    return lo\n", ANSWER):  # to do, wrong, done
        stub.write_text(re.sub(r"(?m)^    raise Not.*\n", code or r"\g<0>", task), encoding="utf-8")
        waiting += [f"{program} {EXERCISE}" for program in ("torchdojo hint", "torchdojo solution", "torchdojo break")]
        waiting += [f"pytest exercises/{EXERCISE.replace('/', '/test_')}.py", "torchdojo doctor"]
        while waiting:
            words = filled(waiting.pop(0))
            if words is None or (key := f"{' '.join(words)} with {code!r}") in ran:
                continue
            done = warm.python("-m", *words, cwd=folder, env=os.environ | {"COLUMNS": "200"}, timeout=200)
            ran[key] = done.returncode
            output = done.stdout + done.stderr
            needed = "torchdojo-answers" in output or "no reference solutions" in output or "no graders" in output
            asked = done.returncode == 130 and "Your answer:" in output  # `break` asks, and nobody is there
            assert done.returncode in (0, 1) or asked or (done.returncode == 2 and needed), f"{key}\n{output}"
            waiting += [c for c in sorted(proposed(output, page=False)) if is_for_learners(c)]

    assert len(ran) > 15


def filled(command: str) -> list[str] | None:
    """The words to run, with an exercise in place of EXERCISE; None for an abbreviation, and for pytest on several exercises."""
    words = [EXERCISE.partition("/")[2] if word in ("NAME", "ex05_jacobian", "jacobian") else word for word in shlex.split(command)]
    several = words[0] == "pytest" and not any("/test_" in word or word == "-k" for word in words)
    return None if several or any(PLACEHOLDER.fullmatch(word) for word in words) else words


# ------------------------------------------------------------------ messages of special places
def test_the_doctor_reinstalls_torchdojo_from_where_it_came(tmp_path: Path) -> None:
    """A clone from itself, a released repository from its wheel, an `init` folder from the index."""
    init.run(str(tmp_path / "learn"))
    (tmp_path / "student" / "vendor").mkdir(parents=True)
    (tmp_path / "student" / "vendor" / "torchdojo-0.1.0-py3-none-any.whl").touch()

    assert doctor.source(ROOT) == "-e ."
    assert doctor.source(tmp_path / "student") == "--force-reinstall --no-deps vendor/torchdojo-0.1.0-py3-none-any.whl"
    assert doctor.source(tmp_path / "learn") == doctor.source(None) == "--force-reinstall --no-deps torchdojo"


def test_a_newer_lesson_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """As `update` says: rename your file, run it again."""
    init.run(str(tmp_path))
    lesson = tmp_path / "exercises/01_tensors/README.md"
    lesson.write_text("my notes\n", encoding="utf-8")
    newer = {path: data + b"newer\n" if path.endswith("01_tensors/README.md") else data for path, data in init.content().items()}
    monkeypatch.setattr(init, "content", lambda: newer)
    capsys.readouterr()

    init.run(str(tmp_path))
    assert capsys.readouterr().out.splitlines()[-2:-1] == ["To read a newer version, rename your file, then run: torchdojo update"]
    lesson.rename(lesson.with_name("my_notes.md"))
    init.run(str(tmp_path))
    assert lesson.read_bytes().endswith(b"newer\n") and "To read" not in capsys.readouterr().out


def test_a_broken_file_of_an_edition_is_restored_as_the_message_says(tmp_path: Path) -> None:
    """In an `init` folder by `update`, which git can't do there."""
    init.run(str(tmp_path))
    settings = tmp_path / doctor.SETTINGS
    settings.write_text("{", encoding="utf-8")
    finding = doctor.editor(Dojo(tmp_path))

    assert finding.remedy == "Correct it. Or delete it, then run: torchdojo update"
    settings.unlink()
    init.run(str(tmp_path))
    assert doctor.editor(Dojo(tmp_path)).state != "problem"
