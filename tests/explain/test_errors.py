"""PyTorch's own errors, raised here for real, are explained; errors that nobody knows are not."""

import pytest
import torch
from torch import nn

from torchdojo.explain.error_meanings import MEANINGS
from torchdojo.explain.errors import explain_error
from torchdojo.wire.outcome import Raised
from torchdojo.worker.raised import describe_error


def meaning(raised):
    """What the program says of an error that a worker describes so."""
    return explain_error(Raised.of(raised))


def data(function):
    """What function() raises, as data."""
    with pytest.raises(BaseException) as caught:
        function()
    text = str(caught.value).splitlines()
    code = getattr(caught.value, "text", None) or ""
    return {"type": caught.type.__name__, "text": text[0] if text else "", "code": code.strip()}


x = torch.ones(3, requires_grad=True)


def twice():
    y = (x * x).sum()
    y.backward()
    y.backward()


def overwritten():
    y = x.exp()
    y.mul_(2)
    y.sum().backward()


class Wrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, gradient):
        ctx.gradient = gradient
        return a * 1

    @staticmethod
    def backward(ctx, g):
        return ctx.gradient


class SavesNumber(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(3)
        return a * 1


class Empty(torch.autograd.Function):
    pass


class NoSuperParameter(torch.nn.Module):
    def __init__(self):
        self.weight = torch.nn.Parameter(torch.ones(2))


class NoSuper(nn.Module):
    def __init__(self):
        self.layer = nn.Linear(1, 1)


def inference():
    with torch.inference_mode():
        z = torch.ones(3)
    (x * z).sum()


def recursion():
    recursion()


def unpack():
    a, b = torch.ones(3)
    return a, b


KNOWN = {
    "backward of a vector": (lambda: (x * 2).backward(), "backward needs one number to differentiate"),
    "leaf in place": (lambda: x.add_(1), "A leaf tensor that requires grad is changed in place"),
    "overwritten": (overwritten, "A value that backward still needs was overwritten in place"),
    "no graph": (lambda: torch.ones(1).backward(), "There is no graph here"),
    "grad of a constant": (lambda: torch.autograd.grad(torch.ones(1, requires_grad=True).sum(), torch.ones(1)), "torch.autograd.grad was asked for the gradient of a tensor that does not require grad"),
    "twice": (twice, "The first backward freed the graph"),
    "unused": (lambda: torch.autograd.grad((x * 2).sum(), torch.ones(1, requires_grad=True)), "The output does not depend on this input"),
    "number of gradients": (lambda: Wrong.apply(x, torch.ones(3)).sum().backward(), "backward returns one value for each argument of forward"),
    "shape of gradient": (lambda: Wrong.apply(x, (torch.ones(4), None)).sum().backward(), "A gradient has the shape of its input"),
    "matmul": (lambda: torch.ones(2, 3) @ torch.ones(2, 3), "In A @ B the last axis of A must match the first axis of B"),
    "broadcast": (lambda: torch.ones(2, 3) + torch.ones(2), "Broadcasting compares shapes from the right"),
    "view": (lambda: torch.ones(2, 3).T.view(6), "view needs elements in memory order"),
    "reshape": (lambda: torch.ones(2, 3).reshape(7), "The new shape has a different number of elements than the old one"),
    "dtype": (lambda: torch.ones(2, 3) @ torch.ones(3, 2).double(), "Two tensors have different dtypes"),
    "numpy": (lambda: x.numpy(), "A tensor in a graph must be detached"),
    "inference": (inference, "Autograd can't save tensors made under inference_mode for backward"),
    "save number": (lambda: SavesNumber.apply(x), "save_for_backward takes only tensors"),
    "int grad": (lambda: torch.ones(2).long().requires_grad_(), "Only floating-point tensors can require grad"),
    "truth": (lambda: bool(torch.ones(2) > 0), "`if` needs one truth value"),
    "item": (lambda: torch.ones(2).item(), ".item() needs exactly one element"),
    "axis": (lambda: torch.ones(2).sum(3), "There is no such axis"),
    "index": (lambda: torch.gather(torch.ones(2), 0, torch.ones(2)), "Indices and class labels must be int64"),
    "super": (NoSuper, "Call super().__init__() first"),
    "None": (lambda: None + 1, "Something is None here"),
    "attribute of None": (lambda: None.grad, "Something is None here"),
    "unpack": (unpack, "The number of names on the left"),
    "missing argument": (lambda: data(), "A call leaves out an argument"),
    "empty shape": (lambda: torch.zeros(*()), "The sizes were unpacked with *"),
    "keyword": (lambda: twice(bias=1), "A call uses a keyword"),
    "too many": (lambda: twice(1), "A call has more arguments"),
    "iterate": (lambda: list(3), "A single value is used where several are expected."),
    "attribute of a number": (lambda: (2.5).backward(), "A plain number is used where a tensor is expected"),
    "attribute of a tuple": (lambda: (x,).sum(), "A tuple is used where a tensor is expected: (x,) ="),
    "integer and a pair": (lambda: 7 + 2 * (1, 2), "An integer is combined with a tuple"),
    "comparison with a tuple": (lambda: (x,) < 0, "A tuple is used where a tensor is expected: (x,) ="),
    "length of a number": (lambda: len(x.sum()), "A 0-dim tensor has no length: len(x) is the size of the first axis. x.ndim is the number of axes"),
    "loop over a number": (lambda: list(x.sum()), "You can't loop over a 0-dim tensor"),
    "arguments of another kind": (lambda: x.view(), "You called a PyTorch function with arguments of the wrong type"),
    "merge conflict": (lambda: compile("<<<<<<< HEAD\n", "f", "exec"), "These are the markers of a git merge conflict"),
    "notebook": (lambda: eval('{"execution_count": null}'), "The file holds a notebook (JSON), not Python"),
    "true": (lambda: true, "Python spells it True."),  # noqa: F821
    "no method": (lambda: Empty.apply(x), "The class has no such method"),
    "parameter before super": (NoSuperParameter, "Call super().__init__() first"),
    "a function in place of a class": (lambda: twice.apply(x), "The exercise asks for a class derived from torch.autograd.Function"),
    "typing": (lambda: input(), "input() waits for someone to type"),
    "retrun": (lambda: compile("def f(x):\n    retrun x\n", "f", "exec"), "`retrun` is probably misspelled: with `return` this line is valid."),
    "esle": (lambda: compile("if x:\n    pass\nesle:\n    pass\n", "f", "exec"), "`esle` is probably misspelled: with `else`"),
    "fro": (lambda: compile("fro i in range(3):\n    pass\n", "f", "exec"), "`fro` is probably misspelled: with `for`"),
    "form": (lambda: compile("form torch import nn\n", "f", "exec"), "`form` is probably misspelled: with `from`"),
    "exept": (lambda: compile("try:\n    pass\nexept ValueError:\n    pass\n", "f", "exec"), "`exept` is probably misspelled: with `except`"),
    "no keyword is meant": (lambda: compile("x = mean tensor\n", "f", "exec"), "Python could not parse this"),
    "a comma left out": (lambda: compile('{"a": 1\n"b" None}', "f", "exec"), "Python could not parse this"),
    "magic": (lambda: compile("%matplotlib inline\n", "f", "exec"), "Lines that start with % or ! work only in notebooks"),
    "markdown": (lambda: compile("```python\n", "f", "exec"), "``` marks code in a chat or in Markdown"),
    "prompt": (lambda: compile(">>> x = 1\n", "f", "exec"), "The line starts with the prompt of an interactive Python session"),
    "no-break space": (lambda: compile("if 1:\n\u00a0   x = 1\n", "f", "exec"), "This line contains an invisible character"),
    "zero width": (lambda: compile("x =\u200b 1\n", "f", "exec"), "This line contains an invisible character"),
    "curly quotes": (lambda: compile("x = \u201ca\u201d\n", "f", "exec"), "Python's quotation marks are straight"),
    "image": (lambda: compile(b"\0", "f", "exec"), "The file is not plain UTF-8 text"),
    "latin-1": (lambda: compile(b"x = '\xfc'\n", "f", "exec"), "The file is not plain UTF-8 text"),
    "outside": (lambda: compile("return 3\n", "f", "exec"), "The line is indented less than the function"),
    "recursion": (recursion, "A function keeps calling itself, directly or through others, until Python stops it."),
    "name": (lambda: undefined_name, "A name is used that was never defined"),  # noqa: F821
    "memory": (lambda: torch.empty(10**16), "It asked for 40,000,000.0 GB of memory"),
}

m, whole = torch.arange(6.0).reshape(2, 3), torch.arange(3)
BEGINNERS = {
    "torch.ones(2, 3, 4).t()": ".t() swaps the axes of a matrix only",
    "torch.zeros(4, 3).index_add_(0, torch.zeros(2, 2).long(), torch.ones(2, 2, 3))": "This function takes a one-dimensional index",
    "torch.ones(2, 1).expand(3, 3)": "Only axes of size 1 can be expanded",
    "m.expand(3)": "You expand a tensor to a shape with fewer axes",
    "m.repeat(2)": "repeat takes one count for each axis",
    "torch.stack([torch.ones(2), torch.ones(3)])": "stack takes tensors of the same shape",
    "torch.cat([torch.ones(2, 2), torch.ones(3, 3)])": "cat joins along one axis",
    "torch.cat([torch.ones(2, 2), torch.ones(3)])": "cat joins along one axis",
    "torch.cat(torch.ones(2), torch.ones(2))": "cat and stack take one list of tensors",
    "torch.ones(1).add_(torch.ones(3))": "An in-place operation keeps the shape of its left side",
    "torch.ones(1).expand(3).add_(1)": "In an expanded tensor several elements share one memory location",
    "m[torch.tensor([True, False, True])]": "A mask has the shape of what it selects from",
    "m.split([1, 2])": "The sizes of the pieces",
    "torch.zeros(0, 3).max()": "A tensor without elements has no maximum or minimum",
    "torch.zeros(0, 3).argmin()": "A tensor without elements has no maximum or minimum",
    "torch.zeros(0, 3).amax(0)": "A tensor without elements has no maximum or minimum",
    "torch.ones(-1)": "A size is negative here",
    "torch.einsum('ij,jk->ik', m, m)": "In einsum each letter stands for one size",
    "torch.einsum('ijk->ij', m)": "einsum needs one letter for each axis of each operand",
    "torch.tensor([[1, 2], [3]])": "The inner lists differ in length",
    "torch.linalg.inv(m)": "Only square matrices have an inverse",
    "torch.linalg.inv(torch.zeros(2, 2))": "This matrix has no inverse",
    "m.shape[2]": "The tuple is shorter than that",
    "F.cross_entropy(m, torch.tensor([0, 3]))": "A class label is out of range",
    "F.one_hot(torch.tensor([-1]))": "one_hot takes whole numbers",
    "m[:, 3]": "The index is out of range",
    "[1, 2][2]": "The index is out of range",
    "F.embedding(torch.tensor([5]), m)": "The index is out of range",
    "m.gather(1, torch.tensor([0, 1]))": "gather and scatter need an index with as many axes as the tensor",
    "F.cross_entropy(m, torch.tensor([[0], [1]]))": "The loss needs one class label for each row",
    "m.masked_fill(whole, 0.0)": "A mask must be bool",
    "torch.where(whole, m, 0)": "A mask must be bool",
    "F.one_hot(torch.tensor([0.0]))": "Indices and class labels must be int64",
    "whole.mean()": "This function doesn't accept integers or booleans",
    "whole.softmax(0)": "This function doesn't accept integers or booleans",
    "(whole > 1) - (whole > 0)": "Booleans can't be subtracted",
    "whole.div_(2)": "An in-place operation keeps the tensor's dtype",
    "torch.autograd.grad((m[0] * x).sum(), m)": "torch.autograd.grad was asked for the gradient of a tensor that does not require grad",
    "x.sum().backward(torch.ones(2))": "The upstream gradient must have the shape of the output",
    "torch.autograd.Function()(m)": "Call a Function through apply",
    "torch.func.grad(lambda a: a * 2)(m)": "torch.func.grad differentiates one number",
    "torch.vmap(lambda a: a.item())(m)": "Under vmap you can't read values",
    "torch.optim.SGD([], lr=1)": "There is nothing to optimize",
    "torch.optim.SGD([x * 2], lr=1)": "An optimizer takes leaf tensors",
    "torch.optim.SGD(x, lr=1)": "An optimizer takes several tensors",
    "nn.Module()(m)": "The module has no forward",
    "nn.ModuleList([m])": "Only modules are allowed here",
    "nn.LayerNorm(4)(m)": "The layer expects a different number of features than its input has",
    "nn.BatchNorm1d(4)(m)": "The layer expects a different number of features than its input has",
    "nn.Conv2d(1, 1, 3)(m)": "Images have the axes",
    "torch.utils.data.TensorDataset(m, torch.ones(5))": "All tensors of a dataset need the same first size",
    "torch.utils.data.random_split([1, 2, 3], [1, 1])": "The sizes of the parts",
    "nn.LayerNorm(3).double()(m.half())": "Two tensors have different dtypes",
    "torch.zeros(2).fill_(m)": "fill_ takes one number",
    "torch.clamp(m)": "clamp needs a bound",
    "m.to('gpu')": "There is no device with that name",
    "m.max(1).sum()": "A tuple is used where a tensor is expected: max",
    "(1, 2) + [3]": "A list and a tuple can't be added",
    "[3] + (1, 2)": "A list and a tuple can't be added",
    "m.max(1) + 1": "The left side of + is a tuple",
    "m.shape + 1": "The left side of + is a tuple",
    "torch.exp((m,))": "A tuple is used where a tensor is expected: (x,) =",
    "m.chunk(2).numel()": "A tuple is used where a tensor is expected: (x,) = ... takes x out. torch.autograd.grad, chunk",
    "torch.zeros(0, 3).reshape(0, -1)": "-1 can't be inferred for a tensor without elements",
    "torch.bmm(m, m)": "This function takes a fixed number of axes",
    "torch.outer(m, m)": "This function takes a fixed number of axes",
    "float(m)": "A tensor of several elements is used where one number is needed",
    "torch.sin(3.0)": "A PyTorch function expects a tensor but got something else",
    "[1.0] + x": "+ joins lists and adds tensors",
    "'a' + 1": "A string can't be joined with another type by +",
    "range(m)": "An integer is needed here, but a tensor",
    "range(2.0)": "An integer is needed here, but a float",
    "[0] * 2.0": "An integer is needed here, but a float",
    "exec('a, b = 5')": "A single value is used where several are expected",
    "len(5)": "A plain number is used where a list or a tensor is expected",
    "m(2)": "A tensor is called like a function",
    "m.shape()": ".shape takes no parentheses",
    "torch.long(m)": "A dtype is not a function",
    "m.size[0]": "Parentheses are missing: call a method before you index its result",
    "{[1]: 2}": "Keys of a dict",
    "exec('d = {1: 1}\\nfor k in d: d[k + 1] = 1')": "A dict or set grows or shrinks",
    "exec('a = (1, 2)\\na[0] = 3')": "This object can't be changed at an index",
    "exec('def f():\\n  if 0: a = 1\\n  return a\\nf()')": "A variable is used before it has a value",
    "sum(m, dim=0)": "Python's built-in function of that name doesn't have this keyword",
    "any(m, dim=0)": "Python's built-in function of that name doesn't have this keyword",
    "1 % m.sum().int().sub(15).item()": "You divide by a number that is 0 for this input",
    "float('a')": "A string that is not a number is used where a number is expected",
    "next(iter([]))": "An iterator has no items left",
    "list(next(iter([])) for _ in [1])": "An iterator has no items left",
    "__import__('pickle').dumps(lambda: 1)": "What you save must be defined at the top level of a file",
    "{}['w']": "A dict has no such key",
    "torch.load('/nowhere/at/all.pt')": "There is no such file",
    "torch.tensr(1)": "torch has no `tensr`",
    "m @ 3": "`@` does not work between Tensor and int",
    "[1] < 2": "`<` does not work between list and int",
    "{}()": "A dict is called like a function",
    "m.numpy().foo": "A numpy.ndarray has no `foo`",
}


@pytest.mark.parametrize("code", BEGINNERS)
def test_what_beginners_meet_is_explained(code):
    """Each line raises an error of PyTorch or Python, and its meaning is told."""
    raised = data(lambda: eval(code, {"torch": torch, "nn": nn, "F": nn.functional, "m": m, "whole": whole, "x": x}))
    assert (meaning(raised) or "nothing").startswith(BEGINNERS[code]), raised


@pytest.mark.parametrize("text", ["'dim' is an invalid keyword argument for max()", "max() got an unexpected keyword argument 'dim'"])
def test_every_version_of_python_is_understood(text):
    """3.13 words it in another way."""
    assert meaning({"type": "TypeError", "text": text}).startswith("Python's built-in function")
    whole = meaning({"type": "TypeError", "text": "'list' object cannot be interpreted as an integer"})
    assert whole == "An integer is needed here, but something else is used."
    said = meaning({"type": "ValueError", "text": "source code string cannot contain null bytes"})  # 3.10: no SyntaxError
    assert said.startswith("The file is not plain UTF-8 text")


@pytest.mark.parametrize("name", KNOWN)
def test_a_known_error_is_explained(name):
    """With the message of the PyTorch that is installed, so that a new wording is noticed."""
    function, start = KNOWN[name]
    raised = data(function)
    assert (meaning(raised) or "nothing").startswith(start), raised


@pytest.mark.parametrize("raised", [{}, {"type": "ValueError", "text": "my own words"}, {"type": "AssertionError", "text": ""}])
def test_an_unknown_error_is_not(raised):
    """Better no word than a wrong one."""
    assert meaning(raised) is None


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        ("IndexError", "list index out of range", "Your code ran to the end"),
        ("KeyError", "'fc1.weight'", "Your code ran to the end"),
    ],
)
def test_an_error_behind_the_learners_code_speaks_of_what_it_made(kind, text, said):
    """A position or a name that the learner's own line asks for is another matter."""
    behind = {"type": kind, "text": text, "todo": False}

    assert meaning(behind).startswith(said)
    assert "Your code ran to the end" not in meaning(behind | {"line": 3, "code": "x[4]"})
    assert "Your code ran to the end" not in meaning({"type": kind, "text": text})  # from a visible test: nobody knows


