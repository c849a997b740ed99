"""Recognise common slips from the answer alone: what came back, what was wanted, and the arguments.

Needs no secrets, so it serves the visible tests too. A symptom is named only when it fits every example at hand and at
least one of them is wrong; with a choice of several, the first in the list that fits.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch

from torchdojo.compare import Difference, compare
from torchdojo.diagnose.errors import explain_error
from torchdojo.worker.wire import SeenTensor

if TYPE_CHECKING:
    from torchdojo.exercise import Exercise
    from torchdojo.grading.checks import Check
    from torchdojo.oracle import Oracle

TOO_LARGE = "Every value is too large by the number of elements: a sum stands where a mean is asked for."
TOO_SMALL = "Every value is too small by the number of elements: a mean stands where a sum is asked for."

Pair = tuple[torch.Tensor, torch.Tensor, dict[str, torch.Tensor]]


def of_verdict(exercise: Exercise, check: Check, verdict: Any, oracle: Oracle) -> str | None:
    """The symptom of a failed hidden check, tried on all its examples."""
    difference: Difference = verdict.difference
    if difference.rung == "runs":
        return explain_error(difference.got)
    if check.verdict is not None:
        return None
    pairs = []
    for number, outcome in enumerate(verdict.outcomes):
        got = _leaf(outcome.get("value"), difference.path)
        want = _leaf(oracle.outcome(exercise, check, number).get("value"), difference.path)
        if isinstance(got, SeenTensor) and isinstance(want, SeenTensor):
            inputs = {k: v for k, v in oracle.arguments(check, number).items() if isinstance(v, torch.Tensor)}
            pairs.append((got.data, want.data, inputs))
    return symptom(difference, pairs)


def _leaf(value: Any, path: str) -> Any:
    """The leaf of nested containers that a Difference's path names; None when it is not there."""
    from torchdojo.worker.run import leaves

    return dict(leaves(value)).get(path)


def symptom(difference: Difference, pairs: list[Pair]) -> str | None:
    """The likely cause of a difference, from pairs (got, want, arguments) of one leaf over several examples."""
    if difference.rung == "type" and difference.got is None and difference.path:
        return None  # a None inside of the answer, such as a .grad, has other causes than a missing return
    if difference.rung == "type":
        if difference.got is None and "grad" in difference.path:
            return "No gradient arrives there: .detach(), .item(), .data or torch.tensor(...) on the way cuts the graph."
        if difference.got is None and difference.path.endswith("]"):
            return "None stands at this place: it was never computed, or a function ends without `return`."
        return _of_type(difference.got, difference.want)
    if difference.rung == "shape":
        return _of_shape(pairs)
    if difference.rung == "dtype":
        return _of_dtype(difference.got.data.dtype, difference.want.data.dtype)
    if difference.rung == "finite":
        return _of_infinity(pairs)
    if difference.rung == "value":
        return _of_values(pairs)
    return None


def _of_type(got: Any, want: Any) -> str | None:
    if got is None:
        return "A branch of the function ends without `return`."
    if isinstance(want, SeenTensor) and isinstance(got, (int, float)):
        return "`.item()` or `float(...)` turned the tensor into a Python number, which cuts it from the graph."
    if isinstance(want, (int, float)) and isinstance(got, SeenTensor) and got.data.numel() == 1:
        return "A tensor with one element came back where a plain Python number is asked for: `.item()` gives it."
    if isinstance(got, tuple) and len(got) == 1:
        return "A comma at the end makes a tuple of one."
    return None


def _of_shape(pairs: list[Pair]) -> str | None:
    pairs = [p for p in pairs if p[1].numel()]
    wrong = [p for p in pairs if p[0].shape != p[1].shape]
    if not wrong:
        return None

    def every(test: Callable[[tuple[int, ...], tuple[int, ...]], bool]) -> bool:
        return all(test(tuple(g.shape), tuple(w.shape)) for g, w, _ in wrong)

    if every(lambda g, w: len(g) == len(w) >= 2 and g == (*w[:-2], w[-1], w[-2])):
        return "The last two axes are swapped."
    if every(lambda g, w: tuple(n for n in g if n != 1) == tuple(n for n in w if n != 1)):
        if every(lambda g, w: len(g) < len(w)):
            return "An axis of size 1 is missing: keepdim=True, or unsqueeze, keeps it."
        if every(lambda g, w: len(g) > len(w)):
            return "There is an axis of size 1 too many: keepdim or unsqueeze left it there."
    if every(lambda g, w: len(g) > len(w) and g[len(g) - len(w) :] == w):
        return "An axis on the left that broadcasting added was not summed away."
    if every(lambda g, w: len(g) == 2 and g[0] == g[1] and w in ((g[0],), (g[0], 1))):
        return "(N, 1) met (N,): broadcasting made an N by N table. Give both the same shape first."
    return None


