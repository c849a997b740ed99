"""Does a file give other answers when it is imported again, in a new process?

A random choice at import gives the same result as long as the process lives, and so does the process id.
So each file is imported again, several times in one second process. A difference there is only a reason
for doubt. A file that is doubted, or whose source gives reason to (see suspicion.py) and that computes something at import,
is imported a dozen times, each in a new process.
"""

from __future__ import annotations

import ast
import functools
import time
from typing import TYPE_CHECKING, Any

from torchdojo.common.plain_text import syntax_tree
from torchdojo.judge.observations import Outcomes, read_outcomes
from torchdojo.judge.recheck.telling_names import STEADY
from torchdojo.judge.same import same
from torchdojo.limits import IMPORTS, IMPORTS_SECONDS
from torchdojo.wire import strict as wire
from torchdojo.wire.errors import WorkerGone, WorkerLied, WorkerSlow
from torchdojo.wire.strict import BadFrame

if TYPE_CHECKING:
    from torchdojo.course.exercise import Exercise
    from torchdojo.grading.checks import Check
    from torchdojo.judge.result import Verdict
    from torchdojo.judge.runner import Runner

QUICKLY = 12  # imports in one process, each with an example, where calls may matter, of one of the ...
QUICK = 3  # ... checks that take the least time for an example
TOSSES = 12  # right examples after which a coin toss in each call would have shown
OF_A_PROCESS = {"getpid", "getppid", "getuid", "geteuid", "getgid", "getegid", "get_native_id", "get_ident"}
OF_A_PROCESS |= {"node", "uname", "gethostname", "stat", "environ", "getcwd", "cwd", "home", "expanduser", "gettempdir"}
# names that give access to everything else; and an object's address
WAYS_OUT = {"eval", "exec", "compile", "open", "globals", "vars", "id", "__import__", "__dict__", "attrgetter", "methodcaller"}
# calls at the top of many files that compute no answer
HARMLESS = {"print", "str", "sys.path.insert", "sys.path.append", "sys.setrecursionlimit", "os.path.dirname", "os.path.abspath"}
HARMLESS |= {"os.system", "warnings.filterwarnings", "warnings.simplefilter", "logging.getLogger", "logging.basicConfig"}
HARMLESS |= {"random.seed", "np.random.seed", "numpy.random.seed", "np.set_printoptions"}
HARMLESS |= {f"torch.{name}" for name in ("manual_seed", "cuda.manual_seed", "cuda.manual_seed_all", "device", "set_printoptions")}
HARMLESS |= {f"torch.{name}" for name in ("cuda.is_available", "backends.mps.is_available", "set_num_threads", "set_default_dtype")}
HARMLESS |= {"torch.use_deterministic_algorithms"}


class Unseen(Exception):
    """There was no time to see whether a file is always the same."""


def answered(runner: Runner, exercise: Exercise) -> list[tuple[Check, Verdict]]:
    """The checks of an exercise in which there was an answer, right or wrong, and their verdicts."""
    known = [(check, runner.verdicts.get((exercise.id, check.name))) for check in exercise.grading.checks]
    return [(check, v) for check, v in known if v is not None and v.status in ("passed", "failed") and v.outcomes]


def comes_out_differently(runner: Runner, exercise: Exercise) -> bool:
    """Is there a reason to doubt a file? It is imported several times in another process than the one that gave the verdicts.

    There some checks have their first example again, unless that can show nothing: where a dozen examples were right, and the
    module can be seen to hold what it held before its first call, no coin was tossed in each call, and none kept.
    """
    known = answered(runner, exercise)
    if runner.variant or not known or (exercise.id in runner.changing and not runner.changing[exercise.id]):
        return False  # it is our own file, or has been imported a dozen times
    passed = [v for _, v in known if v.status == "passed"]
    source = runner.source_of(exercise)
    try:
        look = _looks(runner.looks[exercise.id])
        now = _looks(runner.look(exercise)) if passed and look[1] else (b"", False)
        if now[0] and now != look:  # a call has left something there
            return True
        right = len(passed) == len(known) and sum(len(v.outcomes) for v in passed) >= TOSSES
        settled = source.plain and source.steady and right and not runner.slot.unread and now == look
        quick = [] if settled else sorted(known, key=lambda pair: pair[1].seconds / len(pair[1].outcomes))[:QUICK]
        with runner.second_process(exercise):
            again = runner.import_again(exercise, QUICKLY, [(check, runner.oracle.examples(check)[:1]) for check, _ in quick])
            if [_looks(one) for one in again["looks"]] != [look] * QUICKLY or len(again["seen"]) != QUICKLY * bool(quick):
                return True
            return any(not _same(seen, quick[place][1].outcomes, quick[place][0]) for place, seen in again["seen"])
    except (WorkerGone, WorkerSlow, WorkerLied, BadFrame, LookupError, TypeError, ValueError):
        return True


