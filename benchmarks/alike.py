"""How well `torchdojo alike` tells copies from answers that are alike by chance: python benchmarks/alike.py [CHAPTER ...]

Classes are made of the course's variants and of the answers in tests/unseen, which `alike` doesn't know. No code runs but that
of the variants files, which are the course's own.
"""

from __future__ import annotations

import ast
import functools
import random
import sys
from pathlib import Path

from amount import amount

from torchdojo.classroom import alike
from torchdojo.commands.alike import known_answers
from torchdojo.course.exercise import Dojo, Exercise

ROOT = Path(__file__).resolve().parents[1]
SIZES = (8, 30, 200)


class Renamed(ast.NodeTransformer):
    """Other names for the variables of functions."""

    def __init__(self, names: set[str]) -> None:
        self.names = {name: f"value_{n}" for n, name in enumerate(sorted(names))}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)


def disguised(source: str, rng: random.Random) -> str:
    """A copy: variables renamed, functions and keywords reordered, comments added, and the layout changed."""
    tree = ast.parse(source)
    inside = [n for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) for n in ast.walk(f) if isinstance(n, ast.Name)]
    stored = {n.id for n in inside if isinstance(n.ctx, ast.Store)}
    parameters = {a.arg for a in ast.walk(tree) if isinstance(a, ast.arg)}
    shared = {n for g in ast.walk(tree) if isinstance(g, ast.Global | ast.Nonlocal) for n in g.names}
    top = {n.id for s in tree.body for n in ast.walk(s) if isinstance(s, ast.Assign) and isinstance(n, ast.Name)}
    tree = Renamed(stored - parameters - shared - top).visit(tree)
    for call in (n for n in ast.walk(tree) if isinstance(n, ast.Call)):
        rng.shuffle(call.keywords)
    places = [n for n, s in enumerate(tree.body) if isinstance(s, ast.FunctionDef)]
    moved = [tree.body[n] for n in places]
    rng.shuffle(moved)
    for place, function in zip(places, moved, strict=True):
        tree.body[place] = function
    lines = ast.unparse(ast.fix_missing_locations(tree)).splitlines()
    return "\n".join(line + "  # my own idea" * (rng.random() < 0.2 and '"""' not in line) for line in lines) + "\n"


def unseen(exercise: Exercise) -> list[str]:
    """The answers to an exercise that nothing of the course was made from."""
    folder = ROOT / "tests" / "unseen" / exercise.chapter
    return [f.read_text(encoding="utf-8") for f in sorted(folder.glob(f"{exercise.stem}--*.py"))]


def main() -> int:
    rng = random.Random(0)
    alike._shapes = functools.lru_cache(None)(alike._shapes)  # the same sources stand in many classes
    dojo = Dojo(ROOT)
    exercises = [e for word in sys.argv[1:] for e in dojo.select(word)] or dojo.graded()[: amount(None, tiny=3)]
    looked, pairs, false, planted, caught = 0, 0, [], dict.fromkeys(SIZES, 0), dict.fromkeys(SIZES, 0)
    for exercise in exercises:
        stub, reference = (f.read_text(encoding="utf-8") for f in (exercise.stub, exercise.reference))
        known, others = known_answers(exercise), unseen(exercise)
        if len(others) < 2:
            continue
        look = functools.partial(alike.groups, exercise.id, stub, reference, known)
        class_of_200 = {f"s{n}": source for n, source in enumerate(others)}
        class_of_200 |= {f"k{n}": rng.choice(known) for n in range(200 - len(others))}
        false += [(exercise.id, g.students) for g in look(class_of_200)]
        looked += 1
        pairs += len(others)
        for size in SIZES:
            for original in others:
                rest = [o for o in others if o != original] + known
                answers = {f"s{n}": rng.choice(rest) for n in range(size - 2)} | {"original": original}
                copied = disguised(original, rng)
                own = alike.groups(exercise.id, stub, reference, [], {"a": original, "b": original})
                if not own:
                    continue  # of few statements, so left out
                planted[size] += 1
                caught[size] += any({"original", "copy"} <= set(g.students) for g in look(answers | {"copy": copied}))
    print(f"{looked} exercises, {pairs} unseen answers; false groups in classes of 200: {len(false)} {false[:5]}")
    for size in SIZES:
        print(f"class of {size}: {caught[size]} of {planted[size]} planted copies found")
    return 0


if __name__ == "__main__":
    sys.exit(main())
