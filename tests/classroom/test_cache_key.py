"""What a stored result depends on: everything that the worker can read, and every module of ours that can change it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from received import got
from tiny_dojo import DOUBLE, RIGHT, TOTAL, make_dojo, make_submission

from torchdojo.course import cache_key
from torchdojo.course.exercise import Dojo

HELPER = "def twice(x):\n    return {}\n"
READERS = {
    "import_module": "import importlib\ndouble = importlib.import_module('too' + 'ls').twice\n",
    "__import__": "double = __import__('too' + 'ls').twice\n",
    "import_module, imported by name": "from importlib import import_module as get\ndouble = get('sloot'[::-1]).twice\n",
    "open": "exec(open(__file__.replace('ex01_double', 'tools')).read())\ndouble = twice\n",
    "pathlib": "from pathlib import Path\nexec((Path(__file__).parents[1] / 'too' 'ls.py').read_text())\ndouble = twice\n",
    "a generated import": "exec('from too' + 'ls import twice')\ndouble = twice\n",
    "a plain import": "from tools import twice as double\n",
}


@pytest.fixture(scope="module")
def dojo(tmp_path_factory):
    return Dojo(make_dojo(tmp_path_factory.mktemp("dojo")))


def changed(dojo, tmp_path, text: str, helper: str) -> bool:
    """Is a submission whose helper was corrected another one for the exercise?"""
    found = []
    for name, body in (("a", "x"), ("b", "2 * x")):
        path = make_submission(tmp_path / name / "ada", double=text, total=RIGHT[TOTAL])
        file = path / helper
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(HELPER.format(body))
        found.append(got(dojo, tmp_path / name / "got", path).content({e.id: e for e in dojo.graded()}[DOUBLE]))
    return found[0] != found[1]


@pytest.mark.parametrize("text", READERS.values(), ids=READERS)
def test_a_corrected_helper_is_graded_again_however_it_is_imported(dojo, tmp_path, text):
    assert changed(dojo, tmp_path, text, "01_toys/tools.py")


@pytest.mark.parametrize(
    "text",
    [
        "import sys\nsys.path.insert(0, __file__.rsplit('/', 1)[0] + '/ins' + 'ide')\ndouble = __import__('too' + 'ls').twice\n",
        "import importlib\ndouble = importlib.import_module('ins' + 'ide.tools').twice\n",
    ],
)
def test_a_helper_in_a_folder_below_counts(dojo, tmp_path, text):
    assert changed(dojo, tmp_path, text, "01_toys/inside/tools.py")


def test_another_exercise_counts_for_a_file_that_can_import_it_by_a_computed_name(dojo, tmp_path):
    texts = ["double = __import__('ex02' + '_total').twice\n", RIGHT[DOUBLE]]
    found = []
    for n, total in enumerate((RIGHT[TOTAL], RIGHT[TOTAL] + "\n\ndef twice(x):\n    return 2 * x\n")):
        contents = []
        for m, text in enumerate(texts):
            path = make_submission(tmp_path / f"{n}{m}" / "ada", double=text, total=total)
            one = got(dojo, tmp_path / f"{n}{m}" / "got", path)
            contents.append(one.content({e.id: e for e in dojo.graded()}[DOUBLE]))
        found.append(contents)

    assert found[0][0] != found[1][0]
    assert found[0][1] == found[1][1]  # it calls nothing but PyTorch: only what was corrected is graded again


GRADE = """
import sys
from pathlib import Path
from torchdojo.sandbox.start import start
from torchdojo.course.exercise import Dojo
from torchdojo.classroom.grader import Grader
from torchdojo.classroom.job import Checked, Job
zygote = start([])
before = set(sys.modules)
dojo = Dojo(Path({root!r}))
job = Job("ada", [{double!r}], {{{double!r}: {file!r}}})
checks = [m.check for m in Grader(dojo, zygote, 0, ["cpu"]).work(job) if isinstance(m, Checked)]
assert any(c.status == "failed" for c in checks), checks
zygote.close()
for name in sorted(sys.modules):
    if name.startswith("torchdojo.") and getattr(sys.modules[name], "__file__", None):
        print(sys.modules[name].__file__)
"""


@pytest.mark.slow
def test_the_engine_is_all_that_grading_imports(dojo, tmp_path):
    """A wrong answer with an explained cause covers most imports; later imports are found in the source files."""
    file = tmp_path / "ex01_double.py"
    file.write_text("import torch\n\n\ndef double(x):\n    return x * 3\n")
    code = GRADE.format(root=str(dojo.root), double=DOUBLE, file=str(file))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)

    loaded = {Path(line) for line in done.stdout.splitlines()} - {dojo.root}
    assert len(loaded) > 50, done.stderr
    assert {f for f in loaded if f.is_relative_to(cache_key.PACKAGE)} <= set(cache_key.engine_files())


def test_what_shapes_causes_is_part_of_the_engine():
    names = {f.relative_to(cache_key.PACKAGE).as_posix() for f in cache_key.engine_files()}

    assert {"judge/session.py", "sandbox/zygote.py", "wire/strict.py", "worker/run.py", "explain/causes.py", "judge/compare.py"} <= names
    assert not names & {"reports/many/html.py", "commands/grade.py", "cli.py", "verify/points.py", "classroom/journal.py"}
