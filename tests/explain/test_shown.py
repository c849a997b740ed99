"""The call that a message shows is the one to which what is wrong belongs; where that can't be told, none is shown."""

import numpy as np
import pytest
import torch

from torchdojo.explain.call import Shown, is_right_by_itself, shown
from torchdojo.explain.layout import call_text, outline, spoken
from torchdojo.explain.message import with_error
from torchdojo.explain.snippet import snippet
from torchdojo.explain.steps import Moved
from torchdojo.judge.compare import Difference
from torchdojo.wire.outcome import CallNote, Raised
from torchdojo.wire.strict import SeenTensor
from torchdojo.worker.trace import traced


def seen(*values):
    return SeenTensor(torch.tensor(values), "cpu")


def call(*args, returned=None, name="f", error="", **about):
    """A noted call. error: the error that it raised."""
    raised = Raised(error, f"text of {args}", 3, code="g()") if error else None
    return CallNote(name, list(args), ended=not error, returned=returned, raised=raised, **about)


def chosen(calls, at, got, answer=None, rung="value"):
    """The arguments of the call that is shown; None without one."""
    found = shown(calls, Difference(rung, (at,) if isinstance(at, str) else at, "", got=got, want="ValueError"), answer)
    return found.call.args if found is not None else None


SHAPES = [call((0,), (1,), returned=(1,)), call((2,), (0,), error="ValueError"), call((0,), (0, 0), returned=(0, 0))]
SIZES = [call(7, [2, 0], error="RuntimeError"), call(7, [4], error="ValueError"), call(7, [1, 1])]


@pytest.mark.parametrize(
    ("calls", "path", "got", "args"),
    [
        (SHAPES, "(0,) with (1,)", "(1,)", [(0,), (1,)]),
        (SHAPES, "(0,) with (0, 0)", "(1,)", [(0,), (0, 0)]),
        (SIZES, ("sizes [2, 0]", "error"), "RuntimeError", [7, [2, 0]]),
        (SIZES, ("sizes [1, 1]", "error"), "no error", [7, [1, 1]]),
    ],
)
def test_a_place_that_names_the_arguments(calls, path, got, args):
    """It may join shapes by a word, or name one list."""
    assert chosen(calls, path, got) == args


@pytest.mark.parametrize(("path", "args"), [("equal", [2]), (("wider", "error"), [1]), ("equals", None), ((), None)])
def test_one_call_for_each_entry_of_the_answer(path, args):
    """The entry at whose place the answer is wrong has its own call, whatever came back from it."""
    calls = [call(1), call(2)]
    assert chosen(calls, path, "no error", {"wider": {"error": "no error"}, "equal": "no error"}) == args


def test_entries_of_a_list_have_a_call_each():
    """Also where the entry isn't what the call returned."""
    calls = [call(n, error="" if n else "TypeError") for n in range(3)]
    assert chosen(calls, (1,), "no error", ["TypeError", "no error", "no error"]) == [1]
    assert chosen(calls, (1,), "no error", ["TypeError", "no error"]) is None


def test_of_calls_that_differ_none_is_shown():
    """The last one is as good as any, and may well be right."""
    assert chosen([call(1), call(2)], "raised", "no error") is None
    assert chosen([call(1, returned=True), call(2, returned=True)], "raised", True) is None
    assert chosen([call(2), call(2)], "raised", "no error") == [2]
    assert chosen([call(seen(1.0, 2.0)), call(seen(1.0, 2.0))], "raised", "no error") is not None
    assert chosen([call(1, name="g"), call(2)], "weights", False) == [2]  # f follows g


def test_of_calls_that_returned_the_same_the_place_tells_which():
    """as_shared and as_owned give the same tensor; shared.tensor is that of as_shared."""
    calls = [call(1, name="as_shared", returned=seen(2.0)), call(1, name="as_owned", returned=seen(2.0))]
    assert shown(calls, Difference("value", ("shared", "tensor"), "", got=seen(2.0))).call.name == "as_shared"
    assert shown(calls, Difference("value", ("owned", "tensor"), "", got=seen(2.0))).call.name == "as_owned"
    assert chosen([call(1, returned=seen(1.0, 2.0)), call(2, returned=seen(1.0, 2.0))], "gradient", seen(1.0, 2.0)) == [2]  # not by chance
    assert chosen([call(1, returned=seen(1.0)), call(2, returned=seen(1.0))], "gradient", seen(1.0)) is None


