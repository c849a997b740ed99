"""The worker's main loop: load the learner's files on request, run checks on them, send back the observations.

It runs inside the locked-down child, in the same process as learner code, which can change it. It has no expected values and
gives no verdict, so learner code can only change its own answers. It imports nothing of the trusted side.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import itertools
import linecache
import os
import pickle
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from types import ModuleType
from typing import Any, TypedDict

from torchdojo.wire import frames
from torchdojo.wire import strict as wire
from torchdojo.wire.forms import CallData, OutcomeData, RaisedData
from torchdojo.wire.requests import AgainData, Load, Reply, Run
from torchdojo.worker import again, calls, loader, pytest_item, rng, run, self_readings, tampering  # noqa: F401 (once it is locked in, it imports nothing of ours)
from torchdojo.worker.raised import describe_error
from torchdojo.worker.state import global_state, restore
from torchdojo.worker.trace import autograd_noted

Functions = dict[str, Callable[..., Any]]  # those of checks, by the names that requests give them
_LAST: list[str] = []  # the module that was imported last before the first file of a learner


class Loaded:
    """One exercise's module, or what went wrong while it was imported."""

    def __init__(self, module: ModuleType | None, raised: RaisedData | None, file: str) -> None:
        self.module, self.raised, self.file = module, raised, file


def serve(sock: frames.Channel) -> None:
    """Answer requests until the other side hangs up."""
    sys.dont_write_bytecode = True
    loaded: dict[str, Loaded] = {}
    functions: Functions = {}
    instruments = tampering.instruments()
    _LAST[:] = [next(reversed(sys.modules))]
    while True:
        request = wire.decode(wire.receive(sock), views=True)
        reply: Reply = {"id": request["id"]}
        if request["do"] == "echo":
            reply["value"] = request["value"]
        elif request["do"] == "load":
            loaded_now = loaded[request["exercise"]] = load(Load.of(request))
            reply["raised"] = loaded_now.raised
            reply["todo"] = loaded_now.raised is None and unanswered(loaded_now.module)
            reply["look"] = looked(loaded_now, request["folder"])
        elif request["do"] == "run":
            asked = Run.of(request)
            if asked.code:
                functions[asked.check] = pickle.loads(asked.code)  # from the trusted side, never the reverse
            # as one piece of bytes: those of a right answer are known, and need not be taken apart
            reply["outcomes"] = wire.encode(run_examples(loaded[asked.exercise], functions[asked.check], asked))
        elif request["do"] == "look":
            reply["look"] = looked(loaded[request["exercise"]], request["folder"])
        elif request["do"] == "again":
            checks = [Run.of(check) for check in request["checks"]]
            reply["again"] = wire.encode(load_again(Load.of(request), request["times"], checks, functions))
        elif request["do"] == "read":
            reply["read"] = instruments.read()
        elif request["do"] == "names":
            reply["names"] = wire.encode(instruments.names())
        elif request["do"] == "control":
            reply["readings"] = wire.encode(self_readings.readings())
        if request["do"] in ("echo", "read", "names", "control"):
            wire.send(sock, wire.encode(reply))
            continue
        with contextlib.suppress(BaseException):  # the learner's code may have closed or replaced it, or filled the log
            sys.stdout.flush()
        wire.send(sock, wire.encode(reply))


def load(request: Load) -> Loaded:
    """Import the file under its plain name; put a variant's replacements over it where one is asked for."""
    name, file = forget(request)
    shown = request.located or file
    before = global_state()
    rng.start(rng.SEED, "cpu")
    try:
        module = import_file(name, file)
        if request.variants:
            variants = import_file(name + "_variants", os.path.join(request.folder, request.variants))
            put_over(module, variants, request.variant)
            shown = str(module.__file__)
        return Loaded(module, None, shown)
    except BaseException as e:
        return Loaded(None, describe_error(e, shown), shown)
    finally:
        restore(before)


def load_again(request: Load, times: int, checks: list[Run], functions: Functions) -> AgainData:
    """Import the file several times; after each import, the next check sees its first example.

    Returns "looks" (what `looked` gives after each import) and "seen" ([check's place, bytes] each).
    """
    looks: list[list[Any]] = []
    seen: list[list[Any]] = []
    forget(request)  # and find the modules that come with the chapter: a check may have been packed with their names
    for check in checks:
        if check.code:
            functions[check.check] = pickle.loads(check.code)
    try:
        for module in again.imports(request, times, forget):
            loaded = Loaded(module, None, os.path.join(request.folder, request.file))
            looks.append(looked(loaded, request.folder))  # first: a call may leave something in it
            if not checks:
                continue
            place = len(seen) % len(checks)
            seen.append([place, run_examples(loaded, functions[checks[place].check], checks[place])[0]["seen"]])
    except BaseException as e:
        return {"looks": [], "seen": [], "raised": describe_error(e, None)["type"]}
    return {"looks": looks, "seen": seen}


def looked(exercise: Loaded, folder: str) -> list[Any]:
    """(a digest of the contents of an exercise's module, whether that is all that its code can write to, as far as can be seen).

    Modules that come with the chapter don't count: a check may import them, and a file that does so itself is no plain file.
    """
    try:
        if exercise.module is None:
            return [b"", False]
        text, whole = again.look(exercise.module)
        written = [name for name in beside(folder) if not name.startswith("given.")]
        return [blake2b(text.encode("utf-8", "replace"), digest_size=16).digest(), whole and len(written) <= 1]
    except BaseException:  # a class of the learner's answers with an error
        return [b"", False]


