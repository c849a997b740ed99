"""Can what is said of a slip be true of the learner's file? Nothing is left out that stands there, and nothing stands there that is not there.

A slip is found by what the code does. Its sentence speaks of how the code is written, so it is held against the file first.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace

from torchdojo.explain.cause import Cause
from torchdojo.explain.own_names import Written, called
from torchdojo.mutate.slip import TOO_LONG, Form, Kind, Slip, Step

SETS = {
    name: frozenset(words.split())
    for name, words in {
        "cuts": "detach detach_ data item tolist numpy no_grad inference_mode set_grad_enabled tensor as_tensor from_numpy requires_grad_ float int",
        "reductions": "sum mean max min amax amin prod std var norm argmax argmin any all logsumexp softmax median var_mean std_mean",
        "turns": "T mT t transpose permute movedim swapaxes swapdims moveaxis einsum adjoint H",
        "sides": "sub subtract div divide true_divide matmul mm bmm pow rsub einsum",
        "extremes": "min max amin amax argmin argmax sorted sort topk minimum maximum lt le gt ge",
        "squeezes": "squeeze squeeze_",
        "flattens": "flatten ravel reshape view",
        "cutting": "reshape view flatten unflatten reshape_as view_as chunk",
        "roots": "norm vector_norm matrix_norm sqrt hypot cdist dist pow square_root",
        "sharing": "as_tensor from_numpy frombuffer asarray from_dlpack",
        "copies": "clone copy deepcopy detach to contiguous cpu list dict tensor cat stack",
        "axes": "unsqueeze reshape view keepdim expand None newaxis",
        "viewing": "reshape flatten contiguous clone ravel",
        "sorting": "sorted sort argsort",
        "products": "mul multiply mul_ where prod einsum",
        "makers": "zeros ones full empty tensor Tensor arange linspace eye rand randn randint randperm as_tensor",
        "moves": "to cpu",
        "new memory": "empty empty_like new_empty empty_strided",
        "seeds": "manual_seed seed set_rng_state get_rng_state set_state get_state fork_rng seed_all",
        "losses": "nll_loss NLLLoss cross_entropy CrossEntropyLoss",
        "parameters": "parameters named_parameters",
        "ascontiguousarray": "ascontiguousarray atleast_1d",
        "joins": "cat concat flatten hstack vstack concatenate",
        "joined by shape": "reshape view",
        "numbers": "item float int tolist",
        "bounds": "range arange narrow linspace split chunk unfold tensor_split",
    }.items()
}
CONDITIONS = frozenset((ast.If, ast.IfExp, ast.While, ast.BoolOp, ast.Not, ast.Assert))
SMALL = re.compile(r"\b\d*\.?\d+e-\d+\b|\b0\.0+\d|\beps\w*\b|\bfinfo\b")


def may_be(slip: Slip, learner: Written) -> bool:
    """Could its sentence be true of this file?"""
    asked = _ASKED.get((slip.kind, slip.form)) or _ASKED_OF_KIND.get(slip.kind)
    return asked is None or asked(slip, learner)


Asked = Callable[[Slip, Written], bool]


def _any_of(name: str) -> Asked:
    return lambda slip, learner: not SETS[name].isdisjoint(learner.names)


def _named(*names: str) -> Asked:
    """Does each of these names stand there?"""
    return lambda slip, learner: learner.names.issuperset(names)


def _contains(pattern: re.Pattern[str]) -> Asked:
    return lambda slip, learner: pattern.search(learner.text) is not None


def _any_kind(kind: type[ast.AST], name: str) -> Asked:
    """Does this syntax stand there, or a function that does the same?"""
    return lambda slip, learner: kind in learner.kinds or not SETS[name].isdisjoint(learner.names)


def _cuts(slip: Slip, learner: Written) -> bool:
    return _cuts_stand(learner)


def _cuts_stand(learner: Written) -> bool:
    """Is something cut off from the graph there? float("-inf") and `eps: float` cut nothing."""
    found = SETS["cuts"] & learner.names
    if found - {"float", "int"} or not found or learner.tree is None:
        return bool(found)
    numbers = (n for n in ast.walk(learner.tree) if isinstance(n, ast.Call) and called(n) in ("float", "int"))
    return any(not isinstance(argument, ast.Constant) for n in numbers for argument in n.args)


def _softmax_first(slip: Slip, learner: Written) -> bool:
    words = " ".join(learner.names).lower()
    return "softmax" in words and ("cross_entropy" in words or "crossentropy" in words)


def _new_axis(slip: Slip, learner: Written) -> bool:
    return stands("a new axis", learner)


def _condition(slip: Slip, learner: Written) -> bool:
    return _condition_stands(learner)


def _counts(learner: Written) -> bool:
    """Does a constant stand in a formula or a comparison? Of what is passed in a call, 0, 1 and -1 are axes and starts."""
    nodes = list(ast.walk(learner.tree)) if learner.tree is not None else []
    indices = {id(part) for n in nodes if isinstance(n, ast.Subscript) for part in ast.walk(n.slice)}
    in_formulas = [part for n in nodes if isinstance(n, (ast.BinOp, ast.Compare, ast.AugAssign)) and id(n) not in indices for part in ast.iter_child_nodes(n)]
    passed = [part for n in nodes if isinstance(n, (ast.Call, ast.keyword)) for part in ast.iter_child_nodes(n)]
    return any(_number(part) is not None for part in in_formulas) or any(_number(part) not in (None, 0, 1) for part in passed)


def _number(node: ast.AST) -> float | None:
    """The absolute value of a constant."""
    value = getattr(node.operand if isinstance(node, ast.UnaryOp) else node, "value", None)
    return abs(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def written_over(learner: Written) -> bool:
    """Does something stand there that writes into a tensor?"""
    return (
        ast.AugAssign in learner.kinds
        or learner.writes
        or any(name.endswith("_") and not name.endswith("__") for name in learner.names)
    )


def _two_arguments(slip: Slip, learner: Written) -> bool:
    return any(name == slip.place and number >= 2 for name, number in learner.calls)


def _sides(slip: Slip, learner: Written) -> bool:
    return not {ast.Sub, ast.Div, ast.MatMult, ast.Pow, ast.FloorDiv, ast.Mod}.isdisjoint(learner.kinds) or not SETS[
        "sides"
    ].isdisjoint(learner.names)


def _block(slip: Slip, learner: Written) -> bool:
    """A block that is left out (`with ...`) can be named, is no helper of the reference alone (`_evaluation`), and does not stand there."""
    belongs = slip.belongs
    if isinstance(belongs, Step) or not belongs.startswith("with "):
        return True
    called = belongs.removeprefix("with ").partition("(")[0].rpartition(".")[2]
    return TOO_LONG not in belongs and not called.startswith("_") and called not in (learner.whole or learner).names


def stands(word: str, learner: Written) -> bool:
    """Does this stand in the file: one name of a set in SETS, or the syntax of that name in SYNTAX?"""
    return SYNTAX[word](learner) if word in SYNTAX else not SETS[word].isdisjoint(learner.names)


def held(cause: Cause | None, learner: Written | None) -> Cause | None:
    """The cause as it is true of this file; None where nothing of it is. Of an unknown file everything may be."""
    if cause is None or learner is None or not cause.needs:
        return cause
    told = ((cause.needs, cause.sentence), *cause.otherwise)
    said = next((sentence for needs, sentence in told if not needs or stands(needs, learner)), None)
    return replace(cause, sentence=said, needs="", otherwise=()) if said else None


def _condition_stands(learner: Written) -> bool:
    return not CONDITIONS.isdisjoint(learner.kinds) or learner.chooses or "where" in learner.names


def _indexes_with_none(learner: Written) -> bool:
    return re.search(r"\[[^\]]*None[^\]]*\]", learner.text) is not None


SYNTAX: dict[str, Callable[[Written], bool]] = {
    "a reduction, no squeeze": lambda learner: stands("reductions", learner) and not stands("squeezes", learner),
    "no torch.Tensor": lambda learner: all(name not in ("Tensor", "FloatTensor") for name, _ in learner.calls),
    "a comparison": lambda learner: bool(learner.comparisons),
    "a raise in a condition": lambda learner: ast.Raise in learner.kinds and _condition_stands(learner),
    "keepdim or unsqueeze": lambda learner: not {"keepdim", "unsqueeze", "newaxis"}.isdisjoint(learner.names) or _indexes_with_none(learner),
    "a new axis": lambda learner: not SETS["axes"].isdisjoint(learner.names) or _indexes_with_none(learner),
    "a division": lambda learner: not {ast.Div, ast.FloorDiv}.isdisjoint(learner.kinds) or not {"div", "divide", "true_divide", "mean"}.isdisjoint(learner.names),
    "a cut": _cuts_stand,
    "switches requires_grad": lambda learner: "requires_grad_" in learner.names or re.search(r"\.requires_grad = ", learner.text) is not None,
    "a bound": lambda learner: ast.Slice in learner.kinds or not SETS["bounds"].isdisjoint(learner.names) or learner.steps_by_one,
    "arithmetic": lambda learner: not {ast.BinOp, ast.AugAssign}.isdisjoint(learner.kinds),
    "an assert": lambda learner: ast.Assert in learner.kinds,
}
"""Syntax that a sentence may need, besides the names in SETS."""


_ASKED_OF_KIND: dict[Kind, Asked] = {
    Kind.ADD_DETACH: _cuts,
    Kind.ADD_TRANSPOSE: _any_of("turns"),
    Kind.AGAIN: lambda slip, learner: learner.repeats,
    Kind.CHANGE_LOGIC: _condition,
    Kind.CHANGE_NUMBER: lambda slip, learner: _counts(learner),
    Kind.COPIED: _any_of("copies"),
    Kind.CUT_ANEW: _any_of("cutting"),
    Kind.DEALT: _any_of("cutting"),
    Kind.DROP_DIM: _any_of("reductions"),
    Kind.DROP_GRAD_MODE: _block,
    Kind.EXCHANGED: lambda slip, learner: slip.form is not Form.PLAIN or _two_arguments(slip, learner),
    Kind.EXTREME: lambda slip, learner: bool(learner.comparisons) or not SETS["extremes"].isdisjoint(learner.names),
    Kind.FLIP_FLAG: lambda slip, learner: learner.flags,
    Kind.IN_PLACE: lambda slip, learner: written_over(learner),
    Kind.LEFT_OUT: _block,
    Kind.MASK_PRODUCT: _any_kind(ast.Mult, "products"),
    Kind.MEMORY: _named("data"),
    Kind.NAN: lambda slip, learner: bool(learner.comparisons),
    Kind.NEGATE_CONDITION: _condition,
    Kind.NO_HISTORY: _named("grad_fn"),
    Kind.OPPOSITE: _condition,
    Kind.PRECISION: _contains(re.compile(r"\b3\.14")),
    Kind.PUT_BACK: _new_axis,
    Kind.RETURN_INPUT: lambda slip, learner: learner.returns_argument,
    Kind.ROOTED: _any_kind(ast.Pow, "roots"),
    Kind.SHARES: _any_of("sharing"),
    Kind.SLOPE: _any_kind(ast.Mult, "products"),
    Kind.SMALL_NUMBER: _contains(SMALL),
    Kind.SORTED: _any_of("sorting"),
    Kind.SUBCLASS: _named("type"),
    Kind.SWAP_ARGUMENTS: lambda slip, learner: any(number >= 2 for _, number in learner.calls),
    Kind.SWAP_OPERANDS: _sides,
    Kind.SWAP_REDUCTION: _any_of("reductions"),
    Kind.TABLE: _new_axis,
    Kind.TOGGLE_KEEPDIM: _named("keepdim"),
    Kind.TWICE: lambda slip, learner: learner.repeats or not {ast.For, ast.While}.isdisjoint(learner.kinds),
    Kind.VIEW: _any_of("viewing"),
    Kind.WRONG_COUNT: lambda slip, learner: stands("a division", learner),
}
_ASKED: dict[tuple[Kind, Form], Asked] = {
    (Kind.DETACHED, Form.PLAIN): _cuts,
    (Kind.DETACHED, Form.OTHER_SIDE): _cuts,
    (Kind.FUNCTION, Form.SOFTMAX): _softmax_first,
    (Kind.FUNCTION, Form.NORM): _any_kind(ast.Pow, "roots"),
    (Kind.IN_PLACE, Form.IN_DATA): _named("data"),
    (Kind.NESTED, Form.PLAIN): lambda slip, learner: learner.counts(str(slip.belongs)) < 2,
    (Kind.ORDER, Form.PLAIN): lambda slip, learner: isinstance(slip.place, str) and learner.has(slip.place),
    (Kind.SQUEEZED, Form.PLAIN): _any_of("squeezes"),
    (Kind.SQUEEZED, Form.FLATTENED): _any_of("flattens"),
    (Kind.SWAP_REDUCTION, Form.SUM): lambda slip, learner: True,
    (Kind.TOGGLE_KEEPDIM, Form.DROPPED): _any_of("reductions"),
    (Kind.TRUTH, Form.PLAIN): _condition,
}
"""What must stand in a file so that the sentence can be true of it; of the kinds that are missing here nothing is asked."""
