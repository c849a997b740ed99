"""Hidden checks for jacobian."""

import sys

import torch

from torchdojo.grading import Forbidden, check, tensor

CONCEPTS = ("G09", "G15")
KEPT = {
    "finds_every_partial_derivative": "the point of the exercise",
    "takes_any_dtype_layout_and_size": "dtype, layouts and the smallest inputs, said by themselves",
    "the_result_lies_on_the_device_of_x": "a slip that shows on another device costs this check alone",
    "one_output_adds_no_axis": "the most common use, said by itself",
    "no_output_has_no_rows": "an edge case, said by itself",
}


class oracle:
    """Slopes by hand where f says what they are; otherwise one pair of output and input elements at a time."""

    def jacobian(f, x):
        with torch.enable_grad():
            parts = [part.detach().clone().requires_grad_() for part in x.reshape(-1)]
            whole = torch.stack(parts).reshape(x.shape) if parts else x.detach().clone().requires_grad_()
            y = f(whole)
            outputs = y.reshape(-1).unbind()
        found = torch.zeros(len(outputs), x.numel(), dtype=x.dtype, device=x.device)
        for i in range(len(outputs)):
            if outputs[i].requires_grad and parts:
                slopes = torch.autograd.grad(outputs[i], [*parts], retain_graph=True, allow_unused=True)
                for j, slope in enumerate(slopes):
                    found[i, j] = 0.0 if slope is None else slope
        return found.reshape(y.shape + x.shape)


def square(x):
    return x**2


def cumulative(x):
    return x.reshape(-1).cumsum(0) ** 2


def table(x):
    return torch.outer(x.reshape(-1), torch.arange(1, 4, dtype=x.dtype, device=x.device)).sin()


def total(x):
    return (x**3).sum()


def turned(x):
    return x.permute(tuple(range(x.dim()))[::-1]) ** 2


def ends(x):
    flat = x.reshape(-1)
    return torch.stack([flat[0] * flat[-1], 3 * flat[-1], flat[0].detach() * 0])


def no_outputs(x):
    return (x**2).reshape(-1)[:0].reshape(0, 2)


def constant(x):
    return torch.ones(3, dtype=x.dtype, device=x.device)


def one_number(x):
    return torch.ones((), dtype=x.dtype, device=x.device)


def others_only(x):
    return torch.ones(2, 3, dtype=x.dtype, device=x.device, requires_grad=True) * 2


def cut_off(x):
    return (x**2).detach()


def in_state(x, state):
    """x as it came, as a leaf with an old gradient or with none, or as the result of an operation."""
    if state == "plain":
        return x
    x.requires_grad_()
    if state == "leaf":
        x.grad = torch.full_like(x, 7.0)
    if "leaf" in state:
        return x
    with torch.enable_grad():
        return x.view_as(x)


def ready_made():
    """Is this called from inside a ready-made derivative of torch.func or torch.autograd.functional?"""
    places = ("torch._functorch", "torch.func", "torch.autograd.functional")
    frame = sys._getframe(1)
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith(places):
            return True
        frame = frame.f_back
    return False


@check(points=4, f=[square, cumulative, table, turned], x=tensor("n m", layouts=False), minimum=1, dtypes=("float32",), devices=False)
def finds_every_partial_derivative(solution, f, x):
    """Every derivative is at its index, with the output's axes first."""
    return {"jacobian": solution.jacobian(f, x.clone()).detach()}


@check(points=0.5, star=True, f=[total, square, turned], x=tensor("..."), dtypes=("float64",), devices=False)
def takes_any_dtype_layout_and_size(solution, f, x):
    """x may be float64, expanded or transposed, 0-dim or empty; the result has the dtype of x."""
    return {"jacobian": solution.jacobian(f, x.detach()).detach()}


@check(points=3, x=tensor("n m", layouts=False), minimum=1, dtypes=("float32",), devices=False)
def one_output_adds_no_axis(solution, x):
    """The Jacobian of a 0-dim output has the shape of x."""
    return {"jacobian": solution.jacobian(total, x.clone()).detach()}


@check(points=0.5, star=True, x=tensor("n m"), minimum=1, dtypes=("float32",), devices=False)
def no_output_has_no_rows(solution, x):
    """For an empty output, the Jacobian has no rows, but it keeps the axes of x."""
    found = {f.__name__: solution.jacobian(f, x.clone()).detach() for f in (no_outputs, total)}
    return {"jacobian": found["no_outputs"], "of one number": found["total"]}


@check(points=0.5, star=True, f=[constant, one_number, others_only, cut_off], x=tensor("n"), minimum=1, dtypes=("float32",), devices=False)
def constants_have_rows_of_zeros(solution, f, x):
    """Outputs that do not depend on x have rows of zeros, even if none of them depends on x."""
    return {"jacobian": solution.jacobian(f, x.clone()).detach(), "partly constant": solution.jacobian(ends, x.clone()).detach()}


@check(points=0.5, star=True, x=tensor("n"), state=["leaf", "result", "new leaf", "plain"], minimum=1, dtypes=("float32",), devices=False, beside=True)
def leaves_x_as_it_was(solution, x, state):
    """x.grad and x.requires_grad do not change, and the result does not require grad."""
    given = in_state(x, state)
    got = solution.jacobian(total, given)
    found = {"requires grad": got.requires_grad, "x.requires_grad": given.requires_grad}
    return {"derivatives": got.reshape(-1)}, found | {"old x.grad": given.grad, "x.is_leaf": given.is_leaf, "gradient of the leaf behind x": x.grad}


@check(points=0.5, star=True, x=tensor("n"), minimum=1, dtypes=("float32",), devices=False, beside=True)
def leaves_other_gradients_alone(solution, x):
    """Weights inside f keep their .grad."""
    weight, fresh = (torch.full_like(x, 3.0).requires_grad_() for _ in range(2))
    weight.grad = torch.full_like(weight, 5.0)

    def weighted_sum(x):
        return (x**2 * weight * fresh).sum()

    got = solution.jacobian(weighted_sum, x.clone())
    return {"derivatives": got.detach().reshape(-1)}, {"old weight.grad": weight.grad, "grad of a fresh weight": fresh.grad}


@check(points=0.5, star=True, f=[square, constant], x=tensor("n"), minimum=1, dtypes=("float32",), about_device=True, beside=True)
def the_result_lies_on_the_device_of_x(solution, f, x):
    """The result is on the device of x, even if it is all zeros."""
    got, slopes = solution.jacobian(f, x.clone()), solution.jacobian(total, x.clone())
    return {"shape": tuple(got.shape), "derivatives of a sum": slopes.detach().reshape(-1)}, {"device": got.device}


@check(points=0.5, star=True, f=[square, total], x=tensor("n"), minimum=2, dtypes=("float32",), devices=False)
def calls_f_once_and_works_by_itself(solution, f, x):
    """f is called exactly once, without a ready-made derivative function."""
    calls = []

    def watched(x):
        calls.append("ready-made" if ready_made() else "own")
        return f(x)

    got = solution.jacobian(watched, x.clone())
    return {"jacobian": got.detach().reshape(-1)}, calls


@calls_f_once_and_works_by_itself.rule
def _(calls):
    if "ready-made" in calls:
        return Forbidden("torch.func or torch.autograd.functional called f; compute the rows yourself, with backward or torch.autograd.grad")
    return f"f was called {len(calls)} times, wanted once" if len(calls) != 1 else None
