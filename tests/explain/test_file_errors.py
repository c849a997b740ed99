"""An error is told by the line of the file that it comes from, where the file shows it; else by its words alone."""

import pytest

from torchdojo.explain.error_causes import INSIDE, in_words
from torchdojo.explain.file_errors import cause
from torchdojo.explain.own_names import written
from torchdojo.judge.compare import Difference
from torchdojo.learner.messages import meaning_of
from torchdojo.wire.outcome import Raised

UNBOUND = "cannot access local variable 'y' where it is not associated with a value"
UNBOUND_310 = "local variable 'y' referenced before assignment"
DEVICES = "Expected all tensors to be on the same device, but found at least two devices, sim:0 and cpu!"


def told(text, code, line=1, where="f"):
    """What is said of an error in a line of this file."""
    return cause(Raised("RuntimeError", text, line, code.splitlines()[line - 1].strip(), where), written(code.encode()))


@pytest.mark.parametrize("text", [UNBOUND, UNBOUND_310])
def test_a_name_that_gets_its_value_later(text):
    """The line that uses it, and the one that sets it."""
    code = "def f(x):\n    g(y)\n    y = x + 1\n    return y\n"
    assert told(text, code, 2) == "Line 2 uses `y`, but only line 3 assigns it. Compute it first."
    inside = "def f(x):\n    with a():\n        g(y)\n        y = x + 1\n    return y\n"
    assert told(text, inside, 3).startswith("Line 3 uses `y`, but only line 4")


@pytest.mark.parametrize(
    "code",
    [
        "def f(x):\n    if x:\n        y = 1\n    g(y)\n",
        "def f(x):\n    g(y)\n    if x:\n        y = 1\n",
        "def f(x):\n    for y in x:\n        pass\n    g(y)\n",
        "def f(x):\n    while x:\n        g(y)\n        y = 1\n",
    ],
)
def test_a_branch_that_did_not_run_is_no_wrong_order(code):
    """Then the lines cannot simply change places."""
    line = next(n for n, text in enumerate(code.splitlines(), 1) if "g(y)" in text)
    assert told(UNBOUND, code, line) is None


def test_a_tensor_that_is_made_on_the_cpu():
    """The call without a device, in each line where it stands."""
    both = "def f(p):\n    m = torch.zeros(p.shape)\n    v = torch.zeros(p.shape)\n    return m * p + v\n"
    assert told(DEVICES, both, 4).startswith("`torch.zeros(p.shape)` (lines 2 and 3) creates a tensor on the default device, the CPU")
    one = both.replace("    v = torch.zeros(p.shape)\n", "    v = torch.zeros(p.shape, device=p.device)\n")
    assert told(DEVICES, one, 4).startswith("`torch.zeros(p.shape)` (line 2) creates")


@pytest.mark.parametrize(
    "code",
    [
        "def f(p, table):\n    return p + table\n\ndef g():\n    return torch.zeros(3)\n",
        "def f(p, table):\n    steps = torch.arange(3)\n    return p + table\n",
        "table = torch.zeros(3, device=d)\ndef f(p):\n    x = torch.ones(2)\n    return p + table\n",
    ],
)
def test_a_line_that_has_nothing_to_do_with_the_error_is_not_blamed(code):
    """What is created elsewhere, for a name that the line doesn't use, may be on any device."""
    line = next(n for n, text in enumerate(code.splitlines(), 1) if "p + table" in text)
    assert told(DEVICES, code, line) is None


@pytest.mark.parametrize("made", ["torch.zeros_like(p)", "p.new_zeros(3)", "torch.zeros(3, device=d)", "torch.zeros(3, **kind)", "zeros(3)", "np.zeros(3)"])
def test_what_is_made_elsewhere_is_not_on_the_cpu(made):
    """No line is blamed that follows the device of another tensor, or that may do so."""
    assert told(DEVICES, f"def f(p):\n    return {made} * p\n", 2) is None


def test_of_several_makers_none_is_blamed():
    """The file doesn't show which of them it was."""
    assert told(DEVICES, "def f(p):\n    return torch.zeros(3) * p + torch.ones(4)\n", 2) is None


def test_products_of_too_many_or_too_few_axes():
    """The whole batch is turned round by .T; two vectors have a dot product."""
    batch = "Expected size for first two dimensions of batch2 tensor to be: [2, 2] but got: [2, 4]."
    assert told(batch, "def f(g, x):\n    return g.T @ x\n", 2).startswith("`.T` reverses all axes")
    assert told(batch, "def f(g, x):\n    return g @ x\n", 2) is None
    dot = "inconsistent tensor size, expected tensor [3] and src [2] to have the same number of elements, but got 3 and 2 elements respectively"
    assert "dot product" in told(dot, "def f(g, x):\n    return g.T @ x\n", 2)


