"""Is a sentence about code true of the learner's file? A cause is found by what the code does, so it is held against the file first."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace

from torchdojo.explain.cause import Cause
from torchdojo.explain.own_names import Written, called

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


def _cuts_stand(learner: Written) -> bool:
    """Is something cut off from the graph there? float("-inf") and `eps: float` cut nothing."""
    found = SETS["cuts"] & learner.names
    if found - {"float", "int"} or not found or learner.tree is None:
        return bool(found)
    numbers = (n for n in ast.walk(learner.tree) if isinstance(n, ast.Call) and called(n) in ("float", "int"))
    return any(not isinstance(argument, ast.Constant) for n in numbers for argument in n.args)


def written_over(learner: Written) -> bool:
    """Does the code write into a tensor?"""
    return (
        ast.AugAssign in learner.kinds
        or learner.writes
        or any(name.endswith("_") and not name.endswith("__") for name in learner.names)
    )


def stands(word: str, learner: Written) -> bool:
    """Does the file contain this: one name of a set in SETS, or the syntax of that name in SYNTAX?"""
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
    "a branch": lambda learner: not {ast.If, ast.For, ast.While, ast.Try, ast.Match}.isdisjoint(learner.kinds),
    "an assert": lambda learner: ast.Assert in learner.kinds,
}
"""Syntax that a sentence may need, besides the names in SETS."""
