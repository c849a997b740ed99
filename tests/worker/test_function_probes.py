"""The probes for hand-written Functions: what they see, and what they don't affect."""

import pickle
import sys
import threading
import types
from concurrent.futures import Future

import numpy
import pytest
import torch

from torchdojo.grading import (
    autograd_inside,
    called,
    gradients_after_edit,
    kept_elsewhere,
    mode_of,
    operations,
    python_steps,
    raises,
    raw_gradients,
    repeated_backward,
    replaced,
    second_gradients,
)
from torchdojo.worker.run import MissingName, Solution


def function(forward, backward):
    return type("Own", (torch.autograd.Function,), {"forward": staticmethod(forward), "backward": staticmethod(backward)})


def saves_x(ctx, x):
    ctx.save_for_backward(x)
    return x**2


def keeps_x(ctx, x):
    ctx.x = x
    return x**2


RIGHT = function(saves_x, lambda ctx, g: 2 * ctx.saved_tensors[0] * g)
KEEPS = function(keeps_x, lambda ctx, g: 2 * ctx.x * g)


def rng():
    return torch.Generator().manual_seed(3)


def leaf():
    return torch.tensor([1.0, -2.0], dtype=torch.float64, requires_grad=True)


def by_autograd(ctx, g):
    with torch.enable_grad():
        x = ctx.saved_tensors[0].detach().requires_grad_()
        return torch.autograd.grad(x**2, x, g)[0]


def by_its_node(ctx, g):
    with torch.enable_grad():
        y = ctx.saved_tensors[0].detach().requires_grad_() ** 2
    return y.grad_fn(g)


def by_jvp(ctx, g):
    return torch.func.jvp(lambda x: x**2, (ctx.saved_tensors[0].detach(),), (g,))[1]


def test_own_rule_is_not_taken_for_autograd():
    x = leaf()
    assert autograd_inside(lambda: RIGHT.apply(x), [x], rng())[1] == []
    assert sys.getprofile() is None


def test_autograd_inside_backward_is_seen_in_every_spelling():
    x = leaf()
    for backward in (by_autograd, by_its_node, by_jvp):
        own = function(saves_x, backward)
        assert autograd_inside(lambda own=own: own.apply(x), [x], rng())[1], backward.__name__
    assert autograd_inside(lambda: x**2, [x], rng())[1] == ["the result was not made by a Function of your own"]


def test_edited_input_is_silently_wrong_only_without_save_for_backward():
    x = leaf()
    want = gradients_after_edit(lambda x: x**2, [x], 0, rng())
    assert torch.equal(gradients_after_edit(RIGHT.apply, [x], 0, rng())[0], want[0])
    assert not torch.equal(gradients_after_edit(KEEPS.apply, [x], 0, rng())[0], want[0])
    assert x.tolist() == [1.0, -2.0]


def test_second_gradients_of_a_detached_backward_are_zero():
    own = function(saves_x, lambda ctx, g: 2 * ctx.saved_tensors[0].detach() * g.detach())
    x = leaf()
    assert all(not t.any() for t in second_gradients(own.apply(x), [x], rng()))
    want = second_gradients(x**2, [x], rng())
    assert all(torch.allclose(a, b) for a, b in zip(second_gradients(RIGHT.apply(x), [x], rng()), want, strict=True))


def test_too_few_gradients_raise_what_pytorch_raises():
    own = function(lambda ctx, x, factor: x * factor, lambda ctx, g: g)
    x = leaf()
    with pytest.raises(RuntimeError) as real:
        own.apply(x, 3).sum().backward()
    with pytest.raises(RuntimeError) as probed:
        raw_gradients(own.apply(x, 3), torch.ones_like(x), [x, 3])
    assert str(probed.value) == str(real.value)


def test_write_into_grad_shows_in_the_upstream_gradient():
    own = function(saves_x, lambda ctx, g: g.mul_(2 * ctx.saved_tensors[0]))
    x, y = leaf(), leaf()
    got, want = repeated_backward(own.apply(x), [x], rng()), repeated_backward(y**2, [y], rng())
    assert not torch.equal(got["upstream gradient after backward"], want["upstream gradient after backward"])
    assert torch.equal(got["second call"][0], want["second call"][0])


def test_called_sees_compiled_and_python_functions():
    x, w = torch.ones(2, 3), torch.ones(4, 3)
    assert called(lambda: torch.nn.functional.linear(x, w), "linear") == ["linear"]
    assert called(lambda: x @ w.T, "linear", "torch.autograd.*") == []
    y = leaf()
    assert called(lambda: torch.autograd.grad((y**2).sum(), y), "torch.autograd.grad") == ["torch.autograd.grad"]


def test_printing_a_tensor_calls_nothing_of_the_learners():
    """PyTorch lists the values and checks for tangents to show a tensor; calls before and after it count."""
    x = torch.ones(2, requires_grad=True)
    patterns = ("tolist", "torch.autograd.forward_ad.*")
    assert called(lambda: f"{x} {x.detach()!r}", *patterns) == []
    assert called(lambda: [str(x), x.tolist()], *patterns) == called(lambda: [x.tolist(), str(x)], *patterns) == ["tolist"]