def _of_dtype(got: torch.dtype, want: torch.dtype) -> str | None:
    if got == torch.float32 and want == torch.float64:
        return "Something was created or cast in float32, the default, instead of taking the dtype of the input."
    if got == torch.float64 and want == torch.float32:
        return "float64 crept in, from NumPy or a cast; the result should take the dtype of the input."
    if got.is_floating_point and want == torch.int64:
        return "Indices, labels and counts are int64; `.long()` or dtype=torch.int64 makes them so."
    if want == torch.bool:
        return "A mask is bool: the comparison itself gives one."
    return None


def _of_infinity(pairs: list[Pair]) -> str | None:
    shown = [p for p in pairs if p[0].shape == p[1].shape and p[0].is_floating_point()]
    bad = [p for p in shown if not torch.isfinite(p[0]).all() and torch.isfinite(p[1]).all()]
    if bad and all(_largest(arguments) >= 50 for _, _, arguments in bad):
        return "exp overflowed for large inputs; subtract the maximum first, which does not change the answer."
    if bad and any(i for _, _, i in bad) and all(torch.isnan(g).any() for g, _, _ in bad):
        return "0 / 0 or inf - inf gave nan; look at which denominators can be zero."
    return None


def _largest(arguments: dict[str, torch.Tensor]) -> float:
    return max((x.abs().max().item() for x in arguments.values() if x.is_floating_point() and x.numel()), default=0.0)


def _of_values(pairs: list[Pair]) -> str | None:
    usable = [p for p in pairs if p[0].shape == p[1].shape and p[1].numel() and p[0].is_floating_point()]
    wrong = [p for p in usable if compare(SeenTensor(p[0], "cpu"), SeenTensor(p[1], "cpu")) is not None]
    if not wrong:
        return None

    def fits(rule: Callable[[Pair], torch.Tensor | None]) -> bool:
        for pair in usable:
            made = rule(pair)
            if made is None or made.shape != pair[0].shape:
                return False
            if compare(SeenTensor(pair[0], "cpu"), SeenTensor(made.to(pair[0].dtype), "cpu")) is not None:
                return False
        return True

    if fits(lambda p: -p[1]):
        return "Every sign is flipped."
    if fits(lambda p: torch.zeros_like(p[1])):
        return "Everything is zero: the answer does not depend on the input, or a gradient was cut off."
    factor = _factor(wrong)
    if factor is not None and len(wrong) > 1 and fits(lambda p: p[1] * factor):
        return f"Every value is {_fraction(factor)} times what it should be."
    for name in sorted({k for p in wrong for k in p[2]}):
        if fits(functools.partial(_argument, name)):
            return f"{name} came back unchanged."
    for rule, sentence in (
        (lambda p: p[1] * p[1].numel(), TOO_LARGE),
        (lambda p: p[1] / p[1].numel(), TOO_SMALL),
        (lambda p: p[1].float().double(), "The numbers were rounded to float32 on the way; compute in the dtype of the input."),
    ):
        if fits(rule):
            return sentence
    if len(wrong) > 1 and all(torch.equal(g.reshape(-1).sort().values, w.reshape(-1).sort().values) for g, w, _ in usable):
        return "The right numbers are in the wrong places: view and reshape never swap axes, transpose and permute do."
    return None


def _argument(name: str, pair: Pair) -> torch.Tensor | None:
    return pair[2].get(name)


def _factor(wrong: list[Pair]) -> float | None:
    """The one number that the wrong answers are too large by, if there is one."""
    for got, want, _ in wrong:
        index = int(want.abs().reshape(-1).argmax())
        w, g = want.reshape(-1)[index].item(), got.reshape(-1)[index].item()
        if w and math.isfinite(g) and g and abs(g / w - 1) > 1e-4:
            return float(f"{g / w:.10g}") if got.dtype == torch.float64 else float(f"{g / w:.5g}")
    return None


def _fraction(x: float) -> str:
    for denominator in range(1, 13):
        top = x * denominator
        if abs(top - round(top)) < 1e-6 * denominator:
            return str(round(top)) if denominator == 1 else f"{round(top)}/{denominator}"
    return f"{x:.4g}"
