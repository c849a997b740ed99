"""Known mistakes and unusual but correct solutions for sgd_step_."""

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
    "The parameters did not move: p - lr * p.grad makes a new tensor. Change p itself, with p -= ... under no_grad.",
    pitfall="p = p - lr * p.grad makes a new tensor",
    about="moves_by_lr_times_the_gradient")

records_the_update = mistake.edited("@torch.no_grad()", "",
    "The update must not be part of the graph: a leaf that requires grad may only change in place under torch.no_grad().",
    about="moves_by_lr_times_the_gradient")

walks_uphill = mistake.edited("p -= lr * p.grad", "p += lr * p.grad",
    "The parameters moved along the gradient, uphill: subtract lr times the gradient.")

scales_the_gradient_itself = mistake.edited("p -= lr * p.grad", "p.sub_(p.grad.mul_(lr))",
    "The step wrote into .grad: only read it, and make a new tensor with lr * p.grad.")

crashes_on_none = mistake.edited("if p.grad is not None:", "if True:",
    "A parameter without a gradient causes an error: .grad may be None, so skip such a parameter.")

clears_the_gradients = mistake.edited(
    "p -= lr * p.grad",
    """
    p -= lr * p.grad
    p.grad = None
    """,
    "The step cleared the gradients: leave .grad as it is, because clearing is not the step's job.")

swaps_the_memory = mistake.edited("p -= lr * p.grad", "p.data = p.data - lr * p.grad",
    "Views of the parameter don't see the step, as after p.data = ..., which gives it new memory: write into p in place.")

switches_recording_off_for_good = mistake.edited("@torch.no_grad()", "",
    "Grad mode is still off after the call: use `with torch.no_grad():`, which restores it.",
    also=[("for p in params:", "torch.set_grad_enabled(False)\nfor p in params:")])

freezes_the_parameters = mistake.edited(
    "p -= lr * p.grad",
    """
    p.requires_grad_(False)
    p -= lr * p.grad
    """,
    "The parameters stopped requiring grad: after the step the next backward must still reach them.")

steps_by_the_sign = mistake.edited("p -= lr * p.grad", "p -= lr * p.grad.sign()",
    "Every number moved by exactly lr: the step is lr times the gradient, so the gradient's size matters, too.")

counts_with_an_index = mistake.edited("for p in params:", "for i in range(len(params)):\n    p = params[i]",
    "params may be a generator, which has no length and no index: loop over it with `for p in params`.")


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
    "The step went into a copy: reshape, flatten and contiguous copy a non-contiguous tensor. The arithmetic works on p "
    "in any shape.")

stops_at_a_missing_gradient = mistake.edited("if p.grad is not None:",
    """
    if p.grad is None:
        break
    else:
    """,
    "The parameters after one without a gradient did not move: skip only that one, and continue with the next.")


@mistake("sgd_step_", forbidden="torch.optim")
def calls_an_optimizer(params, lr):
    """torch.optim took the step: write it out. It is one line."""
    params = list(params)
    if params:
        torch.optim.SGD(params, lr=lr).step()


through_data = alternative.edited("@torch.no_grad()", "",
    "The old style: .data is the tensor without its history.",
    also=[("p -= lr * p.grad", "p.data -= lr * p.grad.data")])

copies_the_new_value = alternative.edited("p -= lr * p.grad", "p.copy_(p - p.grad * lr)",
    "The new value is computed first and copied over the old one.")

through_a_detached_view = alternative.edited("@torch.no_grad()", "",
    "detach() shares memory, so the view can be changed with recording on.",
    also=[("p -= lr * p.grad", "p.detach().add_(p.grad, alpha=-lr)")])

asks_the_truth_of_a_gradient = mistake.edited("p.grad is not None", "p.grad",
    "A tensor of several numbers can't be a condition, neither .grad itself nor a comparison with it: ask `p.grad is not None`.",
    about="moves_by_lr_times_the_gradient")

subtracts_lr_alone = mistake.edited("p -= lr * p.grad", "p -= lr",
    "Every number went down by lr, whatever its gradient is: subtract lr times the gradient.")

forgets_lr = mistake.edited("p -= lr * p.grad", "p -= p.grad",
    "lr has no effect: multiply the gradient by lr.",
    about=("moves_by_lr_times_the_gradient", "steps_grow_with_lr"))

multiplies_the_parameter = mistake.edited("p -= lr * p.grad", "p *= 1 - lr * p.grad",
    "Your step is multiplied by p: subtract lr times the gradient itself.")

takes_the_length_out = mistake.edited("p -= lr * p.grad", "p -= lr * p.grad / p.grad.norm()",
    "Every step is lr long, because the gradient was divided by its norm: subtract lr times the gradient as it is.")

fills_missing_gradients = mistake.edited("if p.grad is not None:",
    """
    if p.grad is None:
        p.grad = torch.zeros_like(p)
    if True:
    """,
    "A .grad that was None is a tensor afterwards: the step only reads .grad, so skip the parameter.")

moves_the_first_only = mistake.edited("p -= lr * p.grad", "p -= lr * p.grad\nbreak",
    "Only the first parameter with a gradient moved: go on until the loop is through, without a return or break in it.",
    about="moves_by_lr_times_the_gradient")

walks_a_generator_twice = mistake.edited("for p in params:",
    """
    if not [p for p in params if p.grad is not None]:
        return
    for p in params:
    """,
    "A generator yields its items only once: the first pass over params used it up, and the second moved nothing.")