def beside(folder: str) -> list[str]:
    """The modules in the folder of an exercise: its own, and its helpers."""
    added = itertools.takewhile(lambda module: [module] != _LAST, reversed(sys.modules))
    return [name for name in list(added) if str(getattr(sys.modules[name], "__file__", None)).startswith(folder)]


def forget(request: Load) -> tuple[str, str]:
    """Let Python know nothing of the file, and of the helpers beside it. Returns the name of the module and the path."""
    file = os.path.join(request.folder, request.file)
    name = os.path.splitext(os.path.basename(file))[0]
    sys.path[:] = [p for p in sys.path if p not in request.folders] + request.folders
    for other in beside(request.folder):  # helpers too: one that another exercise has used may not be as it was
        del sys.modules[other]
    sys.modules.pop(name, None)
    linecache.cache.pop(file, None)  # `verify` puts one mutant after the other in the same place
    return name, file


def import_file(name: str, path: str, names: dict[str, Any] | None = None) -> ModuleType:
    """Import one file as module `name`, without looking for it anywhere. names: what it finds defined already."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    vars(module).update(names or {})
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def put_over(module: ModuleType, variants: ModuleType, wanted: str) -> None:
    """Turn a module that holds the reference into one known mistake or alternative (only `verify` asks for this)."""
    from torchdojo.variants import variants_of  # only `verify` needs it

    for variant in variants_of(variants):
        if variant.name == wanted:
            variant.put_over(module)
            return
    raise LookupError(f"no variant named {wanted}")


def unanswered(module: ModuleType | None) -> bool:
    """Can we tell, without running anything, that the learner has not begun? See "The stub" in docs/authors.md."""
    if getattr(module, "REPAIRED", True) is False:
        return True
    answers = getattr(module, "ANSWERS", None)
    return isinstance(answers, dict) and bool(answers) and all(value is None for value in answers.values())


class Observed(TypedDict, total=False):
    """The bytes of an outcome, and those of its repetition."""

    seen: bytes
    again: Observed


def run_examples(exercise: Loaded, function: Any, request: Run) -> list[Observed]:
    """Run the check on each example; the first `repeat` of them a second time, to find answers that change."""
    with run.ambient(request.ambient), run.hearing() as heard:
        return [*_outcomes(exercise, function, request, heard)]


def _outcomes(exercise: Loaded, function: Any, request: Run, heard: list[warnings.WarningMessage]) -> Iterator[Observed]:
    trace: list[CallData] | None = [] if request.explain else None
    solution = run.Solution(exercise.module, trace)
    loaded: dict[bytes, Any] = {}  # many examples of a check contain the same functions
    before = global_state()  # and after each run again
    once = functools.partial(
        run.run_example, function, solution, watch=request.watch, file=exercise.file, before=before, heard=heard
    )
    for place, (number, device, example, *called) in enumerate(_examples(request.examples)):
        for functions in called:
            for code in functions.values():
                if code not in loaded:
                    loaded[code] = pickle.loads(code)
            example |= {name: loaded[code] for name, code in functions.items()}
        with noted(trace):
            seed = rng.SEED + number
            outcome = once(example, device=device, seed=seed, strict=place == 0 and trace is None)
            if place == 0 and (broken := outcome.get("operations")):  # they were kept from running; now the answer with them
                outcome = once(example, device=device, seed=seed)
                outcome["operations"] = sorted({*broken, *outcome.get("operations", ())})
        if trace is not None:
            outcome["calls"] = list(trace)
            trace.clear()
        packed = pack(outcome)
        if place < request.repeat:
            seed = (rng.SEED if outcome.get("random") and request.random else rng.OTHER_SEED) + number
            answer = run.versions(outcome.get("value"))
            again = run.run_again(
                function, solution, example, device=device, seed=seed, file=exercise.file, before=before, watch=request.watch
            )
            if run.versions(outcome.get("value")) != answer:
                again["changed"] = ["the first answer"]
            packed["again"] = pack(again)
        yield packed
        if "raised" in outcome and outcome["raised"].get("todo"):
            break


def _examples(packed: bytes | list[bytes]) -> Iterable[list[Any]]:
    """The examples of a request: all in one frame, which is quicker to read, or each in its own."""
    decoded: Iterable[list[Any]]
    decoded = wire.decode(packed, views=True) if isinstance(packed, bytes) else (wire.decode(one, views=True) for one in packed)
    return decoded


def noted(trace: list[CallData] | None) -> contextlib.AbstractContextManager[None]:
    """Note what a check asks of autograd, where its calls are noted at all."""
    return contextlib.nullcontext() if trace is None else autograd_noted(trace)


def pack(outcome: OutcomeData) -> Observed:
    """Freeze an outcome into bytes at once, so that nothing can change it after it was observed."""
    try:
        return {"seen": wire.encode(outcome)}
    except BaseException as e:
        text = f"the result cannot be read: {type(e).__name__}: {e}"[:300]
        return {"seen": wire.encode({"raised": {"type": "Unreadable", "text": text, "todo": False}})}
