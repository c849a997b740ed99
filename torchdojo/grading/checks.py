"""Define hidden checks: small functions that run once on the submission and once on the oracle.

The function gets `solution` and the drawn arguments, does what a user of the solution would do, and returns what it observes.
The engine compares the two observations leaf by leaf. A check without an expected value from the oracle has a judge function
instead. A check of a rule returns an answer, which is compared, and an observation, which is judged: it passes only if the
answer is right.
"""

from __future__ import annotations

import difflib
import dis
import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from torchdojo.common.errors import AuthorError
from torchdojo.common.levels import LEVELS
from torchdojo.grading.cases import draw_examples
from torchdojo.limits import CHECK_SECONDS
from torchdojo.worker.rules import STOPPED, matches

Judge = Callable[..., "str | tuple[str, str] | tuple[str, str, str] | None"]


class Forbidden(str):
    """What a judge or a rule returns if the solution did what the stub forbids: the exercise then has no points, in all its checks.

    A plain sentence costs only its own check."""


@dataclass(eq=False)
class Check:
    """One hidden check; see `check` for the meaning of the fields."""

    function: Callable[..., Any]
    specs: dict[str, Any]
    points: float = 1
    star: bool = False
    tolerance: tuple[float, float] | None = None
    forbids: dict[str, str] = field(default_factory=dict)
    because: str = ""
    allows: tuple[str, ...] = ()
    beside: bool = False
    random: bool = False
    aliasing: str = "none"
    mutates: tuple[str, ...] | None = None
    seconds: float = CHECK_SECONDS
    minimum: int | dict[str, int] = 0
    dtypes: Sequence[str] = ("float64", "float32")
    devices: bool = True
    about_device: bool = False
    examples: Sequence[dict[str, Any]] = ()
    needs: tuple[str, ...] = ()
    secret: bool = False
    reveal: str = ""
    verdict: Judge | None = None
    adopted: bool = False  # a test that pytest runs beside the learner's code, see `adopted`
    rules: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rules = self.own_rules()

    def own_rules(self) -> dict[str, str]:
        """The sentence for each pattern that this check alone forbids. `share_rules` adds those of the grader."""
        return {pattern: f"you used {name}; {self.because}" for pattern, name in self.forbids.items()}

    def broken(self, names: Sequence[str]) -> list[str]:
        """The sentences of the rules that a run broke. names: the operations that were recorded in it."""
        sentences = [sentence for pattern, sentence in self.rules.items() if any(matches(name, (pattern,)) for name in names)]
        stopped = f"{STOPPED}: don't touch PyTorch's or Python's profilers, tracers, dispatch modes or global hooks here"
        stopped += ", and start no thread"
        stopped += f"; {self.because}" if self.because else ""
        return [*dict.fromkeys(sentences), *[Forbidden(stopped)] * (STOPPED in names)]

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def title(self) -> str:
        """The claim that learners read: the first line of the docstring."""
        return (inspect.getdoc(self.function) or self.name.replace("_", " ")).splitlines()[0]

    def judge(self, verdict: Judge) -> Judge:
        """Decorator: judge(seen, **arguments) returns None when the observation is right, else a sentence.

        It may return two sentences: the second one says what is true and why. It must hold for every wrong answer, and replaces the
        likely cause if none is known ('': nothing). It may also return the name of a function, if a check calls
        several: the message shows that call.
        """
        self.verdict = verdict
        return verdict

    def rule(self, verdict: Judge) -> Judge:
        """Decorator: like `judge`, for a check that returns (answer, seen). The answer is compared with the oracle's, and the
        judge gets what was seen only where it is right."""
        self.beside = True
        return self.judge(verdict)

    @functools.cached_property
    def code(self) -> bytes:
        """The function by value, for the worker. Raises AuthorError for one that mentions the oracle or returns nothing."""
        import cloudpickle  # slow to import

        if not returns_something(self.function):
            raise AuthorError(nothing_to_compare(self))
        code: bytes = cloudpickle.dumps(self.function)
        own = [self.function.__code__.co_filename, self.function.__module__]  # where they lie is no word of the author's
        if b"oracle" in functools.reduce(lambda left, name: left.replace(name.encode(), b""), own, code):
            raise AuthorError(
                f"{self.name} mentions the oracle, which would be sent to the worker; use it in the oracle class only"
            )
        return code

    def draw(self, seed: int = 0) -> list[dict[str, Any]]:
        """The check's examples, simplest first, the same for the same seed."""
        parameters = list(inspect.signature(self.function).parameters)
        return draw_examples(
            f"{self.function.__module__}.{self.name}",
            self.specs,
            seed=seed,
            minimum=self.minimum,
            dtypes=self.dtypes,
            wants_rng="rng" in parameters,
            wants_device="device" in parameters,
            extra=self.examples,
        )


def share_rules(checks: Sequence[Check], forbids: dict[str, str | tuple[str, str]], because: str) -> None:
    """forbids: a name for each pattern, or (name, reason) where it is not that of the others.

    The grader's FORBIDS are forbidden in all its checks, but for what a check allows, and cost the exercise. What a check forbids
    besides costs that check."""
    named = {pattern: (name, because) if isinstance(name, str) else name for pattern, name in forbids.items()}
    everywhere = {pattern: Forbidden(f"you used {name}; {reason}") for pattern, (name, reason) in named.items()}
    reason = because or next((check.because for check in checks if check.because), "")
    for check in checks:
        check.because = check.because or reason
        rules = {**check.own_rules(), **everywhere}
        check.rules = {pattern: sentence for pattern, sentence in rules.items() if pattern not in check.allows}


