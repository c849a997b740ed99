"""Known mistakes and odd-but-correct solutions for kind_of, without_history and doubled_without_graph."""

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


@mistake("kind_of")
def every_leaf_requires_grad(t):
    """You checked only is_leaf: constants are leaves, too. Check requires_grad first."""
    return "leaf" if t.is_leaf else "result"


@mistake("kind_of")
def whatever_requires_grad_is_a_leaf(t):
    """You checked only requires_grad: the result of an operation requires grad, too, but is not a leaf."""
    return "leaf" if t.requires_grad else "constant"


@mistake("kind_of")
def without_grad_fn_it_is_constant(t):
    """You checked only grad_fn: a leaf that requires grad has none. Check requires_grad first."""
    return "result" if t.grad_fn is not None else "constant"


@mistake("kind_of")
def leaf_and_result_change_places(t):
    """Leaf and result are swapped: is_leaf is True where no recorded operation made the tensor."""
    if not t.requires_grad:
        return "constant"
    return "result" if t.is_leaf else "leaf"


@mistake("kind_of")
def a_leaf_has_a_grad(t):
    """You checked whether .grad is filled: it is None before the first backward pass, even for a leaf."""
    if not t.requires_grad:
        return "constant"
    return "leaf" if t.is_leaf and t.grad is not None else "result"


@mistake("without_history")
def clone_keeps_the_history(t):
    """clone() is a recorded operation: the copy requires grad. detach() drops the graph."""
    return t.clone()


@mistake("without_history")
def a_leaf_again(t):
    """Your tensor requires grad again: remove requires_grad_()."""
    return t.detach().requires_grad_(t.requires_grad)


@mistake("without_history")
def a_python_list(t):
    """You returned Python numbers: detach() gives a tensor."""
    return t.tolist()


@mistake("without_history")
def a_float32_copy(t):
    """Your tensor is float32 whatever t was: detach() keeps the dtype."""
    return t.detach().float()


@mistake("doubled_without_graph")
def recorded_after_all(x):
    """The multiplication is recorded: move it into the no_grad block."""
    with torch.no_grad():
        pass
    return 2 * x


@mistake("doubled_without_graph")
def grad_mode_stays_off(x):
    """You turned grad mode off and never on again: with torch.no_grad(): restores it at the end of its block."""
    torch.set_grad_enabled(False)
    return 2 * x


@mistake("doubled_without_graph")
def doubles_x_itself(x):
    """You wrote into the caller's x: multiply out of place, and return the new tensor."""
    with torch.no_grad():
        return x.mul_(2)


@mistake("doubled_without_graph")
def x_without_its_double(x):
    """You returned the numbers of x: multiply them by 2."""
    return x.detach().clone()


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


@alternative("without_history")
def dot_data(t):
    """The old spelling."""
    return t.data


@alternative("doubled_without_graph")
def detached_first(x):
    """Nothing to record, since nothing requires grad."""
    return x.detach() * 2