def test_a_tuple_for_a_tensor_is_what_was_saved_in_a_backward_only():
    """Elsewhere nobody has heard of ctx; a product with a tuple ends in an error about an index."""
    product = {"type": "TypeError", "text": "only integer tensors of a single element can be converted to an index", "line": 3}
    minus = {"type": "TypeError", "text": "unsupported operand type(s) for -: 'Tensor' and 'tuple'", "line": 3, "code": "g - y"}

    for raised in (product | {"code": "return grad * y"}, minus):
        assert "ctx.saved_tensors is always a tuple" in meaning(raised | {"where": "backward"})
        assert "ctx" not in meaning(raised | {"where": "vjp"}) and "tuple" in meaning(raised | {"where": "vjp"})
    assert meaning(product | {"code": "for i in range(x):"}).startswith("An integer is needed here, but a tensor")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("'LinearLayer' object has no attribute 'weight'", "LinearLayer has no `weight`: set it in __init__ (self.weight = ...)"),
        ("'CubeBackward' object has no attribute 'x'", "ctx has no `x` here: set it in forward or setup_context"),
        ("'ellipsis' object has no attribute 'shape'", "An ellipsis has no `shape`: a different object"),
        ("'Tensor' object has no attribute 'rank'", "A Tensor has no `rank`: a different object"),
    ],
)
def test_what_has_no_such_attribute(text, said):
    """What a learner's own class lacks, nobody has set."""
    assert meaning({"type": "AttributeError", "text": text}).startswith(said)


