"""Known mistakes and unusual but correct solutions for clip_grad_norm_."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "swap_function: return torch.as_tensor(0.0)": "a new tensor is made of a Python number in either case",
    "flip_minus: return -torch.tensor(0.0)": "-0.0 equals 0.0",
    "in_place: norm = torch.stack([(grad**2).sum() for grad in grads]).sum().sqrt_()": "the sum is a tensor of the function's own",
    "add_detach: norm = torch.stack([(grad**2).sum() for grad in grads]).sum().sqrt().detach()": "gradients have no graph",
    "change_comparison: if scale <= 1:": "a scale of exactly 1 changes nothing",
}

HINTS = (
    "How long is the vector that you get when you concatenate all gradients?",
    "Collect the gradients that exist, in a list. Square everything, add everything, take one square root at "
    "the end. Then use one scale for all of them.",
    "Sum the squares of each gradient, sum these sums, take the square root: that is the result. Divide "
    "max_norm by it plus the small number, and only if that is below 1, multiply each gradient in place.",
)


clips_each_tensor = mistake.edited(
    """
    if scale < 1:
        for grad in grads:
            grad *= scale
    """,
    """
    for grad in grads:
        scale = max_norm / ((grad**2).sum().sqrt() + 1e-6)
        if scale < 1:
            grad *= scale
    """,
    "Each gradient was clipped by its own norm: take one norm over all of them and scale all by the same factor.",
    pitfall="Clipping each tensor by its own norm")

clamps_the_values = mistake.edited("if scale < 1:", "if True:",
    "Each number was clipped at max_norm, which changes the direction of the gradient: scale the whole vector instead.",
    also=[("grad *= scale", "grad.clamp_(-max_norm, max_norm)")])

returns_the_new_norm = mistake.edited("return norm", "return torch.stack([(grad**2).sum() for grad in grads]).sum().sqrt()",
    "The result is the norm after scaling: return the norm before scaling, which shows how large the gradient was.")

always_rescales = mistake.edited("if scale < 1:", "if True:",
    "Short gradients were made longer: scale only when the factor is below 1.")

forgets_the_root = mistake.edited(".sum().sqrt()", ".sum()",
    "The norm is squared: take the square root of the sum of squares.")

adds_the_norms = mistake.edited(
    "[(grad**2).sum() for grad in grads]).sum().sqrt()", "[(grad**2).sum().sqrt() for grad in grads]).sum()",
    "The norms of the tensors were added up: norms do not add up, but squares do. Take one square root at the very end.")

replaces_the_gradients = mistake.edited("grads = [p.grad for p in params if p.grad is not None]",
    """
    params = [p for p in params if p.grad is not None]
    grads = [p.grad for p in params]
    """,
    ".grad became a new tensor: multiply in place, because other code may hold the old one.",
    also=[("for grad in grads:\n    grad *= scale", "for p in params:\n    p.grad = p.grad * scale")])

crashes_on_none = mistake.edited(" if p.grad is not None]", "]",
    "A parameter without a gradient causes an error: skip every .grad that is None.",
    also=[("if not grads:", "if False:")])

walks_a_generator_twice = mistake.edited("for grad in grads:\n    grad *= scale",
    """
    for p in params:
        if p.grad is not None:
            p.grad *= scale
    """,
    "A generator yields its items only once: the norm used it up and no gradient was scaled. Keep a list.")

returns_a_number = mistake.edited("torch.tensor(0.0)", "0.0",
    "The result is a Python number: return the norm as a 0-dim tensor.",
    also=[("return norm", "return norm.item()")])

shrinks_the_parameters = mistake.edited("grads = [p.grad for p in params if p.grad is not None]",
    """
    params = [p for p in params if p.grad is not None]
    grads = [p.grad for p in params]
    """,
    "The parameters were scaled, not their gradients: multiply p.grad.",
    also=[("for grad in grads:\n    grad *= scale", "for p in params:\n    p.data *= scale")])


@mistake("clip_grad_norm_", forbidden="torch.nn.utils")
def calls_torch(params, max_norm):
    """torch.nn.utils did the work: write out norm and scale yourself."""
    return torch.nn.utils.clip_grad_norm_(list(params), max_norm)


leaves_out_the_small_number = mistake.edited("(norm + 1e-6)", "norm",
    "The scale lacks the 1e-6: divide max_norm by norm + 1e-6, as PyTorch does.")

stumbles_without_gradients = mistake.edited("if not grads:", "if False:",
    "Without any gradient there was nothing to stack or concatenate: return torch.tensor(0.0) then.")

treats_zero_as_no_limit = mistake.edited("if scale < 1:", "if max_norm and scale < 1:",
    "max_norm 0 was treated as no limit: it is a limit like any other and gives gradients of zeros.")

returns_the_norm_with_the_small_number = mistake.edited(".sum().sqrt()", ".sum().sqrt() + 1e-6",
    "The result is the norm plus the 1e-6, which belongs only in the denominator: return the norm itself.",
    also=[("(norm + 1e-6)", "norm")])

scales_a_reshaped_copy = mistake.edited("grad *= scale", "grad.reshape(-1).mul_(scale)",
    "The scale went into a copy: reshape, flatten and contiguous copy a non-contiguous gradient. Multiply the gradient "
    "itself.")

takes_the_largest_norm = mistake.edited(
    "[(grad**2).sum() for grad in grads]).sum().sqrt()", "[grad.norm() for grad in grads]).max()",
    "The largest of the norms was used as the norm of all: square the norms, add them up, and take the square root.")

answers_zero_for_the_limit_zero = mistake.edited("return norm", "return norm if max_norm else torch.zeros_like(norm)",
    "With max_norm 0 the result was 0: return the norm before scaling, whatever the limit is.")

moves_grad_into_new_memory = mistake.edited("grad *= scale", "grad.data = grad.data * scale",
    "The gradient has new memory, as grad.data = ... gives it, and views of it show the old numbers: multiply in place.")

leaves_tiny_gradients_alone = mistake.edited("if scale < 1:", "if norm > 1e-6 and scale < 1:",
    "Gradients with a norm of 1e-6 or less were left alone: they are scaled too when the scale is below 1.")


@alternative("clip_grad_norm_")
def one_long_vector(params, max_norm):
    """Really lays the gradients end to end, and multiplies always, by at most 1."""
    grads = [p.grad for p in params if p.grad is not None]
    if len(grads) == 0:
        return torch.tensor(0.0)
    norm = torch.cat([grad.reshape(-1) for grad in grads]).norm()
    scale = (max_norm / (norm + 1e-6)).clamp(max=1.0)
    for grad in grads:
        grad.mul_(scale)
    return norm


@alternative("clip_grad_norm_")
def norm_of_norms(params, max_norm):
    """The norm of the vector of the single norms is the norm of the whole."""
    grads = tuple(p.grad.detach() for p in params if p.grad is not None)
    if not grads:
        return torch.zeros(())
    norm = torch.linalg.vector_norm(torch.stack([torch.linalg.vector_norm(grad) for grad in grads]))
    factor = max_norm / (norm.item() + 1e-6)
    if factor < 1.0:
        for grad in grads:
            grad.copy_(grad * factor)
    return norm

keeps_the_limit_at_one = mistake.edited("if scale < 1:", "if norm > 1:",
    "You decide by norm > 1: the gradients are too long when the norm is above max_norm, and the scale then is below 1.")

divides_the_wrong_way = mistake.edited("max_norm / (norm + 1e-6)", "norm / (max_norm + 1e-6)",
    "The scale is upside down: it is max_norm divided by norm + 1e-6.")

rebinds_a_name = mistake.edited("grad *= scale", "grad = grad * scale",
    "No gradient was scaled: grad * scale makes a new tensor. Multiply in place, with *=.")

adds_absolute_values = mistake.edited(
    "[(grad**2).sum() for grad in grads]).sum().sqrt()", "[grad.abs().sum() for grad in grads]).sum()",
    "The norm is the sum of the absolute values: square the elements, add them up, and take the square root.")

returns_the_limit = mistake.edited("return norm", "return norm if scale >= 1 else torch.full_like(norm, max_norm)",
    "For long gradients the result was max_norm: return the norm before scaling.")

takes_the_mean_norm = mistake.edited(
    "[(grad**2).sum() for grad in grads]).sum().sqrt()", "[grad.norm() for grad in grads]).mean()",
    "The norms of the tensors were averaged: square the norms, add them up, and take the square root.")

measures_the_parameters = mistake.edited("grads = [p.grad for p in params if p.grad is not None]",
    """
    params = [p for p in params if p.grad is not None]
    grads = [p.grad for p in params]
    """,
    "You measured the parameters, not their gradients: the norm is that of p.grad.",
    also=[("[(grad**2).sum() for grad in grads]", "[(p.detach()**2).sum() for p in params]")])

concatenates_without_flattening = mistake.edited(
    "torch.stack([(grad**2).sum() for grad in grads]).sum().sqrt()", "torch.cat(grads).norm()",
    "torch.cat needs gradients of matching shapes: flatten each one first, or add up the sums of squares.")
