"""Effects of a backward, told by the numbers that it returns itself: whether they are right is for other checks.

Each returns (answer, facts), for a check with beside=True.
"""

import torch

from torchdojo.grading import gradients_after_edit, is_own_function, raises, raw_gradients, repeated_backward, upstream


def alike(one, other):
    """Are two lists of gradients equal, but for the order in which numbers were added up?"""
    if len(one) != len(other):
        return False
    pairs = list(zip(one, other, strict=True))
    if not all(isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor) and a.shape == b.shape for a, b in pairs if a is not b):
        return False
    return all(a is b or torch.allclose(a, b, rtol=1e-4, atol=1e-5, equal_nan=True) for a, b in pairs)


def only_read(y, inputs, rng, between, layout="contiguous"):
    """Two calls of backward with equal numbers, and one with a gradient of another layout."""
    state = rng.get_state()
    seen = repeated_backward(y, inputs, rng, between=between)
    again, rng_state = seen["second call"], rng.get_state()
    rng.set_state(state)
    given = upstream(y, rng)
    rng.set_state(rng_state)
    laid_out = upstream(y, rng, layout=layout)
    plain, other = raw_gradients(y, laid_out.clone(memory_format=torch.contiguous_format), inputs), raw_gradients(y, laid_out, inputs)
    facts = {
        "grad is unchanged": torch.equal(seen["upstream gradient after backward"], given),
        "the second call gives what the first gave": alike(raw_gradients(y, given, inputs), again),
        "another layout gives the same": alike(plain, other),
    }
    return {"returned": again}, facts


def unharmed(apply, inputs, place, rng, **options):
    """What backward returns after an edit, and whether that is what it returns without one. place, options: see gradients_after_edit."""
    state = rng.get_state()
    after = gradients_after_edit(apply, inputs, place, rng, **options)
    rng.set_state(state)
    return after, alike(after, gradients_after_edit(apply, inputs, place, rng, edit=lambda t: None))


def differentiable(y, rng):
    """Can what backward returns for the first input be differentiated with respect to grad?"""
    if not is_own_function(y):
        return True
    grad = upstream(y, rng).requires_grad_()
    with torch.enable_grad():
        returned = y.grad_fn.apply(grad)
    first = returned[0] if isinstance(returned, tuple) else returned
    return first.requires_grad and raises(lambda: torch.autograd.grad(first.sum(), grad), RuntimeError) == "no error"
