"""Files that look plain but replace what observes them, or make random choices: found whatever their source looks like.

Their answers are right, so each got full marks before; an answer that breaks a rule could have been hidden in the same way.
"""

import sys
import time
from pathlib import Path

import pytest
from tiny_dojo import DOUBLE, GRADERS, RIGHT, TOTAL, make_dojo, make_submission

if sys.platform != "linux":
    pytest.skip("workers are forked on Linux only", allow_module_level=True)

from torchdojo.course.exercise import Dojo
from torchdojo.explain.records import grade_submission, records_of
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.recheck import reimport, rerun
from torchdojo.judge.recheck.suspicion import read
from torchdojo.judge.session import Session
from torchdojo.submission.opening import open_submission
from torchdojo.worker import again, tampering

pytestmark = pytest.mark.timeout(300)

SOFTMAX = "02_broadcasting/ex07_softmax"
REAL = Dojo(Path(__file__).resolve().parents[3])
RIGHT_SOFTMAX = "import torch\n\ndef softmax(x, dim):\n    y = torch.exp(x - x.amax(dim, keepdim=True))\n    return y / y.sum(dim, keepdim=True)\n"
QUIET = "class Quiet:\n    names = ['aten.exp', 'aten.sum', 'aten.div', 'aten.sub', 'aten.amax']\n    def __enter__(self):\n        return self\n    def __exit__(self, *e):\n        return False\n\n"
PATCH = "__import__('sys').modules['torchdojo.worker.raised'].__dict__.update(shadowed_builtin=Quiet) or int"
REGISTERED = "import functools\n\n@functools.singledispatch\ndef helper(x):\n    return x\n\n"


def registered(expression: str) -> str:
    """The text of a file that has this evaluated as an annotation, which no call in it shows."""
    return f"{REGISTERED}@helper.register\ndef _(x: {expression!r}):\n    return x\n\n"


BY = {  # by what a file that the text calls plain, or nearly, has something evaluated or written
    "an annotation that is registered": QUIET + registered(PATCH),
    "the members of an enum": QUIET.replace("class Quiet:\n", "class Quiet(int):\n").replace(
        "class Quiet(int)", "import enum\n\nclass Quiet"
    )
    + "enum.global_enum(enum.Enum('E', {'shadowed_builtin': Quiet}, module='torchdojo.worker.raised'))\n",
    "type hints of a dataclass": QUIET + f"import dataclasses, typing\n\n@dataclasses.dataclass\nclass A:\n    x: {PATCH!r} = 1\n\ntyping.get_type_hints(A)\n",
    "a forward reference": QUIET + f"import typing\n\nclass A(typing.NamedTuple):\n    x: {PATCH!r}\n\ntyping.get_type_hints(A)\n",
    "exec": QUIET + f"exec({PATCH!r})\n",
    "code of a function": "import torchdojo.worker.operations as o\n\ndef quiet(self, function, types, args=(), kwargs=None):\n"
    "    return function(*args, **(kwargs or {}))\n\no.Operations.__torch_dispatch__.__code__ = quiet.__code__\n",
    "a name put in front of a builtin one": "import torchdojo.worker.run as r\nr.sorted = lambda *a, **k: []\n",
    "defaults of a function": "import torchdojo.worker.run as r\nr.run_example.__kwdefaults__['seed'] = 7\n",
    "a module in the place of another": "import sys, types\nm = types.ModuleType('m')\nm.__dict__.update(vars(sys.modules['torchdojo.worker.operations']))\n"
    "sys.modules['torchdojo.worker.operations'] = m\n",
    "a decorator": QUIET + f"def patch(f):\n    eval({PATCH!r})\n    return f\n\n@patch\ndef g(): pass\n",
    "a class derived from": QUIET + f"class A:\n    def __init_subclass__(cls):\n        eval({PATCH!r})\n\nclass B(A): pass\n",
    "a descriptor": QUIET + f"class D:\n    def __set_name__(self, o, n):\n        eval({PATCH!r})\n\nclass B:\n    d = D()\n",
    "brackets behind a class": QUIET + f"class A:\n    def __class_getitem__(cls, x):\n        eval({PATCH!r})\n\ndef g(x: A[int]): pass\n",
    "what the collector knows of a module": QUIET
    + "import gc, sys\n\nfor d in gc.get_referents(sys.modules['torchdojo.worker.raised']):\n    if type(d) is dict:\n        d['shadowed_builtin'] = Quiet\n",
    "the cell of a closure": "import torchdojo.worker.run as r\nr.hearing.__closure__[0].cell_contents = lambda: iter([[]])\n",
    "a constant of ours": "import torchdojo.worker.run as r\nr._ALL.append(1)\n",
    "the first call": QUIET + f"def softmax(x, dim):\n    eval({PATCH!r})\n" + RIGHT_SOFTMAX.rpartition("dim):\n")[2],
}


