"""Known mistakes and odd-but-correct solutions for clip_grad_norm_."""

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


def _grads(params):
    return [p.grad for p in params if p.grad is not None]


def _norm(grads):
    return torch.stack([(grad**2).sum() for grad in grads]).sum().sqrt()


@mistake("clip_grad_norm_")
def clips_each_tensor(params, max_norm):
    """Each gradient was clipped by its own norm:
    take one norm over all of them and scale all by the same factor.
    """
    grads = _grads(params)
    if not grads:
        return torch.tensor(0.0)
    norm = _norm(grads)
    for grad in grads:
        scale = max_norm / (_norm([grad]) + 1e-6)
        if scale < 1:
            grad *= scale
    return norm


@mistake("clip_grad_norm_")
def clamps_the_values(params, max_norm):
    """Each number was clipped at max_norm, which changes the direction of the gradient: scale the whole vector
    instead."""
    grads = _grads(params)
    if not grads:
        return torch.tensor(0.0)
    norm = _norm(grads)
    for grad in grads:
        grad.clamp_(-max_norm, max_norm)
    return norm


@mistake("clip_grad_norm_")
def returns_the_new_norm(params, max_norm):
    """The result is the norm after scaling: return the norm from before scaling; it shows how large the gradient
    was."""
    grads = _grads(params)
    if not grads:
        return torch.tensor(0.0)
    scale = max_norm / (_norm(grads) + 1e-6)
    if scale < 1:
        for grad in grads:
            grad *= scale
    return _norm(grads)


@mistake("clip_grad_norm_")
def always_rescales(params, max_norm):
    """Short gradients were made longer: scale only when the factor is below 1."""
    grads = _grads(params)
    if not grads:
        return torch.tensor(0.0)
    norm = _norm(grads)
    for grad in grads:
        grad *= max_norm / (norm + 1e-6)
    return norm


forgets_the_root = mistake.edited("grads = [p.grad for p in params if p.grad is not None]", "grads = _grads(params)",
    "The norm is squared: take the square root of the sum of squares.",
    also=[("torch.stack([(grad**2).sum() for grad in grads]).sum().sqrt()", "_norm(grads) ** 2")])

adds_the_norms = mistake.edited("grads = [p.grad for p in params if p.grad is not None]", "grads = _grads(params)",
    "The norms of the tensors were added up: norms do not add up, but squares do. Take one square root at the very end.",
    also=[("torch.stack([(grad**2).sum() for grad in grads]).sum().sqrt",
         "torch.stack([(grad**2).sum().sqrt() for grad in grads]).sum")])


@mistake("clip_grad_norm_")
def replaces_the_gradients(params, max_norm):
    """.grad became a new tensor: multiply in place, others may hold the old one."""
    params = [p for p in params if p.grad is not None]
    if not params:
        return torch.tensor(0.0)
    norm = _norm(_grads(params))
    scale = max_norm / (norm + 1e-6)
    if scale < 1:
        for p in params:
            p.grad = p.grad * scale
    return norm


@mistake("clip_grad_norm_")
def crashes_on_none(params, max_norm):
    """A parameter without a gradient causes an error: leave out every .grad that is None."""
    params = list(params)
    norm = _norm([p.grad for p in params])
    scale = max_norm / (norm + 1e-6)
    if scale < 1:
        for p in params:
            p.grad *= scale
    return norm


@mistake("clip_grad_norm_")
def walks_a_generator_twice(params, max_norm):
    """A generator yields its items only once: the norm used it up and no gradient was scaled. Keep a list."""
    grads = _grads(params)
    if not grads:
        return torch.tensor(0.0)
    norm = _norm(grads)
    scale = max_norm / (norm + 1e-6)
    if scale < 1:
        for p in params:
            if p.grad is not None:
                p.grad *= scale
    return norm


@mistake("clip_grad_norm_")
def returns_a_number(params, max_norm):
    """The result is a Python number: return the norm as a 0-dim tensor."""
    grads = _grads(params)
    if not grads:
        return 0.0
    norm = _norm(grads)
    scale = max_norm / (norm + 1e-6)
    if scale < 1:
        for grad in grads:
            grad *= scale
    return norm.item()


@mistake("clip_grad_norm_")
def shrinks_the_parameters(params, max_norm):
    """The parameters were scaled, not their gradients: multiply p.grad."""
    params = [p for p in params if p.grad is not None]
    if not params:
        return torch.tensor(0.0)
    norm = _norm(_grads(params))
    scale = max_norm / (norm + 1e-6)
    if scale < 1:
        for p in params:
            p.data *= scale
    return norm