def test_every_explanation_is_one_or_two_plain_sentences():
    """They end with a full stop and fit on two lines."""
    for _, meaning in MEANINGS:
        assert meaning.endswith((".", ").")) and len(meaning) < 130, meaning


def test_a_state_that_does_not_fit_is_told_with_the_name_in_question():
    """PyTorch names it in the second line of its message."""
    for module, state, said in (
        (nn.Linear(2, 2), nn.Linear(2, 2, bias=False).state_dict(), 'The saved state lacks "bias", but the module that loads it has it.'),
        (nn.Linear(2, 2, bias=False), nn.Linear(2, 2).state_dict(), 'The saved state holds "bias", but the module that loads it has none of that name.'),
    ):
        with pytest.raises(RuntimeError) as caught:
            module.load_state_dict(state)
        assert meaning(describe_error(caught.value, None)).startswith(said)


def test_a_recursion_too_deep_is_told_alike_by_all_versions_of_python():
    """Python 3.13 says only that it was too deep; older versions add what they were about when they noticed."""
    for text in ("maximum recursion depth exceeded", "maximum recursion depth exceeded while calling a Python object"):
        assert describe_error(RecursionError(text), None)["text"] == "maximum recursion depth exceeded"
    assert describe_error(RecursionError("mine"), None)["text"] == "mine"