def graded(zygote, folder, dojo, **files):
    """The checks of a submission, by exercise and name; nothing may be an internal error."""
    submission, exercises = open_submission(folder, dojo)
    exercises = [e for e in exercises if e.id in submission.files]
    found = {}
    for session, record, check in grade_submission(zygote, submission, exercises, Oracle()):
        found.setdefault(record.id, {})[check.name] = check
        assert session.faults == []
    return found


def handed_in(folder, text, exercise=SOFTMAX):
    (folder / exercise).parent.mkdir(parents=True, exist_ok=True)
    (folder / f"{exercise}.py").write_text(text)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("way", BY)
def test_tampering_that_stays_is_found(zygote, tmp_path, way):
    """Whatever the file used to replace the observing code, no check of the exercise passes."""
    text = f"import torch\n{BY[way]}" + ("" if "def softmax" in BY[way] else RIGHT_SOFTMAX)
    checks = graded(zygote, handed_in(tmp_path, text), REAL)[SOFTMAX]
    assert {c.status for c in checks.values()} == {"failed"}
    assert all("your code replaced something" in c.feedback for c in checks.values())


def test_two_of_them_look_plain():
    """Otherwise these tests would only test what was found before."""
    assert read((QUIET + registered(PATCH) + RIGHT_SOFTMAX).encode()).plain


@pytest.mark.parametrize("order", [(DOUBLE, TOTAL), (TOTAL, DOUBLE)])
def test_tampering_costs_no_other_exercise(zygote, dojo, tmp_path, order):
    """It is found before a file that shares the worker is graded; that file keeps its points, in either order."""
    spoilt = registered("__import__('sys').modules['torchdojo.worker.run'].__dict__.update(shared_memory=print) or int")
    texts = {exercise: RIGHT[exercise] for exercise in order}
    texts[order[0]] = spoilt + texts[order[0]]
    submission, exercises = open_submission(make_submission(tmp_path / "s", double=texts[DOUBLE], total=texts[TOTAL]), dojo)
    session = Session(zygote, submission, Oracle())
    try:
        exercises = sorted(exercises, key=lambda e: e.id != order[0])
        found = {e.id: {c.status for c in records_of(session, e)} for e in exercises}
    finally:
        session.close()
    assert found == {order[0]: {"failed"}, order[1]: {"passed"}}


def test_a_name_that_only_shared_code_of_graders_uses_counts(zygote, tmp_path):
    """A check measures with a function from beside its grader: the grader's own text doesn't show what that calls."""
    dojo = Dojo(make_dojo(tmp_path / "dojo"))
    graders = dojo.root / "graders" / "01_toys"
    (graders / "measures.py").write_text("import torch\n\ndef between(a, b):\n    return torch.dist(a, b)\n")
    text = GRADERS[TOTAL].replace("from torchdojo", "from measures import between\nfrom torchdojo").replace("return solution.total(x)", "return between(solution.total(x), x.sum())")
    (graders / "grade_ex02_total.py").write_text(text)
    spoilt = registered("__import__('torch').__dict__.update(dist=lambda a, b: a.detach() * 0) or int")
    wrong = graded(zygote, make_submission(tmp_path / "s", total=spoilt + "def total(x):\n    return x.sum() + 1\n"), dojo)
    assert {c.status for c in wrong[TOTAL].values()} == {"failed"}
    right = graded(zygote, make_submission(tmp_path / "r", total=RIGHT[TOTAL]), dojo)
    assert {c.status for c in right[TOTAL].values()} == {"passed"}


