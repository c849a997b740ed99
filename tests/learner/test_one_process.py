"""Many exercises share the process of a pytest run: what one of them changes doesn't affect the others."""

import re

import pytest
from test_learner import run_pytest
from tiny_dojo import DOUBLE, RIGHT, TESTS, TOTAL, make_dojo, write

pytestmark = pytest.mark.timeout(300)

CHANGES = {
    "grad mode": ("torch.set_grad_enabled(False)", "torch.is_grad_enabled()"),
    "inference mode": ("MODE = torch.inference_mode(); MODE.__enter__()", "not torch.is_inference_mode_enabled()"),
    "default device": ("torch.set_default_device('meta')", "torch.ones(1).device.type == 'cpu'"),
    "default dtype": ("torch.set_default_dtype(torch.float64)", "torch.ones(1).dtype == torch.float32"),
    "seeds": ("torch.manual_seed(1); random.seed(1); np.random.seed(1)", "torch.initial_seed() != 1 and random.random() != random.Random(1).random()"),
    "deterministic": ("torch.use_deterministic_algorithms(True)", "not torch.are_deterministic_algorithms_enabled()"),
    "anomaly": ("torch.autograd.set_detect_anomaly(True)", "not torch.is_anomaly_enabled()"),
    "threads": ("torch.set_num_threads(torch.get_num_threads() + 1)", "torch.get_num_threads() == 1"),
    "autocast": ("torch.set_autocast_enabled('cpu', True)", "not torch.is_autocast_enabled('cpu')"),
    "denormals": ("torch.set_flush_denormal(True)", "sys.float_info.min * 0.5 > 0"),
    "numpy errors": ("np.seterr(all='raise')", "np.geterr()['divide'] == 'warn'"),
    "warnings": ("warnings.simplefilter('error')", "warnings.warn('loud') is None"),
    "recursion": ("sys.setrecursionlimit(400)", "sys.getrecursionlimit() >= 1000"),
    "folder": ("os.chdir('/')", "os.path.isdir('exercises')"),
    "environment": ("os.environ['DOJO_TRIED'] = '1'; os.environ.pop('PY_COLORS')", "'DOJO_TRIED' not in os.environ and 'PY_COLORS' in os.environ"),
    "path": ("sys.path.insert(0, '/nowhere')", "'/nowhere' not in sys.path"),
    "printing": ("torch.set_printoptions(precision=1)", "'1.2346' in repr(torch.tensor(1.23456))"),
    "numpy printing": ("np.set_printoptions(precision=1)", "'1.2346' in repr(np.array(1.23456)) or np.get_printoptions()['precision'] == 8"),
    "builtins": ("import builtins; builtins.len = lambda x: 7; builtins.torch = torch", "len([]) == 0 and not hasattr(__builtins__, 'torch')"),
    "a function": ("torch.relu = torch.sigmoid", "torch.relu(torch.tensor(0.0)) == 0"),
    "a method": ("torch.Tensor.sum = lambda x: x", "torch.ones(2).sum().shape == ()"),
    "a new method": ("def mine(x):\n    return x\ntorch.Tensor.mine = mine", "not hasattr(torch.Tensor, 'mine')"),
    "output": ("sys.stdout = open(os.devnull, 'w')", "sys.stdout.name != os.devnull"),
}
IMPORTS = "import os, random, sys, warnings\nimport numpy as np\nimport torch\n"
LOOKS = """{imports}from ex02_total import total

def test_all_is_as_it_was():
    \"\"\"Nothing is left.\"\"\"
    assert total(torch.ones(2)).device.type == "cpu"
{claims}
"""


def looking(*names):
    claims = "".join(f"    assert {CHANGES[name][1]}, {name!r}\n" for name in names)
    return LOOKS.format(imports=IMPORTS, claims=claims)


@pytest.mark.slow
def test_a_setting_made_at_import_reaches_no_other_exercise(tmp_path):
    """Each of them alone would make a right exercise fail, or a wrong one pass."""
    root = make_dojo(tmp_path)
    text = IMPORTS + "".join(f"{change}\n" for change, _ in CHANGES.values())
    write(root / "exercises" / f"{DOUBLE}.py", text + "\n\ndef double(x):\n    return 2 * x\n")
    write(root / "exercises" / f"{TOTAL}.py", "def total(x):\n    return x.sum()\n")
    write(root / "exercises/01_toys/test_ex02_total.py", looking(*CHANGES))
    _, output = run_pytest(root, "exercises", "-q", OMP_NUM_THREADS="1")
    assert "  ex02_total   done\n" in output, output


