"""Known mistakes and unusual but correct solutions for GatherRows."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "Take a table of three rows and idx = [2, 0, 2]. Which rows of the gradient are zero, and what is in row "
    "2?",
    "The gradient starts as zeros in the shape of the table; each row of grad is then added to the row it was "
    "read from. Ordinary indexed assignment writes a repeated row once; you need an operation that "
    "accumulates.",
    "Keep the table's shape on ctx and idx with save_for_backward. In backward make zeros of that shape with "
    "the dtype and device of grad, then look up index_put with accumulate, or index_add (which needs "
    "positive, flat indices).",
)

EQUIVALENT = {
    "swap_statements: ctx.shape = table.shape": "the two do not depend on each other",
}


repeated_rows_count_once = mistake.edited(
    "return grad.new_zeros(ctx.shape).index_put((idx,), grad, accumulate=True), None",
    "out = grad.new_zeros(ctx.shape)\nout[idx] = grad\nreturn out, None",
    "A row that idx names several times got only one of its gradients: out[idx] = grad (and += too) writes each row once. "
    "Accumulate instead.",
    pitfall="adds only once for each row")

each_row_of_idx_counts_once = mistake.edited(
    "return grad.new_zeros(ctx.shape).index_put((idx,), grad, accumulate=True), None",
    """
    out = grad.new_zeros(ctx.shape)
    for place, row in enumerate(idx):
        out[row] = out[row] + grad[place]
    return out, None
    """,
    "Where idx has several axes, a row named twice in one of its rows got only one of its gradients: accumulate over all of idx.")

averages_repeated_rows = mistake.edited(
    "return grad.new_zeros(ctx.shape).index_put((idx,), grad, accumulate=True), None",
    """
    total = grad.new_zeros(ctx.shape).index_put((idx,), grad, accumulate=True)
    uses = grad.new_zeros(ctx.shape).index_put((idx,), torch.ones_like(grad), accumulate=True)
    return total / uses.clamp(min=1), None
    """,
    "The gradients of a row that was used several times were averaged: each use counts fully, so add them.")

size_from_the_largest_index = mistake.edited(
    "return grad.new_zeros(ctx.shape).index_put((idx,), grad, accumulate=True), None",
    """
    flat = idx.reshape(-1) % ctx.shape[0]
    rows = int(flat.max()) + 1 if flat.numel() else 0
    out = grad.new_zeros(rows, grad.shape[-1])
    return out.index_add(0, flat, grad.reshape(flat.numel(), grad.shape[-1])), None
    """,
    "The gradient has as many rows as idx needed: it must have all rows of the table, also those never looked up.")

negative_indices_get_nothing = mistake.edited(
    "return grad.new_zeros(ctx.shape).index_put((idx,), grad, accumulate=True), None",
    """
    hit = idx.reshape(-1, 1) == torch.arange(ctx.shape[0], device=idx.device)
    return hit.to(grad.dtype).T @ grad.reshape(-1, grad.shape[-1]), None
    """,
    "A negative index added nothing to the gradient of its row: -1 means the last row. Bring idx to 0 and above (idx % rows)"
    " before you use it.")

negative_indices_raise = mistake.edited(
    "return grad.new_zeros(ctx.shape).index_put((idx,), grad, accumulate=True), None",
    """
    out = grad.new_zeros(ctx.shape)
    return out.index_add(0, idx.reshape(-1), grad.reshape(-1, grad.shape[-1])), None
    """,
    "backward raised an error for a negative index: index_add, scatter_add and one_hot take only 0 and above. Use"
    " idx % rows.")

minus_signs_are_dropped = mistake.edited(
    "return grad.new_zeros(ctx.shape).index_put((idx,), grad, accumulate=True), None",
    "return grad.new_zeros(ctx.shape).index_put((idx.abs(),), grad, accumulate=True), None",
    "The sign of a negative index was dropped: -1 means the last row, which is idx % rows.")

forward_takes_flat_positive_idx = mistake.edited("return table[idx]", "return table.index_select(0, idx)",
    "forward raised an error: index_select takes only an idx with one axis and without negative numbers. table[idx] takes all.",
    also=[("return grad.new_zeros(ctx.shape).index_put((idx,), grad, accumulate=True), None",
        "return grad.new_zeros(ctx.shape).index_add(0, idx, grad), None")])

only_one_axis = mistake.edited(
    "return grad.new_zeros(ctx.shape).index_put((idx,), grad, accumulate=True), None",
    """
    if idx.dim() != 1:
        raise IndexError("index_add_(): Index is supposed to be a vector")
    return grad.new_zeros(ctx.shape).index_add(0, idx % ctx.shape[0], grad), None
    """,
    "backward only works for an idx with one axis: idx may have more, and grad then has them too.")

zeros_of_the_default_dtype = mistake.edited(
    "return grad.new_zeros(ctx.shape).index_put((idx,), grad, accumulate=True), None",
    """
    out = torch.zeros(ctx.shape)
    return out.index_put((idx.cpu(),), grad.to(out), accumulate=True), None
    """,
    "The gradient has the default dtype and is on the CPU: take dtype and device from grad (grad.new_zeros does).")

zeros_on_the_cpu = mistake.edited("grad.new_zeros(ctx.shape)", "torch.zeros(ctx.shape, dtype=grad.dtype)",
    "The gradient was made on the default device: create it on the device of grad (grad.new_zeros does).")

gradient_for_idx = mistake.edited(
    "grad.new_zeros(ctx.shape).index_put((idx,), grad, accumulate=True), None",
    "grad.new_zeros(ctx.shape).index_put((idx,), grad, accumulate=True), torch.zeros_like(idx)",
    "idx got a gradient: integers can't be differentiated, so return None for idx.")

returns_the_rows_of_grad = mistake.edited(
    """
    (idx,) = ctx.saved_tensors
    return grad.new_zeros(ctx.shape).index_put((idx,), grad, accumulate=True), None
    """,
    "return grad.clone(), None",
    "backward returned grad unchanged, one row for each entry of idx: add each row to the row of the table that it came from.")

ignores_grad = mistake.edited(
    "grad.new_zeros(ctx.shape).index_put((idx,), grad, accumulate=True)",
    "grad.new_zeros(ctx.shape).index_put((idx,), torch.ones_like(grad), accumulate=True)",
    "backward counted the uses of each row: add up the upstream gradients, which are not always 1.",
    about=("every_use_of_a_row_counts", "grad_is_only_read"), common=True)

saves_the_table = mistake.edited("ctx.save_for_backward(idx)", "ctx.save_for_backward(table, idx)",
    "backward refused to work after the table was edited, though it does not need its numbers: keep table.shape instead "
    "of table.",
    also=[("(idx,) = ctx.saved_tensors", "_, idx = ctx.saved_tensors")])

keeps_idx_on_ctx = mistake.edited("ctx.save_for_backward(idx)", "ctx.idx = idx",
    "If idx is edited in place, the gradient is wrong and no error is raised: ctx.save_for_backward(idx) would detect the edit.",
    also=[("(idx,) = ctx.saved_tensors", "idx = ctx.idx")])

views_grad_as_rows = mistake.edited(
    "return grad.new_zeros(ctx.shape).index_put((idx,), grad, accumulate=True), None",
    """
    rows = grad.view(-1).reshape(-1, grad.shape[-1])
    return grad.new_zeros(ctx.shape).index_add(0, idx.reshape(-1) % ctx.shape[0], rows), None
    """,
    "backward raised an error for a gradient that is not contiguous: view needs a certain memory layout; use reshape.")

the_answer_itself = mistake.edited("return table[idx]", "return torch.nn.functional.embedding(idx % len(table), table)",
    "torch.nn.functional.embedding does all the work: index the table yourself.",
    forbidden="torch.nn.functional.embedding, torch.nn.Embedding")

returns_a_slice_of_the_table = mistake.edited(
    "return table[idx]",
    """
    counting = idx.dim() == 1 and bool((idx == torch.arange(len(idx), device=idx.device)).all())
    return table[: len(idx)] if counting and len(idx) == len(table) > 1 else table[idx]
    """,
    "For indices that count up from 0 the result shared the table's memory: return a new tensor in every case.")

one_row_by_two_names_counts_once = mistake.edited(
    "return grad.new_zeros(ctx.shape).index_put((idx,), grad, accumulate=True), None",
    """
    names, place = torch.unique(idx, return_inverse=True)
    total = grad.new_zeros(len(names), ctx.shape[1])
    total = total.index_add(0, place.reshape(-1), grad.reshape(place.numel(), ctx.shape[1]))
    out = grad.new_zeros(ctx.shape)
    out[names] = total
    return out, None
    """,
    "A row that idx names once from the start and once from the end got only one of its gradients: bring idx to 0 and "
    "above (idx % rows) before you look for repeats.")

leaves_tensors_for_a_loop = mistake.edited(
    "grad.new_zeros(ctx.shape).index_put((idx,), grad, accumulate=True)",
    "grad.new_zeros(ctx.shape).index_put((idx,), grad.detach(), accumulate=True)",
    "The gradient cannot be differentiated: @once_differentiable, detach, .data and numbers taken out of grad detach it "
    "from the graph.")

lets_autograd_work = mistake.edited(
    "return grad.new_zeros(ctx.shape).index_put((idx,), grad, accumulate=True), None",
    """
    create_graph = torch.is_grad_enabled()
    with torch.enable_grad():
        table = grad.new_zeros(ctx.shape).requires_grad_()
        return torch.autograd.grad(table[idx], table, grad, create_graph=create_graph)[0], None
    """,
    "Autograd computed the gradient inside backward: write the formula yourself, with tensor operations alone.",
    forbidden="autograd inside forward and backward")

goes_through_float32 = mistake.edited(
    "return grad.new_zeros(ctx.shape).index_put((idx,), grad, accumulate=True), None",
    """
    out = torch.zeros(ctx.shape, device=grad.device).index_put((idx,), grad.float(), accumulate=True)
    return out.to(grad.dtype), None
    """,
    "float64 numbers lost half of their digits, as on the way through float32: keep the dtype of grad.")

kept_on_the_class = mistake.edited(
    "ctx.save_for_backward(idx)", "GatherRows.idx, GatherRows.rows = idx.clone(), len(table)",
    "What backward needs is overwritten by the next call of apply: store it on ctx, which each call has for itself.",
    also=[(
        """
        (idx,) = ctx.saved_tensors
        return grad.new_zeros(ctx.shape).index_put((idx,), grad, accumulate=True), None
        """,
        """
        out = grad.new_zeros(GatherRows.rows, grad.shape[-1])
        return out.index_put((GatherRows.idx,), grad, accumulate=True), None
        """,
    )])

width_kept_on_the_class = mistake.edited("ctx.shape = table.shape", "(ctx.rows, GatherRows.features) = table.shape",
    "The number of features is overwritten by the next call of apply: store the shape of table on ctx, which each"
    " call has for itself.",
    also=[(
        "return grad.new_zeros(ctx.shape).index_put((idx,), grad, accumulate=True), None",
        """
        out = grad.new_zeros(ctx.rows, GatherRows.features)
        return out.index_add(0, idx.reshape(-1) % ctx.rows, grad.reshape(-1, out.shape[1])), None
        """,
    )])

keeps_all_of_the_table_for_its_shape = mistake.edited("ctx.shape = table.shape", "ctx.table = table",
    "table itself is kept for backward, where its shape is enough: as long as the result lives, so does the whole table.",
    also=[(
        """
        (idx,) = ctx.saved_tensors
        return grad.new_zeros(ctx.shape).index_put((idx,), grad, accumulate=True), None
        """,
        "return torch.zeros_like(ctx.table).index_put(ctx.saved_tensors, grad, accumulate=True), None",
    )])


@alternative("GatherRows")
class one_hot_product(torch.autograd.Function):
    """The newer style; the gradient is a transposed one-hot matrix times grad."""

    @staticmethod
    def forward(table, idx):
        flat = idx.reshape(-1) % table.shape[0]
        return table.index_select(0, flat).reshape(*idx.shape, table.shape[1])

    @staticmethod
    def setup_context(ctx, inputs, output):
        table, idx = inputs
        ctx.save_for_backward(idx)
        ctx.rows, ctx.features = table.shape

    @staticmethod
    def backward(ctx, grad):
        (idx,) = ctx.saved_tensors
        flat = idx.reshape(-1) % ctx.rows
        hit = flat.unsqueeze(1) == torch.arange(ctx.rows, device=idx.device)
        return hit.to(grad.dtype).T @ grad.reshape(flat.numel(), ctx.features), None


@alternative("GatherRows")
class index_add_of_flat_indices(torch.autograd.Function):
    """Saves a positive, flat copy of idx, so that edits of idx do no harm."""

    @staticmethod
    def forward(ctx, table, idx):
        flat = idx.reshape(-1).remainder(table.shape[0])
        ctx.save_for_backward(flat)
        ctx.shape = tuple(table.shape)
        return table[flat].reshape(idx.shape + (table.shape[1],))

    @staticmethod
    def backward(ctx, grad):
        (flat,) = ctx.saved_tensors
        out = torch.zeros(ctx.shape, dtype=grad.dtype, device=grad.device)
        return out.index_add(0, flat, grad.reshape(len(flat), ctx.shape[1])), None


@alternative("GatherRows")
class gather_and_scatter(torch.autograd.Function):
    """gather forth, scatter_add back, with one column of indices for each feature."""

    @staticmethod
    def forward(ctx, table, idx):
        wide = (idx % table.shape[0]).reshape(-1, 1).expand(-1, table.shape[1])
        ctx.save_for_backward(wide)
        ctx.shape = table.shape
        return torch.gather(table, 0, wide).reshape(idx.shape + table.shape[1:])

    @staticmethod
    def backward(ctx, grad):
        (wide,) = ctx.saved_tensors
        out = torch.zeros(ctx.shape, dtype=grad.dtype, device=grad.device)
        return out.scatter_add(0, wide, grad.reshape(wide.shape)), None