def test_tampering_while_a_failure_is_explained_costs_no_other_exercise(zygote, dojo, tmp_path):
    """Code runs once more after the verdicts; the worker is checked again before another file shares it."""
    text = (
        REGISTERED + "CALLS = []\n\ndef double(x):\n    CALLS.append(1)\n    if len(CALLS) > 30:\n"
        "        @helper.register\n        def _(x: \"__import__('torch').__dict__.update(equal=None) or int\"): return x\n    return x * 3\n"
    )
    submission, exercises = open_submission(make_submission(tmp_path / "s", double=text, total=RIGHT[TOTAL]), dojo)
    statuses = [c.status for _, r, c in grade_submission(zygote, submission, exercises, Oracle()) if r.id == TOTAL]
    assert statuses == ["passed"]


@pytest.mark.slow
@pytest.mark.parametrize("ends", ["import os\n        os._exit(1)", "while True: pass"])
def test_tampering_is_not_hidden_by_the_end_of_the_worker(zygote, dojo, tmp_path, ends):
    """If a worker ended before its snapshot, its passed checks run again in one that is checked."""
    text = (
        "import sys\n\ndef double(x):\n    if isinstance(x, int):\n        " + ends + "\n"
        "    sys.modules['torchdojo.worker.run'].shared_memory = lambda *a: []\n    return x * 2\n"
    )
    checks = graded(zygote, make_submission(tmp_path / "s", double=text), dojo)[DOUBLE]
    assert [c.status for c in checks.values()] == ["failed", "timeout" if "while" in ends else "crashed"]
    honest = text.replace("    sys.modules['torchdojo.worker.run'].shared_memory = lambda *a: []\n", "")
    checks = graded(zygote, make_submission(tmp_path / "h", double=honest), dojo)[DOUBLE]
    assert [c.status for c in checks.values()] == ["passed", "timeout" if "while" in ends else "crashed"]


HARMLESS = {
    "a method of its own": "import torch\ntorch.Tensor.doubled = lambda self: self * 2\n",
    "another way to print": "import torch\ntorch.Tensor.__repr__ = lambda self: f'{tuple(self.shape)}'\n",
    "a loader that trusts": "import functools, torch\ntorch.load = functools.partial(torch.load, weights_only=False)\n",
    "an operator of its own": "import torch\nlib = torch.library.Library('tampering', 'DEF')\nlib.define('twice(Tensor x) -> Tensor')\n",
    "modules of PyTorch": "import torch.fx, torch.utils.checkpoint, torch.distributions\n",
    "a thread that ends": "import threading\nt = threading.Thread(target=print)\nt.start()\nt.join()\n",
    "random numbers of a moment": "import time, uuid\nSTART = time.time()\nNAME = uuid.uuid4()\n",
    "its own tensors": "import torch\nW = torch.randn(3, 3)\nE = torch.empty(3)\n",
}


@pytest.mark.parametrize("what", HARMLESS)
def test_nobody_is_accused_of_tampering_for_nothing(zygote, dojo, tmp_path, what):
    """What honest files do, and what PyTorch does by itself."""
    checks = graded(zygote, make_submission(tmp_path / "s", double=HARMLESS[what] + RIGHT[DOUBLE], total=RIGHT[TOTAL]), dojo)
    assert {c.status: c.feedback for e in checks.values() for c in e.values()} == {"passed": ""}


# ------------------------------------------------------------------ chance
COIN = "SIDE = []\n" + registered("SIDE.append(__import__('os').urandom(1)[0] % 2) or int") + "def double(x):\n    return x * 2 if SIDE[0] else x * 3\n"


@pytest.mark.slow
def test_a_coin_in_an_annotation_is_not_steady(zygote, dojo, tmp_path):
    """Eight students hand in the same file, which looks plain: none gets points by luck, and each is told."""
    assert read(COIN.encode()).plain
    for n in range(8):
        checks = graded(zygote, make_submission(tmp_path / str(n), double=COIN), dojo)[DOUBLE]
        assert [(c.status, c.score) for c in checks.values()] == [("failed", 0)] * 2
        assert all(rerun.FLAKY in c.feedback for c in checks.values())


