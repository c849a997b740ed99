"""Make exercises of the questions of a notebook: one each, or a reason why not."""

from __future__ import annotations

import ast
import functools
import keyword
import operator
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from torchdojo.adoption.context import Entry, Needs, entries_of, names_bound, names_used, needs_of
from torchdojo.adoption.given_files import IMPORT, GivenFiles
from torchdojo.adoption.questions import Answer, Assignment, Question, Test, as_section, spoken
from torchdojo.adoption.stubs import stub_body, without_displays
from torchdojo.adoption.testfiles import Module, TestFile, Unsuitable
from torchdojo.adoption.trial import failures
from torchdojo.adoption.writer import Draft, first_line
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.submission.notebook_code import parsed

TITLE = "{title}"  # stands in a stub until all exercises of the chapter are known


@dataclass(frozen=True)
class Left:
    """What isn't converted. cell: its number. what: a question, or a test of one. why: the reason."""

    cell: int
    what: str
    why: str

    def __str__(self) -> str:
        what = f", {self.what}" if self.what != f"cell{self.cell}" else ""
        return f"cell {self.cell}{what}: {self.why}"


@dataclass
class Converted:
    """The exercises of a notebook, and what is left. cells: the tests' cells, by exercise and the test's name in its file."""

    drafts: list[Draft] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)
    cells: dict[tuple[str, str], int] = field(default_factory=dict)


def convert(assignment: Assignment, dojo: Dojo, chapter: str, source: str, beside: GivenFiles) -> Converted:
    """Convert, run each solution on its tests, and convert again without the tests that fail.

    source: the notebook's name. The exercises are added to the dojo's.
    """
    conversion = Conversion(assignment, dojo, chapter, source, beside)
    known, failing = [*dojo.exercises], dict[int, str]()
    while True:
        dojo.exercises[:] = known
        converted = conversion.run(failing)
        given_files = beside.files([text for d in converted.drafts for text in (d.reference, d.tests, d.visible)])
        problems = {converted.cells[test]: why for test, why in failures(converted.drafts, given_files).items()}
        if not problems.keys() - failing.keys():
            break
        failing |= problems
    for draft in converted.drafts:  # now that all positions in the chapter are known
        draft.stub = draft.stub.replace(TITLE, first_line(draft.exercise, dojo), 1)
    return converted


class Conversion:
    """A notebook that becomes exercises of a chapter. source: its name. beside: the files where it lies."""

    def __init__(self, assignment: Assignment, dojo: Dojo, chapter: str, source: str, beside: GivenFiles) -> None:
        self.dojo, self.chapter, self.source = dojo, chapter, source
        self.questions = [_adapted(question, beside) for question in assignment.questions]
        given = [(number, beside.adapted(code)) for number, code in assignment.given]
        self.entries = entries_of(IMPORT, 0)
        parts: list[tuple[int, str, int | None, bool]] = [(number, code, None, False) for number, code in given]
        for n, question in enumerate(self.questions):
            parts += [(number, answer.solution, n, False) for number, answer in question.answers]
            parts += [(test.cell, test.python, n, True) for test in question.tests]
        for number, code, owner, is_test in sorted(parts, key=operator.itemgetter(0)):
            self.entries += entries_of(code, number, owner, is_test)

    def run(self, failing: Mapping[int, str]) -> Converted:
        """The exercises. failing: why the solution doesn't pass a test, by the number of its cell: such a test is left."""
        done, stems = Converted(), dict[int, str]()
        for n, question in enumerate(self.questions):
            if question.problem:
                done.left.append(Left(question.cell, question.name, question.problem))
                continue
            try:
                self._add(n, question, done, stems, failing)
            except Unsuitable as problem:
                done.left.append(Left(question.cell, question.name, str(problem)))
        return done

    def _add(self, n: int, question: Question, done: Converted, stems: dict[int, str], failing: Mapping[int, str]) -> None:
        if not question.answers:
            raise Unsuitable("it has no answer cell")
        if not question.tests:
            raise Unsuitable("it has no test")
        answer: Answer = functools.reduce(operator.add, (answer for _, answer in question.answers))
        if parsed(answer.solution) is None:
            raise Unsuitable("its solution is not valid Python")
        exercise = Exercise(self.dojo.root, f"{self.chapter}/{self._stem(question, answer, stems)}")
        solution = without_displays(answer.solution)
        needs = self._needs(n, question, solution, stems)
        context = _ordered(needs, {owner: (self.questions[owner].answers[0][0], stem) for owner, stem in stems.items()})
        names = names_bound(solution) | {name for e in needs.entries if not e.imports for name in e.binds}
        names |= {name for owned in needs.owners.values() for name in owned}
        known = {name for e in self.entries if e.imports and e.owner is None for name in e.binds}
        module = Module(exercise.stem, names - (_imported(solution) & known), n, self.entries, stems)
        hidden, visible = TestFile(module), TestFile(module)
        points = _add_tests(question, hidden, visible, done, failing)
        stems[n] = exercise.stem
        others = [hidden.text, visible.text, *(e.text for e in self.entries if e.owner != n)]
        asked = {*re.findall(r"\w+", " ".join(others))}
        body = stub_body(Answer(solution, answer.student, answer.marked), exercise.id, asked)
        helpers = [e.node.name for e in needs.entries if isinstance(e.node, (ast.FunctionDef, ast.AsyncFunctionDef))]
        text = "\n\n".join([spoken(question.text), *[f"{name} is complete." for name in [*helpers, *body.complete]]])
        cells = f"{self.source}, cells {question.cell} to {question.tests[-1].cell}"
        self.dojo.exercises.append(exercise)
        done.drafts.append(
            Draft(
                exercise=exercise,
                source=cells,
                stub=_docstring(f"{TITLE}\n\nDifficulty 2 of 5, about 10 minutes.\n\n{text.strip()}") + _code(context, body.text),
                reference=f'"""The solution of {question.name}."""\n' + _code(context, solution),
                tests=f'"""Tests of {question.name}, adopted from {cells}."""\n\n{hidden.text}',
                modules=[exercise.stem],
                points=points,
                visible=visible.text if visible.functions else "",
                lesson=as_section(question.lesson or question.text),
            )
        )

    def _needs(self, n: int, question: Question, solution: str, stems: Mapping[int, str]) -> Needs:
        """What an answer takes from other cells. Raises Unsuitable."""
        before = [e for e in self.entries if e.cell < question.answers[0][0] and not e.is_test]
        needs = needs_of(names_used(solution), before, n)
        if needs.missing:
            raise Unsuitable(f"it uses {needs.missing[0]}, which no cell before it defines")
        for owner, names in needs.owners.items():
            if owner not in stems:
                other = self.questions[owner]
                raise Unsuitable(f"it uses {names[0]}, the answer of {other.name} in cell {other.cell}, which isn't converted")
        return needs

    def _stem(self, question: Question, answer: Answer, stems: Mapping[int, str]) -> str:
        """The name of the exercise's file: after its only function or class, else after the question."""
        core = [int(e.stem[2:4]) for e in self.dojo.exercises if e.chapter == self.chapter and e.place == "ex"]
        number = max(core, default=0) + 1
        taken = {e.stem.partition("_")[2] for e in self.dojo.exercises}
        nodes = ast.parse(answer.solution).body
        defined = [n.name.lower() for n in nodes if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and not n.name.startswith("_")]
        asked = re.sub(r"[^a-z0-9]+", "_", question.name.lower()).strip("_")
        names = [*defined[:1] * (len(defined) == 1), f"{self.chapter.partition('_')[2]}_{asked}"]
        usable = (n for n in names if re.fullmatch(r"[a-z0-9_]+", n) and not keyword.iskeyword(n) and n not in taken)
        name = next(usable, f"{names[-1]}_{question.cell}")
        if number > 99:
            raise Unsuitable("the chapter has 99 exercises already")
        return f"ex{number:02d}_{name}"