def test_the_call_that_raised_is_shown_for_its_error():
    """With its text; of two that raised the same type the text is left out."""
    calls = [call(1, error="TypeError"), call(2, error="RuntimeError"), call(3)]
    for place in ("error", "raised"):
        assert chosen(calls, place, "RuntimeError") == [2]
        difference = Difference("value", (place,), "wrong", got="RuntimeError", want="ValueError")
        found = with_error(difference, calls, shown(calls, difference))
        assert found.sentence == "wrong\nRuntimeError: text of (2,)\nraised at line 3: g()"
    twice = [call(1, error="TypeError"), call(2, error="TypeError")]
    assert chosen(twice, "raised", "TypeError") is None
    assert with_error(Difference("value", (), "wrong", got="TypeError"), twice, None).sentence == "wrong"


def test_reading_an_object_is_no_reason_for_what_it_is():
    """Of parameters that are missing the constructor is shown, not __getitem__; data[2] and len(data) are shown for themselves."""
    made = call(9, name="Chain", makes=True, thing=1)
    reads = [CallNote("Chain", [n], method="__getitem__", thing=1, made=made) for n in (0, 2, 5)]
    length = CallNote("Chain", [], method="__len__", thing=1, made=made)
    calls = [made, reads[0], length, *reads[1:]]
    assert chosen(calls, "parameters", 0) == [9]
    assert chosen(calls, "data[2] of 9", "no error") == [2]
    assert shown(calls, Difference("value", ("len(data)",), "", got=3)).call.method == "__len__"


def test_an_object_that_is_used_twice():
    """The same method of objects made in the same way is the same call; with other settings it is not."""
    one, other = CallNote("SGD", [1], makes=True), CallNote("SGD", [2], makes=True)
    steps = [CallNote("SGD", [], method="step", made=made, thing=n) for n, made in enumerate((one, other))]
    assert shown(steps, Difference("value", ("weights",), "", got=False)) is None
    alike = [CallNote("SGD", [], method="step", made=one, thing=n) for n in (1, 2)]
    assert shown(alike, Difference("value", ("weights",), "", got=False)) is not None


def test_an_error_of_the_check_shows_a_call_only_if_there_is_one():
    """The last call ended well; what the check did after it raised."""
    error = Raised("IndexError", "index out of range", traced=True)
    assert chosen([call(1), call(2)], "", error, rung="runs") is None
    assert chosen([call(1)], "", error, rung="runs") == [1]
    assert chosen([call(1), call(2, error="IndexError")], "", error, rung="runs") == [2]
    part = CallNote("Chain", [slice(1, 3)], method="__getitem__", ended=True, returned=[])
    assert chosen([call(1, name="Chain", makes=True), part], "", error, rung="runs") == [slice(1, 3)]


def test_without_a_call_only_the_case_is_told():
    """The calls got other values than the check by these names."""
    assert spoken({"x": torch.ones(2), "kind": "the square", "train": True, "eval": False, "n": 3}) == {"kind": "the square", "train": True}


# ------------------------------------------------------------------ the whole call
def test_a_call_shows_what_pytorch_prints_of_gradients():
    """Of leaves and results, also inside lists, and of what an object was made from."""

    class Opt:
        def __init__(self, params):
            self.params = params

        def step(self, scale):
            pass

    trace, x = [], torch.tensor([1.0, 2.0], requires_grad=True)
    opt = traced(Opt, "Opt", trace)([x, 3])
    opt.step(x.sum())
    text = call_text(CallNote.of(trace[1]), [])
    assert text == "Opt([torch.tensor([1., 2.], requires_grad=True), 3]).step(torch.tensor(3., grad_fn=<SumBackward0>))"
    assert call_text(CallNote.of(trace[1]), [], outline).endswith(".step(<float32 tensor of shape () made by SumBackward0>)")


MADE = CallNote("Scaler", [3])
FIT = CallNote("Scaler", [seen(1.0, 2.0)], method="fit", made=MADE, thing=1, names=["X"])
USE = CallNote("Scaler", [seen(3.0)], method="", made=MADE, thing=1, names=["x"], ended=True, returned=seen(4.0))