def test_an_operation_that_gets_a_kernel_in_python_later_is_looked_into():
    """What is known of an operation from its first call doesn't hide a kernel that is registered for it later."""
    x = torch.arange(3.0)
    library = torch.library.Library("torchdojo_test", "DEF")
    library.define("later(Tensor x) -> Tensor")
    call = torch.ops.torchdojo_test.later.default
    with pytest.raises(NotImplementedError):
        operations(lambda: call(x))
    library.impl("later", lambda x: x.cumsum(0), "CPU")
    assert operations(lambda: call(x)) == ["torchdojo_test.later", "aten.cumsum"]


def raising(error):
    def raise_it():
        raise error

    return raise_it


def test_an_exception_type_of_ones_own_counts_as_what_it_is_made_of():
    """If ValueError is expected, a class ShapesDiffer(ValueError) counts as one."""
    own = type("ShapesDiffer", (ValueError,), {"__module__": "ex08_safe_mse"})
    assert raises(raising(own("(5, 1) and (5,)"))) == "ValueError"
    assert raises(raising(KeyError("x"))) == "KeyError"
    assert raises(lambda: torch.ones(2) @ torch.ones(3)) == "RuntimeError"
    assert raises(lambda: None) == "no error"


def test_an_exception_type_counts_as_the_kinds_that_are_asked_for():
    """Python's own UnicodeDecodeError is a ValueError; if no kind is expected, or another one, it has its own name."""
    wrong = UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")
    assert raises(raising(wrong), ValueError) == "ValueError"
    assert raises(raising(wrong)) == raises(raising(wrong), KeyError) == "UnicodeDecodeError"
    assert raises(raising(wrong), RuntimeError, ValueError) == "RuntimeError or ValueError"
    assert raises(raising(pickle.UnpicklingError("x")), ValueError) == "UnpicklingError"
    assert raises(lambda: None, ValueError) == "no error"
    with pytest.raises(NotImplementedError):
        raises(raising(NotImplementedError("write it")), RuntimeError)


def test_a_missing_name_is_no_answer():
    """The message says that the file lacks the function; this is not compared with the expected error."""
    with pytest.raises(MissingName):
        raises(raising(MissingName("the file defines no split_heads")))


def test_a_loop_in_python_takes_more_steps_for_more_elements():
    """Also a loop over a list of numbers, which dispatches one operation; operations on whole tensors take the same number."""
    loops = (lambda x: [v for v in x], lambda x: sum(v for v in x.tolist()), lambda x: {i: x[i] for i in range(len(x))})
    for function in (*loops, lambda x: x.sum(), lambda x: torch.nn.functional.softmax(x, 0), lambda x: (x[:, None] == x).sum(0)):
        few, many = (python_steps(lambda n=n, f=function: f(torch.zeros(n))) for n in (3, 30))
        assert (many > few) is (function in loops) and few > 0


def test_waiting_for_a_thread_takes_no_steps():
    """How long it takes depends on the other thread. What is called meanwhile counts."""
    early, late, done = threading.Event(), threading.Event(), Future()
    early.set()
    done.set_result(None)
    assert python_steps(lambda: early.wait(0.001)) == python_steps(lambda: late.wait(0.001))
    few, many = (python_steps(lambda n=n: done.add_done_callback(lambda _: sum(v for v in range(n)))) for n in (3, 30))
    assert few < many


def test_the_mode_of_a_module_is_a_word():
    """Of the module alone, whatever mode its parts have."""
    model = torch.nn.Sequential(torch.nn.Linear(1, 1))
    model[0].eval()
    assert [mode_of(model), mode_of(model[0])] == ["train", "eval"]


def test_state_that_is_not_where_the_parameters_are_is_found():
    """In dicts and lists at any depth, even one that contains itself; counts may be anywhere, NumPy is on the CPU."""
    thing, here = type("Thing", (), {})(), [torch.ones(2, 3, device="meta")]
    thing.state = {"steps": [torch.ones(2)], "average": [here[0].clone()]}
    thing.state["itself"] = thing.state
    assert kept_elsewhere(thing, here) == "nowhere"
    thing.state["average"] = ({"v": numpy.ones((2, 3))},)
    assert kept_elsewhere(thing, here) == "cpu"


# an oracle, and the file of a learner: in both half() is wrong
Halves = type("Halves", (), {"half": lambda x: x / 3, "quarter": lambda x: Halves.half(Halves.half(x))})


def learners_file():
    module = types.ModuleType("halves")
    exec("def half(x):\n    return x / 3\n\ndef quarter(x):\n    return half(half(x))", vars(module))
    return Solution(module)


@pytest.mark.parametrize("solution", [Halves, learners_file()], ids=["oracle", "file"])
def test_a_function_is_replaced_within_the_block_alone(solution):
    with pytest.raises(ZeroDivisionError), replaced(solution, half=lambda x: x / 2):
        assert solution.quarter(8.0) == 2.0
        raise ZeroDivisionError

    assert solution.half(9.0) == 3.0 and solution.quarter(9.0) == 1.0


def test_a_function_that_is_missing_is_not_replaced():
    solution = learners_file()

    with pytest.raises(MissingName), replaced(solution, half=abs, third=abs):
        pass

    assert solution.half(9.0) == 3.0
