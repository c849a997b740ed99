"""How often do causes hit? python benchmarks/feedback.py [--only 04] [--first] [--list], or --unseen [--held] [--list]

Every known mistake is submitted in turn. Printed are three tables:

* left out: the mistake is not in the library, by name, nor any that behaves the same. What do symptoms and the ladder say?
* in other clothes: the mistake's code is rewritten without changing what it does (locals renamed, sums and products turned
  round, results put into a variable first). Is it still named?
* two at once: two mistakes of one exercise together. Is one of the two named, or neither, or a third?

What counts as a right cause when the mistake is left out is decided by words, not by hand: each mistake has a sentence that
was written for its author; a message is right when its cause (or the step of the ladder) and that sentence speak of the same
thing, by the list WORDS below, or share a name in code. Of the messages of a mistake's failed checks the best one counts,
unless one of them is wrong. A cause that does not is counted as `unclear`, and --list prints each
for reading. `place` are messages without a cause whose title or place ("requires_grad of dw: got True") names what the
sentence names; they are not counted as right. A cause that is another mistake's sentence is `wrong`.

Runs in this process, on the trusted side: the mistakes are ours. With --unseen, wrong solutions that were written from the stubs
alone are graded as submissions instead: see `unseen.py`.
"""

from __future__ import annotations

import argparse
import ast
import json
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
from torchdojo.explain import causes, mistakes, one_of_several, two_mistakes
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.result import Verdict
from torchdojo.judge.session import Session
from torchdojo.sandbox.devices import at_hand
from torchdojo.variants import EditedVariant, Variant
from torchdojo.verify.trusted import Trusted
from torchdojo.worker.reproducible import round_alike

