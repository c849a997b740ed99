"""Hidden checks for clip_grad_norm_."""

import torch

from torchdojo.grading import called, check, tensor, upstream

CONCEPTS = ("I03",)

KEPT = {"all_gradients_share_one_scale": "it is the task itself; what breaks it breaks checks with a narrower title too"}


class oracle:
    """PyTorch's own function."""

    def clip_grad_norm_(params, max_norm):
        return torch.nn.utils.clip_grad_norm_(list(params), max_norm)


def leaf(x, grad, requires_grad=True):
    p = x.clone().requires_grad_()
    p.grad = grad
    return p.requires_grad_(requires_grad)


@check(points=2, x=tensor("..."), y=tensor("n m"), max_norm=[1.0, 0.5, 3.0, 1, 0.0])
def all_gradients_share_one_scale(solution, x, y, max_norm, rng):
    """Long gradients are scaled together to the length max_norm."""
    params = [leaf(t, upstream(t, rng)) for t in (x, y, y)]
    solution.clip_grad_norm_(params, max_norm)
    return {"gradients": [p.grad for p in params]}


@check(points=1, max_norm=[5 / 1024, 6 / 2**22, 4 / 2**23])
def the_scale_decides(solution, max_norm, device):
    """The scale decides, for tiny gradients and one as long as max_norm too."""
    parts = {5 / 1024: 1024, 6 / 2**22: 2**22, 4 / 2**23: 2**23}[max_norm]  # here 1e-6 in the scale counts
    p = leaf(torch.zeros(2, dtype=torch.float64, device=device), torch.tensor([3.0, 4.0], dtype=torch.float64, device=device) / parts)
    solution.clip_grad_norm_([p], max_norm)
    return {"gradient": p.grad}


@check(points=1, x=tensor("..."), y=tensor("n m"), factor=[1.25, 3.0, 100.0])
def short_gradients_keep_their_numbers(solution, x, y, factor, rng):
    """Gradients that are short enough keep their numbers exactly."""
    params = [leaf(t, upstream(t, rng)) for t in (x, y)]
    before = [p.grad.clone() for p in params]
    length = torch.cat([grad.reshape(-1) for grad in before]).norm().item()
    solution.clip_grad_norm_(params, max(1.0, factor * length))
    exactly = [torch.equal(p.grad, old) for p, old in zip(params, before, strict=True)]
    return {"gradients": [p.grad for p in params], "exactly the same numbers": exactly}


@check(points=1, x=tensor("..."), y=tensor("n m"), max_norm=[1.0, 500.0, 0.0])
def result_is_the_norm_from_before(solution, x, y, max_norm, rng):
    """The result is the norm before scaling: a 0-dim tensor without a graph."""
    norm = solution.clip_grad_norm_([leaf(t, upstream(t, rng)) for t in (x, y)], max_norm)
    return {"result": norm, "requires_grad of the result": getattr(norm, "requires_grad", None)}


@check(points=1, x=tensor("..."), y=tensor("n m"))
def same_gradient_tensors_and_parameters(solution, x, y, rng):
    """Every .grad stays the same tensor, and the parameters do not change."""
    params = [leaf(t, upstream(t, rng)) for t in (x, y)]
    old = [p.grad for p in params]
    views = [grad.detach() for grad in old]
    solution.clip_grad_norm_(params, 0.5)
    return {
        "parameters": [p.detach().clone() for p in params],
        "requires_grad": [p.requires_grad for p in params],
        ".grad is the same tensor": [p.grad is grad for p, grad in zip(params, old, strict=True)],
        "a view of the gradient": [view.clone() for view in views],
    }


@check(points=1, x=tensor("n m"), y=tensor("n m"))
def takes_any_layout(solution, x, y, rng):
    """Gradients may be non-contiguous."""
    params = [leaf(x.t(), upstream(x, rng).t()), leaf(y, upstream(y, rng, layout="transposed"))]
    solution.clip_grad_norm_(params, 0.5)
    return {"gradients": [p.grad for p in params]}


@check(points=1, x=tensor("..."), y=tensor("n m"))
def whoever_has_a_gradient_takes_part(solution, x, y, rng):
    """A missing gradient takes no part; an old one of a frozen tensor does."""
    params = [leaf(x, None), leaf(x, upstream(x, rng)), leaf(y, upstream(y, rng), requires_grad=False), leaf(y, None)]
    solution.clip_grad_norm_(params, 0.5)
    return {"gradients": [p.grad for p in params]}


@check(points=1, x=tensor((3,)), y=tensor((2, 3)), max_norm=[0.5, 2.0])
def takes_a_generator(solution, x, y, max_norm, rng):
    """params may be a generator that can be walked only once."""
    params = [leaf(t, upstream(t, rng)) for t in (x, y)]
    solution.clip_grad_norm_((p for p in params), max_norm)
    return {"gradients of parameters given by an iterator": [p.grad for p in params]}


@check(points=1, x=tensor("n"), max_norm=[1.0, 0.0])
def zero_and_missing_gradients_have_norm_zero(solution, x, max_norm):
    """Only zeros, or no gradient at all: the result is 0 and zeros stay."""
    zeros = leaf(x, torch.zeros_like(x))
    found = {"result": solution.clip_grad_norm_([zeros], max_norm), "gradient": zeros.grad}
    for what, params in (("no gradients", [leaf(x, None)]), ("an empty list", []), ("an empty generator", iter(()))):
        norm = solution.clip_grad_norm_(params, max_norm)
        found[f"result with {what}"] = norm.to(x.device) if isinstance(norm, torch.Tensor) else norm
    return found


@check(points=1, x=tensor((2, 3), layouts=False))
def scaling_is_your_own(solution, x, rng):
    """Norm and scale are written out, without torch.nn.utils."""
    p = leaf(x, upstream(x, rng))
    return called(lambda: solution.clip_grad_norm_([p], 0.5), "torch.nn.utils.*")


@scaling_is_your_own.judge
def _(used):
    if used:
        return "torch.nn.utils did the work; the point is to see what its function does"