def returns_something(function: Callable[..., Any]) -> bool:
    """Can a function end with anything but None? One that was written without `return` cannot."""
    done = list(dis.get_instructions(function))
    for before, last in zip([None, *done], done, strict=False):
        if last.opname == "RETURN_CONST" and last.argval is not None:  # Python 3.12 and 3.13
            return True
        gives_none = before is not None and before.opname == "LOAD_CONST" and before.argval is None
        if last.opname == "RETURN_VALUE" and (last.is_jump_target or not gives_none):
            return True
    return False


def nothing_to_compare(check: Check) -> str:
    """The error for a check that always returns None, whatever the solution does: None equals None."""
    file = Path(check.function.__code__.co_filename).name
    return f"{file}: the check {check.name} returns nothing, so every answer passes. Let it return what it observes."


def check(
    *,
    points: float = 1,
    star: bool = False,
    tolerance: tuple[float, float] | None = None,
    forbids: dict[str, str] | None = None,
    because: str = "",
    allows: tuple[str, ...] = (),
    beside: bool = False,
    random: bool = False,
    aliasing: str = "none",
    mutates: tuple[str, ...] | None = None,
    seconds: float = CHECK_SECONDS,
    minimum: int | dict[str, int] = 0,
    dtypes: Sequence[str] = ("float64", "float32"),
    devices: bool = True,
    about_device: bool = False,
    examples: Sequence[dict[str, Any]] = (),
    needs: tuple[str, ...] = (),
    secret: bool = False,
    reveal: str = "",
    **arguments: Any,
) -> Callable[[Callable[..., Any]], Check]:
    """Turn a function `f(solution, ...)` into a hidden check. Its docstring's first line is the title learners read.

    Options:
        points      what the check is worth (1)
        star        the check counts only for full marks: an exercise is done without it (False)
        tolerance   (rtol, atol) if the dtype's default doesn't fit; say in a comment what you measured
        forbids     {"aten.mse_loss": "torch.nn.functional.mse_loss"}: patterns of operations that must not run in this check,
                    and the names that learners use. FORBIDS and BECAUSE in the grader forbid them in all checks, and cost all
        because     the reason of the rule, one sentence, shown with it
        allows      patterns of FORBIDS that this check uses itself
        beside      the check returns (answer, facts). It is about the facts (False; `rule` sets it)
        random      the answer may depend on the global random generator, which is seeded alike for learner and oracle
        aliasing    'none': the result may share memory with an input only if the oracle's does; 'any'
        mutates     arguments that may be changed (default: those that the oracle changes)
        seconds     time limit for all examples together (10)
        minimum     minimum size of the named axes: a number, or a dict by name (0: empty tensors are drawn)
        dtypes      floating dtypes to draw ('float64', 'float32')
        devices     also run it on the other available devices (True)
        about_device  the check is about the device: it is the one that a device fault costs, and it is skipped if only the CPU
                    is tried (False)
        examples    further examples: dicts of argument values
        secret      learners never see the values of the inputs unless everything is revealed (False)
        reveal      the most that learners see: 'none', 'title', 'gap', 'full' (default: the run's level)
        needs       packages without which the check is skipped and costs nobody points ('matplotlib',); 'sim' for the
                    simulated accelerator, if the check uses cuda_alias()
    Every other keyword is an argument of the function: a `tensor(...)`, `size(...)`, `built(...)`, a list of values (all are
    tried), or a hypothesis strategy. An argument called `rng` is a torch.Generator; `device` the device under test.
    Raises AuthorError for a function whose arguments don't match.
    """

    def make(function: Callable[..., Any]) -> Check:
        _match(function, arguments, examples)
        if not isinstance(points, (int, float)) or not points > 0:
            raise AuthorError(f"{function.__name__}: points is {points!r}; points must be a number above 0")
        if not isinstance(star, bool):
            raise AuthorError(f"{function.__name__}: star is {star!r}; write star=True for a check that counts only for full marks")
        if reveal and reveal not in LEVELS:
            raise AuthorError(f"{function.__name__}: reveal must be one of {', '.join(LEVELS)}")
        return Check(
            function, arguments, points=points, star=star, tolerance=tolerance, forbids=forbids or {}, because=because,
            allows=allows, beside=beside, random=random, aliasing=aliasing, mutates=mutates, seconds=seconds, minimum=minimum,
            dtypes=dtypes, devices=devices, about_device=about_device, examples=examples, needs=needs, secret=secret, reveal=reveal,
        )  # fmt: skip

    return make


def _match(function: Callable[..., Any], arguments: dict[str, Any], examples: Sequence[dict[str, Any]]) -> None:
    """Raises AuthorError for arguments that @check doesn't set, and for keywords that are neither arguments nor options."""
    wanted = list(inspect.signature(function).parameters)
    if wanted[:1] != ["solution"]:
        raise AuthorError(f"{function.__name__} must take `solution` as its first argument")
    given = {*arguments, *(k for e in examples for k in e)}
    problems = [f"set the argument {name} in @check(...)" for name in wanted[1:] if name not in {*given, "rng", "device"}]
    for name in (name for name in given if name not in wanted):
        near = difflib.get_close_matches(name, inspect.signature(check).parameters, n=1)
        meant = f"; did you mean the option {near[0]}?" if near else ""
        problems.append(f"@check(...) sets {name}, but the function has no such argument{meant}")
    if problems:
        raise AuthorError(f"{function.__name__}: {'; '.join(problems)}")
