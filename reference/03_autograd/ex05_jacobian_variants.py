"""Known mistakes and odd-but-correct solutions for jacobian."""

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


def run(f, x):
    """Call f once on a private leaf."""
    leaf = x.detach().requires_grad_()
    y = f(leaf)
    return leaf, y, y.reshape(-1)


def rows_of(f, x, **options):
    """The careful loop, as a list of rows."""
    leaf, y, elements = run(f, x)
    options = {"retain_graph": True, "materialize_grads": True, **options}
    if not y.requires_grad:
        return y, [torch.zeros_like(x) for _ in elements]
    return y, [torch.autograd.grad(elements[i], leaf, **options)[0] for i in range(y.numel())]


def stacked(rows, y, x):
    return torch.stack(rows).reshape(y.shape + x.shape) if rows else x.new_zeros(y.shape + x.shape)


@mistake("jacobian")
def input_axes_first(f, x):
    """The axes are in the wrong order: the output's axes come first, then those of x."""
    y, rows = rows_of(f, x)
    if not rows:
        return x.new_zeros(x.shape + y.shape)
    return torch.stack(rows, dim=-1).reshape(x.shape + y.shape)


@mistake("jacobian")
def adds_the_rows_together(f, x):
    """The rows were added together: call grad once for each output element and stack the results."""
    y, rows = rows_of(f, x)
    return sum(rows) if rows else x.new_zeros(x.shape)


@mistake("jacobian")
def forgets_to_keep_the_graph(f, x):
    """The second row failed because the first backward pass freed the graph: pass retain_graph=True until the last
    row."""
    y, rows = rows_of(f, x, retain_graph=False)
    return stacked(rows, y, x)


@mistake("jacobian")
def clears_the_old_grad(f, x):
    """The .grad from before was cleared, which belongs to the caller: use your own leaf, which has its own .grad."""
    y, rows = rows_of(f, x)
    if x.is_leaf:
        x.grad = None
    return stacked(rows, y, x)


@mistake("jacobian")
def has_a_history(f, x):
    """The result requires grad: omit create_graph, or detach the rows."""
    y, rows = rows_of(f, x, create_graph=True)
    return stacked(rows, y, x)


@mistake("jacobian")
def each_row_includes_the_ones_before(f, x):
    """Each row also contains all the rows above it: backward adds to .grad. Clear it between the rows, or use
    torch.autograd.grad."""
    y, rows = rows_of(f, x)
    total = torch.zeros_like(x)
    sums = []
    for row in rows:
        total = total + row
        sums.append(total)
    return stacked(sums, y, x)


@mistake("jacobian")
def all_rows_are_one_tensor(f, x):
    """All rows are equal: the list holds the same .grad tensor several times, and its final value is the sum of all
    rows. Clear .grad between the rows, or use torch.autograd.grad, which returns new tensors."""
    leaf, y, elements = run(f, x)
    rows = []
    if not y.requires_grad:
        return x.new_zeros(y.shape + x.shape)
    for i in range(y.numel()):
        elements[i].backward(retain_graph=True, inputs=[leaf])
        rows.append(torch.zeros_like(x) if leaf.grad is None else leaf.grad)
    return stacked(rows, y, x)


@mistake("jacobian")
def only_the_diagonal(f, x):
    """Everything off the diagonal is zero: the gradient of f(x).sum() is the diagonal only if each output
    depends on its own input alone."""
    y, rows = rows_of(f, x)
    if not rows:
        return x.new_zeros(y.shape + x.shape)
    total = sum(rows).reshape(-1)
    table = x.new_zeros(y.numel(), x.numel())
    n = min(y.numel(), x.numel())
    table[range(n), range(n)] = total[:n]
    return table.reshape(y.shape + x.shape)


@mistake("jacobian")
def flat_table(f, x):
    """The values are there, but as a matrix of flattened outputs by flattened inputs: reshape it to the output's
    shape followed by that of x."""
    y, rows = rows_of(f, x)
    return stacked(rows, y, x).reshape(y.numel(), x.numel())


@mistake("jacobian")
def walks_over_the_first_axis(f, x):
    """Looping over the output gives its rows, not its elements: flatten it first, even when it is a single number."""
    leaf = x.detach().requires_grad_()
    y = f(leaf)
    if not y.requires_grad:
        return x.new_zeros(y.shape + x.shape)
    rows = [torch.autograd.grad(e, leaf, retain_graph=True, materialize_grads=True)[0] for e in y]
    return stacked(rows, y, x)