def test_without_a_file_nothing_is_said():
    """Of a file that cannot be read, and of none."""
    raised = Raised("UnboundLocalError", UNBOUND, 1, "g(y)", "f")
    assert cause(raised, None) is None and cause(raised, written(b"def broken(:")) is None and cause(None, written(b"x = 1")) is None


def test_visible_tests_name_the_line_too(tmp_path):
    """The same words in the learner's own pytest; where the file shows nothing, or is gone, the error's own words."""
    file = tmp_path / "ex01.py"
    file.write_text("def f(x):\n    g(y)\n    y = x + 1\n    return y\n")
    raised = Raised("UnboundLocalError", UNBOUND, 2, "g(y)", "f")
    assert meaning_of(raised, file) == "Line 2 uses `y`, but only line 3 assigns it. Compute it first."
    assert meaning_of(Raised("UnboundLocalError", UNBOUND, 3, "y", "f"), file).startswith("A variable is used before it has a value")
    assert meaning_of(raised, tmp_path / "gone.py").startswith("A variable is used before it has a value")


def test_a_method_without_self():
    """Only a method of the file's own whose `def` has no self; a call of somebody else's is not one."""
    text = "Layer.forward() takes 1 positional argument but 2 were given"
    code = "class Layer:\n    def forward(x):\n        return x\n"
    assert told(text, code).startswith("`forward` is a method, and its `def` (line 2) has no self")
    assert told(text, code.replace("(x)", "(self)")) is None
    assert told(text, code.replace("    def", "    @staticmethod\n    def")) is None
    assert told("Answers.__init__() takes 1 positional argument but 2 were given", code) is None


def test_a_weight_with_swapped_axes():
    """The two shapes are each other's reverse; other shapes that don't match say less."""
    text = "size mismatch for weight: copying a param with shape torch.Size([{}]) from checkpoint, the shape in current model is torch.Size([{}])."
    assert told(text.format("3, 2", "2, 3"), "pass").startswith("`weight` has shape (3, 2) on one side and (2, 3) on the other: its two axes are swapped.")
    assert told(text.format("3, 2", "4, 3"), "pass") is None


def test_an_axis_that_the_input_does_not_have():
    """The number stands on the line; where it is computed, nothing is said of the line."""
    text = "Dimension out of range (expected to be in range of [-1, 0], but got 1)"
    assert told(text, "y = x.unsqueeze(1) == c") == "For this input axis 1 doesn't exist, only -1 to 0."
    assert told(text, "y = x.unsqueeze(dim) == c") is None


def test_a_move_away_from_meta():
    """Nothing is read there: the advice is about .to alone."""
    text = "Cannot copy out of meta tensor; no data!"
    assert told(text, "model = model.to(device)").startswith('A tensor on the device "meta" has no values, so `.to(...)` can\'t move it')
    assert told(text, "y = float(x)") is None


def test_counts_of_unique_are_indexed_by_value():
    """The name that is indexed is the one that holds the counts."""
    code = "_, counts = torch.unique(labels, return_counts=True)\nw = 1.0 / counts[labels]\n"
    text = "index 3 is out of bounds for dimension 0 with size 3"
    assert told(text, code, 2).startswith("`counts` comes from torch.unique, which counts only values that occur")
    assert told(text, code.replace("counts[labels]", "other[labels]"), 2) is None
    assert told(text, code + "counts = counts.tolist()\n", 2) is None


def test_a_layer_whose_input_does_not_fit():
    """A line that multiplies no matrices itself is told of nn.Linear, if the file makes one."""
    text = "mat1 and mat2 shapes cannot be multiplied (2x1 and 2x4)"

    def of_line(code, line):
        raised = Raised("RuntimeError", text, line, code.splitlines()[line - 1].strip(), "forward")
        learner = written(code.encode())
        return cause(raised, learner) or in_words(Difference("runs", (), "", raised), learner).sentence

    layer = "fc = nn.Linear(2, 4)\nx = x.reshape(2, -1)\ny = fc(x)\n"
    assert of_line(layer, 3) == (
        "nn.Linear works on the last axis of its input and keeps all others. Here that axis has size 1, but in_features is 2: print the shape that reaches the layer."
    )
    assert of_line(layer.replace("x = x.reshape(2, -1)", "x = nn.GRU(2, 4)(x)"), 3) == INSIDE
    assert of_line("y = model(x)\n", 1) == INSIDE
    assert of_line("y = x @ w\n", 1).startswith("In A @ B")
