"""Known mistakes and unusual but correct solutions for tracked and gradient_of."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {"swap_function: leaf = x.detach().requires_grad_()": "the leaf may share memory with x, since nothing is written to it"}

HINTS = (
    "A tensor requires grad after you call requires_grad_(). After backward() the gradient is an attribute of "
    "the leaf.",
    "clone() copies; requires_grad_() makes autograd record operations on that tensor. Compute f on such a "
    "leaf and call backward() on the result: PyTorch writes into the leaf's .grad.",
    "tracked copies first and calls requires_grad_() last. gradient_of makes such a copy, calls f on it, "
    "calls backward() on the result of f, and returns the copy's .grad.",
)


a_copy_without_gradients = mistake.edited("return x.clone().requires_grad_()", "return x.clone()",
    "Your copy does not require grad: call requires_grad_() on it.")

the_result_of_an_operation = mistake.edited(
    "return x.clone().requires_grad_()", "return x.clone().requires_grad_() * 1",
    "Your tensor is the result of an operation, not a leaf: call requires_grad_() last, after everything else.")

a_recorded_copy_of_x = mistake.edited("return x.clone().requires_grad_()", "x.requires_grad_()\nreturn x.clone()",
    "Your copy was recorded, because x itself requires grad now: copy first, then call requires_grad_() on the copy.")

x_itself_requires_grad = mistake.edited("return x.clone().requires_grad_()", "return x.requires_grad_()",
    "x itself requires grad afterwards: copy it first, and leave the caller's tensor as it is.")

shares_the_memory_of_x = mistake.edited("return x.clone().requires_grad_()", "return x.detach().requires_grad_()",
    "Your tensor uses the memory of x: detach() doesn't copy; clone() does.")

always_float32 = mistake.edited(
    "return x.clone().requires_grad_()",
    "return torch.tensor(x.tolist(), dtype=torch.float32, device=x.device, requires_grad=True)",
    "Your copy is float32 whatever x was: clone() keeps the dtype.")

returns_the_value = mistake.edited("leaf = x.clone().requires_grad_()", "leaf = x.clone()",
    "You returned the value of f: the gradient is in the leaf's .grad after backward().",
    also=[("value.backward()\nreturn leaf.grad", "return value")])

returns_none = mistake.edited("value.backward()\nreturn leaf.grad", "return value.backward()",
    "You returned None: backward() itself returns None, and .grad is None before it is called. Call it, then return the "
    "leaf's .grad.",
    pitfall="backward() returns None")

two_backward_passes = mistake.edited("value.backward()", "value.backward()\nf(leaf).backward()",
    "Your gradient is twice as large as it should be. One reason is a second call of backward(), which adds to .grad: "
    "call it only once.")

the_gradient_of_the_square = mistake.edited("value = f(leaf)", "value = f(leaf) ** 2",
    "You took the gradient of f squared: call backward() on the result of f itself.")

the_gradients_are_added_up = mistake.edited("return leaf.grad", "return leaf.grad.sum()",
    "You added up the gradient: it has one number for each element of x.")

a_gradient_with_a_graph = mistake.edited(
    "value.backward()\nreturn leaf.grad", "return torch.autograd.grad(value, leaf, create_graph=True)[0] * leaf / leaf.detach()",
    "Your gradient requires grad, but should be a plain tensor. One reason is create_graph=True, which is only for "
    "second derivatives.")

the_gradient_lands_in_x = mistake.edited("leaf = x.clone().requires_grad_()", "leaf = x.requires_grad_()",
    "The caller's x requires grad afterwards and has a .grad: work on a copy.")


@alternative("gradient_of")
def with_autograd_grad(f, x):
    """torch.autograd.grad returns the gradient and writes to no .grad."""
    leaf = x.detach().requires_grad_()
    (found,) = torch.autograd.grad(f(leaf), leaf)
    return found


@alternative("tracked")
def a_detached_copy(x):
    """Detached, copied, asked for gradients by assignment."""
    t = x.detach().clone()
    t.requires_grad = True
    return t


@alternative("tracked")
def filled_by_copy(x):
    """An empty leaf that is filled under no_grad."""
    t = torch.empty_like(x, requires_grad=True)
    with torch.no_grad():
        t.copy_(x)
    return t


@alternative("gradient_of")
def with_torch_func(f, x):
    """torch.func.grad does all of it."""
    return torch.func.grad(f)(x)
