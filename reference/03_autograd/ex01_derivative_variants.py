"""Known mistakes and odd-but-correct solutions for derivative."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "Autograd only follows tensors that require grad. Where do such tensors come from here?",
    "Make one float64 leaf per number, call f on the leaves, then ask for the gradient of the result. For "
    "full marks, think of an x that f ignores, and of a result that has no graph.",
    "Build the leaves and call f. If the result requires grad, pass it and the leaves to torch.autograd.grad, "
    "which can return zeros or None for unused leaves. Turn each gradient into a float, and unpack the tuple "
    "if there is only one.",
)


def leaves_of(xs):
    return [torch.tensor(float(x), dtype=torch.float64, requires_grad=True) for x in xs]


def has_history(y):
    return isinstance(y, torch.Tensor) and y.requires_grad


def one_or_all(slopes):
    return slopes[0] if len(slopes) == 1 else tuple(slopes)


@mistake("derivative")
def takes_differences(f, *xs):
    """The answer is close, but not exact: it looks like a finite difference of f. Call f on a leaf that requires
    grad and use autograd for the derivative."""
    h = 1e-6
    slopes = []
    for i in range(len(xs)):
        up, down = ([torch.tensor(float(x), dtype=torch.float64) for x in xs] for _ in range(2))
        up[i] += h
        down[i] -= h
        slopes.append(float((f(*up) - f(*down)) / (2 * h)))
    return one_or_all(slopes)


@mistake("derivative")
def stumbles_over_unused_inputs(f, *xs):
    """An x that f does not use raised an error: autograd has no gradient for it, so use allow_unused or
    materialize_grads, and return 0.0."""
    leaves = leaves_of(xs)
    y = f(*leaves)
    grads = torch.autograd.grad(y, leaves) if has_history(y) else [torch.tensor(0.0)] * len(xs)
    return one_or_all([g.item() for g in grads])


@mistake("derivative")
def stumbles_over_constants(f, *xs):
    """f may return a plain number or a tensor without a graph: there is nothing to run backward through, and every
    derivative is 0.0. Check the result before you call backward or grad on it."""
    leaves = leaves_of(xs)
    grads = torch.autograd.grad(f(*leaves), leaves, materialize_grads=True)
    return one_or_all([g.item() for g in grads])


@mistake("derivative")
def single_precision(f, *xs):
    """The derivatives have only seven correct digits: the leaves were float32, PyTorch's default. Pass
    dtype=torch.float64."""
    leaves = [torch.tensor(float(x), dtype=torch.float32, requires_grad=True) for x in xs]
    y = f(*leaves)
    if not has_history(y):
        return one_or_all([0.0] * len(xs))
    return one_or_all([g.item() for g in torch.autograd.grad(y, leaves, materialize_grads=True)])


@mistake("derivative")
def integer_leaf(f, *xs):
    """A Python int became an integer tensor, and those cannot require grad: turn each x into a float64
    tensor, whatever number it was."""
    kinds = [torch.float64 if isinstance(x, float) else None for x in xs]
    leaves = [torch.tensor(x, dtype=kind, requires_grad=True) for x, kind in zip(xs, kinds)]
    y = f(*leaves)
    if not has_history(y):
        return one_or_all([0.0] * len(xs))
    return one_or_all([g.item() for g in torch.autograd.grad(y, leaves, materialize_grads=True)])


@mistake("derivative")
def adds_up_over_the_inputs(f, *xs):
    """The derivatives of later inputs are too large: backward ran once per input and added to the same .grad each
    time. One backward pass gives all of them."""
    leaves = leaves_of(xs)
    slopes = []
    for leaf in leaves:
        y = f(*leaves)
        if has_history(y):
            y.backward()
        slopes.append(0.0 if leaf.grad is None else leaf.grad.item())
    return one_or_all(slopes)


@mistake("derivative")
def answers_with_tensors(f, *xs):
    """The derivatives are tensors: the caller needs Python floats, so finish with .item()."""
    leaves = leaves_of(xs)
    y = f(*leaves)
    if not has_history(y):
        return one_or_all([torch.zeros((), dtype=torch.float64) for _ in xs])
    return one_or_all(torch.autograd.grad(y, leaves, materialize_grads=True))


@mistake("derivative")
def tuple_for_one_input(f, *xs):
    """With a single x the answer is a float, not a tuple of one: torch.autograd.grad always returns a tuple,
    so unpack it."""
    leaves = leaves_of(xs)
    y = f(*leaves)
    if not has_history(y):
        return (0.0,) * len(xs)
    return tuple(g.item() for g in torch.autograd.grad(y, leaves, materialize_grads=True))


@mistake("derivative")
def one_element_vectors(f, *xs):
    """f was given tensors of shape (1,): torch.tensor([x]) is a vector with one element, torch.tensor(x) is a
    single number."""
    leaves = [torch.tensor([float(x)], dtype=torch.float64, requires_grad=True) for x in xs]
    y = f(*leaves)
    if not has_history(y):
        return one_or_all([0.0] * len(xs))
    return one_or_all([g.item() for g in torch.autograd.grad(y, leaves, materialize_grads=True)])


@mistake("derivative")
def leaf_counts_as_a_constant(f, *xs):
    """A function that returns its input has the derivative 1.0: its result is a leaf without grad_fn, but it
    requires grad. Check requires_grad."""
    leaves = leaves_of(xs)
    y = f(*leaves)
    if not isinstance(y, torch.Tensor) or y.grad_fn is None:
        return one_or_all([0.0] * len(xs))
    return one_or_all([g.item() for g in torch.autograd.grad(y, leaves, materialize_grads=True)])


@mistake("derivative")
def list_of_slopes(f, *xs):
    """Return several derivatives as a tuple, not as a list."""
    leaves = leaves_of(xs)
    y = f(*leaves)
    slopes = [0.0] * len(xs)
    if has_history(y):
        slopes = [g.item() for g in torch.autograd.grad(y, leaves, materialize_grads=True)]
    return slopes[0] if len(slopes) == 1 else slopes


@mistake("derivative")
def takes_errors_of_f_for_constants(f, *xs):
    """An error that f raised was caught and treated as a constant: keep the call of f out of the try, or check
    whether its result requires grad."""
    leaves = leaves_of(xs)
    try:
        slopes = torch.autograd.grad(f(*leaves), leaves, materialize_grads=True)
    except (RuntimeError, TypeError, AttributeError):
        slopes = [torch.zeros(()) for _ in xs]
    return one_or_all([slope.item() for slope in slopes])


@mistake("derivative")
def takes_every_error_for_a_constant(f, *xs):
    """Every exception that f raised was caught, and the derivative returned as 0.0: f's errors must reach the caller."""
    leaves = leaves_of(xs)
    try:
        slopes = torch.autograd.grad(f(*leaves), leaves, materialize_grads=True)
    except Exception:
        slopes = [torch.zeros(()) for _ in xs]
    return one_or_all([slope.item() for slope in slopes])


