"""Which files are imported a dozen times: those whose import could give another result each time."""

import importlib
import sys
from types import ModuleType

import cloudpickle
import pytest

from torchdojo.judge.recheck.reimport import computes
from torchdojo.wire import strict as wire
from torchdojo.wire.requests import Load, Run
from torchdojo.worker import serve


@pytest.mark.parametrize(
    "text",
    [
        "import os\nLUCKY = os.urandom(1)[0] % 2\n",
        "import time\n\nclass A:\n    start = time.time()\n",
        "import time\n\ndef f(x, now=time.time()):\n    return x\n",
        "import time\n\n@time.time()\ndef f(x):\n    return x\n",
        "import os\n\ndef f(x):\n    return x * os.getpid()\n",
        "import time\nfor i in range(3):\n    X = i\n",
        "import os\nHERE = len(os.environ['HOME'])\n",
        "import random, torch\ntorch.manual_seed(random.randrange(2))\n",
        "import time\n\ndef f(x):\n    time.sleep(0)\n    return x\n",
        "(" * 5000,
    ],
)
def test_what_may_be_otherwise_next_time_is_imported_again(text):
    """It calls something at import, or later uses a value that is constant within a process."""
    assert computes(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "import os, sys\n\nsys.path.insert(0, os.path.dirname(__file__))\nimport torch\ntorch.manual_seed(0)\nN = 3\n",
        "import os, random, warnings, numpy as np, torch\nos.environ['OMP_NUM_THREADS'] = '1'\nrandom.seed(0)\nnp.random.seed(0)\n"
        "warnings.filterwarnings('ignore')\ndevice = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\n",
    ],
)
def test_honest_files_are_imported_once(text):
    """Settings and seeds at import give the same answers next time."""
    assert not computes(text.encode())


def test_a_given_module_that_a_check_imports_raises_no_doubt(tmp_path, monkeypatch):
    """It belongs to the chapter. A helper beside the file is another place where a call can leave something."""
    loaded = serve.Loaded(ModuleType("ex01_alone"), None, str(tmp_path / "ex01_alone.py"))
    for name, file, whole in (("ex01_alone", "ex01_alone.py", True), ("given.scores", "given/scores.py", True), ("helper", "helper.py", False)):
        module = ModuleType(name)
        module.__file__ = str(tmp_path / file)
        monkeypatch.setitem(sys.modules, name, module)
        assert serve.looked(loaded, str(tmp_path))[1] is whole, name


def test_a_check_finds_the_given_module_that_it_names(tmp_path, monkeypatch):
    """The second process unpacks checks before the exercise's file has been imported."""
    (tmp_path / "given").mkdir()
    (tmp_path / "given/marks.py").write_text("MARKS = [3, 1, 2]\n")
    (tmp_path / "ex01_alone.py").write_text("def first(marks):\n    return marks[0]\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    for name in [name for name in sys.modules if name.partition(".")[0] == "given"]:
        monkeypatch.delitem(sys.modules, name)
    marks = importlib.import_module("given.marks")
    code = cloudpickle.dumps(lambda solution: solution.first(marks.MARKS))
    for name in ("given", "given.marks"):
        del sys.modules[name]
    sys.path.remove(str(tmp_path))
    check = Run("01_words/ex01_alone", "first", wire.encode([[0, "cpu", {}]]), False, [], code=code)

    found = serve.load_again(Load(check.exercise, str(tmp_path), "ex01_alone.py", [str(tmp_path)]), 1, [check], {})

    assert "raised" not in found and wire.decode(found["seen"][0][1])["value"] == 3
