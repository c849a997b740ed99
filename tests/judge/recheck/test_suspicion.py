"""Which files may share a worker: those that surely can't affect anything else, and no others."""

import contextlib
import enum
import time
from pathlib import Path

import pytest

from torchdojo.common.plain_text import syntax_tree
from torchdojo.judge.recheck.suspicion import read

ROOT = Path(__file__).resolve().parents[3]

MANAGER = "from contextlib import contextmanager\nimport torch\n\n@contextmanager\ndef still(x):\n    with torch.no_grad():\n        yield x\n\n"
PLAIN = [
    "import torch\n\ndef f(x):\n    return torch.relu(x) + torch.nn.functional.gelu(x)\n",
    "import torch.nn.functional as F\nfrom torch import Tensor, nn\n\ndef f(x: Tensor) -> Tensor:\n    return F.relu(x)\n",
    "from torch import nn\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.layer = nn.Linear(2, 3)\n        self._cache = None\n",
    "import torch\n\nclass Exp(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        ctx.shape = x.shape\n        return x.exp()\n",
    "import torch\n\ndef f(p):\n    p.grad = None\n    with torch.no_grad():\n        p -= 0.1\n    return isinstance(p, torch.Tensor)\n",
    "import torch\n\ndef f(x):\n    return x.to(torch.float64), getattr(x, 'grad'), torch.set_grad_enabled(False)\n",
    "import torch\n\ndef f(net, x):\n    net.eval()\n    classes, seed = x.shape[-1], 3\n    return x.device.type, type(x.grad_fn).__name__, classes\n",
    "from contextlib import contextmanager\nimport torch\n\n@contextmanager\ndef still(x):\n    with torch.no_grad():\n        yield x\n\ndef f(x):\n    with still(x) as y:\n        return y + 1\n",
    "import copy\n\ndef f(net):\n    return copy.deepcopy(net.state_dict())\n",
    "from collections.abc import Callable\nimport torch\n\ndef f(x: list[torch.Tensor | None], g: Callable[[int], torch.Tensor]) -> tuple[int, ...]:\n    return isinstance(x, (list, torch.Tensor))\n",
    "import functools\nimport torch\n\ndef f(x):\n    match x:\n        case [a, *b] if torch.cuda.is_available():\n            return functools.reduce(f, b)\n",
    "def f(x)\n",
]
DOUBTED = [
    *("import os\n", "import sys\n", "from torch.utils import _python_dispatch\n", "import helper\n", "from . import x\n", "from torch import *\n"),
    *("import torch\ntorch.equal = None\n", "import torch\ntorch.Tensor.add = None\n", "import torch\ndel torch.equal\n"),
    *("import torch\nt = torch\n", "import torch\nT = torch.Tensor\n", "from torch import nn\nfor m in (nn,):\n    m.x = 1\n", "import torch\ndef f(t=torch.nn): pass\n"),
    *("import torch\nfor torch.equal in [1]: pass\n", "import torch\nwith open('x') as torch.equal: pass\n", "import torch\n[0 for torch.equal in [1]]\n"),
    *("import torch\nsetattr(torch, 'equal', 1)\n", "import torch\nvars(torch)['equal'] = 1\n", "import torch\ntorch.__dict__.update(equal=1)\n"),
    *("exec('import torch')\n", "eval('1')\n", "__import__('os')\n", "globals()['x'] = 1\n", "getattr(1, '_' + 'x')\n", "g = getattr\n"),
    *("def f(x):\n    type(x).add = 1\n", "def f(x):\n    x.__class__.add = 1\n", "def f(x):\n    x.__class__ = int\n", "import torch\nclass A(torch.Tensor):\n    def __del__(self): pass\n"),
    *("import torch\ntorch.os.kill(0, 9)\n", "import torch\ntorch.ops.load_library('x')\n", "import torch\ntorch.set_num_threads(9)\n", "import torch\ntorch.utils.set_module(1, 2)\n"),
    *("import torch\ndef f(x: torch.Tensor.add_(1)): pass\n", "import torch\nx: print(torch) = 1\n", "import torch\ndef f():\n    with torch.no_grad():\n        yield 1\n"),
    *("import torch\ndef f(x):\n    return torch.classes\n", "from torch import classes\n", "from torch import hub as classes\n", "def f(x):\n    x.eval = print\n    eval('x')\n"),
    *("def f(x):\n    type(x).__name__ = 'T'\n", "def f(x):\n    type(x, (), {}).__name__\n", "def f(x):\n    type(type(x)).__name__\n", "def f(x):\n    return type(x)\n"),
    *(
        MANAGER + "def f(x):\n    still(x).__enter__()\n",
        MANAGER + "s = still\n",
        MANAGER + "def f(x):\n    with still(x):\n        yield x\n",
        MANAGER + "def f(x):\n    with g(still):\n        return x\n",
        MANAGER.replace("from contextlib import contextmanager", "def contextmanager(f):\n    return f"),
        MANAGER.replace("import contextmanager", "import contextmanager, redirect_stdout"),
        MANAGER + "def contextmanager(f):\n    return f\n",
        MANAGER + "make = contextmanager\n",
        MANAGER.replace("        yield x\n", "        yield x\n    def inner():\n        with torch.no_grad():\n            yield x\n"),
    ),
    *("import copy\ncopy.weakref.finalize(copy, print)\n", "import copy\ncopy.copyreg.pickle(int, print)\n", "import copy\ncopy.deepcopy = print\n"),
    "import torch\ntorch.nn.modules.module.register_module_forward_hook(print)\n",
    "import torch\nX = " + "+".join(["1"] * 700) + "\n",  # deeper than a walk over it can go, and not too deep for Python
    "x = 1\n" * 40_000,
    *("import torch\ntorch.inference_mode().__enter__()\n", "from torch import device\nmeta = device('meta')\nmeta.__enter__()\n"),
    *("import torch\ntorch.autograd.forward_ad.enter_dual_level()\n", "from torch.autograd.forward_ad import enter_dual_level as e\n"),
    "import torch.optim\ntorch.optim.optimizer.register_optimizer_step_post_hook(print)\n",
    "import functools, torch\nfunctools.update_wrapper(torch.equal, print)\n",
    "import nothing_of_this_name\n\ndef f():\n    return nothing_of_this_name.x\n",
    # frames, and through them all modules
    *("def f():\n    return (1 for _ in ()).gi_frame\n", "def f(e):\n    return e.tb_frame\n", "def f(g):\n    return g.f_back.f_globals\n"),
    # modules that other modules have imported
    *("from collections import _sys\n_sys.modules['torch'].equal = None\n", "from dataclasses import _thread\n", "import typing\ntyping.operator.add\n"),
    *("import torch\ntorch.cuda.traceback.walk_stack(None)\n", "from torch.nn.modules.container import operator\n"),
    *(["from enum import bltns as b\nb.print()\n"] if hasattr(enum, "bltns") else []),  # from Python 3.11 on
    # an attribute by way of a pattern
    *("def f(x):\n    match f:\n        case object(__globals__=g): g['x'] = 1\n", "def f(x):\n    match x:\n        case object(_base=b): pass\n"),
    # classes and modules that an annotation has named, and what their names are given to
    *("from dataclasses import fields\n", "import typing\nclass A:\n    f: eval\ntyping.get_type_hints(A)\n", "def f(g):\n    return list(g.registry)\n"),
    *("import torch\ndef f(x: own[torch.Tensor]): pass\nown = 1\n", "import torch\ndef f(x: own == torch.Tensor): pass\n", "import torch\ny: own[torch] = 3\nown = 1\n"),
    "import torch\nclass E(Exception):\n    def __getitem__(self, c): c.add = 1\ntry: f()\nexcept E as own: x: own[torch.Tensor] = 1\n",
    "import torch\ndef f(m):\n    match m:\n        case {**own}: pass\n    def g(x: own[torch.Tensor]): pass\n",
    *("import torch\ndef f(x):\n    return isinstance(x, (t := torch.Tensor)) and t.add\n", "import torch\ndef f(x):\n    isinstance(x, f(torch.Tensor))\n"),
    *("import torch\ndef f():\n    try: torch.Tensor.no_such_name\n    except AttributeError as e: pass\n", "def f(e):\n    e.obj.add = 1\n"),
    "import copy\ncopy.dispatch_table[dict] = print\n",
    "import torch\nnext(torch.autograd.graph.disable_saved_tensors_hooks('no').gen)\n",
]
UNSTEADY = [
    "x = 1\n" * 40_000,
    "import torch\nX = " + "+".join(["1"] * 700) + "\n",
    "import torch\n\ndef f(x):\n    return torch.empty_like(x)\n",
    "def f(x):\n    return id(x) % 7\n",
    "import helper\n\ndef f(x):\n    return helper.f(x)\n",
    "from uuid import uuid4\n",
    "t = __import__('time')\n",
    "N = 0\n\ndef f(x):\n    global N\n    N += 1\n",
    "import time\n",
    "import inspect\n\ndef f(x):\n    return inspect.currentframe().f_back.f_globals\n",
    "from collections import _sys\n",
]