@alternative("derivative")
def backward_and_read_grad(f, *xs):
    """Calls backward and reads each leaf's .grad, None being 0.0."""
    before = torch.is_grad_enabled()
    torch.set_grad_enabled(True)
    try:
        leaves = []
        for x in xs:
            leaf = torch.zeros((), dtype=torch.float64) + x
            leaf.requires_grad = True
            leaves.append(leaf)
        y = f(*leaves)
        if type(y) is torch.Tensor and y.requires_grad:
            y.backward()
    finally:
        torch.set_grad_enabled(before)
    slopes = [float(leaf.grad) if leaf.grad is not None else 0.0 for leaf in leaves]
    if len(slopes) > 1:
        return tuple(slopes)
    return slopes[0]


@alternative("derivative")
def one_input_at_a_time(f, *xs):
    """Runs f anew for each x, with only that one requiring grad."""

    def slope(i):
        values = [torch.tensor(float(x), dtype=torch.float64) for x in xs]
        values[i].requires_grad_()
        y = f(*values)
        if not has_history(y):
            return 0.0
        (g,) = torch.autograd.grad(y, [values[i]], allow_unused=True)
        return 0.0 if g is None else g.item()

    return one_or_all([slope(i) for i in range(len(xs))])


@alternative("derivative")
def functional_jacobian(f, *xs):
    """The ready-made Jacobian of f plus 0 times each input, so that there is always a history."""

    def with_history(*values):
        y = f(*values)
        return (y if isinstance(y, torch.Tensor) else torch.tensor(float(y), dtype=torch.float64)) + 0 * sum(values)

    values = tuple(torch.tensor(float(x), dtype=torch.float64) for x in xs)
    slopes = torch.autograd.functional.jacobian(with_history, values)
    return one_or_all([slope.item() for slope in slopes])
