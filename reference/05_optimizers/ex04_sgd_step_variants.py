"""Known mistakes and odd-but-correct solutions for sgd_step_."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "Which operations change a tensor in place, and which make a new one?",
    "An in-place change of a leaf that requires grad is not allowed in grad mode, because the update is not "
    "part of the model. Turn grad mode off around it.",
    "Loop over the parameters under no_grad, skip those without a gradient, and subtract lr times the "
    "gradient with an operator that keeps the tensor.",
)


rebinds_the_name = mistake.edited("p -= lr * p.grad", "p = p - lr * p.grad",
    "The parameter did not move: p = p - ... (or p.clone()) makes a new tensor. Use p -= ... under no_grad.")


@mistake("sgd_step_")
def records_the_update(params, lr):
    """The update must not be part of the graph: a leaf that requires grad may only change in place under
    torch.no_grad()."""
    for p in params:
        if p.grad is not None:
            p -= lr * p.grad


walks_uphill = mistake.edited("p -= lr * p.grad", "p += lr * p.grad",
    "The parameters moved along the gradient, uphill: subtract lr times the gradient.")

scales_the_gradient_itself = mistake.edited("p -= lr * p.grad", "p.sub_(p.grad.mul_(lr))",
    "The step is right, but .grad was multiplied by lr in place: make a new tensor with lr * p.grad.")


@mistake("sgd_step_")
@torch.no_grad()
def crashes_on_none(params, lr):
    """A parameter without a gradient causes an error: .grad may be None, skip such a parameter."""
    for p in params:
        p -= lr * p.grad


clears_the_gradients = mistake.edited(
    "p -= lr * p.grad",
    """
    p -= lr * p.grad
    p.grad = None
    """,
    "The gradients were cleared by the step: leave .grad as it is, clearing is not the step's job.")


@mistake("sgd_step_")
def swaps_the_memory(params, lr):
    """p.data = ... gave the parameter new memory;
    views of it still show the old numbers. Write into p in place.
    """
    for p in params:
        if p.grad is not None:
            p.data = p.data - lr * p.grad


@mistake("sgd_step_")
def switches_recording_off_for_good(params, lr):
    """Grad mode is still off after the call: use `with torch.no_grad():`, which restores it."""
    torch.set_grad_enabled(False)
    for p in params:
        if p.grad is not None:
            p -= lr * p.grad


freezes_the_parameters = mistake.edited(
    "p -= lr * p.grad",
    """
    p.requires_grad_(False)
    p -= lr * p.grad
    """,
    "The parameters stopped requiring grad: after the step the next backward must still reach them.")

steps_by_the_sign = mistake.edited("p -= lr * p.grad", "p -= lr * p.grad.sign()",
    "Every number moved by lr exactly: the step is lr times the gradient, its size matters, too.")


@mistake("sgd_step_")
@torch.no_grad()
def counts_with_an_index(params, lr):
    """params may be a generator, which has no length and no index: loop over it with `for p in params`."""
    for i in range(len(params)):
        if params[i].grad is not None:
            params[i] -= lr * params[i].grad


@mistake("sgd_step_")
def switches_recording_on_at_the_end(params, lr):
    """Grad mode is on at the end, although the caller had turned it off: use `with torch.no_grad():`, which
    restores what was before."""
    torch.set_grad_enabled(False)
    for p in params:
        if p.grad is not None:
            p -= lr * p.grad
    torch.set_grad_enabled(True)


writes_into_a_copy = mistake.edited("p -= lr * p.grad", "p.reshape(-1).sub_(lr * p.grad.reshape(-1))",
    "reshape copies a non-contiguous tensor, and the step went into the copy: the arithmetic works on p in any shape, "
    "there is nothing to flatten.")


@mistake("sgd_step_")
@torch.no_grad()
def stops_at_a_missing_gradient(params, lr):
    """The loop ended at a parameter without a gradient, and the later ones did not move: continue with the next one."""
    for p in params:
        if p.grad is None:
            break
        p -= lr * p.grad


@mistake("sgd_step_")
def calls_an_optimizer(params, lr):
    """torch.optim took the step: write it out, it is one line."""
    params = list(params)
    if params:
        torch.optim.SGD(params, lr=lr).step()


@alternative("sgd_step_")
def through_data(params, lr):
    """The old style: .data is the tensor without its history."""
    for p in params:
        if p.grad is not None:
            p.data -= lr * p.grad.data


@alternative("sgd_step_")
def copies_the_new_value(params, lr):
    """The new value is computed first and copied over the old one."""
    with torch.no_grad():
        for p in filter(lambda p: p.grad is not None, params):
            p.copy_(p - p.grad * lr)


@alternative("sgd_step_")
def through_a_detached_view(params, lr):
    """detach() shares memory, so the view can be changed with recording on."""
    for p in params:
        grad = p.grad
        if isinstance(grad, torch.Tensor):
            p.detach().add_(grad, alpha=-lr)