@pytest.mark.slow
def test_a_setting_that_a_function_changes_reaches_no_other_test(tmp_path):
    """In one run: the function of one exercise makes the change, and the next exercise checks."""
    root = make_dojo(tmp_path)
    for number, (change, _) in enumerate(CHANGES.values()):
        body = "".join(f"    {line}\n" for line in change.split("\n"))
        write(root / f"exercises/02_more/ex{number:02}_change.py", f"{IMPORTS}\ndef double(x):\n{body}    return 2 * x\n")
        write(root / f"exercises/02_more/test_ex{number:02}_change.py", TESTS[DOUBLE].replace("ex01_double", f"ex{number:02}_change"))
        write(root / f"exercises/02_more/ex{number:02}_look.py", "def total(x):\n    return x.sum()\n")
        look = looking(list(CHANGES)[number]).replace("ex02_total", f"ex{number:02}_look")
        write(root / f"exercises/02_more/test_ex{number:02}_look.py", look)
    _, output = run_pytest(root, "exercises/02_more", "-q")
    looks = re.findall(r"^  (ex\d\d_look) +(.*)$", output, re.MULTILINE)
    assert looks == [(f"ex{number:02}_look", "done") for number in range(len(CHANGES))]


def test_a_setting_is_named_where_it_may_matter(tmp_path):
    """In the messages of the exercise that makes it, and in no others."""
    root = make_dojo(tmp_path)
    text = "import torch\ntorch.set_default_dtype(torch.float64)\n\ndef double(x):\n    torch.set_grad_enabled(False)\n    return torch.tensor([1.0])\n"
    write(root / "exercises" / f"{DOUBLE}.py", text)
    write(root / "exercises" / f"{TOTAL}.py", "def total(x):\n    return x.mean()\n")
    _, output = run_pytest(root, "exercises", "-q", COLUMNS="200")
    assert output.count("note         ex01_double.py changes the default dtype when it is imported. That is undone before the tests run; do it in a function.\n") == 2
    assert output.count("note         During this test your code changed gradient tracking and left it so: undo it before your function returns.\n") == 2
    assert output.count("note ") == 4


@pytest.mark.parametrize(
    ("own", "named"),
    [
        ("os.environ['TORCHINDUCTOR_CACHE_DIR'] = '/tmp'", False),  # as the first optimizer does
        ("os.environ['KMP_DUPLICATE_LIB_OK'] = 'TRUE'", False),
        ("os.environ['CUBLAS_WORKSPACE_CONFIG'] = ':4096:8'", False),
        ("os.environ['TORCHINDUCTOR_CACHE_DIR'] = '/tmp'; os.environ['DOJO_TRIED'] = '1'", True),
    ],
)
def test_what_pytorch_sets_in_the_environment_is_not_named(own, named, tmp_path):
    """A variable that the learner's code sets is."""
    root = make_dojo(tmp_path)
    write(root / "exercises" / f"{DOUBLE}.py", f"{IMPORTS}\ndef double(x):\n    {own}\n    return x\n")
    _, output = run_pytest(root, "exercises/01_toys/test_ex01_double.py", "-q", COLUMNS="200")
    assert "not yet" in output
    assert ("note " in output) == named, output


def test_settings_of_python_stay_for_the_exercise_that_makes_them(tmp_path):
    """As in grading, where each exercise has a worker: a limit, a folder on sys.path, a variable, a filter."""
    root = make_dojo(tmp_path)
    write(root / "exercises/01_toys/parts/twofold.py", "FACTOR = 2\n")
    text = (
        IMPORTS + "sys.setrecursionlimit(5000)\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), 'parts'))\nos.environ['A'] = 'b'\nwarnings.filterwarnings('ignore')\n"
        "\ndef double(x):\n    from twofold import FACTOR\n    assert sys.getrecursionlimit() == 5000 and os.environ['A'] == 'b' and warnings.filters[0][0] == 'ignore'\n    return FACTOR * x\n"
    )
    write(root / "exercises" / f"{DOUBLE}.py", text)
    _, output = run_pytest(root, "exercises", "-q")
    assert "  ex01_double  done\n" in output, output


