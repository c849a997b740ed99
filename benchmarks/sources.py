"""Which source gave a failed check its cause, what each source takes, and how many lines exist for it.

A source is a part of `torchdojo/explain`: known mistakes, pairs of them, one of several, the rules of one module,
errors. A cause belongs to the module that wrote its sentence. While `watching`, every function of these modules
charges its processor time to its own source, or to that of the function that it calls.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, FunctionType, ModuleType
from typing import Any

ENGINE = Path(__file__).resolve().parents[1] / "torchdojo"
PARTS = {
    "known mistake": "search programs sketch outcomes",
    "error": "errors error_causes error_meanings file_errors limits",
    "rule effects": "causes",
    "repair": "repair edits additions inverses step_edits",
    "message": "message layout call steps snippet tensor_code shrink definitions reveal records labels once memo",
    "": "cause evidence pairs own_names symptoms facts_by_input",
}
"""The modules of each source; '': helpers of all, whose time is their caller's. Any other module is a source of rules."""
SOURCES = {f"torchdojo.explain.{module}": source for source, modules in PARTS.items() for module in modules.split()}
NONE = "none"


def source_of(module: str) -> str:
    """The source that a module belongs to; '' for helpers, and for all that is not in `torchdojo/explain`."""
    if module in SOURCES or not module.startswith("torchdojo.explain."):
        return SOURCES.get(module, "")
    return f"rule {module.rpartition('.')[2]}"


@dataclass
class Watch:
    """What was seen while one submission was explained.

    origins: (source, kind) by sentence, of the check at hand; library: that of the known mistakes named last.
    sources: (source, kind) by failed check; seconds: of the processor, by source.
    """

    origins: dict[str, tuple[str, str]] = field(default_factory=dict)
    library: str = ""
    sources: dict[str, tuple[str, str]] = field(default_factory=dict)
    seconds: Counter[str] = field(default_factory=Counter)
    current: str = ""
    since: float = 0.0

    def switch(self, source: str) -> str:
        """From now on time belongs to this source; the one before."""
        now, before = time.process_time(), self.current
        self.seconds[before] += now - self.since
        self.current, self.since = source, now
        return before


def watching() -> Watch:
    """A watch that everything in `torchdojo.explain` tells what it does, to the end of this process."""
    from torchdojo.common.plain_text import stable
    from torchdojo.explain import cause, records, search

    watch = Watch()
    modules = _modules()
    known: dict[FunctionType, Callable[..., Any]] = {}
    for module in modules:
        for name, value in list(vars(module).items()):
            setattr(module, name, _timed(value, watch, known))
    init = cause.Cause.__init__

    def noted(self: Any, kind: Any, sentence: str, *rest: Any, **more: Any) -> None:
        init(self, kind, sentence, *rest, **more)
        if origin := _origin(sys._getframe(1)):
            watch.origins[stable(sentence)] = (origin if origin != "message" else watch.library, kind.value)

    cause.Cause.__init__ = noted  # type: ignore[method-assign]
    levels = {"_all": "known mistake", "_generated": "generated", "_some": "beside others"}
    levels |= {"_most": "one of several", "_together": "pair"}
    for level, source in levels.items():
        setattr(search, level, _noting(getattr(search, level), watch, source))
    word = records.word

    def told(session: Any, exercise: Any, check: Any, verdict: Any, *more: Any) -> Any:
        watch.origins.clear()
        before = watch.switch("message")
        try:
            found = word(session, exercise, check, verdict, *more)
        finally:
            watch.switch(before)
        if verdict.status == "failed":
            unread = ("error", "import") if "cause" in found.parts else (NONE, verdict.difference.rung)
            watch.sources[check.name] = watch.origins[found.cause] if found.cause else unread
        return found

    records.word = told
    return watch


def _modules() -> list[ModuleType]:
    import torchdojo.explain as package

    names = [module.name for module in pkgutil.walk_packages(package.__path__, "torchdojo.explain.") if not module.ispkg]
    return [importlib.import_module(name) for name in names]


def _timed(value: Any, watch: Watch, known: dict[FunctionType, Callable[..., Any]]) -> Any:
    """A function that charges its source; of a tuple each entry; anything else as it is."""
    if type(value) is tuple:
        return tuple(_timed(one, watch, known) for one in value)
    source = source_of(getattr(value, "__module__", "") or "") if isinstance(value, FunctionType) else ""
    if not source:
        return value
    if value not in known:

        @functools.wraps(value)
        def timed(*arguments: Any, **named: Any) -> Any:
            if watch.current == source:
                return value(*arguments, **named)
            before = watch.switch(source)
            try:
                return value(*arguments, **named)
            finally:
                watch.switch(before)

        known[value] = timed
    return known[value]


def _noting(named: Callable[..., Any], watch: Watch, source: str) -> Callable[..., Any]:
    """`message` makes the cause of what a library of known mistakes names: its source is the library."""

    @functools.wraps(named)
    def noting(*arguments: Any, **more: Any) -> Any:
        found = named(*arguments, **more)
        if found is not None:
            watch.library = source
        return found

    return noting


def _origin(frame: FrameType | None) -> str:
    """The source of the function that made a cause: of the first one on the stack that is no helper."""
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if source := source_of(module):
            return source
        frame = frame.f_back
    return ""


def lines_of(source: str) -> int:
    """How many lines exist for a source."""
    files = [file for file in (ENGINE / "explain").rglob("*.py") if source_of(_name(file)) == source]
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files if file.is_file())


def _name(file: Path) -> str:
    return ".".join(file.relative_to(ENGINE.parent).with_suffix("").parts)


def show(rows: Iterable[dict[str, Any]], kinds: bool) -> None:
    """Print the table. rows: of each wrong solution "sources" and "seconds"; kinds: also how often each kind of cause spoke."""
    rows = list(rows)
    spoke = Counter(tuple(source) for row in rows for source in row["sources"].values())
    checks, seconds = Counter[str](), Counter[str]()
    for (source, _), count in spoke.items():
        checks[source] += count
    for row in rows:
        seconds.update({source: time for source, time in row["seconds"].items() if source})
    every, all_time = max(1, checks.total()), max(1e-9, seconds.total())
    print(f"{checks.total()} failed checks of {len(rows)} wrong solutions; {all_time:.0f} s of processor time to explain them\n")
    print(f"{'source':<24}{'checks':>7}{'share':>8}{'seconds':>9}{'share':>8}{'lines':>7}")
    silent = {source_of(_name(file)) for file in (ENGINE / "explain").rglob("*.py")} - {"", "message", "rule __init__"}
    for source in sorted({*checks, *seconds, *silent}, key=lambda one: (-checks[one], one)):
        print(
            f"{source:<24}{checks[source]:>7}{checks[source] / every:>8.1%}{seconds[source]:>9.1f}"
            f"{seconds[source] / all_time:>8.1%}{lines_of(source):>7}"
        )
    for (source, kind), count in sorted(spoke.items(), key=lambda one: (one[0][0], -one[1])) if kinds else ():
        print(f"  {source:<24}{kind:<24}{count:>5}")