GRAPH = "graph|detach|grad|no_grad|histor|\\.data|item|learn|cut|constant|record"
WORDS = {  # kind of a symptom, or step of the ladder: what the mistake's own sentence must speak of
    "sign": "sign|minus|negat|subtract|uphill|wrong way|revers|other way|turned|lower|increase|grow|down",
    "zero": f"zero|\\b0\\b|clear|empt|nothing|relu|lost|forg|detach|{GRAPH}",
    "float32": "float32|digits|precision|dtype|round|float64|half",
    "precision": "digit|float32|precision|small number|eps|round|lost|slightly|accura|3\\.14|too early|off|e ",
    "count": "mean|averag|sum|divid|number of|times too|each|scale|twice|every|add|once|factor|batch|count|root",
    "factor": "times|factor|half|twice|double|divid|scale|multipl|sum|mean|averag|lr|accum|1 -|once|two|beta|momentum|small|large",
    "input": "unchanged|nothing|itself|did not|back|copy|still|own|left|same|memory|new tensor|move|no longer|other axes|original",
    "bias": "add|bias|shift|missing|forg|subtract|plus|left out|intercept|lack",
    "term": "sign|minus|subtract|add",
    "product": "multipl|factor|scale|times|product|missing|chain|slope|through|local|inner",
    "offset": "one too|off by|by one|\\b1\\b|one more|one less|begin|count|first|last|too many|too few|extra|once|never|last",
    "function": "exp|log|root|square|softmax|relu|round|sigmoid|tanh|abs|cumul|running|sum|appl|twice|again|already|total|whole",
    "complement": "1 -|one minus|keep|other",
    "inverse": "divid|multipl|invers",
    "opposite": "opposite|turned|not|exchang|wrong way|round|instead|inver|True|False",
    "transposed": "transpos|swap|axes|axis|order|first|row|column|shape|permut|last|triangle|future",
    "order": "order|row|revers|first|last|permut|sort|shuffl|backwards|other",
    "step": "behind|ahead|before|after|late|early|previous|shift|off by|last|first|begin|next|step|start|1",
    "places": "place|order|view|reshape|transpos|swap|axes|axis|row|column|permut|first|memory|number|front|back|layout",
    "keepdim": "keepdim|axis|size 1|squeeze|unsqueeze|shape|1s|column|keep",
    "table": "table|every|broadcast|N, N|\\(N, 1\\)|pair|column|N by N|N x N",
    "unbroadcast": "sum|broadcast|axis|axes|stretch|batch|row|example|every|table|column|shape",
    "not expanded": "expand|size 1|shape|broadcast|repeat|axis|stretch",
    "all reduced": "axis|dim|one number|everything|all|sum|mean|reduce",
    "axis lost": "axis|axes|dim|sum|lost|flat|one number|row|index|stack|new",
    "axis left": "axis|sum|mean|left|still|dim|table|every|index|row|extra",
    "other dim": "axis|dim|row|column|other|wrong",
    "off by one": "one|off|\\b1\\b|last|first|begin|end|length|largest|count|size",
    "dtype": "dtype|float|int|bool|double|precision|half|type",
    "device": "device|cpu|gpu",
    "mask": "mask|True|False|padd|real|position|allowed|forbid",
    "masked nan": "nan|mask|row|empty|0 / 0",
    "kink": "\\b0\\b|zero|boundar|kink|equal|<|>|end|strict|threshold|slope|tie|half|limit",
    "sign of": "sign|minus|negativ|positiv|below|above|absolut|down|larger|smaller|clamp|relu|side|0|small|large",
    "nan in": "nan",
    "place": "first|last|front|begin|end|row|start|only|one|each",
    "diagonal": "diagonal|itself",
    "overflow": "exp|overflow|large|max|inf|nan|subtract|huge",
    "nan": "nan|zero|divi|inf|\\b0\\b",
    "inf": "inf|zero|divi|log|\\b0\\b|large",
    "upstream": "upstream|grad|arrive|above|slope|chain|multipl|come|weight|\\bv\\b|ones",
    "ignored": "no effect|ignor|always|forg|use|only|default|never|fix|written into|lost|missing|not |constant|handed|whatever",
    "exchanged": "swap|exchang|order|place|wrong way|first|second|other|instead|mixed|turned|with x|of x",
    "detached": GRAPH + "|None|cut|new tensor|leaf",
    "graph kept": GRAPH,
    "none": "None|never|missing|return|forg|no gradient|not ",
    "not none": "None|gradient|zero|needs no|frozen|left|still|clear|differ",
    "item": "item|number|float|graph|python|tensor",
    "tensor": "item|number|float|tensor|plain|python|0-dim",
    "comma": "tuple|comma",
    "division": "divi|//|/|int|float|whole",
    "container": "list|tuple|dict|container|names|kind",
    "no error": "raise|error|check|refus|accept|valid|ValueError|assert|compare|pass|went on|silent|let|opened|any",
    "error": "raise|error|refus|exception|crash|ValueError|allow|assert|accept|kind|type",
    "empty": "empty|memory|uninitial|fill|zeros",
    "random": "random|seed|generator|chance|draw",
    "state": "default|global|kept|remember|share|call|again|second|once|state|mode|twice|no_grad|setting|record",
    "edited": "edit|save_for_backward|ctx",
    "upstream written": "in place|chang|grad|write|wrote|given",
    # what a plain answer, a size or a number is instead
    "constant": "always|every|whatever|all|never|each|constant|same|said that",
    "quantity": "(?!)",  # the quantity itself must be shared in words
    "contiguous": "contiguous",
    "memory behind": "memory|storage|comparing sizes",
    "one axis": "axes|axis|vector|1-D",
    "no elements": "empty|no elements|size 0",
    "vanished": "tiny|small|lost|log1p|expm1|underflow|round",
    "clamped": "clamp|cut|limit|once|same|largest|smallest|minimum|maximum|at most|relu",
    "spacing": "step|end|gap|between|linspace",
    "one less": "n - 1|rows - 1|one less|correction|unbiased|Bessel|- 1",
    "row scale": "divid|spread|std|norm|length|scale|largest",
    "string": "string|str\\(|name|object",
    "flattened": "flat|reshape|shape|axes|axis|table|join",
    "copy": "copy|copies|share|memory",
    "no copy": "copy|copies|share|memory|clone",
    "layout": "contiguous|memory|layout|view",
    "question": "(?!)",  # what a quiz says to every wrong answer: it must share words with the mistake's sentence
    "when": "",  # the condition itself must be named
    "changed": "in place|chang|copy|caller|overwrit|write|wrote|original|input|clone|work on",
    "marked": "requires|grad|backward|leaf|mark|left",
    "shares": "share|memory|copy|view|itself|same|own|alias|clone|new tensor|returned x",
    "rule": "",  # the rule itself says what was used
    # what checks record
    "mode": "mode|eval|train|flag|dropout|batch norm",
    "autograd": "autograd",
    "kept object": "same|new|copy|copie|replac|in place|object|anew",
    "random state": "random|generator|seed|draw|drew",
    "printed": "print|warn",
    "leaf": "leaf|leaves",
    "too often": "twice|again|each|every|once|second|one|all|times|more|count",
    "too seldom": "once|never|only|before|lost|missing|skip",
    "not registered": "list|regist|Parameter|plain|attribute|buffer|does not see|do not look|missing",
    "registered": "regist|Parameter|buffer|part of|state_dict|new key|still|names",
    "missing": "missing|left out|lost|only|alone|forg|without|hold|never",
    "surplus": "still|extra|too|also|as well|old|part of the|again",
    "autocast": "autocast|precision",
    "moved": "move|stay|left where|in place",
    "left behind": "move|behind|stay|device",
    "position": "first|last|smallest|largest|length|position|index|place",
    "word": "",  # one of the two words must be spoken of
    # what the rest of the answer tells
    "one kind": "bias|weight|buffer|parameter|gradient of",
    "one for another": "same|own|memory|live|copy|copies|swap|exchang|instead|other",
    "running statistics": "running|statistic|batch norm|buffer|eval",
    "entries": "entry|entries|list|loop|early|collect|append|empty|plot",
    # what is noted step by step
    "stays": "backward fills|leaf|added|left|stay|itself|others|alone|touch|was not",
    "alias": "same|one and the|copy|item|clone|live",
    "running": "before|zero|reset|set back|all the|begin|clear|earlier|add",
    "stands still": "used up|once|empty|again|list|never|first",
    "carried": "pile|clear|accum|velocity|state|average|count|kept|keep|earlier|before|old|memory|share|first|used up|each step",
    # slips in statements and expressions
    "again": "again|second time|once more|new weights|afterwards|after the|later|too late|last epoch",
    "unweighted": "count|weigh|samples|batch",
    "last only": "last|only|alone|add",
    "once": "once|before|after|each|every|first|per|reset|set back|begin|start|outside|inside",
    "twice": "twice|two|second|again",
    "order of steps": "before|after|first|late|early|order|last|then|until|between",
    "every round": "each|every|once|inside|loop|again|per|reset|set back",
    "unpacked": "swap|exchang|chang|order|place|first|second",
    "truth": "zero|\\b0\\b|false|truth|None|empty|`if`",
    "subclass": "type|isinstance|subclass|Parameter|named tuple",
    "squeezed": "squeeze|axis|axes|shape|flat|column|table|dim|broadcast|reshape",
    "inside": "before|after|inside|outside|parenthes|whole|each|square|root|norm|mean of",
    "read once": "new value|later|no effect|constructor|every step|first",
    "walked once": "once|generator|used up|list",
    "zero as none": "zero",
    "neighbour": "",
    "extreme": "high|low|larg|small|best|worst|max|min",
    "wrong_count": "count|number|divid|size|calls|mean|averag",
    "parameters": "paramet|buffer|weight|bias|layer|module|children|frozen",
    "round": "last|first|never|result of the one before|missing|left out|one (too|more|less)|each|original|once",
    "nested": "before|after|between|input|first|order|on the result",
    "made anew": "creat|fresh|new|random|every call",
    "another method": "fit|stat|stored|own input|chang|use",
    "slope": "slope|multipl|1 or 0|0 or 1|value|mask|True|False",
    "gradient": "sign|grad|frozen|requires_grad|size|exactly",
    "rebound": "name|assign|copy|in place|noth|memory",
    "memory": "memory|\\.data|new|share|copy|view",
    "copied": "cop(y|ies)|reshape|flatten",
    "power": "power|\\*\\*|step|fade",
    "small number": "small|eps|added|exact|1e-",
    "axes": "axis|axes|dim|batch|examples|rows|columns",
    "names": "name|prefix|number|begin",
    "buffers": "buffer",
    "shared": "share|class|self|both",
    "threshold": "small|tiny|limit|unit|1e-",
    "ignore_parameter": "no effect|ignor|always|forg|use|only|default|never|lost|missing|not |constant|whatever",
    "swap_reduction": "sum|mean|averag|max|min|largest|smallest|any|all|add",
    "in_place": "in place|\\.data|overwrit|written|copy|new tensor|same tensor|chang",
    "wrong_name": "",  # one of the names must be spoken of
    "border": "border|first or last|outside|clamp|end",
    "off diagonal": "diagonal|own input|apart",
    "message": "message|text|name",
    "other name": "name",
    "large": "large|big|clip|cut|satur",
    "not cleared": "clear|old|kept|before|set to zero",
    "last axis": "last axis|axes|axis",
    "share": "weigh|count|share|rows|mean",
    "equal parts": "equal|chunk|split|size",
    "first few": "first|two|only|more",
    "put back": "axis|keepdim|unsqueeze|shape",
    "cut anew": "reshape|view|transpos|swap",
    "dealt": "order|before|block|neighbour|wov|every|dealt|cut|join",
    "view": "copy|copies|view|reshape",
    "other axis": "row|column|axis|dim|each|whole|one mean",
    "mask product": "mask|multipl|product|inf|nan|where|index",
    "regrouped": "whole|only|applied|parenthes|sum|term|both|as well|outside|inside",
    "rounding": "round|halves|floor|even",
    "rooted": "root|square|norm|length",
    "contains": "end|begin|contain|anywhere|in it|prefix|suffix",
    "sorted": "order|sort",
    "no history": "grad_fn|histor|leaf|requires_grad",
    "from the end": "left|right|first|last|column by column|row by row|order|turned|reversed",
    "case": "",
    "left out": "missing|left out|forg|without|never|no longer|lost|gone|away|does not|was not|were not|only",
}


