"""Pictures of the learner's own work: drawn after the tests, shown in the notebook, never in the way."""

import re
import shutil
import sys
import warnings
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import torch
import warm
from tiny_dojo import DOUBLE, RIGHT, make_dojo, write

from torchdojo import draw_graph
from torchdojo.course.exercise import Dojo
from torchdojo.learner import pictures
from torchdojo.notebook import check
from torchdojo.worker.serve import import_file

pytestmark = pytest.mark.timeout(300)  # other processes are started, perhaps on a busy machine

ROOT = Path(__file__).resolve().parents[2]
DRAWN = [e for e in Dojo(ROOT).exercises if pictures.script_of(e.stub).exists()]
PLOT = "from matplotlib.figure import Figure\n\ndef draw(solution):\n    f = Figure()\n    f.subplots().plot(solution.double(%s))\n    return f\n"


def test_eleven_things_are_drawn():
    """The sine, the loss curve, the race, a graph, the alignment of shapes, the mask of a gradient, flipped images,
    attention masks, the training of a character model and of its second style, and what a network of shapes sees."""
    assert {e.stem for e in DRAWN} == {
        *("ex06_fit_sin", "ex05_fit_line", "ex07_optimizer_race", "ex08_safe_mse", "ex02_broadcast_shape", "ex03_relu"),
        *("ex08_augmented_images", "ex03_attention_masks", "ex10_char_model", "ex12_new_style", "ex12_new_shapes"),
    }


@pytest.mark.slow
@pytest.mark.parametrize("exercise", DRAWN, ids=lambda e: e.id)
def test_the_reference_makes_its_picture(exercise, tmp_path):
    """Of a reasonable size, with something on it."""
    pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install matplotlib")
    assert exercise.reference_module is sys.modules[exercise.stem]
    stub = tmp_path / exercise.stub.name
    shutil.copy(pictures.script_of(exercise.stub), pictures.script_of(stub))
    file = pictures.drawn(stub, tmp_path, 100).file  # this machine may be busy with other tests
    assert file is not None and file.parent == tmp_path / "artifacts"
    if file.suffix == ".svg":
        texts = [t.text for t in ElementTree.fromstring(file.read_text()).iter("{http://www.w3.org/2000/svg}text")]
        assert {"pred", "target", "Sub", "Mean", "result"} <= set(texts)
    else:
        from matplotlib import image

        seen = image.imread(file)
        assert min(seen.shape[:2]) > 300 and (seen < 0.9).any(axis=2).mean() > 0.01


ORDINARY = {  # done, without the star
    "05_optimizers/ex05_fit_line": """import torch

def fit_line(X, y, w0, b0, lr, epochs):
    w, b = w0.clone(), b0.clone()
    w.requires_grad_()
    b.requires_grad_()
    history = []
    for _ in range(epochs):
        loss = ((w * X + b - y) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            w -= lr * w.grad
            b -= lr * b.grad
        w.grad.zero_()
        b.grad.zero_()
        history.append(loss.item())
    return w, b, history
""",
}


@pytest.mark.parametrize("id", ORDINARY)
def test_a_solution_without_the_star_is_drawn_too(id, tmp_path, monkeypatch):
    """A picture needs no more than the task asks for, and warns of nothing."""
    pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install matplotlib")
    exercise = next(e for e in DRAWN if e.id == id)
    monkeypatch.setitem(
        sys.modules, exercise.stem, import_file(exercise.stem, str(write(tmp_path / exercise.stub.name, ORDINARY[id])))
    )
    shutil.copy(pictures.script_of(exercise.stub), tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert pictures.drawn(tmp_path / exercise.stub.name, tmp_path, 100).file is not None


@pytest.fixture
def repo(tmp_path):
    """The toy dojo with a picture for one exercise."""
    pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install matplotlib")
    root = make_dojo(tmp_path / "dojo")
    write(root / "exercises/01_toys/picture_ex01_double.py", PLOT % "[1, 2]")
    return root


def outcome_of(root, text):
    """pytest's last lines on a text, and the pictures afterwards."""
    write(root / "exercises" / f"{DOUBLE}.py", text)
    done = warm.python("-m", "pytest", "exercises/01_toys/test_ex01_double.py", "-q", "--color=no", cwd=root)
    assert done.stderr == ""
    return done.stdout.splitlines()[-2:], sorted(p.name for p in (root / "artifacts").glob("*"))


@pytest.mark.slow
def test_a_picture_is_drawn_when_the_tests_run(repo):
    """And the run says so; a stub has no picture."""
    said, files = outcome_of(repo, "def double(x):\n    raise NotImplementedError\n")
    assert files == [] and "Picture" not in said[0]
    said, files = outcome_of(repo, RIGHT[DOUBLE])
    assert files == ["ex01_double.png"] and said[0] == "Picture: artifacts/ex01_double.png" and said[1].startswith("2 passed")


@pytest.mark.slow
def test_a_picture_that_fails_is_one_line(repo):
    """The verdict doesn't change, and what the code prints and warns of there is not shown."""
    body = "    import warnings\n    warnings.warn('w' * 99)\n    print('x')\n    raise SystemExit\n"
    write(repo / "exercises/01_toys/picture_ex01_double.py", f"def draw(solution):\n{body}")
    said, files = outcome_of(repo, RIGHT[DOUBLE])
    assert said[0] == "No picture of ex01_double: drawing it with your code raises SystemExit." and said[1].startswith("2 passed")
    assert files == []


def told_of(repo, body, seconds=100):
    write(repo / "exercises/01_toys/picture_ex01_double.py", f"def draw(solution):\n    {body}\n")
    return str(pictures.drawn(repo / "exercises" / f"{DOUBLE}.py", repo, seconds))


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("raise NotImplementedError('01_toys/ex01_double: write double()')", "write double() first"),
        ("raise NotImplementedError('Could not run aten::add')", "drawing it with your code raises NotImplementedError (Could not run aten::add)"),
        ("1 / 0", "drawing it with your code raises ZeroDivisionError (division by zero)"),
        ("raise MemoryError", "drawing it with your code raises MemoryError"),
        ("raise ValueError('two\\n lines \\x1b[2J' + ' and more' * 99)", f"drawing it with your code raises ValueError (two lines{' and more' * 9} and mo...)"),
        ("return 7", "drawing it with your code raises AttributeError ('int' object has no attribute 'savefig')"),
    ],
)
def test_one_line_says_why_there_is_no_picture(repo, monkeypatch, capfd, body, problem):
    """What has to be written first, or the error, of which a long text is cut."""
    monkeypatch.setitem(sys.modules, "ex01_double", object())
    assert told_of(repo, f"print('x' * 10**5); {body}") == f"No picture of ex01_double: {problem}."
    assert capfd.readouterr().out == "" and list((repo / "artifacts").glob("*")) == []


