"""Symptoms by asking the oracle something else: is the answer right for other arguments than those that were given?

An argument that has no effect, two that changed places, an upstream gradient that is taken for 1: for each such idea the
oracle runs on the changed inputs, and the idea is named when it gives what came back, on every input. Hidden side only.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.rules import other_uses
from torchdojo.explain.symptoms import leaf
from torchdojo.explain.topics import Topic, speaks_of
from torchdojo.judge.compare import compare
from torchdojo.wire.strict import SeenTensor
from torchdojo.worker import probes

if TYPE_CHECKING:
    from torchdojo.course.exercise import Exercise
    from torchdojo.grading.checks import Check
    from torchdojo.judge.oracle import Oracle

MOST_IDEAS, MOST_INPUTS = 100, 12

Change = Callable[[dict[str, Any]], "dict[str, Any] | None"]


def cause(
    exercise: Exercise,
    check: Check,
    got: list[Any],
    whole: list[Any],
    wrong: list[int],
    path: str,
    oracle: Oracle,
    known: set[str],
) -> Cause | None:
    """got: the leaf at `path` for each run (None: there was none); whole: the whole answers; wrong: which runs are wrong there. known: the names to speak of.

    The first idea that explains every wrong run (MOST_INPUTS of them), and leaves right ones right.
    """
    if not wrong or exercise.grading.oracle is None:
        return None
    right = [n for n in range(len(got)) if n not in wrong and got[n] is not None]
    tried = wrong[: MOST_INPUTS - 4] + right[:4]
    if handed := _handed_on(exercise, check, got, tried, path, oracle):
        return handed
    fitting: list[Cause] = []
    for number, (kind, sentence, change, ones) in enumerate(_ideas(check, oracle, known)):
        if number >= MOST_IDEAS:
            break
        if kind is Kind.TABLE and any(isinstance(got[n], (bool, str)) for n in wrong):
            continue  # of a fact about the input, which the changed input has by its other layout
        answers = (agrees(exercise, check, n, change, ones, path, (got[n], whole[n]), oracle) for n in tried)
        if _explains(list(_until_false(answers)), len(tried)):
            fitting.append(Cause(kind, sentence))
    sentences = {c.sentence for c in fitting}
    if not fitting and speaks_of(path, Topic.GRAD):
        return _without_gradient(exercise, check, got, whole, tried, path, oracle, known)
    return other_uses.cause(exercise, check, got, tried, path, oracle) if not fitting else fitting[0] if len(sentences) == 1 else None


def _without_gradient(
    exercise: Exercise, check: Check, got: list[Any], whole: list[Any], tried: list[int], path: str, oracle: Oracle, known: set[str]
) -> Cause | None:
    """Gradients that are right for NAME = 0, while the value is right: a part of the formula is detached from the graph."""
    if "." not in path:
        return None
    top = path.partition(".")[0]
    values_right = all(
        isinstance(whole[n], dict)
        and {k for k in whole[n] if k != top}
        and all(compare(part, oracle.outcome(exercise, check, n).value.get(k), check.tolerance) is None for k, part in whole[n].items() if k != top)
        for n in tried
    )
    for name in [n for n in oracle.arguments(check, 0) if n in known and values_right]:
        if all(isinstance(oracle.arguments(check, n).get(name), (int, float)) for n in tried):
            gradients = [whole[n][top] for n in tried]
            answers = [agrees(exercise, check, n, lambda a, name=name: a | {name: type(a[name])(0)}, True, top, (g, None), oracle, ones=False) for n, g in zip(tried, gradients, strict=True)]
            if _explains(answers, len(tried)):
                said = f"The value is right, but the gradients are those for {name} = 0: the part with {name} is not in the graph (a plain number, detach, no_grad). Keep it a tensor."
                return Cause(Kind.DETACHED, said)
    return None


def _handed_on(exercise: Exercise, check: Check, got: list[Any], tried: list[int], path: str, oracle: Oracle) -> Cause | None:
    """The upstream gradient itself, without multiplying it by a derivative."""
    if "upstream" not in check.function.__globals__ or not all(isinstance(got[n], SeenTensor) for n in tried):
        return None
    wrong = edited = 0
    for n in tried:
        device, number = oracle.runs(check)[n]
        drawn: list[tuple[torch.Tensor, torch.Tensor]] = []

        def noted(y: torch.Tensor, rng: torch.Generator, layout: str, drawn: list[Any] = drawn) -> torch.Tensor:
            made = probes_upstream(y, rng, layout)
            drawn.append((made, made.clone()))
            return made

        with _upstream_is(check, noted):
            want = oracle.supposed(exercise, check, oracle.arguments(check, n), number, device)
        same = [t for t, before in drawn if compare(got[n], SeenTensor(before.cpu(), got[n].device), check.tolerance) is None]
        if not same:
            return None
        if compare(got[n], leaf(want.value, path), check.tolerance) is not None:
            wrong += 1
            edited += all(not torch.equal(t, before) for t, before in drawn if any(t is s for s in same))
    if wrong < 2:
        return None
    if edited:
        return Cause(Kind.INPUT, "It still has its initial value: nothing changed it.")
    if not speaks_of(path, Topic.OF_BACKWARD):  # no backward of the learner's: autograd has followed the result
        said = "The upstream gradient passes through unchanged: the other operations on the input are missing, or cut off from the graph (detach, no_grad)."
        return Cause(Kind.DETACHED, said)
    return Cause(Kind.UPSTREAM, "You return the upstream gradient unchanged: multiply it by the local derivative (chain rule).")


def _until_false(answers: Iterator[bool | None]) -> Iterator[bool | None]:
    for answer in answers:
        yield answer
        if answer is False:
            return


def _explains(answers: list[bool | None], wanted: int) -> bool:
    """Every run agrees (or the idea does not touch it, None), and at least two do because of it, or one that tells much."""
    return len(answers) == wanted and False not in answers and sum(a is True for a in answers) >= 2


def _ideas(check: Check, oracle: Oracle, known: set[str]) -> Iterator[tuple[Kind, str, Change, bool]]:
    """(kind, sentence, how the arguments change, are upstream gradients 1?)"""
    if "upstream" in check.function.__globals__ and "rng" in check.function.__code__.co_varnames:
        said = "The upstream gradient is ignored: multiply the local derivative by it (chain rule)."
        yield Kind.UPSTREAM, said, lambda arguments: arguments, True
    examples = [oracle.arguments(check, n) for n in range(len(oracle.runs(check)))]
    names = [n for n in examples[0] if n not in ("rng", "device")] if examples else []
    for name in names:
        values = [e[name] for e in examples if name in e]
        if all(isinstance(v, dict) for v in values):
            for key in dict.fromkeys(k for v in values for k in v if k in known):
                plain = [v[key] for v in values if key in v]
                for kind, said, to in _changes(f"{key}", plain):
                    yield kind, said, lambda a, n=name, k=key, to=to: _inside(a, n, k, to), False
        elif name in known:
            for kind, said, to in _changes(name, values):
                yield kind, said, lambda a, n=name, to=to: _outside(a, n, to), False
    names = [n for n in names if n in known]
    yield from _full_lengths(names, examples)
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            pairs = [(e[one], e[other]) for e in examples if one in e and other in e]
            if pairs and all(_alike(a, b) for a, b in pairs):
                yield Kind.EXCHANGED, f"{one} and {other} are swapped.", lambda a, x=one, y=other: a | {x: a[y], y: a[x]}, False


def _full_lengths(names: list[str], examples: list[dict[str, Any]]) -> Iterator[tuple[Kind, str, Change, bool]]:
    """Lengths of rows that are all treated as the full length."""
    tensors = {n: [e[n] for e in examples] for n in names if all(isinstance(e.get(n), torch.Tensor) for e in examples)}
    for name, values in tensors.items():
        if all(v.dtype == torch.int64 and v.dim() == 1 for v in values):
            for other, whole in tensors.items():
                for axis in range(1, min(v.dim() for v in whole)):
                    said = f"{name} has no effect: your answer is what you get if every entry of {name} is {other}.shape[{axis}]."
                    yield Kind.IGNORED, said, lambda a, n=name, o=other, d=axis: a | {n: torch.full_like(a[n], a[o].shape[d])}, False


def _alike(a: Any, b: Any) -> bool:
    if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
        return a.shape == b.shape and a.dtype == b.dtype
    return type(a) is type(b) and isinstance(a, (int, float, str)) and not isinstance(a, bool)


def _outside(arguments: dict[str, Any], name: str, to: Callable[[Any], Any]) -> dict[str, Any] | None:
    return arguments | {name: to(arguments[name])} if name in arguments else None


def _inside(arguments: dict[str, Any], name: str, key: str, to: Callable[[Any], Any]) -> dict[str, Any] | None:
    return arguments | {name: arguments[name] | {key: to(arguments[name][key])}} if key in arguments[name] else arguments


def _changes(name: str, values: list[Any]) -> Iterator[tuple[Kind, str, Callable[[Any], Any]]]:
    if all(isinstance(v, torch.Tensor) for v in values):
        if all(v.is_floating_point() for v in values):
            yield Kind.IGNORED, f"{name} has no effect: your answer is the one for {name} = 0.", torch.zeros_like
            yield Kind.SIGN_OF, f"Your answer is the one for -{name}: a minus sign is missing, or there is one too many.", lambda v: -v
            said = f"Your answer is what you get if every entry of {name} is replaced by their mean: each row is combined with all of them instead of its own."
            yield Kind.TABLE, said, lambda v: v.mean().expand_as(v).clone() if v.numel() else v
        elif all(v.dtype == torch.bool for v in values):
            yield Kind.OPPOSITE, f"You use {name} the wrong way around: True as False, and False as True.", torch.logical_not
        return
    if all(isinstance(v, bool) for v in values):
        yield Kind.OPPOSITE, f"The meaning of {name} is inverted: True does what False should do.", lambda v: not v
    plain = [v for v in values if v is None or isinstance(v, (bool, int, float, str))]
    for value in list(dict.fromkeys(repr(v) for v in plain))[:6]:
        actual = next(v for v in plain if repr(v) == value)
        yield Kind.IGNORED, f"{name} has no effect: your answer is always the one for {name} = {value}.", lambda v, to=actual: to
    if values and all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values):
        yield Kind.IGNORED, f"{name} has no effect: your answer is always the one for {name} = 0.", lambda v: type(v)(0)
        yield Kind.IGNORED, f"{name} has no effect: your answer is always the one for {name} = 1.", lambda v: type(v)(1)
        yield Kind.SIGN_OF, f"Your answer is the one for -{name}: a minus sign is missing, or there is one too many.", lambda v: -v
        if any(isinstance(v, float) for v in values) and all(0 <= v <= 1 for v in values):
            yield Kind.COMPLEMENT, f"Your answer is the one for 1 - {name}: {name} and 1 - {name} are swapped.", lambda v: 1 - v
    if values and all(isinstance(v, int) and not isinstance(v, bool) for v in values):
        yield Kind.OFF_BY_ONE, f"Your answer is the one for {name} + 1: off by one.", lambda v: v + 1
        yield Kind.OFF_BY_ONE, f"Your answer is the one for {name} - 1: off by one.", lambda v: v - 1


def agrees(
    exercise: Exercise,
    check: Check,
    number: int,
    change: Change,
    alone: bool,
    path: str,
    got: tuple[Any, Any],
    oracle: Oracle,
    ones: bool | None = None,
) -> bool | None:
    """Does the oracle's answer to the changed input equal what came back? None: it is the right answer as well.

    alone: only the place at `path` has to agree; ones: upstream gradients are 1 (None: where the place has to agree alone).
    """
    arguments = oracle.arguments(check, number)
    try:
        changed = change(arguments)
    except Exception:  # an idea that does not suit these values
        return False
    if changed is None:
        return False
    device, n = oracle.runs(check)[number]
    with _ones_upstream(check) if (alone if ones is None else ones) else contextlib.nullcontext():
        made = oracle.supposed(exercise, check, changed, n, device)
    if made.raised is not None:
        return False
    answer = leaf(made.value, path)
    if compare(got[0], answer, check.tolerance) is not None:
        return False
    if not alone and compare(got[1], made.value, check.tolerance) is not None:
        return False  # an argument that has no effect has none on the rest of the answer either
    want = leaf(oracle.outcome(exercise, check, number).value, path)
    return True if compare(answer, want, check.tolerance) is not None else None


probes_upstream = probes.upstream


def _ones_upstream(check: Check) -> contextlib.AbstractContextManager[None]:
    """Every upstream gradient is 1, for as long as this lasts."""
    return _upstream_is(check, lambda y, rng, layout: torch.ones_like(probes_upstream(y, rng, layout)))


@contextlib.contextmanager
def _upstream_is(check: Check, made: Callable[[torch.Tensor, torch.Generator, str], torch.Tensor]) -> Iterator[None]:
    """Upstream gradients are created differently."""

    def upstream(y: torch.Tensor, rng: torch.Generator, layout: str = "contiguous") -> torch.Tensor:
        return made(y, rng, layout)

    with mock.patch.dict(check.function.__globals__, {"upstream": upstream}), mock.patch.object(probes, "upstream", upstream):
        yield