def of_variant(oracle: Oracle, exercise: Exercise, variant: Variant) -> Trusted:
    return Trusted(oracle, lambda: mistakes.overlaid(exercise, variant), variant.name)


# ------------------------------------------------------------------ 1. left out
def left_out(exercise: Exercise, oracle: Oracle) -> list[dict[str, str]]:
    """For each mistake: is it told a right cause when the library does not hold it?"""
    known = [v for v in exercise.variants if v.kind == "mistake"]
    rows = []
    for variant in known[: amount(None, tiny=1)]:
        session = of_variant(oracle, exercise, variant)
        verdicts = {c: session.verdict(exercise, c) for c in exercise.grading.checks}
        without = {variant.name, *(v.name for v in known if v is not variant and _twins(exercise, oracle, variant, v))}
        told = [_told(session, exercise, c, verdicts, without, variant) for c, v in verdicts.items() if v.status == "failed"]
        best = min(told, key=lambda t: ORDER.index(t["verdict"])) if told else {"verdict": "none", "said": "", "kind": ""}
        rows.append({"exercise": exercise.id, "mistake": variant.name, "sentence": variant.sentence, **best})
    return rows


ORDER = ("wrong", "right by symptom", "right by ladder", "unclear", "place", "none")


def _twins(exercise: Exercise, oracle: Oracle, one: Variant, other: Variant) -> bool:
    return all(
        mistakes.same(mistakes.outcomes_of(oracle, exercise, c, one), mistakes.outcomes_of(oracle, exercise, c, other), c)
        for c in exercise.grading.checks
    )