def test_an_endless_picture_is_ended(repo, monkeypatch):
    """After a time limit."""
    monkeypatch.setitem(sys.modules, "ex01_double", object())
    ended = "No picture of ex01_double: drawing it with your code takes more than 1 seconds."
    assert told_of(repo, "while True: pass", seconds=1) == ended


def test_no_matplotlib_no_picture(repo, monkeypatch):
    """The line says that it is missing."""
    monkeypatch.setattr(pictures.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setitem(sys.modules, "ex01_double", object())
    assert told_of(repo, "pass") == "No picture of ex01_double: matplotlib is not installed."


def test_a_check_cell_makes_it_too(repo, tmp_path):
    """From the source stored in the cell."""
    test = (repo / "exercises/01_toys/test_ex01_double.py").read_text()
    module = sys.modules["torchdojo.notebook.check"]
    verdict = module.run(tmp_path / "cell", DOUBLE, RIGHT[DOUBLE], test, {}, PLOT % "[1, 2]")
    assert verdict["status"] == "done" and (tmp_path / "cell/artifacts/ex01_double.png").stat().st_size > 1000
    verdict = module.run(tmp_path / "other", DOUBLE, RIGHT[DOUBLE], test, {}, "def draw(solution):\n    1 / 0\n")
    assert verdict["status"] == "done" and verdict["picture"].startswith("No picture of ex01_double: ")
    assert callable(check)


# ------------------------------------------------------------------ graphs
def boxes(svg):
    return re.findall(r"<text [^>]*>([^<]*)</text>", svg)


def test_a_graph_has_the_operations_of_the_expression():
    """Inputs come before what uses them; leaves have names and shapes; a value that is used twice is drawn once."""
    w, b = torch.ones(3, requires_grad=True), torch.zeros(1, requires_grad=True)
    svg = draw_graph((w * w + b).exp().sum(), w=w).svg
    assert boxes(svg) == ["w", "shape (3,)", "Mul", "leaf", "shape (1,)", "Add", "Exp", "Sum", "result", "shape ()"]
    assert svg.count("<line") == 7  # w goes into Mul twice
    ElementTree.fromstring(svg)


def test_no_two_boxes_overlap(tmp_path):
    """Also in a wide graph; the picture can be saved."""
    leaves = [torch.ones(1, requires_grad=True) for _ in range(6)]
    total = sum((a * c).tanh() for a in leaves for c in leaves[:3])
    picture = draw_graph(total)
    picture.save(tmp_path / "graph.svg")
    places = [
        (float(x), float(y)) for x, y in re.findall(r'<rect x="(\d+)" y="(\d+)" width="118"', (tmp_path / "graph.svg").read_text())
    ]
    assert len(places) > 40 and picture._repr_svg_() == picture.svg
    assert all(abs(x - u) >= 118 or abs(y - v) >= 34 for i, (x, y) in enumerate(places) for u, v in places[:i])


def test_what_has_no_graph_is_refused_in_a_sentence():
    """A constant, and one that is too long."""
    with pytest.raises(ValueError, match="this tensor has no history"):
        draw_graph(torch.ones(1))
    long = torch.ones(1, requires_grad=True)
    for _ in range(400):
        long = long + 1
    with pytest.raises(ValueError, match="more than 300 operations"):
        draw_graph(long)