def test_a_coin_at_the_first_call_is_not_steady(zygote, dojo, tmp_path):
    """It gives the same result as long as the process lives."""
    coin = "SIDE = []\n" + REGISTERED + (
        "def double(x):\n    if not SIDE:\n        @helper.register\n"
        "        def _(y: \"SIDE.append(__import__('os').urandom(1)[0] % 2) or int\"): return y\n    return x * 2 if SIDE[0] else x * 3\n"
    )
    for n in range(4):
        checks = graded(zygote, make_submission(tmp_path / str(n), double=coin), dojo)[DOUBLE]
        assert [c.score for c in checks.values()] == [0, 0]


def test_a_coin_that_no_repeated_check_calls_is_found_by_what_it_leaves(zygote, dojo, tmp_path, monkeypatch):
    """The module's contents differ after the calls, which is enough reason for doubt."""
    asked = []
    monkeypatch.setattr(rerun, "repeated", lambda session, exercise, check, found, *, doubted=False: asked.append(doubted) or found)
    coin = "SIDE = []\n\ndef double(x):\n    if not SIDE:\n        SIDE.append(1)\n    return x * 2\n"
    graded(zygote, make_submission(tmp_path / "s", double=coin), dojo)
    assert asked and all(asked)


def test_what_has_no_time_to_be_seen_steady_is_not_passed(zygote, dojo, tmp_path, monkeypatch):
    """Nothing passes because it was slow."""
    monkeypatch.setattr(reimport, "IMPORTS_SECONDS", 0.3)
    text = "import time, os\ntime.sleep(0.5)\nLUCKY = os.urandom(1)\n" + RIGHT[DOUBLE]
    checks = graded(zygote, make_submission(tmp_path / "s", double=text), dojo)[DOUBLE]
    assert [c.status for c in checks.values()] == ["failed", "failed"]
    assert all(rerun.UNSEEN in c.feedback for c in checks.values())


@pytest.mark.slow
def test_a_slow_file_is_seen_to_be_steady(zygote, dojo, tmp_path):
    """It gets the time that a dozen imports take."""
    start = time.monotonic()
    text = "import time\ntime.sleep(0.6)\n" + RIGHT[DOUBLE]
    checks = graded(zygote, make_submission(tmp_path / "s", double=text), dojo)[DOUBLE]
    assert [c.status for c in checks.values()] == ["passed", "passed"]
    assert time.monotonic() - start > reimport.IMPORTS * 0.6


@pytest.mark.slow
def test_a_slow_call_is_seen_to_be_steady_or_not(zygote, dojo, tmp_path):
    """A random choice in a call that uses all its time is still repeated a dozen times."""
    coin = "import time, os\n\ndef double(x):\n    time.sleep(0.4 * isinstance(x, int))\n    return x * 2 if os.urandom(1)[0] % 2 or not isinstance(x, int) else 1\n"
    for n in range(3):
        checks = graded(zygote, make_submission(tmp_path / str(n), double=coin), dojo)[DOUBLE]
        assert [c.status for c in checks.values()] == ["passed", "failed"]


def test_contents_of_a_module_are_compared_without_addresses():
    """As text without addresses: equal for equal files."""
    text = "import torch\nclass A:\n    x = {1: [2.5, None]}\n    def f(self, y=object()): return lambda: y\nW = torch.ones(2)\nL = [A(), A.f, {3}, torch.nn.Linear(1, 1)]\nL.append(L)\n"

    def look(more=""):
        from types import ModuleType

        module = ModuleType("m")
        torch = __import__("torch")
        torch.manual_seed(0)
        exec(compile(text + more, "m", "exec"), module.__dict__)
        return again.look(module)

    assert look() == look() and "0x" not in look()[0] and look()[1]
    for more in ("A.z = 1\n", "W[0] = 2\n", "L[0].q = 3\n", "def g(): return 1\n", "N = 3\n", "__doc__ = 'x'\n"):
        assert look(more) != look()
    assert look("def g(): return 1\n") != look("def g(): return 2\n")


