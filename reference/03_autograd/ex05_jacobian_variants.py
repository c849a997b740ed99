"""Known mistakes and unusual but correct solutions for jacobian."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "add_detach: return rows.reshape(y.shape + x.shape).detach()": "the rows were filled in without a history",
    "swap_view: return rows.view(y.shape + x.shape)": "the rows were made by torch.zeros, so they are contiguous",
}

HINTS = (
    "One backward pass gives one row. How many rows are there, and what starts each pass?",
    "Flatten the output, and ask for the gradient of one element at a time with torch.autograd.grad. All "
    "passes go through the same graph, so it must be kept. Work on your own leaf with the values of x.",
    "Detach x, make it require grad, call f once, reshape the output to one axis. For each element, take its "
    "gradient with the graph retained and unused leaves allowed. Put the gradients into a tensor of zeros, "
    "and reshape it to the output's shape followed by that of x.",
)


input_axes_first = mistake.edited("rows.reshape(y.shape + x.shape)", "rows.movedim(0, -1).reshape(x.shape + y.shape)",
    "The axes are in the wrong order: the output's axes come first, then those of x.")

adds_the_rows_together = mistake.edited("rows.reshape(y.shape + x.shape)", "rows.sum(0)",
    "The rows were added together: call grad once for each output element and stack the results.")

forgets_to_keep_the_graph = mistake.edited("retain_graph=True", "retain_graph=False",
    "The second row failed because the first backward pass freed the graph: pass retain_graph=True until the last row.",
    pitfall="the second row then fails")

clears_the_old_grad = mistake.edited("return rows",
    """
    if x.is_leaf:
        x.grad = None
    return rows
    """,
    "The old .grad was cleared, which belongs to the caller: use your own leaf, which has its own .grad.")

has_a_history = mistake.edited("retain_graph=True", "create_graph=True",
    "The result requires grad: omit create_graph, or detach the rows.")

each_row_includes_the_ones_before = mistake.edited("rows[i] = grads[0]", "rows[i:] += grads[0]",
    "Each row also contains all the rows above it: backward adds to .grad. Clear it between the rows, or use torch.autograd.grad.")

all_rows_are_one_tensor = mistake.edited("rows[i] = grads[0]", "rows += grads[0]",
    "All rows are equal, and each is the sum of all of them, as when backward keeps adding to one .grad tensor. Clear "
    ".grad between the rows, or use torch.autograd.grad.")

only_the_diagonal = mistake.edited("return rows.reshape(y.shape + x.shape)",
    """
    total = rows.sum(0).reshape(-1)
    table = x.new_zeros(y.numel(), x.numel())
    n = min(y.numel(), x.numel())
    table[range(n), range(n)] = total[:n]
    return table.reshape(y.shape + x.shape)
    """,
    "Everything off the diagonal is zero: the gradient of f(x).sum() is the diagonal only if each output depends on its own "
    "input alone.")

flat_table = mistake.edited("rows.reshape(y.shape + x.shape)", "rows.reshape(y.numel(), x.numel())",
    "The values are there, but as a matrix of flattened outputs by flattened inputs: reshape it to the output's shape "
    "followed by that of x.")


@mistake("jacobian")
def walks_over_the_first_axis(f, x):
    """Looping over the output gives its rows, not its elements: flatten it first, even when it is a single number."""
    leaf = x.detach().requires_grad_()
    y = f(leaf)
    if not y.requires_grad:
        return x.new_zeros(y.shape + x.shape)
    rows = [torch.autograd.grad(e, leaf, retain_graph=True, materialize_grads=True)[0] for e in y]
    return torch.stack(rows).reshape(y.shape + x.shape) if rows else x.new_zeros(y.shape + x.shape)


calls_f_for_the_shape = mistake.edited("rows.reshape(y.shape + x.shape)", "rows.reshape(f(x.detach()).shape + x.shape)",
    "f was called twice: call it once, and use that result for the shape and for the rows.")

calls_f_for_every_row = mistake.edited(
    "one_hot = torch.zeros_like(elements)", "elements = f(leaf).reshape(-1)\none_hot = torch.zeros_like(elements)",
    "f was called again for every row: call it once, and keep its graph with retain_graph=True.")

stumbles_over_constants = mistake.edited("if y.requires_grad:", "if True:",
    "A function that does not depend on x raised an error: its Jacobian is all zeros, but autograd raises an error unless you "
    "handle that case.",
    also=[(", materialize_grads=True", "")])

makes_x_require_grad = mistake.edited("x.detach().requires_grad_()", "x.requires_grad_()",
    "x requires grad afterwards but did not before: turn it on for a detached copy, not for the caller's tensor.")

clone_is_not_a_leaf = mistake.edited("x.detach().requires_grad_()", "x.clone().requires_grad_()",
    "Where x requires grad, its clone is the result of an operation: backward goes on into x, and the clone keeps no .grad. "
    "Detach first.",
    also=[("rows[i] = grads[0]",
        """
        if leaf.is_leaf:
            rows[i] = grads[0]
        else:
            leaf.backward(grads[0], retain_graph=True)
        """)])

rows_on_the_cpu = mistake.edited(", device=x.device)", ")",
    "The result is on the default device: create the tensor that collects the rows on the device of x.")

fills_the_grad_of_others = mistake.edited(
    """
    grads = torch.autograd.grad(elements, leaf, one_hot, retain_graph=True, materialize_grads=True)
    rows[i] = grads[0]
    """,
    """
    elements.backward(one_hot, retain_graph=True)
    if leaf.grad is not None:
        rows[i], leaf.grad = leaf.grad, None
    """,
    "Other tensors that f uses got something added to their .grad: backward fills every leaf it reaches. Use "
    "torch.autograd.grad, or backward with inputs=.")

works_on_x_itself = mistake.edited("leaf = x.detach()", "leaf = x if x.requires_grad else x.detach()",
    "x.grad changed: your backward pass reached x itself. Work on a detached copy of x in every case, also where "
    "x already requires grad.",
    also=[("""
        grads = torch.autograd.grad(elements, leaf, one_hot, retain_graph=True, materialize_grads=True)
        rows[i] = grads[0]
        """,
        """
        leaf.grad = None
        elements.backward(one_hot, retain_graph=True, inputs=[leaf])
        if leaf.grad is not None:
            rows[i] = leaf.grad
        """)])

puts_back_what_there_was = mistake.edited("leaf = x.detach().requires_grad_()",
    """
    mine = x.requires_grad and x.is_leaf
    leaf, old = x if mine else x.detach().requires_grad_(), x.grad if mine else None
    """,
    "x.grad was None before and is a gradient now: restore None, too, or better, use a detached copy of x.",
    also=[
        ("""
        grads = torch.autograd.grad(elements, leaf, one_hot, retain_graph=True, materialize_grads=True)
        rows[i] = grads[0]
        """,
        """
        leaf.grad = None
        elements.backward(one_hot, retain_graph=True, inputs=[leaf])
        if leaf.grad is not None:
            rows[i] = leaf.grad
        """),
        ("return rows",
        """
        if old is not None:
            leaf.grad = old
        return rows
        """),
    ])


@mistake("jacobian", forbidden="torch.func")
def takes_the_ready_made_one(f, x):
    """A ready-made function (torch.func, torch.autograd.functional) does all the work here: compute the rows yourself,
    with backward or torch.autograd.grad."""
    return torch.func.jacrev(f)(x.detach()).detach()


@mistake("jacobian", forbidden="torch.autograd.functional")
def takes_the_ready_made_one_of_autograd(f, x):
    """torch.autograd.functional does all the work here: compute the rows yourself, with backward or torch.autograd.grad."""
    return torch.autograd.functional.jacobian(f, x.detach())


single_precision = mistake.edited("dtype=x.dtype, ", "",
    "The result is float32, whatever x was: give it the dtype of x.")


@alternative("jacobian")
def backward_with_clearing(f, x):
    """A private leaf whose .grad is taken away after each pass."""
    leaf = x.detach().clone().requires_grad_(True)
    rows = []
    y = f(leaf)
    for element in y.flatten().unbind():
        if element.requires_grad:
            element.backward(retain_graph=True, inputs=[leaf])
        rows.append(torch.zeros_like(leaf).detach() if leaf.grad is None else leaf.grad)
        leaf.grad = None
    if not rows:
        return torch.zeros(tuple(y.shape) + tuple(x.shape), dtype=x.dtype, device=x.device)
    return torch.stack(rows).reshape(tuple(y.shape) + tuple(x.shape))


@alternative("jacobian")
def weighted_sums(f, x):
    """Row i is the gradient of the sum of the outputs times row i of the identity matrix."""
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    flat = y.reshape(-1)
    table = []
    for weights in torch.eye(flat.numel(), dtype=flat.dtype, device=flat.device):
        total = (flat * weights).sum() + 0 * leaf.sum()
        table.append(torch.autograd.grad(total, leaf, retain_graph=True)[0].reshape(-1))
    if table:
        flat_table = torch.cat(table)
    else:
        flat_table = torch.zeros(0, dtype=x.dtype, device=x.device)
    return flat_table.reshape((*y.shape, *x.shape))


@alternative("jacobian")
def all_rows_in_one_call(f, x):
    """The identity matrix as a batch of upstream gradients."""
    leaf = x.detach().requires_grad_()
    y = f(leaf)
    elements = y.reshape(-1)
    n = elements.numel()
    if n == 0 or not y.requires_grad:
        return torch.zeros(y.shape + x.shape, dtype=x.dtype, device=x.device)
    eye = torch.eye(n, dtype=y.dtype, device=y.device)
    (rows,) = torch.autograd.grad(elements, leaf, eye, is_grads_batched=True, allow_unused=True)
    return torch.zeros(y.shape + x.shape, dtype=x.dtype, device=x.device) if rows is None else rows.reshape(y.shape + x.shape)
