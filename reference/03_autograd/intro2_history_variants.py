"""Known mistakes and unusual but correct solutions for kind_of, without_history and doubled_without_graph."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "A tensor has attributes for two of the questions, a method for the third, and there is a context for the "
    "fourth.",
    "requires_grad and is_leaf tell the three kinds apart. detach() gives the numbers without the graph. "
    "Inside with torch.no_grad(): no operation is recorded.",
    "kind_of checks requires_grad first, and is_leaf only if it is True. without_history is one method call. "
    "In the third, the multiplication goes inside the no_grad block.",
)


every_leaf_requires_grad = mistake.edited("if not t.requires_grad:", "if False:",
    "You called a constant a leaf: is_leaf is True for constants, too. Check requires_grad first.",
    pitfall="is_leaf is True for constants, too")

whatever_requires_grad_is_a_leaf = mistake.edited('"leaf" if t.is_leaf else "result"', '"leaf"',
    "You called the result of an operation a leaf: it requires grad, too. Check is_leaf as well.")

without_grad_fn_it_is_constant = mistake.edited("if not t.requires_grad:", "if t.grad_fn is None:",
    "You called a leaf a constant: a leaf has no grad_fn either. Check requires_grad first.",
    also=[('"leaf" if t.is_leaf else "result"', '"result"')])

leaf_and_result_change_places = mistake.edited(
    'return "leaf" if t.is_leaf else "result"', 'return "result" if t.is_leaf else "leaf"',
    "Leaf and result are swapped: is_leaf is True where no recorded operation made the tensor.")

a_leaf_has_a_grad = mistake.edited(
    '"leaf" if t.is_leaf else "result"', '"leaf" if t.is_leaf and t.grad is not None else "result"',
    "You called a leaf without a .grad a result: .grad is None before the first backward pass, even for a leaf.")

clone_keeps_the_history = mistake.edited("return t.detach()", "return t.clone()",
    "Your tensor still requires grad: detach() gives the numbers without the graph; clone() keeps it.")

switches_requires_grad_off = mistake.edited("return t.detach()", "return t.requires_grad_(False)",
    "Only on a leaf can you switch requires_grad off, and it changes the caller's tensor: detach() makes a constant of any tensor.")

a_leaf_again = mistake.edited("return t.detach()", "return t.detach().requires_grad_(t.requires_grad)",
    "Your tensor is a new leaf that requires grad: return it as a constant.")

a_python_list = mistake.edited("return t.detach()", "return t.tolist()",
    "You returned Python numbers: detach() gives a tensor.")

a_float32_copy = mistake.edited("return t.detach()", "return t.detach().float()",
    "Your tensor is float32 whatever t was: detach() keeps the dtype.")

recorded_after_all = mistake.edited("with torch.no_grad():\n    return 2 * x",
    """
    with torch.no_grad():
        pass
    return 2 * x
    """,
    "The multiplication is recorded: compute it inside a `with torch.no_grad():` block.")

grad_mode_stays_off = mistake.edited("with torch.no_grad():\n    return 2 * x", "torch.set_grad_enabled(False)\nreturn 2 * x",
    "You turned grad mode off and never on again: `with torch.no_grad():` restores it at the end of its block.")

grad_mode_is_always_on_afterwards = mistake.edited(
    "with torch.no_grad():\n    return 2 * x", "torch.set_grad_enabled(False)\ny = 2 * x\ntorch.set_grad_enabled(True)\nreturn y",
    "Grad mode is on afterwards, although the caller had turned it off: `with torch.no_grad():` restores what was there before.")

doubles_x_itself = mistake.edited("return 2 * x", "return x.mul_(2)",
    "You wrote into the caller's x: multiply out of place, and return the new tensor.")

x_without_its_double = mistake.edited("return 2 * x", "return x.detach().clone()",
    "You returned the numbers of x: multiply them by 2.")


@alternative()
def by_other_attributes():
    """grad_fn, a copy under no_grad, and detach before the multiplication."""

    def kind_of(t):
        if t.grad_fn is not None:
            return "result"
        return "leaf" if t.requires_grad else "constant"

    def without_history(t):
        with torch.no_grad():
            return t.clone()

    @torch.no_grad()
    def doubled_without_graph(x):
        return x + x

    return {"kind_of": kind_of, "without_history": without_history, "doubled_without_graph": doubled_without_graph}


dot_data = alternative.edited("return t.detach()", "return t.data",
    "The old spelling.")


@alternative("doubled_without_graph")
def detached_first(x):
    """Nothing to record, since nothing requires grad."""
    return x.detach() * 2