@pytest.mark.parametrize("text", PLAIN)
def test_plain_files_are_known(text):
    """They only call PyTorch and compute."""
    assert read(text.encode()).plain and read(text.encode()).steady


@pytest.mark.parametrize("text", DOUBTED)
def test_everything_else_is_doubted(text):
    """It may affect more than its own functions."""
    assert not read(text.encode()).plain


@pytest.mark.parametrize("text", UNSTEADY)
def test_what_may_differ_from_run_to_run_is_known(text):
    """Its checks are repeated."""
    assert not read(text.encode()).steady


def test_most_solutions_are_plain():
    """Otherwise grading would be slow for no reason."""
    found = [read(file.read_bytes()).plain for file in (ROOT / "reference").glob("*/*.py") if not file.stem.endswith("_variants")]
    assert sum(found) > 0.7 * len(found)


def test_reading_a_file_imports_nothing(tmp_path, monkeypatch):
    """The names are chosen by a learner."""
    (tmp_path / "trap_of_the_learner.py").write_text("raise SystemExit\n")
    monkeypatch.syspath_prepend(tmp_path)
    for text in ("import trap_of_the_learner\ntrap_of_the_learner.x\n", "from trap_of_the_learner import y\ny.z\nq = y\n", "from torch import nothing\nnothing.x\n"):
        assert not read(text.encode()).plain


