"""What a class hands in: about half of the files right, a tenth odd but right, four tenths wrong. Seeded.

Odd files are the alternatives of `reference/*_variants.py`. Wrong files are, half and half, the known mistakes there and the
reference with one slip that no library knows. An exercise with a `while` loop has no slips: one could wait for ever.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator

from torchdojo.course.edit_calls import edit_call
from torchdojo.course.exercise import Exercise
from torchdojo.mutate.mutants import mutants
from torchdojo.variants import EditedVariant

RIGHT, ODD = 0.5, 0.1  # the rest is wrong


class Answers:
    """The files that learners could hand in for one exercise, by kind."""

    def __init__(self, exercise: Exercise) -> None:
        reference = exercise.reference.read_text(encoding="utf-8")
        mistakes = [*written_out(exercise, "mistake")] if exercise.variants_file.exists() else []
        odd = [*written_out(exercise, "alternative")] if exercise.variants_file.exists() else []
        slips = [] if "while " in reference else [mutant.source for mutant in mutants(reference)]
        self.right, self.odd = [reference], odd or [reference]
        self.wrong = [kind for kind in (mistakes, slips) if kind] or [[f"{reference}\nraise ValueError\n"]]

    def drawn(self, rng: random.Random) -> str:
        """One learner's file."""
        place = rng.random()
        if place < RIGHT:
            return rng.choice(self.right)
        return rng.choice(self.odd if place < RIGHT + ODD else rng.choice(self.wrong))


def is_mark(decorator: ast.expr) -> bool:
    """Does it mark a mistake or an alternative?"""
    return ast.unparse(decorator).startswith(("mistake(", "alternative("))


def written_out(exercise: Exercise, kind: str) -> Iterator[str]:
    """A whole file for each variant of a kind that is an edit, or stands in for one name: the reference, then what the variant puts
    in its place."""
    yield from (v.text for v in exercise.variants if isinstance(v, EditedVariant) and v.kind == kind)
    reference = exercise.reference.read_text(encoding="utf-8")
    body = ast.parse(exercise.variants_file.read_text(encoding="utf-8")).body
    shared = []
    for node in body:
        if isinstance(node, ast.ImportFrom) and node.module == exercise.stem:  # the file has these names, under their own names
            shared += ast.parse("\n".join(f"{a.asname} = {a.name}" for a in node.names if a.asname)).body
        elif (
            (isinstance(node, (ast.Import, ast.Assign)) and edit_call(node) is None)
            or (isinstance(node, ast.ImportFrom) and node.module != "torchdojo.variants")
            or (isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not any(map(is_mark, node.decorator_list)))
        ):
            shared.append(node)
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and len(node.decorator_list) == 1:
            mark = ast.unparse(node.decorator_list[0])
            arguments = getattr(node.decorator_list[0], "args", [])
            if mark.startswith(f"{kind}(") and len(arguments) == 1:
                node.name, node.decorator_list = ast.literal_eval(arguments[0]), []
                yield "\n\n\n".join([reference, *map(ast.unparse, shared), ast.unparse(node)]) + "\n"
