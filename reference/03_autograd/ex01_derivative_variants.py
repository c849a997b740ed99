"""Known mistakes and unusual but correct solutions for derivative."""

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


@mistake("derivative", forbidden="differences such as")
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


stumbles_over_unused_inputs = mistake.edited(", materialize_grads=True", "",
    "An x that f does not use raised an error: autograd has no gradient for it. Return 0.0 there, also where you "
    "get None.")

stumbles_over_constants = mistake.edited("if isinstance(y, torch.Tensor) and y.requires_grad:", "if True:",
    "f may return a plain number or a tensor without a graph: there is nothing to run backward through, and every derivative "
    "is 0.0. Check the result before you call backward or grad on it.")

only_numbers_are_constants = mistake.edited("if isinstance(y, torch.Tensor) and y.requires_grad:", "if isinstance(y, torch.Tensor):",
    "f may also return a tensor without a graph, which has no derivative to ask for: check requires_grad as well, and return 0.0.")

only_tensors_are_constants = mistake.edited("if isinstance(y, torch.Tensor) and y.requires_grad:", "if y.requires_grad:",
    "f may also return a Python number, which has no requires_grad: check whether the result is a tensor first.")

calls_backward_in_every_case = mistake.edited("if isinstance(y, torch.Tensor) and y.requires_grad:", "if True:",
    "An x that f does not use has no .grad after backward, and a result without a graph has no backward pass: both have the "
    "derivative 0.0.",
    also=[("slopes = tuple(g.item() for g in torch.autograd.grad(y, leaves, materialize_grads=True))",
         "y.backward()\nslopes = tuple(leaf.grad.item() for leaf in leaves)")])

reads_a_grad_that_is_none = mistake.edited(
    "slopes = tuple(g.item() for g in torch.autograd.grad(y, leaves, materialize_grads=True))",
    "y.backward()\nslopes = tuple(leaf.grad.item() for leaf in leaves)",
    "The gradient of an x that f does not use is None, which is no tensor: return 0.0 for it.")

one_zero_for_all = mistake.edited("slopes = (0.0,) * len(xs)", "slopes = (0.0,)",
    "For a result without a graph you returned one 0.0, but there is one derivative per x: with several, return a tuple of zeros.")

single_precision = mistake.edited("dtype=torch.float64", "dtype=torch.float32",
    "The numbers went through float32, PyTorch's default, so only seven digits are right. Make the leaves with "
    "dtype=torch.float64.",
    pitfall="torch.tensor(2.0) is float32")

integer_leaf = mistake.edited("dtype=torch.float64", "dtype=torch.float64 if isinstance(x, float) else None",
    "A Python int became an integer tensor, and those cannot require grad: turn each x into a float64 tensor, whatever number "
    "it was.",
    pitfall="torch.tensor(2) is an integer tensor")


@mistake("derivative")
def adds_up_over_the_inputs(f, *xs):
    """The derivatives of later inputs are too large, as when backward runs once per input and adds to the same .grad
    each time. One backward pass gives all of them."""
    leaves = leaves_of(xs)
    slopes = []
    for leaf in leaves:
        y = f(*leaves)
        if has_history(y):
            y.backward()
        slopes.append(0.0 if leaf.grad is None else leaf.grad.item())
    return one_or_all(slopes)


answers_with_tensors = mistake.edited("g.item() for g", "g for g",
    "The derivatives are tensors: the caller needs Python floats, so finish with .item().",
    also=[("(0.0,) * len(xs)", "tuple(torch.zeros((), dtype=torch.float64) for _ in xs)")])

tuple_for_one_input = mistake.edited("return slopes[0] if len(slopes) == 1 else slopes", "return slopes",
    "With a single x the answer is a float, not a tuple with one float in it.")

one_element_vectors = mistake.edited("torch.tensor(x,", "torch.tensor([x],",
    "f was given tensors of shape (1,): torch.tensor([x]) is a vector with one element, torch.tensor(x) is a single number.")

leaf_counts_as_a_constant = mistake.edited("y.requires_grad:", "y.grad_fn is not None:",
    "A function that returns its input has the derivative 1.0: its result is a leaf without grad_fn, but it requires grad. "
    "Check requires_grad.")

list_of_slopes = mistake.edited("len(slopes) == 1 else slopes", "len(slopes) == 1 else list(slopes)",
    "Return several derivatives as a tuple, not as a list.")

takes_errors_of_f_for_constants = mistake.edited("y = f(*leaves)",
    """
    try:
        y = f(*leaves)
    except (RuntimeError, TypeError, AttributeError):
        y = 0.0
    """,
    "An error that f raised was caught and treated as a constant: keep the call of f out of the try, or check whether its "
    "result requires grad.")

takes_every_error_for_a_constant = mistake.edited("y = f(*leaves)",
    """
    try:
        y = f(*leaves)
    except Exception:
        y = 0.0
    """,
    "Every exception that f raised was caught, and the derivative returned as 0.0: f's errors must reach the caller.")


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