SHADOWED = {
    "for i in range(3): pass": "`range` is PyTorch's here, not Python's own: an import such as `from torch import *` replaced it.",
    "sum([1, 2])": "`sum` is PyTorch's here",
    "any(v > 0 for v in [1.0])": "`any` is PyTorch's here",
    "float('inf')": "`float` is PyTorch's here",
    "def inner(y: float | Tensor): pass": "`float` is PyTorch's here",
    "list = [1]; list(x)": "`list` is not Python's own here: something of yours has that name.",
    "sum([1]) + None": "`sum` is PyTorch's here",
    "max = 3; x.shape(max)": ".shape takes no parentheses",
    "sum = 3; x + None, sum": "Something is None here",
    "import torch; torch.sum([1])": "A PyTorch function expects a tensor but got something else",
}


@pytest.mark.parametrize("line", SHADOWED)
def test_a_name_of_pythons_own_that_means_something_else_is_told(line, tmp_path):
    """Only where that is why the line raised: after `from torch import *`, or after `list = [1]`."""
    file = tmp_path / "ex01_double.py"
    file.write_text(f"from torch import *\n\ndef double(x):\n    {line}\n")
    names = {}
    exec(compile(file.read_text(), str(file), "exec"), names)
    with pytest.raises(TypeError) as caught:
        names["double"](x)
    said = meaning(describe_error(caught.value, str(file)))
    assert said.startswith(SHADOWED[line])