@pytest.mark.timeout(60)
def test_reading_a_file_takes_no_time():
    """However long its names are and however many accents its letters have: Python itself needs minutes for some of that."""
    for text in ("a" + "\u0301\u0323" * 30_000, "a" + "\u0f73\u0344" * 30_000, "a" + "+AwEDIw-" * 20_000, "_set_" * 30_000):
        for data in (f"# coding: utf-7\n{text} = 1\n", f"import sys\n{text} = 1\n", f"import sys\n# {text}\n"):
            read.__wrapped__(data.encode())
            with contextlib.suppress(MemoryError, SyntaxError):
                syntax_tree(data.encode())
    assert not read(("a" + "\u0301" * 1000 + " = 1\n").encode()).plain
    assert read("# é\u0301\u0323, \u0e01\u0e33\nx = 'नमस्ते'\n".encode()).plain


@pytest.mark.parametrize("encoding", ["zlib_codec", "rot13", "hex", "undefined", "no-such"])
def test_an_encoding_that_is_none_is_an_error_of_the_file(encoding):
    """Python refuses it at import, and the learner is told so; it is not an internal error."""
    text = f"# coding: {encoding}\nimport os\ntorch._C._DisableTorchDispatch()\n".encode()
    assert read(text).plain


@pytest.mark.parametrize("encoding", ["punycode", "idna"])
def test_an_encoding_that_takes_minutes_is_not_read(encoding):
    """If reading takes quadratic time in Python, the file is treated as one that can't be analyzed."""
    text = f"# -*- coding: {encoding} -*-\n".encode() + b"x" * 100 + b"-" + b"b" * 900_000
    start = time.monotonic()
    assert not read(text[:190_000]).plain and not read(text).steady
    assert time.monotonic() - start < 1
