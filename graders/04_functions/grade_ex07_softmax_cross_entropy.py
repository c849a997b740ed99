"""Hidden checks for SoftmaxCrossEntropy: stable forward, short backward, no silent second derivative."""

import torch
from own_numbers import only_read, unharmed

from torchdojo.grading import (
    Forbidden,
    autograd_inside,
    built,
    check,
    raw_gradients,
    size,
    small_steps,
    tensor,
    upstream,
)

CONCEPTS = ("G16", "G30")
KEPT = {
    "result_is_the_mean_loss": "a right forward earns its points before backward is written",
    "gradient_is_that_of_the_mean": "the task itself; the check of the rule needs the right gradient as well",
    "thousands_give_the_right_gradient": "the gradient of large logits by itself; those of the loss come before backward is written",
    "rule_is_written_by_hand": "it says in words that the Function is your own; FORBIDS costs the other checks that see autograd",
}
FORBIDS = {
    "aten.*softmax*": "softmax",
    "aten.*log*sumexp*": "logsumexp",
    "aten.logaddexp*": "logaddexp",
    "aten.nll_loss*": "nll_loss",
    "aten.cross_entropy*": "cross_entropy",
    small_steps("one_hot"): "a ready-made function",
    "autograd.inside": ("autograd inside forward or backward", "write the derivative yourself"),
}
BECAUSE = "it does all the work, or half of it; exp, log, sum and amax are enough"
TARGET = tensor("batch", dtype="int64", low=0, high="classes", layouts=False)
LOGITS = tensor("batch classes", layouts=False)


class oracle:
    """What PyTorch itself does."""

    class SoftmaxCrossEntropy:
        def apply(logits, target):
            return torch.nn.functional.cross_entropy(logits, target)


def extreme(case):
    """Rows of thousands: both signs in one row, in different rows, and rows far below others."""
    kinds = [[1000.0, -1000.0, 0.1], [-1000.0, -1000.5, -999.0], [1000.0, 999.0, 1000.0], [0.5, -1.5, 2.0]]
    return torch.tensor(kinds[case.number % 4 :] + kinds[: case.number % 4], dtype=case.dtype, device="cpu")


@check(points=5, minimum=1, logits=LOGITS, target=TARGET, mutates=("logits", "target"))
def result_is_the_mean_loss(solution, logits, target):
    """The result is the mean of the losses of the rows."""
    return solution.SoftmaxCrossEntropy.apply(logits.requires_grad_(), target)


@check(points=3, minimum=1, logits=LOGITS, target=TARGET, mutates=("logits", "target"))
def gradient_is_that_of_the_mean(solution, logits, target, rng):
    """logits get their gradient times the upstream gradient; target gets None."""
    loss = solution.SoftmaxCrossEntropy.apply(logits.requires_grad_(), target)
    return {"returned": raw_gradients(loss, upstream(loss, rng), [logits, target])}


THOUSANDS = {
    "logits": built(extreme, axes="n"), "classes": [[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2], [1, 0, 2, 1]], "mutates": ("logits",),
}  # fmt: skip


@check(points=3, **THOUSANDS)
def thousands_give_the_right_loss(solution, logits, classes):
    """Logits of 1000 and -1000 neither overflow nor vanish in the loss."""
    return solution.SoftmaxCrossEntropy.apply(logits.requires_grad_(), torch.tensor(classes, device=logits.device))


@check(points=1, **THOUSANDS)
def thousands_give_the_right_gradient(solution, logits, classes, rng):
    """Logits of 1000 and -1000 neither overflow nor vanish in the gradient."""
    target = torch.tensor(classes, device=logits.device)
    loss = solution.SoftmaxCrossEntropy.apply(logits.requires_grad_(), target)
    return {"returned": raw_gradients(loss, upstream(loss, rng), [logits, target])[:1]}


@check(points=1, star=True, minimum=1, logits=tensor("batch classes"), target=tensor("batch", dtype="int64", low=0, high="classes"), beside=True)
def everything_given_is_only_read(solution, logits, target, rng):
    """logits, target and grad are not changed in any layout; backward can be repeated."""
    apply = solution.SoftmaxCrossEntropy.apply
    loss = apply(logits.requires_grad_(), target)
    found, facts = only_read(loss, [logits, target], rng, lambda: apply(-logits, target))
    return {"returned": found["returned"][:1]}, facts


def gradient_beside_another(apply, logits, target):
    """A leaf and its gradient, recorded. Beside another term a gradient that counts as a constant raises nothing."""
    leaf = logits.detach().clone().requires_grad_()
    total = apply(leaf, target) ** 2 + (leaf**3).sum()
    return leaf, *torch.autograd.grad(total, leaf, create_graph=True)


@check(
    points=1, star=True,
    minimum={"batch": 1, "classes": 2},
    dtypes=("float64",),
    logits=LOGITS,
    target=TARGET,
    weight=tensor("batch classes", avoid=[0.0], layouts=False),
    mutates=("logits", "target"),
)
def second_derivative_is_right_or_refused(solution, logits, target, weight):
    """A second derivative is right or raises an error; it is never silently wrong."""
    leaf, first = gradient_beside_another(solution.SoftmaxCrossEntropy.apply, logits, target)
    try:
        (first * weight).sum().backward()  # to every leaf: torch.autograd.grad passes by what once_differentiable put in
    except RuntimeError:
        return "refused"
    return leaf.grad


@second_derivative_is_right_or_refused.judge
def _(seen, logits, target, weight):
    if isinstance(seen, str) and seen == "refused":
        return None
    leaf, first = gradient_beside_another(torch.nn.functional.cross_entropy, logits, target)
    (want,) = torch.autograd.grad((first * weight).sum(), leaf)
    if seen.shape == want.shape and torch.allclose(seen, want, rtol=1e-9, atol=1e-9):
        return None
    return "the second derivative was silently wrong: it must be right, or raise RuntimeError"


@check(
    points=1, star=True,
    minimum={"batch": 1, "classes": 2},
    logits=LOGITS,
    target=TARGET,
    classes=size("classes"),
    beside=True,
)
def edits_are_never_silently_wrong(solution, logits, target, classes, rng):
    """After an in-place edit of logits or target, backward raises an error or is right."""
    apply, inputs = solution.SoftmaxCrossEntropy.apply, [logits.requires_grad_(), target]

    def one_column(t):
        t[:, 0].mul_(-2).sub_(1.25)

    def next_class(t):
        t.add_(1).remainder_(classes)

    found, facts = {}, {}
    for name, place, edit in (("logits", 0, one_column), ("target", 1, next_class)):
        after, fine = unharmed(apply, inputs, place, rng, edit=edit)
        found[f"returned after an edit of {name}"], facts[f"right or refused after an edit of {name}"] = after[:1], fine
    return found, facts


@check(points=1, minimum=1, logits=LOGITS, target=TARGET, dtypes=("float64",))
def rule_is_written_by_hand(solution, logits, target, rng):
    """forward and backward are your own, without autograd inside."""
    logits.requires_grad_()
    return autograd_inside(lambda: solution.SoftmaxCrossEntropy.apply(logits, target), [logits, target], rng)


@rule_is_written_by_hand.rule
def _(seen):
    return Forbidden("; ".join(seen)) if seen else None
