"""PyTorch's own errors, raised here for real, are explained; errors that nobody knows are not."""

import pytest
import torch
from torch import nn

from torchdojo.diagnose.errors import _MEANINGS, explain_error
from torchdojo.worker.run import describe_error


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
    "leaf in place": (lambda: x.add_(1), "A tensor that requires grad is changed in place"),
    "overwritten": (overwritten, "A value that backward still needs was overwritten in place"),
    "no graph": (lambda: torch.ones(1).backward(), "There is no graph here"),
    "twice": (twice, "The first backward freed the graph"),
    "unused": (lambda: torch.autograd.grad((x * 2).sum(), torch.ones(1, requires_grad=True)), "The output does not depend on this input"),
    "number of gradients": (lambda: Wrong.apply(x, torch.ones(3)).sum().backward(), "backward returns one thing for each argument of forward"),
    "shape of gradient": (lambda: Wrong.apply(x, (torch.ones(4), None)).sum().backward(), "A gradient has the shape of its input"),
    "matmul": (lambda: torch.ones(2, 3) @ torch.ones(2, 3), "In A @ B the last axis of A meets the first of B"),
    "broadcast": (lambda: torch.ones(2, 3) + torch.ones(2), "Broadcasting compares shapes from the right"),
    "view": (lambda: torch.ones(2, 3).T.view(6), "view needs elements in memory order"),
    "reshape": (lambda: torch.ones(2, 3).reshape(7), "The new shape has another number of elements"),
    "dtype": (lambda: torch.ones(2, 3) @ torch.ones(3, 2).double(), "Two tensors have different dtypes"),
    "numpy": (lambda: x.numpy(), "A tensor in a graph must be detached"),
    "inference": (inference, "inference_mode made tensors that training cannot use"),
    "save number": (lambda: SavesNumber.apply(x), "save_for_backward takes tensors only"),
    "int grad": (lambda: torch.ones(2).long().requires_grad_(), "Only floating tensors can require grad"),
    "truth": (lambda: bool(torch.ones(2) > 0), "`if` asks for one truth value"),
    "item": (lambda: torch.ones(2).item(), ".item() needs exactly one element"),
    "axis": (lambda: torch.ones(2).sum(3), "There is no such axis"),
    "index": (lambda: torch.gather(torch.ones(2), 0, torch.ones(2)), "Indices and class labels are int64"),
    "super": (NoSuper, "Call super().__init__() first"),
    "None": (lambda: None + 1, "Something is None here"),
    "attribute of None": (lambda: None.grad, "Something is None here"),
    "unpack": (unpack, "The number of names on the left"),
    "missing argument": (lambda: data(), "A call leaves an argument out"),
    "keyword": (lambda: twice(bias=1), "A call uses a keyword"),
    "too many": (lambda: twice(1), "A call has more arguments"),
    "iterate": (lambda: list(3), "A single value stands where several are expected."),
    "attribute of a number": (lambda: (2.5).backward(), "A plain number stands where a tensor is expected"),
    "attribute of a tuple": (lambda: (x,).sum(), "A tuple stands where a tensor is expected."),
    "comparison with a tuple": (lambda: (x,) < 0, "A tuple stands where a tensor is expected."),
    "length of a number": (lambda: len(x.sum()), "A 0-dim tensor has no length"),
    "arguments of another kind": (lambda: x.view(), "A function of PyTorch got arguments of another kind"),
    "merge conflict": (lambda: compile("<<<<<<< HEAD\n", "f", "exec"), "These are the marks of a git merge conflict"),
    "notebook": (lambda: eval('{"execution_count": null}'), "The file holds a notebook (JSON), not Python"),
    "true": (lambda: true, "Python spells it True."),  # noqa: F821
    "no method": (lambda: Empty.apply(x), "The class has no such method: its `def` stands below"),
    "parameter before super": (NoSuperParameter, "Call super().__init__() first"),
    "a function in place of a class": (lambda: twice.apply(x), "The exercise asks for a class that is derived"),
    "typing": (lambda: input(), "input() waits for somebody to type"),
    "a comma left out": (lambda: compile('{"a": 1\n"b" None}', "f", "exec"), "Python stumbled here"),
    "magic": (lambda: compile("%matplotlib inline\n", "f", "exec"), "Lines that begin with % or ! work in notebooks only"),
    "markdown": (lambda: compile("```python\n", "f", "exec"), "``` marks code in a chat or in Markdown"),
    "image": (lambda: compile(b"\0", "f", "exec"), "The file is not plain UTF-8 text"),
    "latin-1": (lambda: compile(b"x = '\xfc'\n", "f", "exec"), "The file is not plain UTF-8 text"),
    "outside": (lambda: compile("return 3\n", "f", "exec"), "The line is indented less than the function"),
    "recursion": (recursion, "A function calls itself too deep, without an end or more than some thousand times: a loop with a list of its own goes deeper."),
    "name": (lambda: undefined_name, "A name is used that was never defined"),  # noqa: F821
    "memory": (lambda: torch.empty(10**16), "The code asks for far more memory"),
}


@pytest.mark.parametrize("name", KNOWN)
def test_a_known_error_is_explained(name):
    """With the message of the PyTorch that is installed, so that a new wording is noticed."""
    function, start = KNOWN[name]
    raised = data(function)
    assert (explain_error(raised) or "nothing").startswith(start), raised


@pytest.mark.parametrize("raised", [None, {}, {"type": "ValueError", "text": "my own words"}, {"type": "ZeroDivisionError", "text": "division by zero"}])
def test_an_unknown_error_is_not(raised):
    """Better no word than a wrong one."""
    assert explain_error(raised) is None


def test_every_explanation_is_one_or_two_plain_sentences():
    """They end with a full stop and fit on two lines."""
    for _, meaning in _MEANINGS:
        assert meaning.endswith((".", ").")) and len(meaning) < 130, meaning


def test_a_state_that_does_not_fit_is_told_with_the_name_in_question():
    """PyTorch names it in the second line of its message."""
    for module, state, said in (
        (nn.Linear(2, 2), nn.Linear(2, 2, bias=False).state_dict(), 'The saved state lacks "bias", and the module that reads it has it.'),
        (nn.Linear(2, 2, bias=False), nn.Linear(2, 2).state_dict(), 'The saved state holds "bias", and the module that reads it has none of that name.'),
    ):
        with pytest.raises(RuntimeError) as caught:
            module.load_state_dict(state)
        assert explain_error(describe_error(caught.value, None)).startswith(said)
