"""The environment of a run: random generators are seeded alike and every draw is seen; settings are restored."""

import os
import random
import subprocess
import sys
import warnings

import numpy as np
import pytest
import torch

from torchdojo.wire.pack import encode
from torchdojo.wire.strict import decode
from torchdojo.worker import rng
from torchdojo.worker.run import Solution, hearing, run_again, run_example
from torchdojo.worker.state import global_state

SOLUTION = Solution(torch)


def use(function):
    """What is noted of a run of this function, and its value."""
    seen = run_example(lambda solution: function(), SOLUTION, {})
    return seen.get("random", False), decode(encode(seen["value"]))


@pytest.mark.parametrize(
    ("draw", "seen"),
    [
        (lambda: torch.rand(1), True),
        (lambda: torch.randn(1), True),
        (lambda: torch.randperm(3), True),
        (lambda: torch.nn.functional.dropout(torch.ones(2)), True),
        (lambda: torch.rand(624), True),
        (lambda: torch.seed(), True),
        (lambda: torch.rand(2, generator=torch.Generator()), False),
        (lambda: torch.ones(2).sum(), False),
        (lambda: torch.get_rng_state(), False),
        (lambda: torch.set_rng_state(torch.get_rng_state()), False),
        (lambda: random.random(), False),
    ],
)
def test_who_draws_is_seen(draw, seen):
    """From PyTorch's own generator; restoring its state counts as not drawing."""

    def kept():
        with torch.random.fork_rng(devices=[]):
            draw()

    assert use(draw)[0] is seen and use(kept)[0] is False


def test_every_run_gets_the_same_numbers():
    """Whatever was drawn before, manually or as normal numbers, of which one may be cached."""

    def draw():
        return [random.random(), random.gauss(0, 1), float(np.random.rand()), float(np.random.randn()), *torch.randn(3).tolist()]

    first = use(draw)[1]
    random.gauss(0, 1), np.random.randn(), torch.randn(1)
    random.seed(5), np.random.seed(5), torch.manual_seed(5)
    assert use(draw)[1] == first and use(draw)[1] == first


def test_a_repetition_gets_other_numbers():
    """So an answer that depends on them differs; the next run gets the original ones."""

    def again():
        options = {"device": "cpu", "seed": rng.OTHER_SEED, "file": None, "before": global_state()}
        seen = run_again(lambda solution: [random.random(), float(np.random.rand())], SOLUTION, {}, **options)
        return decode(encode(seen["value"]))

    first = use(lambda: [random.random(), float(np.random.rand())])[1]
    second = again()
    assert not set(first) & set(second) and again() == second
    assert use(lambda: [random.random(), float(np.random.rand())])[1] == first


def test_a_repetition_leaves_settings_as_they_were():
    """And it reports errors like the first run would."""

    def spoils(solution):
        torch.set_grad_enabled(False)
        raise ValueError("no")

    found = run_again(spoils, SOLUTION, {}, device="cpu", seed=1, file=None, before=global_state())
    assert torch.is_grad_enabled() and (found["raised"]["type"], found["raised"]["text"]) == ("ValueError", "no")


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (lambda: torch.set_grad_enabled(False), "gradient tracking"),
        (lambda: torch.set_default_dtype(torch.float64), "default dtype"),
        (lambda: torch.autograd.set_detect_anomaly(True), "anomaly detection"),
        (lambda: torch.set_float32_matmul_precision("medium"), "precision of float32 products"),
        (lambda: torch.manual_seed(5), "seed of the global random generator"),
    ],
)
def test_a_setting_that_is_left_changed_is_named_and_put_back(change, name):
    """So the next run starts like this one."""
    before = global_state()
    assert run_example(lambda solution: change(), SOLUTION, {})["state"] == [name] and global_state() == before


