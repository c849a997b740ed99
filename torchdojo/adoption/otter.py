"""Read an Otter Assign notebook: questions in raw cells (format 1) or in the text cells themselves (format 0, jAssign).

A notebook that Otter has built, with `grader.check("q1")` cells, is read too: its tests are in its metadata or in `tests/q1.py`.
"""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torchdojo.adoption.asserts import asserted, asserted_example
from torchdojo.adoption.questions import Answer, Assignment, Cell, Question, Test, by_hand

FENCE = re.compile(r"^```\w*\n|\n?```\s*$")
BEGIN = re.compile(r"(?:<!--|```\w*)?\s*(?:# ?)?BEGIN QUESTION\s*\n(?P<config>.*?)(?:-->|```|\Z)", re.DOTALL)
CHECK = re.compile(r"^\s*(?:grader|ok)\.(?:check|grade)\(\s*['\"]([\w.-]+)['\"]\s*\)", re.MULTILINE)
TEST_CELL = re.compile(r"#+\s*(hidden\s+)?test\b", re.IGNORECASE)
TEST_CONFIG = re.compile(r'\s*(?:\w+\s*=\s*)?"""\s*# *BEGIN TEST CONFIG\n(.*?)\n?"""\s*;?\s*# *END TEST CONFIG[^\n]*\n?', re.DOTALL)
ASSIGNED = re.compile(r"(\s*[^=()#\s][^=()#]*?[-+*/@%&|^]?=)(?!=)")
SOLUTION = re.compile(r"\s*# ?SOLUTION\s*$")


def is_otter(cells: Sequence[Cell]) -> bool:
    return any(BEGIN.match(_block(c)) or BEGIN.search(c.text) for c in cells if c.kind != "code") or any(map(_checked, cells))


def read(cells: Sequence[Cell], metadata: Mapping[str, Any], folder: Path) -> Assignment:
    """The assignment. metadata: the notebook's. folder: where it lies, with its `tests/`."""
    filed = FiledTests(metadata, folder)
    assignment = Assignment()
    text: list[str] = []
    question: Question | None = None
    config: dict[str, Any] = {}
    part = ""  # in format 1: the block that the cell is in
    prompt: list[Cell] = []
    solved: list[Cell] = []
    inside = False

    def close() -> None:
        nonlocal question, inside
        if question is None:
            return
        _finish(question, config, solved, prompt, filed)
        assignment.questions.append(question)
        question, inside = None, False

    for cell in cells:
        block = _block(cell)
        begin = BEGIN.match(block) or (BEGIN.search(cell.text) if cell.kind == "markdown" else None)
        if begin:
            close()
            config, solved, prompt, part = config_of(begin["config"]), [], [], ""
            own = BEGIN.sub("", cell.text).strip() if cell.kind == "markdown" and not BEGIN.match(block) else ""
            question = Question(str(config.get("name", f"cell{cell.number}")), cell.number, own, "\n\n".join(text))
            inside, text = not own, []  # format 0 has no end
        elif match := re.match(r"# ?(BEGIN|END) (QUESTION|SOLUTION|PROMPT|TESTS|ASSIGNMENT CONFIG)", block):
            part = match[2] if match[1] == "BEGIN" else ""
            if match.group(0).endswith("END QUESTION"):
                close()
        elif re.match(r"# ?ASSIGNMENT CONFIG", block):
            continue
        elif question is None or (not inside and _is_over(cell, question)):
            close()
            if cell.kind == "markdown":
                text.append(cell.text)
            elif cell.kind == "code" and not _checked(cell):
                assignment.given.append((cell.number, cell.python))
            elif name := _checked(cell):
                _from_check(assignment, name, cell, text, filed)
        elif part == "TESTS" or (not inside and _is_test(cell)):
            question.tests.append(_test(cell, question, hidden=bool(config.get("hidden"))))
        elif part == "PROMPT":
            prompt.append(cell)
        elif cell.kind == "markdown" and part != "SOLUTION":
            question.text = f"{question.text}\n\n{cell.text}".strip()
        elif cell.kind == "code" and not _checked(cell):
            if inside and part != "SOLUTION":
                assignment.given.append((cell.number, cell.python))
            else:
                solved.append(cell)
    close()
    return assignment