def _looks(look: Any) -> tuple[bytes, bool]:
    digest, whole = look
    return bytes(digest), whole is True


def _same(seen: Any, outcomes: Any, check: Check) -> bool:
    if isinstance(outcomes, Outcomes) and seen == outcomes.frames[0][0]:
        return True
    return same(outcomes[0], read_outcomes(wire, [{"seen": seen}], 1)[0], check, same_code=True)


def changing(runner: Runner, exercise: Exercise, *, doubted: bool = False) -> frozenset[str]:
    """The names of the checks whose first example another import answers otherwise. Looked for once in an exercise, and only
    where the file computes something while it is imported, or is doubted. Raises Unseen."""
    known = runner.changing
    if exercise.id not in known:
        if not doubted and not computes((runner.submission.staged() / f"{exercise.id}.py").read_bytes()):
            return frozenset()
        known[exercise.id] = frozenset()  # whatever happens now
        known[exercise.id] = _changing(runner, exercise)
    names = known[exercise.id]
    if names is None:
        raise Unseen
    return names


def _agree(before: Verdict, now: Verdict, check: Check) -> bool:
    """Do two verdicts hold the same answer to the first example, where both hold one?"""
    return not (before.outcomes and now.outcomes) or same(before.outcomes[0], now.outcomes[0], check, same_code=True)


def _changing(runner: Runner, exercise: Exercise) -> frozenset[str] | None:
    first: dict[str, Verdict] = {}
    changing: set[str] = set()
    start = time.monotonic()
    for _ in range(IMPORTS):
        if changing:
            break
        if time.monotonic() - start > IMPORTS_SECONDS:
            return None
        anew = runner.another()
        try:
            for check in exercise.grading.checks:
                judged = runner.verdicts.get((exercise.id, check.name))
                if judged is not None and judged.status not in ("passed", "failed"):
                    continue  # it gave no answer, and an endless call would be waited for each time
                now = anew.judge(exercise, check, slice(1))
                was = first.setdefault(check.name, now)
                ended_alike = was.status == now.status and bool(was.outcomes) is bool(now.outcomes)
                if not ended_alike or not all(_agree(before, now, check) for before in (was, judged) if before is not None):
                    changing.add(check.name)
        finally:
            anew.drop()
    return frozenset(changing)


def _asks_outside(parts: list[ast.AST], written: set[int]) -> bool:
    """Is anything used that comes from a module not known to be steady, but for a harmless call?"""
    foreign: set[str] = set(WAYS_OUT)
    for part in parts:
        if isinstance(part, ast.ImportFrom) and (part.level or part.module not in STEADY):
            foreign |= {alias.asname or alias.name for alias in part.names}
        elif isinstance(part, ast.Import):
            foreign |= {(a.asname or a.name).partition(".")[0] for a in part.names if a.name not in STEADY}
    harmless = {id(n) for p in parts if isinstance(p, ast.Call) and ast.unparse(p.func) in HARMLESS for n in ast.walk(p.func)}
    set_only = {id(n) for p in parts if id(p) in written for n in ast.walk(p)}
    used = (part for part in parts if id(part) not in harmless and id(part) not in set_only)
    return "*" in foreign or any(getattr(part, "attr", getattr(part, "id", "")) in foreign for part in used)


@functools.lru_cache(2048)
def computes(text: bytes) -> bool:
    """Does an import call what may answer otherwise next time, or may the file ask later for what differs between processes?

    What a process is born with has too many names for a list: process, thread and inode numbers, addresses, times. So anything
    counts that comes from a module that isn't known to be steady.
    """
    try:
        tree = syntax_tree(text)
        parts = list(ast.walk(tree))
        written = {id(part.value) for part in parts if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store)}
        asked = (part for part in parts if id(part) not in written)  # os.environ["A"] = "1" asks nothing
        if any(getattr(part, "attr", getattr(part, "id", "")) in OF_A_PROCESS for part in asked):
            return True
        if _asks_outside(parts, written):
            return True
        waiting: list[ast.AST] = [*tree.body]
        while waiting:
            part = waiting.pop()
            if isinstance(part, ast.Call) and ast.unparse(part.func) not in HARMLESS:
                return True
            if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
                waiting += [*part.decorator_list, *part.args.defaults]
            elif not (isinstance(part, ast.If) and ast.unparse(part.test).startswith("__name__ ==")):
                waiting += ast.iter_child_nodes(part)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    return False