@pytest.mark.parametrize(
    "change", [lambda: warnings.simplefilter("ignore"), lambda: warnings.simplefilter("error"), lambda: warnings.filters.clear()]
)
def test_a_run_does_not_deafen_those_after_it(change):
    """One list collects the warnings of many runs; each run gets only its own, and filters that it leaves are removed."""
    before = list(warnings.filters)

    def noted(function):
        return run_example(lambda solution: function(), SOLUTION, {}, heard=heard).get("warned")

    with hearing() as heard:
        assert noted(lambda: warnings.warn("one", stacklevel=1)) == ["UserWarning: one"]
        assert noted(change) is None
        assert noted(lambda: warnings.warn("two", DeprecationWarning, stacklevel=1)) == ["DeprecationWarning: two"]
    assert list(warnings.filters) == before


@pytest.mark.parametrize(
    ("make", "shared"),
    [
        (lambda x: x[1:], True),
        (lambda x: x.T, True),
        (lambda x: {"a": [x.detach()[1:, 1:]]}, True),
        (lambda x: torch.from_numpy(x.numpy()), True),
        (lambda x: x.clone(), False),
        (lambda x: x[3:], False),
        (lambda x: x.data.set_(torch.ones(3)), False),
    ],
)
@pytest.mark.parametrize("given", ["plain", "transposed", "expanded"])
def test_memory_of_an_argument_is_known_wherever_a_view_starts(make, shared, given):
    """A view that starts in the middle, and one that PyTorch doesn't know as a view; an empty one has no memory."""
    x = torch.arange(9.0).reshape(3, 3)
    x = {"plain": x, "transposed": x.T, "expanded": x[0].expand(3, 3)}[given]
    seen = run_example(lambda solution, x: make(x), SOLUTION, {"x": x})
    assert bool(seen.get("shares")) == shared, seen


@pytest.mark.parametrize("change", [lambda x: x.requires_grad_(), lambda x: setattr(x, "grad", torch.ones(2))])
def test_an_argument_that_requires_grad_or_has_a_gradient_afterwards_is_noted(change):
    """The caller's next backward pass would add to it."""
    assert run_example(lambda solution, x: bool(change(x)), SOLUTION, {"x": torch.zeros(2)})["marked"] == ["x"]
    assert "marked" not in run_example(lambda solution, x: True, SOLUTION, {"x": torch.zeros(2)})


@pytest.mark.slow
def test_warming_up_leaves_nothing_behind(tmp_path):
    """matplotlib stores settings and a font list in the home folder, but ours is not a home folder; existing settings are not read."""
    pytest.importorskip("matplotlib", reason="needs matplotlib: pip install matplotlib")
    home, settings = tmp_path / "home", tmp_path / "home/.config/matplotlib/matplotlibrc"
    settings.parent.mkdir(parents=True)
    settings.write_text("lines.linewidth: 77\n")
    (tmp_path / "temporary").mkdir()
    code = "from torchdojo.worker.warm import plots; plots(); import matplotlib, os; print(matplotlib.rcParams['lines.linewidth'], os.environ.get('MPLCONFIGDIR'))"
    environment = os.environ | {
        "HOME": str(home),
        "TMPDIR": str(tmp_path / "temporary"),
        "XDG_CONFIG_HOME": "",
        "XDG_CACHE_HOME": "",
    }
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=100)
    assert (done.stdout, done.stderr) == ("1.5 None\n", "")
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == [settings]


def test_einsum_takes_the_same_steps_where_opt_einsum_is_installed(tmp_path):
    """PyTorch plans the order of an einsum in Python if it finds that package, and a rule against loops would count these steps."""
    (tmp_path / "opt_einsum.py").touch()
    program = "from torchdojo.worker import warm; import torch; b = torch.backends.opt_einsum; print(b.is_available(), b.enabled); warm.imports([]); print(b.enabled)"
    run = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | {"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, timeout=60, check=True
    )
    assert run.stdout.split() == ["True", "True", "False"]
