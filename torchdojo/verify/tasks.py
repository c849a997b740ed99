"""Find what a task leaves out, by reading: arguments that nothing explains, missing imports, long symptoms."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from collections.abc import Iterator

from torchdojo.course.exercise import Exercise
from torchdojo.course.task import sections_of
from torchdojo.learner.symptom import symptom_of

OBJECTS = ("self", "cls", "ctx")  # every class has them, or every Function
SYMPTOM_WORDS = 150


def gaps(exercise: Exercise) -> Iterator[str]:
    """A sentence for each argument without an explanation and each missing import, and for what is wrong with a symptom."""
    stub = ast.parse(exercise.stub.read_text(encoding="utf-8"))
    for definition, name in sorted(unexplained(stub)):
        problem = f"{exercise.stub.name}: nothing says what the argument {name} of {definition} is."
        yield f"{problem} Name it in the docstring, above or below the example."
    missing = modules_needed(ast.parse(exercise.reference.read_text(encoding="utf-8"))) - _beside(exercise)
    bound = modules_bound(stub)
    for module in sorted(m for m in missing if not any(f"{m}.".startswith(f"{b}.") for b in bound)):
        yield f"{exercise.stub.name}: the reference imports {module}, and the stub doesn't. Import it, or torch, in the stub."
    text = symptom_of(exercise.stub.read_text(encoding="utf-8"))
    if (words := len(text.split())) > SYMPTOM_WORDS:
        problem = f"{exercise.stub.name}: there are {words} words before the code."
        yield f"{problem} Show the symptom in at most {SYMPTOM_WORDS}."
    if text and f"`torchdojo symptom {exercise.stem}`" not in text:
        yield f"{exercise.stub.name}: say how to see the symptom: `torchdojo symptom {exercise.stem}` runs the program."


def unexplained(stub: ast.Module) -> Iterator[tuple[str, str]]:
    """(function or class, argument) for each argument that no docstring around it names, examples aside."""
    is_repair = "REPAIRED" in ast.unparse(stub)
    for node in stub.body:
        if isinstance(node, ast.FunctionDef):
            functions = [node]
        elif isinstance(node, ast.ClassDef):
            functions = [inner for inner in node.body if isinstance(inner, ast.FunctionDef)]
        else:
            continue
        for function in functions:
            if not is_repair and not _is_to_write(function):
                continue
            text = "\n".join(map(_words, (stub, node, function)))
            given = function.args
            every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
            names = [argument.arg for argument in every if argument and argument.arg not in OBJECTS]
            yield from ((node.name, name) for name in names if not re.search(rf"\b{name}\b", text))


def _is_to_write(function: ast.FunctionDef) -> bool:
    """Is it, or a part of it, for the learner to write? What is given is there to be read."""
    return "NotImplementedError" in ast.unparse(function)


def _words(node: ast.Module | ast.ClassDef | ast.FunctionDef) -> str:
    return "\n".join(section.text for section in sections_of(ast.get_docstring(node) or "") if section.heading != "Example")


def modules_needed(reference: ast.Module) -> set[str]:
    """The modules that are imported, or from which something is, without Python's own: learners know how to import those."""
    modules = modules_bound(reference)
    for node in reference.body:
        if isinstance(node, ast.ImportFrom) and node.module and not all(_is_module(f"{node.module}.{a.name}") for a in node.names):
            modules.add(node.module)
    return {module for module in modules if module.partition(".")[0] not in sys.stdlib_module_names}


def modules_bound(tree: ast.Module) -> set[str]:
    """The modules that a file's imports give names to, and with them everything inside."""
    modules = {a.name if a.asname else a.name.partition(".")[0] for n in tree.body if isinstance(n, ast.Import) for a in n.names}
    froms = (f"{n.module}.{a.name}" for n in tree.body if isinstance(n, ast.ImportFrom) for a in n.names)
    return modules | {name for name in froms if _is_module(name)}


def _is_module(name: str) -> bool:
    if name.partition(".")[0] in sys.stdlib_module_names:
        return False
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def _beside(exercise: Exercise) -> set[str]:
    """The modules of the chapter that a reference may import."""
    files = exercise.lesson.parent.rglob("*.py")
    return {file.relative_to(exercise.lesson.parent).with_suffix("").as_posix().replace("/", ".") for file in files}