def _from_check(assignment: Assignment, name: str, cell: Cell, text: list[str], filed: FiledTests) -> None:
    """A question of a notebook that was built: the code cell before its check is the answer."""
    number, code = assignment.given.pop() if assignment.given else (cell.number, "")
    question = Question(name, number, text[-1] if text else "", "\n\n".join(text[:-1]))
    text.clear()
    if code.strip():
        question.answers.append((number, Answer(code, "...", frozenset({1}))))
    filed.add(question)
    assignment.questions.append(question)


def _block(cell: Cell) -> str:
    """What a raw cell says, or a text cell that is nothing but a block of code."""
    text = cell.text.strip()
    if cell.kind == "raw":
        return text
    return FENCE.sub("", text).strip() if cell.kind == "markdown" and re.fullmatch(r"```\w*\n# .*```", text, re.DOTALL) else ""


def _checked(cell: Cell) -> str:
    """The question that a cell has checked by the autograder."""
    match = CHECK.search(cell.text) if cell.kind == "code" else None
    return match[1] if match else ""


def _is_test(cell: Cell) -> bool:
    return cell.kind == "code" and bool(TEST_CELL.match(cell.text.lstrip()) or TEST_CONFIG.match(cell.text))


def _is_over(cell: Cell, question: Question) -> bool:
    """In format 0: does a question end before this cell?"""
    return not _is_test(cell) and (bool(question.tests) or cell.kind != "code")


def config_of(text: str) -> dict[str, Any]:
    """The settings of a question or a test: simple YAML, of which names, numbers, words and lists are read."""
    config: dict[str, Any] = {}
    key = ""
    for line in text.splitlines():
        item = re.match(r"\s*-\s+(\S+)", line)
        match = re.match(r"(\w+)\s*:\s*(.*?)\s*(?:#.*)?$", line)
        if item and isinstance(config.get(key), list):
            config[key].append(_value(item[1]))
        elif match:
            key = match[1]
            config[key] = _value(match[2]) if match[2] else []
    return config


def _value(word: str) -> Any:
    if word.lower() in ("true", "yes", "false", "no"):
        return word.lower() in ("true", "yes")
    try:
        return ast.literal_eval(word)
    except (ValueError, SyntaxError):
        return word


# ------------------------------------------------------------------ answers
def _finish(question: Question, config: dict[str, Any], solved: list[Cell], prompt: list[Cell], filed: FiledTests) -> None:
    for cell in solved:
        answer = answer_of(cell.python)
        if prompt:  # the whole cell is the solution
            student = "\n".join(c.python for c in prompt if c.kind == "code") or "..."
            answer = Answer(answer.solution, student, frozenset(range(1, student.count("\n") + 2)))
        question.answers.append((cell.number, answer))
    if config.get("manual") is True:
        question.problem = by_hand(config.get("points"))
    if not question.tests:
        filed.add(question)
    _share_points(question, config.get("points"))
    if not solved and not question.tests:
        question.problem = question.problem or by_hand(config.get("points"))  # its answer is a text
    if not question.problem and question.answers and not any(answer.marked for _, answer in question.answers):
        question.problem = "no line is marked as its solution"


def answer_of(text: str) -> Answer:
    """The solution and the student's version of a cell, from its markers."""
    solution, student, marked = list[str](), list[str](), set[int]()
    block, missing = "", None  # missing: where a part is left out that no prompt has replaced so far

    def part(line: str) -> None:
        student.append(line)
        marked.add(len(student))

    for line in text.split("\n"):
        bare, indent = line.strip(), line[: len(line) - len(line.lstrip())]
        if re.fullmatch(r"#+ *(solution|no prompt) *#*", bare, re.IGNORECASE) and not SOLUTION.fullmatch(bare):
            continue
        if begin := re.match(r"# ?BEGIN (SOLUTION|IGNORE)( NO PROMPT)?", bare):
            block = begin[1]
            if begin[2]:
                missing = indent
            elif begin[1] == "SOLUTION":
                part(f"{indent}...")
        elif re.match(r'(?:\w+ *= *)?"""\s*# ?BEGIN PROMPT', bare):
            block, missing = "PROMPT", None
        elif re.search(r"# ?END (SOLUTION|IGNORE|PROMPT)", bare):
            block = ""
        elif block == "SOLUTION":
            solution.append(line)
        elif block == "PROMPT":
            part(line)
        elif block == "IGNORE" or re.search(r"# ?IGNORE\s*$", line):
            continue
        elif re.search(r"# ?SOLUTION NO PROMPT\s*$", line):
            solution.append(re.sub(r"\s*# ?SOLUTION NO PROMPT\s*$", "", line))
            missing = indent
        else:
            if missing is not None and bare:
                part(f"{missing}...")
                missing = None
            if SOLUTION.search(line):
                solved = SOLUTION.sub("", line)
                solution.append(solved)
                target = ASSIGNED.match(solved)
                part(f"{target[1]} ..." if target else f"{indent}...")
            else:
                kept = re.sub(r"\s*# ?SEED\s*$", "", line)
                solution.append(kept)
                student.append(kept)
    if missing is not None:
        part(f"{missing}...")
    return Answer("\n".join(solution), "\n".join(student), frozenset(marked))


