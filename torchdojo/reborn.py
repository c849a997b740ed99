"""Does a file answer otherwise when it is imported once more, in a new process?

A coin that is tossed while a file is imported shows the same side as long as the process lives, and so does the number of the
process. Files that give reason to doubt them (see source.py), and compute something while they are imported, are imported a
dozen times.
"""

from __future__ import annotations

import ast
import functools
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from torchdojo.plain_text import syntax_tree

if TYPE_CHECKING:
    from torchdojo.exercise import Exercise
    from torchdojo.grading.checks import Check
    from torchdojo.session import Session
    from torchdojo.verdict import Verdict

IMPORTS = 12  # a coin that is right every other time then passes once in 4,000 gradings
SECONDS = 4.0
OF_A_PROCESS = {"getpid", "getppid", "getuid", "geteuid", "getgid", "getegid", "get_native_id", "get_ident"}
OF_A_PROCESS |= {"node", "uname", "gethostname", "stat", "environ", "getcwd", "cwd", "home", "expanduser", "gettempdir"}
# calls from which nobody's answer comes, as they stand at the head of many files
HARMLESS = {"print", "str", "sys.path.insert", "sys.path.append", "sys.setrecursionlimit", "os.path.dirname", "os.path.abspath"}
HARMLESS |= {"os.system", "warnings.filterwarnings", "warnings.simplefilter", "logging.getLogger", "logging.basicConfig"}
HARMLESS |= {"random.seed", "np.random.seed", "numpy.random.seed", "np.set_printoptions"}
HARMLESS |= {f"torch.{name}" for name in ("manual_seed", "cuda.manual_seed", "cuda.manual_seed_all", "device", "set_printoptions")}
HARMLESS |= {f"torch.{name}" for name in ("cuda.is_available", "backends.mps.is_available", "set_num_threads", "set_default_dtype")}
HARMLESS |= {"torch.use_deterministic_algorithms"}

_FOUND: WeakKeyDictionary[Session, dict[str, frozenset[str]]] = WeakKeyDictionary()


def changing(
    session: Session, exercise: Exercise, alike: Callable[[dict[str, Any], dict[str, Any], Check], bool]
) -> frozenset[str]:
    """The names of the checks whose first example another import answers otherwise. Looked for once in an exercise."""
    known = _FOUND.setdefault(session, {})
    if exercise.id not in known:
        known[exercise.id] = frozenset()  # whatever happens now
        if computes((session.submission.staged() / f"{exercise.id}.py").read_bytes()):
            known[exercise.id] = _changing(session, exercise, alike)
    return known[exercise.id]


def _changing(session: Session, exercise: Exercise, alike: Callable[..., bool]) -> frozenset[str]:
    first: dict[str, Verdict] = {}
    found: set[str] = set()
    start = time.monotonic()
    for _ in range(IMPORTS):
        if found or time.monotonic() - start > SECONDS:
            break
        anew = type(session)(session.zygote, session.submission, session.oracle, variant=session.variant, ambient=session.ambient)
        try:
            for check in exercise.grading.checks:
                now = anew.judge(exercise, check, slice(1))
                was = first.setdefault(check.name, now)
                same = was.status == now.status and bool(was.outcomes) is bool(now.outcomes)
                if not same or (now.outcomes and not alike(was.outcomes[0], now.outcomes[0], check)):
                    found.add(check.name)
        finally:
            anew.drop()
    return frozenset(found)


@functools.lru_cache(2048)
def computes(text: bytes) -> bool:
    """Does an import call what may answer otherwise next time, or does the file ask later for what a process is born with?"""
    try:
        tree = syntax_tree(text)
        parts = list(ast.walk(tree))
        written = {id(part.value) for part in parts if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store)}
        asked = (part for part in parts if id(part) not in written)  # os.environ["A"] = "1" asks nothing
        if any(getattr(part, "attr", getattr(part, "id", "")) in OF_A_PROCESS for part in asked):
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
