"""How often do causes hit? python benchmarks/feedback.py [--only 04] [--unseen] [--sources] [--held] [--list] [--json FILE]

* unseen: wrong solutions that were written from the stubs alone (tests/unseen) are graded as submissions, and what each is told is
  compared with what readers found: see `unseen.py`. Only a reader decides whether a cause is right. With --unseen, only this runs.
* sources: with --sources, the same solutions are graded, and only this runs: which part of the engine gave each failed check its
  cause, what it takes, how many lines exist for it (`sources.py`). With --json, a run that was stopped goes on where it was.
* in other clothes: each known mistake's code is rewritten without changing what it does (locals renamed, sums and products turned
  round, results put into a variable first). Is it still named?
* two at once: two mistakes of one exercise together. Is one of the two named, or neither, or a third?

The last two run in this process, on the trusted side: the mistakes are ours.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import unseen
from amount import amount

from torchdojo.course.exercise import Exercise, find_dojo, import_trusted
from torchdojo.explain import programs, search
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.session import Session
from torchdojo.sandbox.devices import at_hand
from torchdojo.variants import EditedVariant, Variant
from torchdojo.verify.trusted import Trusted
from torchdojo.worker.reproducible import round_alike


def of_variant(oracle: Oracle, exercise: Exercise, variant: Variant) -> Trusted:
    return Trusted(oracle, lambda: programs.overlaid(exercise, variant), variant.name)


def _twins(exercise: Exercise, oracle: Oracle, one: Variant, other: Variant) -> bool:
    return all(
        programs.same(programs.outcomes_of(oracle, exercise, c, one), programs.outcomes_of(oracle, exercise, c, other), c)
        for c in exercise.grading.checks
    )


# ------------------------------------------------------------------ in other clothes
class Restyle(ast.NodeTransformer):
    """Rewrites that change nothing: a + b to b + a, a * b to b * a, results put into a variable, locals renamed."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        inner = [n for n in ast.walk(node) if isinstance(n, (ast.FunctionDef, ast.Lambda, ast.ClassDef)) and n is not node]
        stored = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        shared = {name for n in ast.walk(node) if isinstance(n, (ast.Global, ast.Nonlocal)) for name in n.names}
        self.generic_visit(node)
        body = []
        for statement in node.body:
            value = statement.value if isinstance(statement, ast.Return) else None
            if value is not None and not isinstance(value, (ast.Name, ast.Constant)):
                body += [ast.Assign([ast.Name("outcome_", ast.Store())], value), ast.Return(ast.Name("outcome_", ast.Load()))]
            else:
                body.append(statement)
        node.body = body
        calls = {getattr(n.func, "id", "") for n in ast.walk(node) if isinstance(n, ast.Call)}
        if not inner and not calls & {"locals", "exec", "eval"}:
            for n in ast.walk(node):
                if isinstance(n, ast.Name) and n.id in stored - shared:
                    n.id = f"{n.id}_mine"
        return node

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        self.generic_visit(node)
        plain = (ast.Name, ast.BinOp, ast.UnaryOp)
        if isinstance(node.op, (ast.Add, ast.Mult)) and isinstance(node.left, plain) and isinstance(node.right, plain):
            texts = ast.unparse(node)
            if not re.search(r"list|shape|size|\[|'|\"|tuple|dim|axes|name|pad|text", texts):  # sums of sequences do not commute
                node.left, node.right = node.right, node.left
        return node


def restyled(exercise: Exercise) -> dict[str, Variant]:
    """The mistakes of an exercise with their code rewritten."""
    from torchdojo.variants import _marked, variants_of

    tree = ast.fix_missing_locations(Restyle().visit(ast.parse(exercise.variants_file.read_text(encoding="utf-8"))))
    module = ModuleType(f"{exercise.stem}_restyled")
    module.__file__ = str(exercise.variants_file)
    _marked.pop(module.__name__, None)
    known = sys.modules.get(exercise.stem)
    sys.modules[exercise.stem] = import_trusted(exercise.reference, exercise.stem)
    exec(compile(tree, "<restyled>", "exec"), module.__dict__)
    if known is not None:
        sys.modules[exercise.stem] = known
    return {v.name: _restyled_edit(v) for v in variants_of(module) if v.kind == "mistake"}


def _restyled_edit(variant: Variant) -> Variant:
    if not isinstance(variant, EditedVariant):
        return variant
    return replace(variant, text=ast.unparse(ast.fix_missing_locations(Restyle().visit(ast.parse(variant.text)))))


def in_other_clothes(exercise: Exercise, oracle: Oracle) -> Counter[str]:
    count: Counter[str] = Counter()
    for variant in [*restyled(exercise).values()][: amount(None, tiny=1)]:
        session = Trusted(oracle, lambda v=variant: programs.overlaid(exercise, v), f"restyled {variant.name}")
        count[_named(session, exercise, {variant.sentence})] += 1
    return count


def _named(session: Session, exercise: Exercise, right: set[str]) -> str:
    found = []
    for check in exercise.grading.checks:
        if session.verdict(exercise, check).status == "failed":
            found += [search.named(session, exercise, check)]
    if any(right.isdisjoint(one.sentence for one in named.mistakes) for named in found if named):
        return "wrong"
    return "right" if any(found) else "none"


# ------------------------------------------------------------------ two at once
def two_at_once(exercise: Exercise, oracle: Oracle) -> Counter[str]:
    """Neighbours in the library that replace different names."""
    known = [v for v in exercise.variants if v.kind == "mistake"]
    count: Counter[str] = Counter()
    for place, one in enumerate(known):
        for other in known[place + 1 :]:
            first, second = one.replacements(), other.replacements()
            if set(first) & set(second) or not first or not second or sum(count.values()) >= amount(12, tiny=1):
                continue
            both = Variant("mistake", f"{one.name} and {other.name}", "", (), lambda a=first, b=second: a | b)
            session = Trusted(oracle, lambda v=both: programs.overlaid(exercise, v), both.name)
            count[_named(session, exercise, {one.sentence, other.sentence})] += 1
    return count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="a chapter or exercise")
    parser.add_argument("--unseen", action="store_true", help="only grade the wrong solutions of tests/unseen")
    parser.add_argument("--sources", action="store_true", help="only print which part of the engine gave each cause")
    parser.add_argument("--held", action="store_true", help="of tests/unseen, those that are held back, and no others")
    parser.add_argument("--list", action="store_true", help="print what the author of each unseen solution is told, or the kinds")
    parser.add_argument("--json", type=Path, help="write what each is told here")
    options = parser.parse_args()
    round_alike()
    dojo = find_dojo(Path(__file__).parent)
    if options.sources:
        unseen.show_sources(dojo, options.only, options.held, options.list, options.json)
        return
    unseen.show(unseen.told(dojo, options.only, options.held), options.list, options.json)
    if options.unseen:
        return
    clothes: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    start = time.process_time()
    only = options.only or amount("", tiny="04_functions/ex03")
    for exercise in dojo.select(only) if only else dojo.exercises:
        if exercise.grader.exists():
            oracle = Oracle(0, devices=at_hand(None))
            clothes += in_other_clothes(exercise, oracle)
            pairs += two_at_once(exercise, oracle)
            print(f"{time.process_time() - start:7.1f} s  {exercise.id}", file=sys.stderr)
    print(f"in other clothes: {clothes['right']} right, {clothes['none']} none, {clothes['wrong']} wrong")
    print(f"two at once: {pairs['right']} one of the two, {pairs['none']} none, {pairs['wrong']} wrong")


if __name__ == "__main__":
    main()