@mistake("clip_grad_norm_")
def calls_torch(params, max_norm):
    """torch.nn.utils did the work: write out norm and scale yourself."""
    return torch.nn.utils.clip_grad_norm_(list(params), max_norm)


@mistake("clip_grad_norm_")
def leaves_out_the_small_number(params, max_norm):
    """The scale lacks the 1e-6: divide max_norm by norm + 1e-6, as PyTorch does."""
    grads = _grads(params)
    if not grads:
        return torch.tensor(0.0)
    norm = _norm(grads)
    if norm > max_norm:
        for grad in grads:
            grad *= max_norm / norm
    return norm


@mistake("clip_grad_norm_")
def stumbles_without_gradients(params, max_norm):
    """Without any gradient there was nothing to stack or concatenate: return torch.tensor(0.0) then."""
    grads = _grads(params)
    norm = _norm(grads)
    scale = max_norm / (norm + 1e-6)
    if scale < 1:
        for grad in grads:
            grad *= scale
    return norm


@mistake("clip_grad_norm_")
def treats_zero_as_no_limit(params, max_norm):
    """max_norm 0 was treated as no limit: it is a limit like any other and gives gradients of zeros."""
    grads = _grads(params)
    if not grads:
        return torch.tensor(0.0)
    norm = _norm(grads)
    scale = max_norm / (norm + 1e-6)
    if max_norm and scale < 1:
        for grad in grads:
            grad *= scale
    return norm


@mistake("clip_grad_norm_")
def returns_the_norm_with_the_small_number(params, max_norm):
    """The result is the norm plus the 1e-6, which belongs only in the denominator: return the norm itself."""
    grads = _grads(params)
    if not grads:
        return torch.tensor(0.0)
    norm = _norm(grads) + 1e-6
    if max_norm / norm < 1:
        for grad in grads:
            grad *= max_norm / norm
    return norm


@mistake("clip_grad_norm_")
def scales_a_reshaped_copy(params, max_norm):
    """reshape copies a non-contiguous gradient, and the copy was scaled: multiply the gradient itself, in its own shape."""
    grads = _grads(params)
    if not grads:
        return torch.tensor(0.0)
    norm = _norm(grads)
    for grad in grads:
        grad.reshape(-1).mul_((max_norm / (norm + 1e-6)).clamp(max=1.0))
    return norm


@mistake("clip_grad_norm_")
def takes_the_largest_norm(params, max_norm):
    """The largest of the norms was used as the norm of all: square the norms, add them up, and take the square root."""
    grads = _grads(params)
    if not grads:
        return torch.tensor(0.0)
    norm = torch.stack([grad.norm() for grad in grads]).max()
    for grad in grads:
        grad.mul_((max_norm / (norm + 1e-6)).clamp(max=1.0))
    return norm


@mistake("clip_grad_norm_")
def answers_zero_for_the_limit_zero(params, max_norm):
    """With max_norm 0 the result was 0: return the norm from before scaling, whatever the limit is."""
    gradients = [p.grad for p in params if p.grad is not None]
    if not gradients or max_norm == 0:
        for g in gradients:
            g.zero_()
        return gradients[0].new_zeros(()) if gradients else torch.tensor(0.0)
    norm = torch.stack([g.norm() for g in gradients]).norm()
    if (scale := max_norm / (norm + 1e-6)) < 1:
        for g in gradients:
            g.mul_(scale)
    return norm


@mistake("clip_grad_norm_")
def moves_grad_into_new_memory(params, max_norm):
    """grad.data = ... gave the gradient new memory, and views of it show the old numbers: multiply in place."""
    grads = _grads(params)
    if not grads:
        return torch.tensor(0.0)
    norm = _norm(grads)
    scale = max_norm / (norm + 1e-6)
    for grad in grads:
        grad.data = grad.data * scale.clamp(max=1)
    return norm


@mistake("clip_grad_norm_")
def leaves_tiny_gradients_alone(params, max_norm):
    """Gradients with a norm of 1e-6 or less were left alone: they are scaled too when the scale is below 1."""
    grads = _grads(params)
    if not grads:
        return torch.tensor(0.0)
    norm = _norm(grads)
    scale = max_norm / (norm + 1e-6)
    if norm > 1e-6 and scale < 1:
        for grad in grads:
            grad.mul_(scale)
    return norm


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