def _told(
    session: Session, exercise: Exercise, check: Any, verdicts: dict[Any, Verdict], without: set[str], variant: Variant
) -> dict[str, str]:
    difference = verdicts[check].difference
    assert difference is not None
    named = mistakes.named(session, exercise, check, without) or one_of_several.named(session, exercise, check, without)
    if named:
        same_words = named == variant.sentence
        return {"verdict": "right by symptom" if same_words else "wrong", "said": named, "kind": "library", "check": check.name}
    cause = causes.of_verdict(exercise, check, verdicts[check], session.oracle, verdicts)
    ladder = f"{difference.path} {difference.sentence}"
    kind = cause.kind.value if cause else difference.rung if difference.rung in WORDS else ""
    said = cause.sentence if cause else difference.sentence
    if kind == "explained":
        said += f" ({difference.sentence})"
    if difference.rung == "rule" or (check.verdict is not None and not cause):
        kind, right = "judge", difference.rung == "rule" or _shared(said + " " + check.title, variant.sentence) >= 2
        verdict = "right by ladder" if right else "none"
    elif kind:
        verdict = ("right by symptom" if cause else "right by ladder") if _same_thing(kind, said, variant.sentence) else "unclear"
    else:
        verdict = "place" if _shared(ladder + " " + check.title, variant.sentence) >= 2 else "none"
    return {"verdict": verdict, "said": said, "kind": kind, "check": check.name}