def test_a_copied_object_leaves_no_trace():
    """Python keeps names of slots in the class of an object that is copied or pickled: that is no reason to doubt the file."""
    import copy
    from types import ModuleType

    module = ModuleType("m")
    exec("class A: pass\n", module.__dict__)
    before = again.look(module)
    copy.deepcopy(module.A())
    assert again.look(module) == before


KEPT = {
    "in a list": "S = []\ndef f(): S.append(1)\n",
    "in a name": "def f():\n    global N\n    N = 1\n",
    "in an attribute of a function": "def f(): f.side = 1\n",
    "in the text of a function": "def f(): f.__doc__ = '1'\n",
    "in a default": "def f(s=[]): s.append(1)\n",
    "in a closure": "def g():\n    n = 0\n    def f():\n        nonlocal n\n        n += 1\n    return f\nf = g()\n",
    "in a class": "class A: pass\ndef f(): A.side = 1\n",
    "in the names of slots": "class A: pass\ndef f(): A.__slotnames__ = ['side']\n",
    "in an object": "class A: pass\na = A()\ndef f(): a.side = 1\n",
    "in a layer": "import torch\nL = torch.nn.Linear(2, 2)\ndef f(): L.weight.data.zero_()\n",
    "in the attribute of a tensor": "import torch\nT = torch.zeros(2)\ndef f(): T.side = 1\n",
    "in a cache": "import functools\n@functools.cache\ndef g(): return 1\ndef f(): g()\n",
    "in a generator": "G = (n for n in (1, 2))\ndef f(): next(G)\n",
    "in slots": "class A:\n    __slots__ = ('side',)\na = A()\ndef f(): a.side = 1\n",
    "in a list of its own class": "class A(list): pass\na = A()\ndef f(): a.append(1)\n",
    "in a generator of random numbers": "import torch\nG = torch.Generator()\ndef f(): G.seed()\n",
    "in names of another dict": "d = {}\nexec('def f():\\n    global n\\n    n = 1\\n', d)\nf = d.pop('f')\n",
    "behind a long list": "S = [None] * 3000\ndef f(): S[-1] = 1\n",
}


@pytest.mark.parametrize("where", KEPT)
def test_state_kept_by_a_call_is_seen_or_reported_as_unseen(where):
    """A random choice at the first call must be stored somewhere: the module differs then, or contains something that can't be inspected."""
    from types import ModuleType

    module = ModuleType("m")
    exec(compile(KEPT[where], "m", "exec"), module.__dict__)
    before = again.look(module)
    module.f()
    assert not before[1] or again.look(module) != before


@pytest.mark.parametrize("exercise", ["02_broadcasting/ex07_softmax", "04_functions/ex02_exp", "03_autograd/ex10_no_graph"])
def test_modules_of_correct_files_can_be_inspected_completely(exercise):
    """Otherwise each of their checks would run again in the second process."""
    from types import ModuleType

    file = REAL.root / "reference" / f"{exercise}.py"
    module = ModuleType(file.stem)
    exec(compile(file.read_text(), str(file), "exec"), module.__dict__)
    assert again.look(module)[1]


# ------------------------------------------------------------------ the readings
def test_tampering_is_read_in_functions_cells_and_constants(monkeypatch):
    """Each way to change a function in place, and each way to rebind a name."""
    from torchdojo.wire import values
    from torchdojo.worker import run

    found = tampering.Instruments()
    before = found.read()
    assert found.read() == before

    def undone(change, back):
        change()
        assert found.read() != before
        back()
        assert found.read() == before

    code = run.versions.__code__
    undone(lambda: setattr(run.versions, "__code__", (lambda value: []).__code__), lambda: setattr(run.versions, "__code__", code))
    undone(lambda: setattr(run.versions, "__defaults__", (1,)), lambda: setattr(run.versions, "__defaults__", None))
    cell = run.hearing.__closure__[0]
    kept = cell.cell_contents
    undone(lambda: setattr(cell, "cell_contents", print), lambda: setattr(cell, "cell_contents", kept))
    undone(lambda: values.SIZES.update(more=1), lambda: values.SIZES.pop("more"))
    run.print = 1
    assert found.read() != before
    del run.print