def _adapted(question: Question, beside: GivenFiles) -> Question:
    answers = [(number, Answer(beside.adapted(a.solution), beside.adapted(a.student), a.marked)) for number, a in question.answers]
    tests = [Test(t.cell, t.name, beside.adapted(t.python), beside.adapted(t.visible), t.points, t.problem) for t in question.tests]
    return Question(question.name, question.cell, question.text, question.lesson, answers, tests, question.problem)


def _add_tests(
    question: Question, hidden: TestFile, visible: TestFile, done: Converted, failing: Mapping[int, str]
) -> dict[str, float]:
    """Add the tests of a question to the two files; the points by test. Raises Unsuitable if none can be converted."""
    points, left, stem = dict[str, float](), list[Left](), hidden.module.stem
    for test, worth in zip(question.tests, _points(question), strict=True):
        try:
            if reason := test.problem or failing.get(test.cell, ""):
                raise Unsuitable(reason)
            if not worth and not test.visible:
                raise Unsuitable("it is worth 0 points")
            if worth:
                name = hidden.add(test, test.python)
                points[name] = worth
                done.cells[stem, name] = test.cell
            if test.visible:
                done.cells[stem, visible.add(test, test.visible)] = test.cell
        except Unsuitable as problem:
            left.append(Left(test.cell, f"a test of {question.name}", str(problem)))
    if not points:
        reasons = "; ".join(dict.fromkeys(each.why for each in left)) or "all its tests are worth 0 points"
        raise Unsuitable(f"none of its tests can be converted: {reasons}")
    done.left += left
    return points


def _points(question: Question) -> list[float]:
    """The points of each test; 1 each if they are worth nothing together."""
    points = [1.0 if test.points is None else test.points for test in question.tests]
    return points if sum(points) else [1.0] * len(points)


def _imported(code: str) -> set[str]:
    imports = [n for n in ast.parse(code).body if isinstance(n, (ast.Import, ast.ImportFrom))]
    return {(a.asname or a.name).partition(".")[0] for n in imports for a in n.names}


def _ordered(needs: Needs, homes: Mapping[int, tuple[int, str]]) -> str:
    """What a question needs, as code: imports first, then statements and answers of earlier questions in the notebook's order."""
    imports = list(dict.fromkeys(e.text for e in needs.entries if e.imports))
    parts: list[tuple[int, Entry | None, str]] = [(e.cell, e, e.text) for e in needs.entries if not e.imports]
    for owner, names in needs.owners.items():
        cell, stem = homes[owner]
        parts.append((cell, None, f"from {stem} import {', '.join(sorted(names))}"))
    parts.sort(key=operator.itemgetter(0))
    blocks = ["\n".join(imports)] * bool(imports)
    for _, entry, text in parts:
        blocks.append(f"\n{text}\n" if entry is not None and entry.defines else text)
    return "\n".join(blocks)


def _code(context: str, body: str) -> str:
    text = "\n\n\n".join(part.strip("\n") for part in (context, body) if part.strip())
    text = "\n" * text.startswith(("def ", "class ", "@", "async ")) + text
    return "\n" + re.sub(r"\n{4,}", "\n\n\n", text) + "\n"


def _docstring(text: str) -> str:
    """A module's docstring; a raw one if it has a backslash, as formulas do."""
    quoted = text.replace('"""', "'''").strip()
    quoted += " " * quoted.endswith('"')
    raw = "r" if "\\" in quoted else ""
    return f'{raw}"""{quoted}\n"""\n'