def _same_thing(kind: str, said: str, sentence: str) -> bool:
    words = WORDS.get(kind)
    if words and re.search(words, sentence, re.IGNORECASE):
        return True
    if kind == "explained":  # what an error means
        return _shared(said, sentence) >= 1
    names = {n for pattern in (r"`([^`]+)`", r"where (\w+) (?:is|has|holds)", r"^(\w+) has no") for n in re.findall(pattern, said)}
    if any(re.search(rf"(?<!\w){re.escape(n.partition('(')[0].rpartition('.')[2])}(?!\w)", sentence) for n in names):
        return True
    return words is None or (words == "" and not names) or _shared(said, sentence) >= 2


COMMON = {
    *("that", "this", "with", "from", "have", "been", "which", "where", "every", "must", "does", "than", "when", "them", "they"),
    *("their", "there", "what", "only", "into", "each", "wanted", "instead"),
}


def _shared(one: str, other: str) -> int:
    """How many words of substance two texts share, endings aside."""

    def stems(text: str) -> set[str]:
        return {w[:5] for w in re.findall(r"[a-z_]{4,}", text.lower()) if w not in COMMON}

    return len(stems(one) & stems(other))


# ------------------------------------------------------------------ 2. in other clothes
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
        session = Trusted(oracle, lambda v=variant: mistakes.overlaid(exercise, v), f"restyled {variant.name}")
        count[_named(session, exercise, {variant.sentence})] += 1
    return count


def _named(session: Session, exercise: Exercise, right: set[str]) -> str:
    found = []
    for check in exercise.grading.checks:
        if session.verdict(exercise, check).status == "failed":
            found += [next((s for library in LIBRARIES if (s := library.named(session, exercise, check))), None)]
    if any(not any(sentence in said for sentence in right) for said in found if said):
        return "wrong"
    return "right" if any(found) else "none"


LIBRARIES = (mistakes, two_mistakes, one_of_several)


# ------------------------------------------------------------------ 3. two at once
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
            session = Trusted(oracle, lambda v=both: mistakes.overlaid(exercise, v), both.name)
            count[_named(session, exercise, {one.sentence, other.sentence})] += 1
    return count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default=amount("", tiny="04_functions/ex03"), help="a chapter or exercise")
    parser.add_argument("--first", action="store_true", help="only the first table")
    parser.add_argument("--unseen", action="store_true", help="grade the wrong solutions of tests/unseen")
    parser.add_argument("--held", action="store_true", help="with --unseen: grade those that are held back, and no others")
    parser.add_argument("--list", action="store_true", help="print what each mistake was told that is not right")
    parser.add_argument("--json", type=Path, help="write every row here")
    options = parser.parse_args()
    round_alike()
    dojo = find_dojo(Path(__file__).parent)
    if options.unseen:
        unseen.show(unseen.told(dojo, amount(options.only, tiny=""), options.held), options.list, options.json)
        return
    rows: list[dict[str, str]] = []
    clothes: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    start = time.process_time()
    for exercise in dojo.select(options.only) if options.only else dojo.exercises:
        if not exercise.grader.exists():
            continue
        oracle = Oracle(0, devices=at_hand(None))
        rows += left_out(exercise, oracle)
        if not options.first:
            clothes += in_other_clothes(exercise, oracle)
            pairs += two_at_once(exercise, oracle)
        print(f"{time.process_time() - start:7.1f} s  {exercise.id}", file=sys.stderr)
    total = len(rows)
    counts = Counter(r["verdict"] for r in rows)
    print(f"left out ({total} mistakes):")
    for verdict in ORDER:
        print(f"  {verdict:<18}{counts[verdict]:>5}  {counts[verdict] / total:6.1%}")
    if not options.first:
        print(f"in other clothes: {clothes['right']} right, {clothes['none']} none, {clothes['wrong']} wrong")
        print(f"two at once: {pairs['right']} one of the two, {pairs['none']} none, {pairs['wrong']} wrong")
    if options.list:
        for r in rows:
            if not r["verdict"].startswith("right"):
                print(f"\n{r['exercise']} {r['mistake']}: {r['verdict']} ({r['kind']})")
                print(f"  told  {r['said']}\n  own   {r['sentence']}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