@mistake("jacobian")
def calls_f_for_the_shape(f, x):
    """f was called twice, once for the shape of its output and once for the rows: keep the first result."""
    shape = f(x.detach()).shape
    y, rows = rows_of(f, x)
    return torch.stack(rows).reshape(shape + x.shape) if rows else x.new_zeros(shape + x.shape)


@mistake("jacobian")
def calls_f_for_every_row(f, x):
    """f was called once per row: call it once, and keep its graph with retain_graph=True."""
    y = f(x.detach())
    rows = []
    for i in range(y.numel()):
        leaf, again, elements = run(f, x)
        if not again.requires_grad:
            return x.new_zeros(y.shape + x.shape)
        rows.append(torch.autograd.grad(elements[i], leaf, materialize_grads=True)[0])
    return stacked(rows, y, x)


@mistake("jacobian")
def stumbles_over_constants(f, x):
    """A function that does not depend on x raised an error: its Jacobian is all zeros, but autograd raises an error
    unless you handle that case."""
    leaf, y, elements = run(f, x)
    rows = [torch.autograd.grad(elements[i], leaf, retain_graph=True)[0] for i in range(y.numel())]
    return stacked(rows, y, x)


@mistake("jacobian")
def fills_the_grad_of_others(f, x):
    """Other tensors that f uses got something added to their .grad: backward fills every leaf it reaches. Use
    torch.autograd.grad, or backward with inputs=."""
    leaf, y, elements = run(f, x)
    rows = []
    if not y.requires_grad:
        return x.new_zeros(y.shape + x.shape)
    for i in range(y.numel()):
        elements[i].backward(retain_graph=True)
        rows.append(torch.zeros_like(x) if leaf.grad is None else leaf.grad)
        leaf.grad = None
    return stacked(rows, y, x)


@mistake("jacobian")
def works_on_x_itself(f, x):
    """x.grad changed: x itself was used as the leaf because it already required grad. Use a detached copy in every
    case."""
    leaf = x if x.requires_grad else x.detach().requires_grad_()
    y = f(leaf)
    elements = y.reshape(-1)
    rows = torch.zeros((y.numel(), *x.shape), dtype=x.dtype, device=x.device)
    for i in range(y.numel() if y.requires_grad else 0):
        leaf.grad = None
        elements[i].backward(retain_graph=True, inputs=[leaf])
        if leaf.grad is not None:
            rows[i] = leaf.grad
    return rows.reshape(y.shape + x.shape)


@mistake("jacobian")
def puts_back_what_there_was(f, x):
    """x.grad was None before and is a gradient now: restore None, too, or better, use a detached copy of x."""
    mine = x.requires_grad and x.is_leaf
    leaf, old = x if mine else x.detach().requires_grad_(), x.grad if mine else None
    y = f(leaf)
    elements = y.reshape(-1)
    rows = torch.zeros((y.numel(), *x.shape), dtype=x.dtype, device=x.device)
    for i in range(y.numel() if y.requires_grad else 0):
        leaf.grad = None
        elements[i].backward(retain_graph=True, inputs=[leaf])
        if leaf.grad is not None:
            rows[i] = leaf.grad
    if old is not None:
        leaf.grad = old
    return rows.reshape(y.shape + x.shape)


@mistake("jacobian")
def takes_the_ready_made_one(f, x):
    """torch.func.jacrev does all the work here: compute the rows yourself, with backward or torch.autograd.grad."""
    return torch.func.jacrev(f)(x.detach()).detach()


@mistake("jacobian")
def single_precision(f, x):
    """The result is float32, whatever x was: give the tensor that collects the rows the dtype of x."""
    y, rows = rows_of(f, x)
    table = torch.zeros((y.numel(), *x.shape), device=x.device)
    for i, row in enumerate(rows):
        table[i] = row
    return table.reshape(y.shape + x.shape)


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
    leaf, y, elements = run(f, x)
    n = elements.numel()
    if n == 0 or not y.requires_grad:
        return torch.zeros(y.shape + x.shape, dtype=x.dtype, device=x.device)
    eye = torch.eye(n, dtype=y.dtype, device=y.device)
    (rows,) = torch.autograd.grad(elements, leaf, eye, is_grads_batched=True, allow_unused=True)
    return torch.zeros(y.shape + x.shape, dtype=x.dtype, device=x.device) if rows is None else rows.reshape(y.shape + x.shape)