@pytest.mark.slow
def test_two_chapters_may_have_files_of_one_name(tmp_path):
    """The same exercise and the same helper names, each with its own code, even if it is imported late."""
    root = make_dojo(tmp_path)
    for chapter, factor in (("01_toys", 2), ("02_more", 3)):
        write(root / f"exercises/{chapter}/helper.py", f"FACTOR = {factor}\n")
        write(root / f"exercises/{chapter}/late.py", f"FACTOR = {factor}\n")
        text = f"from helper import FACTOR\n\ndef double(x):\n    import late\n    assert FACTOR == late.FACTOR == {factor}\n    return 2 * x\n"
        write(root / f"exercises/{chapter}/ex01_double.py", text)
        write(root / f"exercises/{chapter}/test_ex01_double.py", TESTS[DOUBLE])
    write(root / f"exercises/{TOTAL}.py", RIGHT[TOTAL])
    code, output = run_pytest(root, "exercises", "-q")
    assert code == 0 and "3 of 3 done. All done." in output, output


@pytest.mark.slow
@pytest.mark.parametrize("name", ["test_helper", "conftest", "helper", "setup"])
def test_a_helper_may_have_any_name(tmp_path, name):
    """Even the name of a file that pytest imports by itself."""
    root = make_dojo(tmp_path)
    write(root / f"exercises/01_toys/{name}.py", "FACTOR = 2\n")
    write(root / f"exercises/{DOUBLE}.py", f"from {name} import FACTOR\n\ndef double(x):\n    return FACTOR * x\n")
    _, output = run_pytest(root, "exercises", "-q")
    assert "  ex01_double  done\n" in output, output


HIDDEN = "Your {0}.py is not imported: `{0}` is also the name of a module {1}, which takes precedence. Rename {0}.py to my_{0}.py, and change the import."


@pytest.mark.slow
@pytest.mark.parametrize(("name", "whose"), [("random", "of Python"), ("statistics", "of Python"), ("torch", "of an installed package")])
def test_a_helper_with_the_name_of_a_module_is_named(tmp_path, name, whose):
    """At import, in a call, and when Python's own function of that name gives a wrong answer; from any folder."""
    root = make_dojo(tmp_path)
    chapter = root / "exercises/01_toys"
    write(chapter / f"{name}.py", "def twice(x):\n    return 2 * x\n\ndef mean(x):\n    return x.sum()\n")
    write(chapter / "ex01_double.py", f"from {name} import twice as double\n")
    write(chapter / "ex02_total.py", f"import {name}\n\ndef total(x):\n    return {name}.twice(x) / 2\n")
    _, output = run_pytest(root, "exercises", "-q", COLUMNS="300")
    assert " ".join(output.split()).count(f"likely cause {HIDDEN.format(name, whose)}") == 2
    assert f"ImportError: cannot import name 'twice' from '{name}'\n" in output  # and no path of this machine
    write(chapter / "ex01_double.py", f"import {name}\n\ndef double(x):\n    return x\n")
    _, output = run_pytest(root, "exercises", "-q", COLUMNS="300")
    assert f"note {HIDDEN.format(name, whose)}" in " ".join(output.split())


@pytest.mark.slow
def test_pytest_may_run_inside_a_chapter_that_has_a_torch(tmp_path):
    """`python -m pytest` puts the current folder first, and test files put theirs."""
    root = make_dojo(tmp_path)
    for exercise, text in RIGHT.items():
        write(root / f"exercises/{exercise}.py", text)
    for name in ("torch", "numpy", "statistics"):
        write(root / f"exercises/01_toys/{name}.py", "")
    write(root / "exercises/01_toys/test_ex02_total.py", "import statistics\n" + TESTS[TOTAL] + "\n\ndef test_mean():\n    assert statistics.mean([1]) == 1\n")
    code, output = run_pytest(root / "exercises/01_toys", "-q")
    assert code == 0 and "2 of 2 done." in output, output