def test_an_object_is_shown_with_all_that_was_done_with_it():
    """Where the lines, run again, show what went wrong; else it is said that something lies between."""
    assert call_text(USE, [FIT]) == "it = Scaler(3); it.fit(torch.tensor([1., 2.])); it(torch.tensor([3.]))"
    assert call_text(USE, []) == "Scaler(3)(torch.tensor([3.]))"
    assert call_text(USE) == "it = Scaler(3); ...; it(torch.tensor([3.]))"


def test_the_lines_to_paste_make_the_object_and_all_its_calls():
    """Those of another object are left out."""
    other = CallNote("Scaler", [seen(9.0)], method="fit", made=MADE, thing=2)
    found = shown([CallNote("Scaler", [3], makes=True, thing=1), FIT, other, USE], Difference("value", (), "", got=seen(4.0), want=seen(5.0)))
    assert found.earlier == [FIT]
    code = snippet("ex04_standardizer", found, {}, Difference("value", (), "", got=seen(4.0), want=seen(5.0)))
    wanted = ["it = Scaler(3)", "X = torch.tensor([1., 2.])", "it.fit(X)", "x = torch.tensor([3.])", "print(it(x))"]
    assert code.splitlines()[3:] == wanted


def test_arguments_that_require_grad_are_shown_so():
    """By position and by name; of a large tensor in words."""
    one = CallNote("f", [seen(1.0), seen(2.0)], {"c": seen(3.0)}, grads=[False, True, True])
    assert call_text(one) == "f(torch.tensor([1.]), torch.tensor([2.], requires_grad=True), c=torch.tensor([3.], requires_grad=True))"
    assert call_text(one, None, outline).endswith("c=<float32 tensor of shape (1,) that requires grad>)")


def test_strides_of_arrays_are_noted():
    """In elements, as those of tensors."""
    trace = []
    traced(lambda a: None, "f", trace)(np.arange(6.0).reshape(2, 3).T)
    assert trace[0]["strides"] == [[1, 3]]


@pytest.mark.parametrize(
    ("mine", "right", "leaf", "same"),
    [
        (seen(1.0, 2.0), seen(1.0, 2.0), "", True),  # what is wrong shows after the argument was changed
        (seen(1.0, 2.0), seen(1.0, 3.0), "", False),
        (seen(1.12875807), seen(1.128758), "", True),  # print shows four digits
        ([seen(1.0), seen(2.0)], [seen(5.0), seen(2.0)], "[1]", True),
        ([seen(1.0), seen(2.0)], [seen(1.0)], "[1]", False),
        ({"a": seen(2.0)}, {"a": seen(2.0)}, "['a']", True),
    ],
)
def test_a_call_that_prints_what_the_reference_prints_is_no_proof(mine, right, leaf, same):
    """It is compared with the reference's call at the same place."""
    calls = [call(0, returned=seen(0.0)), call(1, returned=mine)]
    reference = [call(0, returned=seen(9.0)), call(1, returned=right)]
    found, difference = Shown(calls[1], leaf=leaf), Difference("value", (), "", mine, right)

    assert is_right_by_itself(found, difference, calls, reference) is same
    assert not is_right_by_itself(found, difference, calls, reference[:1])


@pytest.mark.parametrize(("right", "same"), [(1.128758, True), (1.13, False)])
def test_a_parameter_that_prints_as_it_should_is_no_proof(right, same):
    """The steps of an optimizer print the parameter that they leave wrong."""
    calls = [call(0), call(1)]
    found = Shown(calls[1], moved=Moved(0, False, calls))

    assert is_right_by_itself(found, Difference("value", (), "", seen(1.12875807), seen(right)), calls, calls) is same


def test_without_a_value_to_print_there_is_nothing_to_paste():
    """A copy that should be a view prints the same numbers; what a call did to its argument can be shown."""
    found = Shown(call(seen(1.0), names=["x"]))

    assert snippet("ex01", found, {}, Difference("judged", (), "", got=None, want=None)) == ""
    assert "print(x)" in snippet("ex01", found, {}, Difference("changed", (), "", got=["x"], want=None))
    assert snippet("ex01", found, {}, Difference("shares", (), "", got=("copy", "x"), want=None)) == ""
    nothing = Shown(call(SeenTensor(torch.empty(0, 2), "cpu"), names=["x"]))
    assert snippet("ex01", nothing, {}, Difference("changed", (), "", got=["x"], want=None)) == ""
