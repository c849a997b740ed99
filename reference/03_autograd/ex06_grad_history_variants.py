"""Known mistakes and unusual but correct solutions for grad_history."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "Print x.grad after each backward pass. When is it None, and when does it change?",
    "backward adds to .grad. To start over, clear it before the pass: set it to None, or zero it if it is not "
    "None. What you append must be a number, because the tensor in .grad changes later.",
    "Make one float64 leaf. For each f: clear .grad if asked to, call f, run backward if the result is a "
    "tensor that requires grad, and append .grad as a Python float, 0.0 standing for None.",
)


never_clears = mistake.edited("if zero:", "if False:",
    "With zero=True the entries still contain the earlier gradients: PyTorch adds to .grad, so clear it before each backward "
    "pass.")

always_clears = mistake.edited("if zero:", "if True:",
    "With zero=False each entry should contain all the gradients before it: clear .grad only when zero is True.")

mixes_up_the_two_modes = mistake.edited("if zero:", "if not zero:",
    "zero=True and zero=False are swapped: clear .grad when zero is True.")

notes_the_tensor_itself = mistake.edited("if zero:", "if zero and x.grad is not None:",
    "Every entry shows the last value of .grad, as when the list holds the same tensor several times, which backward "
    "(or zero_) changes in place. Append the number right away, with .item().",
    also=[
        ("x.grad = None", "x.grad.zero_()"),
        ("history.append(0.0 if x.grad is None else x.grad.item())", "history.append(x.grad)"),
        ("return history", "return [0.0 if grad is None else grad.item() for grad in history]"),
    ],
    pitfall="record its value")

answers_with_tensors = mistake.edited(
    "0.0 if x.grad is None else x.grad.item()", "torch.zeros_like(x) if x.grad is None else x.grad.clone()",
    "The entries are tensors: the caller needs Python floats, so use .item().")

zeroes_a_grad_that_is_none = mistake.edited("x.grad = None", "x.grad.zero_()",
    "x.grad is None until a backward pass fills it, and None has no zero_(): check for None, or set .grad to None.",
    pitfall="Before the first backward pass it is None")

zeroes_afterwards_what_may_be_none = mistake.edited("if zero:\n    x.grad = None", "",
    "After a function that does not depend on x, .grad may still be None, and None has no zero_(): check for None, or set .grad "
    "to None.",
    also=[("history.append(0.0 if x.grad is None else x.grad.item())",
        "history.append(0.0 if x.grad is None else x.grad.item())\nif zero:\n    x.grad.zero_()")])

clears_before_looking = mistake.edited("history.append(",
    """
    if zero:
        x.grad = None
    history.append(
    """,
    "With zero=True every entry is 0.0: clear .grad before backward, and read it after backward, before you clear it again.")

stumbles_over_constants = mistake.edited("if isinstance(y, torch.Tensor) and y.requires_grad:", "if True:",
    "A function that does not depend on x raised an error: there is nothing to run backward through, and .grad does not change.")

only_numbers_are_constants = mistake.edited("if isinstance(y, torch.Tensor) and y.requires_grad:", "if isinstance(y, torch.Tensor):",
    "f may also return a tensor without a graph, from which no backward pass can start: check requires_grad as well.")

only_tensors_are_constants = mistake.edited("if isinstance(y, torch.Tensor) and y.requires_grad:", "if y.requires_grad:",
    "f may also return a Python number, which has no requires_grad: check whether the result is a tensor first.")

leaf_counts_as_a_constant = mistake.edited("y.requires_grad:", "y.grad_fn is not None:",
    "A function that returns its input got no backward pass: a leaf has no grad_fn, but it requires grad. Check requires_grad.")

no_entry_for_constants = mistake.edited("    y.backward()\nhistory.append(", "    y.backward()\n    history.append(",
    "A function that does not depend on x got no entry: every function gets one, with what .grad holds then.")

reads_a_grad_that_is_none = mistake.edited("0.0 if x.grad is None else x.grad.item()", "x.grad.item()",
    "After a function that does not depend on x, .grad may still be None, which has no item(): the entry is 0.0 then.")

constants_count_as_zero = mistake.edited(
    "0.0 if x.grad is None else x.grad.item()", "x.grad.item() if isinstance(y, torch.Tensor) and y.requires_grad else 0.0",
    "After a function that does not depend on x you appended 0.0, but .grad still holds what was there before.")

single_precision = mistake.edited("dtype=torch.float64", "dtype=torch.float32",
    "The numbers went through float32, PyTorch's default, so only seven digits are right. Make the leaf with "
    "dtype=torch.float64.")

asks_for_the_length = mistake.edited("for f in fs:", "for i in range(len(fs)):\n    f = fs[i]",
    "fs may be a generator, which has no length and no indices: loop over it.")

clears_only_before_a_backward_pass = mistake.edited("if zero:\n    x.grad = None", "",
    "With zero=True, after a function that does not depend on x, the entry should be 0.0, but yours is the gradient "
    "of an earlier function. Clear .grad for every f.",
    also=[("y.backward()",
        """
        if zero:
            x.grad = None
        y.backward()
        """)])

takes_a_step_each_time = mistake.edited("history.append(0.0 if x.grad is None else x.grad.item())",
    """
    history.append(0.0 if x.grad is None else x.grad.item())
    with torch.no_grad():
        x -= 0.1 * history[-1]
    """,
    "x changed between functions: evaluate every function at x0, and take no step.")

leaf_in_brackets = mistake.edited("torch.tensor(x0,", "torch.tensor([x0],",
    "f was given a tensor with one axis, but the leaf should be 0-dim: torch.tensor(x0), without brackets, has no"
    " axis.")


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