# ------------------------------------------------------------------ tests
def _test(cell: Cell, question: Question, *, hidden: bool) -> Test:
    """A test cell as an assert."""
    name = f"{question.name}_{len(question.tests) + 1}"
    match, first = TEST_CONFIG.match(cell.text), cell.text.lstrip().partition("\n")[0]
    config = config_of(match[1]) if match else {}
    text = cell.text[match.end() :] if match else cell.text
    if first.startswith("#") and re.fullmatch(r"#+ *(hidden +test|hidden|test) *#* *(hidden)? *#*", first.strip(), re.IGNORECASE):
        hidden = hidden or "hidden" in first.lower()
        text = cell.text.lstrip().partition("\n")[2]
    hidden = bool(config.get("hidden", hidden))
    points = config.get("points")
    test = Test(cell.number, name, "", points=points if isinstance(points, (int, float)) else None)
    try:
        code = Cell(cell.number, "code", text).python
        test.python = asserted(code, cell.outputs, str(config.get("failure_message") or ""))
    except (ValueError, SyntaxError) as error:
        test.problem = str(error)
    test.visible = "" if hidden else test.python
    return test


@dataclass(frozen=True)
class FiledTests:
    """The tests that Otter keeps in the notebook's metadata, or in files of their own beside it, in the OK format."""

    metadata: Mapping[str, Any]
    folder: Path

    def add(self, question: Question) -> None:
        """Add those of a question to it."""
        about = self.metadata.get("otter")
        data = about.get("tests", {}).get(question.name) if isinstance(about, Mapping) else None
        file = self.folder / "tests" / f"{question.name}.py"
        if data is None and file.is_file():
            data = _literal(file.read_text(encoding="utf-8"))
            if data is None:
                problem = f"tests/{file.name} isn't in the OK format"
                question.tests.append(Test(question.cell, f"{question.name}_1", "", problem=problem))
        if isinstance(data, Mapping):
            question.tests += _ok_tests(question, data)
            _share_points(question, data.get("points"))


def _literal(text: str) -> Any:
    """The dictionary that a test file assigns to `test`; None if it does something else."""
    try:
        for node in ast.parse(text).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "test":
                return ast.literal_eval(node.value)
    except (SyntaxError, ValueError):
        pass
    return None


def _ok_tests(question: Question, data: Mapping[str, Any]) -> Iterator[Test]:
    cases = [case for suite in data.get("suites", ()) for case in suite.get("cases", ())]
    for n, case in enumerate(cases, 1):
        test = Test(question.cell, f"{question.name}_{n}", "", points=case.get("points"))
        try:
            examples = doctest.DocTestParser().get_examples(str(case.get("code", "")))
            test.python = "\n".join(line for example in examples for line in asserted_example(example))
        except ValueError as error:
            test.problem = str(error)
        test.visible = "" if case.get("hidden") else test.python
        yield test


def _share_points(question: Question, points: Any) -> None:
    """What each test is worth, as Otter shares it out: the question's points, less those of single tests, in equal parts."""
    tests = question.tests
    if isinstance(points, list) and len(points) == len(tests):
        for test, own in zip(tests, points, strict=True):
            test.points = float(own)
        return
    open_ = [test for test in tests if test.points is None]
    own = sum(test.points or 0 for test in tests)
    whole = float(points) if isinstance(points, (int, float)) else own or 1.0
    for test in open_:
        test.points = max(0.0, whole - own) / len(open_)
