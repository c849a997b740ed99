"""Tell a known mistake to a learner whose file may be written in another way.

A mistake is found by what the code does. Its sentence may name what its author wrote, `is_causal=True` for example; a file that does
the same by other means is told a comparison.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from typing import TYPE_CHECKING

from torchdojo.explain.own_names import Written, written
from torchdojo.explain.programs import Named
from torchdojo.variants import EditedVariant, Variant

if TYPE_CHECKING:
    from torchdojo.course.exercise import Exercise

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
        "roots": "norm vector_norm matrix_norm sqrt hypot cdist dist pow square_root",
        "sharing": "as_tensor from_numpy frombuffer asarray from_dlpack",
        "copies": "clone copy deepcopy detach to contiguous cpu list dict tensor cat stack",
        "axes": "unsqueeze reshape view keepdim expand None newaxis",
        "sorting": "sorted sort argsort",
        "products": "mul multiply mul_ where prod einsum",
        "makers": "zeros ones full empty tensor Tensor arange linspace eye rand randn randint randperm as_tensor",
        "seeds": "manual_seed seed set_rng_state get_rng_state set_state get_state fork_rng seed_all",
        "losses": "nll_loss NLLLoss cross_entropy CrossEntropyLoss",
        "parameters": "parameters named_parameters",
        "joins": "cat concat flatten hstack vstack concatenate",
        "bounds": "range arange narrow linspace split chunk unfold tensor_split",
    }.items()
}
"""Names of which a sentence may give one for all."""
COMPARED = "Your code behaves like code with this mistake: "
CODE = re.compile(r"\b(\w+)(?=\(|=\w)|(?<=\w)\.(\w+)|(?<!\w)\.(\w+)|\b(\w*[a-z]_[a-z]\w*)\b")
"""A name in a sentence that can only be code: with a bracket, a value, a dot or an underscore."""
PLAIN = frozenset(
    ["sum", "mean", "min", "max", "any", "all", "where", "list", "dict", "to", "data", "copy", "sort", "norm", "abs", "square", "pow", "item", "float", "int", "contains", "t", "T", "none"]
)
"""Names of functions that are words of a sentence as well."""
COMPARISON = re.compile(r"(?<![\w<>=!-])(<=|>=|==|!=|<|>)(?![\w<>=-])")
UNMISTAKABLE = frozenset(name for names in SETS.values() for name in names) - PLAIN


def told(exercise: Exercise, named: Named, learner: Written | None) -> str:
    """Known mistakes, worded for this learner."""

    def words(variant: Variant) -> str:
        alike = [v for v in exercise.variants if v.kind == "mistake" and v.sentence == variant.sentence]  # one mistake, written in several ways
        said = [of_variant(exercise, v, learner) for v in alike or [variant]]
        return variant.sentence if variant.sentence in said else min(said)

    return named.told(words)


def of_variant(exercise: Exercise, variant: Variant, learner: Written | None) -> str:
    """The mistake's sentence; as a comparison where the code that it names is not in the learner's file."""
    if learner is None:
        return variant.sentence
    words, signs = _code_in(variant.sentence), set(COMPARISON.findall(variant.sentence))
    theirs, ours = _written(_text(variant)), _written(exercise.reference.read_text(encoding="utf-8"))
    named, compared = words & (theirs.names - ours.names), signs & (theirs.comparisons - ours.comparisons)
    alike = {word for names in SETS.values() if not named.isdisjoint(names) for word in names if word in words}
    names_code = bool(named or compared)
    is_there = not names_code or learner.names & (named | alike) or (compared and learner.comparisons.issuperset(compared))
    return variant.sentence if is_there else f"{COMPARED}{variant.sentence}"


def _code_in(sentence: str) -> set[str]:
    found = {name for groups in CODE.findall(sentence) for name in groups if name}
    return found | (UNMISTAKABLE & set(re.findall(r"\w+", sentence)))


def _text(variant: Variant) -> str:
    if isinstance(variant, EditedVariant):
        return variant.text
    try:
        return textwrap.dedent(inspect.getsource(variant.body))
    except (OSError, TypeError):
        return ""


def _written(text: str) -> Written:
    return written(text.encode()) or Written("", frozenset(), frozenset())
