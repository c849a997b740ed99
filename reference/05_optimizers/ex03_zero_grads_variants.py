"""Known mistakes and unusual but correct solutions for zero_grads."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "What is .grad before the first backward? And which of the two modes changes a tensor, which only an "
    "attribute?",
    "One loop over the parameters, once. Assigning to p.grad replaces the reference; a method that ends in an "
    "underscore changes the numbers of the gradient that is there.",
    "In the first mode assign None to the attribute of every parameter. In the second, look whether there is "
    "a gradient at all, and fill it in place.",
)


crashes_on_none = mistake.edited("if set_to_none:", "p.grad.zero_()\nif set_to_none:",
    "A parameter without a gradient causes an error: .grad is None until the first backward, and None has no zero_().")


@mistake("zero_grads")
@torch.no_grad()
def zeroes_the_values(params, *, set_to_none=True):
    """The parameters themselves became 0: clear p.grad instead."""
    for p in params:
        p.zero_()


rebinds_a_name = mistake.edited("p.grad = None", "grad = None",
    "No .grad was cleared. A new tensor, or a new value for a local name, changes no parameter: assign None to p.grad, or fill it in place.",
    also=[("p.grad.zero_()", "grad = 0")])

detaches_the_parameters = mistake.edited("if set_to_none:", "p.detach_()\nif set_to_none:",
    "The parameters no longer require grad, so they can't be trained anymore: change only .grad.")

always_none = mistake.edited("if set_to_none:", "if True:",
    "set_to_none=False was ignored: the gradient must stay the same tensor, filled with zeros.")

always_zeros = mistake.edited("if set_to_none:", "if False:",
    "set_to_none=True was ignored: afterwards .grad must be None, not a tensor of zeros.")

zeroes_before_letting_go = mistake.edited("if set_to_none:",
    """
    if p.grad is not None:
        p.grad.zero_()
    if set_to_none:
    """,
    "With set_to_none=True the old gradient was overwritten, and other code that still holds it now sees zeros: only set p.grad to None.")

hangs_in_a_new_tensor = mistake.edited("p.grad.zero_()", "p.grad = torch.zeros_like(p.grad)",
    "With set_to_none=False, .grad became a new tensor: fill the existing one, because other code may hold it.")

invents_zeros_for_none = mistake.edited("elif p.grad is not None:",
    """
    elif p.grad is None:
        p.grad = torch.zeros_like(p)
    else:
    """,
    "A .grad that was None became zeros: to an optimizer, None means skip this parameter.")

skips_frozen_parameters = mistake.edited("if set_to_none:",
    """
    if not p.requires_grad:
        continue
    if set_to_none:
    """,
    "An old gradient survived on a tensor with requires_grad False: clear every .grad that is there.")

multiplies_by_zero = mistake.edited("p.grad.zero_()", "p.grad.mul_(0)",
    "nan or inf times 0 is nan, and so is nan - nan: fill the gradient with zeros, whatever it holds.")

walks_a_generator_twice = mistake.edited("for p in params:",
    """
    if not [p for p in params if p.grad is not None]:
        return
    for p in params:
    """,
    "A generator yields its items only once: the first pass over params used it up, and the second saw no parameters.")

fills_a_reshaped_copy = mistake.edited("p.grad.zero_()", "p.grad.reshape(-1).zero_()",
    "The zeros went into a copy: reshape, flatten and contiguous copy a non-contiguous gradient. zero_() works on any "
    "shape and layout.")

asks_the_sum = mistake.edited("elif p.grad is not None:", "elif p.grad is not None and p.grad.sum() != 0:",
    "A gradient whose numbers add up to 0 was treated as if it were 0: fill every gradient, whatever its values.")


@alternative("zero_grads")
def deletes_and_copies(params, *, set_to_none=True):
    """Deleting .grad makes it None; copying zeros over it keeps the tensor."""
    for p in [p for p in params if p.grad is not None]:
        if set_to_none:
            del p.grad
        else:
            p.grad.copy_(torch.zeros_like(p.grad))


@alternative("zero_grads")
def while_loop(params, *, set_to_none=True):
    """An explicit iterator and a while loop."""
    iterator = iter(params)
    while (p := next(iterator, None)) is not None:
        if p.grad is None:
            continue
        if not set_to_none:
            p.grad.detach().fill_(0)
            continue
        p.grad = None


stops_at_a_missing_gradient = mistake.edited("if set_to_none:",
    """
    if p.grad is None:
        return
    if set_to_none:
    """,
    "The parameters after one without a gradient kept theirs: skip only that one, and continue with the next.")

has_one_try_around_the_loop = mistake.edited("elif p.grad is not None:",
    """
    elif p.grad is None:
        return
    else:
    """,
    "With set_to_none=False, the parameters after one without a gradient kept theirs, as with one try around the whole loop: "
    "skip only that one, and continue with the next.")

detaches_the_gradient_first = alternative.edited(
    "p.grad.zero_()",
    """
    p.grad.detach_()
    p.grad.zero_()
    """,
    "As torch.optim did for years: cut the gradient off from its history, should it have one, then fill it.")


@alternative("zero_grads")
def two_branches(params, *, set_to_none=True):
    """The mode is chosen once, with a loop for each."""
    if set_to_none:
        for p in params:
            setattr(p, "grad", None)
        return
    for grad in (p.grad for p in params):
        if grad is not None:
            with torch.no_grad():
                grad[...] = 0

crashes_on_none_with_zeros = mistake.edited("elif p.grad is not None:", "else:",
    "A parameter without a gradient causes an error: .grad is None until the first backward, and None has no zero_().",
    common=True,
    pitfall="None has no zero_()")

asks_the_truth_of_a_gradient = mistake.edited("if set_to_none:",
    """
    if not p.grad:
        continue
    if set_to_none:
    """,
    "A tensor of several numbers can't be a condition, neither .grad itself nor a comparison with it: ask `p.grad is not None`.")

assigns_the_number_zero = mistake.edited("p.grad.zero_()", "p.grad = 0",
    ".grad must be a tensor or None, not the number 0: fill the gradient with zero_().")

stops_after_the_first = mistake.edited("p.grad = None", "p.grad = None\nreturn",
    "With set_to_none=True only the first parameter was cleared: clear all of them. A return or break in a loop ends it early.",
    about=("gradients_become_none", "parameters_are_not_touched"))

rebinds_a_name_for_none = mistake.edited("p.grad = None", "grad = p.grad\ngrad = None",
    "With set_to_none=True nothing was cleared. An assignment to a local name does not change the parameter: assign to p.grad.",
    about=("gradients_become_none", "parameters_are_not_touched"))

counts_with_an_index = mistake.edited("for p in params:", "for i in range(len(params)):\n    p = params[i]",
    "params may be any iterable, and not every iterable has a length and an index: loop over it with `for p in params`.")

fills_new_memory = mistake.edited("p.grad.zero_()", "p.grad.data = torch.zeros_like(p.grad)",
    "With set_to_none=False the gradient has new memory, as p.grad.data = ... gives it: write the zeros into the old memory.")
