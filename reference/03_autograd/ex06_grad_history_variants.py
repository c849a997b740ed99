"""Known mistakes and odd-but-correct solutions for grad_history."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "Print x.grad after each backward pass. When is it None, and when does it change?",
    "backward adds to .grad. To start over, clear it before the pass: set it to None, or zero it if it is not "
    "None. What you append must be a number, because the tensor in .grad changes later.",
    "Make one float64 leaf. For each f: clear .grad if asked to, call f, run backward if the result is a "
    "tensor that requires grad, and append .grad as a Python float, 0.0 standing for None.",
)


def fresh_leaf(x0, dtype=torch.float64):
    return torch.tensor(float(x0), dtype=dtype, requires_grad=True)


def backward_through(f, x):
    y = f(x)
    if isinstance(y, torch.Tensor) and y.requires_grad:
        y.backward()


def number(grad):
    return 0.0 if grad is None else grad.item()


@mistake("grad_history")
def never_clears(fs, x0, *, zero):
    """With zero=True the entries still contain the earlier gradients: PyTorch adds to .grad, so clear it
    before each backward pass."""
    x, history = fresh_leaf(x0), []
    for f in fs:
        backward_through(f, x)
        history.append(number(x.grad))
    return history


@mistake("grad_history")
def always_clears(fs, x0, *, zero):
    """With zero=False each entry should contain all the gradients before it: clear .grad only when zero is
    True."""
    x, history = fresh_leaf(x0), []
    for f in fs:
        x.grad = None
        backward_through(f, x)
        history.append(number(x.grad))
    return history


@mistake("grad_history")
def mixes_up_the_two_modes(fs, x0, *, zero):
    """zero=True and zero=False are swapped: clear .grad when zero is True."""
    x, history = fresh_leaf(x0), []
    for f in fs:
        if not zero:
            x.grad = None
        backward_through(f, x)
        history.append(number(x.grad))
    return history


@mistake("grad_history")
def notes_the_tensor_itself(fs, x0, *, zero):
    """Every entry shows the last value of .grad: the list holds the same tensor several times, and backward (or
    zero_) changes it in place. Append the number right away, with .item()."""
    x, history = fresh_leaf(x0), []
    for f in fs:
        if zero and x.grad is not None:
            x.grad.zero_()
        backward_through(f, x)
        history.append(x.grad)
    return [number(grad) for grad in history]


@mistake("grad_history")
def answers_with_tensors(fs, x0, *, zero):
    """The entries are tensors: the caller needs Python floats, so use .item()."""
    x, history = fresh_leaf(x0), []
    for f in fs:
        if zero:
            x.grad = None
        backward_through(f, x)
        history.append(torch.zeros_like(x) if x.grad is None else x.grad.clone())
    return history


@mistake("grad_history")
def zeroes_a_grad_that_is_none(fs, x0, *, zero):
    """x.grad is None before the first backward pass, and None has no zero_(): check for None, or set .grad to
    None."""
    x, history = fresh_leaf(x0), []
    for f in fs:
        if zero:
            x.grad.zero_()
        backward_through(f, x)
        history.append(number(x.grad))
    return history


@mistake("grad_history")
def clears_before_looking(fs, x0, *, zero):
    """With zero=True everything is 0.0: .grad was cleared between backward and .item(). Clear it before backward."""
    x, history = fresh_leaf(x0), []
    for f in fs:
        backward_through(f, x)
        if zero:
            x.grad = None
        history.append(number(x.grad))
    return history


@mistake("grad_history")
def stumbles_over_constants(fs, x0, *, zero):
    """A function that does not depend on x raised an error: there is nothing to run backward through, and .grad
    does not change."""
    x, history = fresh_leaf(x0), []
    for f in fs:
        if zero:
            x.grad = None
        f(x).backward()
        history.append(number(x.grad))
    return history


@mistake("grad_history")
def constants_count_as_zero(fs, x0, *, zero):
    """After a function that does not depend on x you appended 0.0, but .grad still holds what was there before."""
    x, history = fresh_leaf(x0), []
    for f in fs:
        if zero:
            x.grad = None
        y = f(x)
        if isinstance(y, torch.Tensor) and y.requires_grad:
            y.backward()
            history.append(number(x.grad))
        else:
            history.append(0.0)
    return history


@mistake("grad_history")
def single_precision(fs, x0, *, zero):
    """The entries have only seven correct digits: the leaf was float32, PyTorch's default. Pass
    dtype=torch.float64."""
    x, history = fresh_leaf(x0, torch.float32), []
    for f in fs:
        if zero:
            x.grad = None
        backward_through(f, x)
        history.append(number(x.grad))
    return history


@mistake("grad_history")
def asks_for_the_length(fs, x0, *, zero):
    """fs may be a generator, which has no length and no indices: loop over it."""
    x, history = fresh_leaf(x0), []
    for i in range(len(fs)):
        if zero:
            x.grad = None
        backward_through(fs[i], x)
        history.append(number(x.grad))
    return history


@mistake("grad_history")
def clears_only_before_a_backward_pass(fs, x0, *, zero):
    """With zero=True a function that does not depend on x has the entry 0.0: .grad still held the gradient of the
    previous function. Clear it for every f."""
    x, history = fresh_leaf(x0), []
    for f in fs:
        y = f(x)
        if isinstance(y, torch.Tensor) and y.requires_grad:
            if zero:
                x.grad = None
            y.backward()
        history.append(number(x.grad))
    return history


@mistake("grad_history")
def takes_a_step_each_time(fs, x0, *, zero):
    """x changed between functions: evaluate every function at x0, and take no step."""
    x, history = fresh_leaf(x0), []
    for f in fs:
        if zero:
            x.grad = None
        backward_through(f, x)
        history.append(number(x.grad))
        with torch.no_grad():
            x -= 0.1 * history[-1]
    return history


@mistake("grad_history")
def leaf_in_brackets(fs, x0, *, zero):
    """The leaf has one axis, but should be 0-dim: torch.tensor(x0) without brackets creates one."""
    x = torch.tensor([float(x0)], dtype=torch.float64, requires_grad=True)
    history = []
    for f in fs:
        if zero:
            x.grad = None
        backward_through(f, x)
        history.append(number(x.grad))
    return history


@alternative("grad_history")
def adds_up_by_hand(fs, x0, *, zero):
    """A new leaf for each function, and a running total in Python."""
    total, history = 0.0, []
    for f in fs:
        x = torch.tensor(x0, dtype=torch.float64).requires_grad_()
        y = f(x)
        own = 0.0
        if torch.is_tensor(y) and y.requires_grad:
            own = float(torch.autograd.grad(y, x)[0])
        total = own if zero else total + own
        history.append(total)
    return history


@alternative("grad_history")
def zeroes_in_place(fs, x0, *, zero):
    """Starts from a zero .grad and zeroes it in place."""
    leaf = torch.zeros((), dtype=torch.float64)
    leaf += x0
    leaf.requires_grad = True
    leaf.grad = torch.zeros_like(leaf)
    history = []
    for f in fs:
        if zero:
            leaf.grad.zero_()
        y = f(leaf)
        if not hasattr(y, "grad_fn") or not y.requires_grad:
            history += [leaf.grad.item()]
            continue
        y.backward()
        history += [leaf.grad.item()]
    return history
