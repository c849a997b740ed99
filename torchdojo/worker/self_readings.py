"""A self-test: what the observing code reports about our own functions, for which the results are known.

Many facts are the same for every right answer ("the random state is as before: True"), so code that replaces
`torch.equal` would make them true. After the check, the worker runs this self-test and the trusted side compares the results
with its own. Observing code that was replaced gives wrong results here too.
"""

from __future__ import annotations

import contextlib
import io
import warnings
import weakref
from collections.abc import Callable
from typing import Any, TypedDict

import torch

from torchdojo.wire.forms import OutcomeData
from torchdojo.worker import calls, probes
from torchdojo.worker.operations import operations
from torchdojo.worker.run import Solution, run_example


class Square(torch.autograd.Function):
    """A hand-written Function that leans on autograd, for the instruments to notice."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
        with torch.enable_grad():
            copy = ctx.saved_tensors[0].detach().requires_grad_()
            gradient: torch.Tensor = torch.autograd.grad((copy * copy).sum(), copy)[0] * grad
            return gradient


def offender(solution: Any, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> dict[str, torch.Tensor]:
    """Does everything that a solution must not do."""
    x.mul_(2)
    y.requires_grad_()
    torch.set_grad_enabled(False)
    warnings.warn("a warning", stacklevel=1)
    return {"a view": z[0], "drawn": torch.rand(2)}


class Reading(TypedDict, total=False):
    """What a function returned, or the type of the error that it raised."""

    value: Any
    raised: str


def readings() -> dict[str, Reading | OutcomeData]:
    """The facts that run_example notes, and what the functions say that checks use to look at answers: by name."""
    x = torch.tensor([[1.5, -2.0, 0.25], [4.0, 0.5, -0.125]])
    example = {"x": x, "y": x.T.clone(), "z": x + 1}
    answers: dict[str, Reading | OutcomeData] = {}
    for name, reading in {**_functions(x), **_instruments(x)}.items():
        try:
            answers[name] = {"value": reading()}
        except BaseException as error:
            answers[name] = {"raised": type(error).__name__}
    answers["what is noted of a call"] = run_example(offender, Solution(torch), example, watch=["aten.*"])
    answers["what is noted of a good call"] = run_example(lambda solution, x, y: x @ y, Solution(torch), {"x": x, "y": x.T})
    return answers


def _functions(x: torch.Tensor) -> dict[str, Callable[[], Any]]:
    other = x + torch.tensor([0.0, 0.0, 1.0])
    hidden = torch.tensor([1.0, float("nan"), float("inf")])
    layer = torch.nn.Linear(3, 2)

    def state() -> list[bool]:
        before = torch.get_rng_state()
        same = torch.equal(before, torch.get_rng_state())
        torch.rand(1)
        return [same, torch.equal(before, torch.get_rng_state())]

    def gradient() -> Any:
        leaf = x.clone().requires_grad_()
        y = (leaf * leaf).sum()
        (grad,) = torch.autograd.grad(y, leaf, retain_graph=True)
        y.backward()
        return [grad, leaf.grad, leaf.is_leaf, y.is_leaf, y.requires_grad, grad.requires_grad, type(y.grad_fn).__name__]

    def modes() -> list[bool]:
        with torch.no_grad():
            return [torch.is_grad_enabled(), (x * x.clone().requires_grad_()).requires_grad, torch.is_inference_mode_enabled()]

    def printed() -> str:
        stdout = io.StringIO()
        with contextlib.redirect_stdout(stdout):
            print("heard", 3)
        return stdout.getvalue()

    def seeded() -> list[Any]:
        torch.manual_seed(7)
        return [torch.rand(2), torch.initial_seed(), torch.randn(2, generator=torch.Generator().manual_seed(3))]

    def version() -> list[int]:
        t = x.clone()
        before = t._version
        t.add_(1)
        return [t._version - before, t.data_ptr() - t.view(-1).data_ptr()]

    return {
        "torch.equal": lambda: [torch.equal(x, x.clone()), torch.equal(x, other), x.equal(other)],
        "torch.allclose": lambda: [torch.allclose(x, x + 1e-9), torch.allclose(x, other), x.allclose(other)],
        "torch.isclose": lambda: [torch.isclose(x, other), x.isclose(other)],
        "comparisons": lambda: [x == other, x != other, x < other, x.eq(other), (x == other).all(), (x == other).any()],
        "torch.isnan": lambda: [hidden.isnan(), torch.isnan(hidden), torch.isfinite(hidden), hidden.isinf()],
        "arithmetic": lambda: [x + other, x - other, x * other, x / 4, x @ x.T, -x, x.abs(), x**2],
        "reductions": lambda: [x.sum(), x.mean(), x.max().item(), x.min().item(), x.norm(), x.tolist(), float(x[0, 0])],
        "shapes": lambda: [x.shape, x.T.shape, x.dim(), x.numel(), len(x), x.stride(), x.is_contiguous(), x.T.is_contiguous()],
        "kinds": lambda: [x.dtype, x.double().dtype, str(x.device), isinstance(x, torch.Tensor), type(x).__name__],
        "copies": lambda: [x.clone(), x.detach(), x.to(torch.float64), x.cpu(), x.reshape(-1), x.contiguous()],
        "makers": lambda: [torch.zeros(2), torch.ones_like(x), torch.arange(3), torch.full((2,), 3), torch.stack([x, x])],
        "the random state": state,
        "seeds": seeded,
        "autograd": gradient,
        "grad mode": modes,
        "version counters": version,
        "print": printed,
        "modules": lambda: [
            *(sorted(layer.state_dict()), [n for n, _ in layer.named_parameters()], len(list(layer.buffers()))),
            *(layer.training, layer.eval().training, [tuple(p.shape) for p in layer.parameters()]),
        ],
        "builtins": lambda: [
            *(sorted([2, 1]), len("abc"), sum([1, 2]), all([1, 0]), any([0, 0]), abs(-2), round(2.6), max(1, 2), min(1, 2)),
            *(list(zip("ab", [1, 2], strict=True)), {"a": 1} == {"a": 2}, isinstance(True, int), float("1.5"), bool([]), repr("a")),
        ],
    }


def _instruments(x: torch.Tensor) -> dict[str, Callable[[], Any]]:
    def inside() -> Any:
        leaf = x.clone().requires_grad_()
        square: Any = Square.apply
        return probes.autograd_inside(lambda: square(leaf), [leaf], torch.Generator().manual_seed(1))

    def backwards() -> list[str]:
        with probes.autograd_calls() as calls:
            leaf = x.clone().requires_grad_()
            leaf.sum().backward()
        return list(calls)

    def saved() -> list[Any]:
        with probes.saved_tensors() as shapes:
            leaf = x.clone().requires_grad_()
            (leaf * leaf).sum()
        return list(shapes)

    def raw() -> list[Any]:
        leaf = x.clone().requires_grad_()
        square: Any = Square.apply
        y = square(leaf)
        return [probes.is_own_function(y), probes.is_own_function(leaf * 2), probes.raw_gradients(y, torch.ones_like(x), [leaf])]

    class Thing:
        pass

    def gone() -> list[bool]:  # not probes.collected: it runs the garbage collector
        thing = Thing()
        kept, lost = weakref.ref(thing), weakref.ref(Thing())
        return [kept() is thing, lost() is None]

    return {
        "the list of operations": lambda: operations(lambda: torch.softmax(x, 0) + torch.relu(x)),
        "the list of calls": lambda: calls.called(lambda: torch.nn.functional.linear(x, x), "linear"),
        "autograd inside of backward": inside,
        "the count of backward passes": backwards,
        "saved tensors": saved,
        "raw gradients": raw,
        "raises": lambda: [probes.raises(lambda: [][1]), probes.raises(lambda: None)],
        "shared memory": lambda: [probes.shares_memory(x, x[0]), probes.shares_memory(x, x.clone())],
        "weak references": gone,
    }
