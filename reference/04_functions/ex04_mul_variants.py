"""Known mistakes and unusual but correct solutions for Mul."""

import torch
from torch.autograd.function import once_differentiable  # noqa: F401 (for an edit)

from torchdojo.variants import alternative, mistake

HINTS = (
    "Write the rule for equal shapes first. Then try x of shape (3, 1) and y of shape (2,): which shapes come "
    "out of your backward, and which should?",
    "The gradient of x is grad times y. If an element of x was used several times, its gradient is the sum "
    "over all uses: axes that x does not have are summed away, axes of size 1 are summed and kept.",
    "Save both inputs with ctx.save_for_backward. Each of the two gradients is a product of two tensors, "
    "brought back to the shape of its own input by summing (a tensor has a method for that), and you return "
    "them in the order of forward's arguments.",
)


forgets_to_unbroadcast = mistake.edited(
    "(grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)", "grad * y, grad * x",
    "The gradients have the shape of the result: sum each over every axis that broadcasting expanded. PyTorch hides this "
    "after .apply, but what you return must fit your inputs.",
    common=True,
    pitfall="too large after broadcasting")

unbroadcasts_only_y = mistake.edited("(grad * y).sum_to_size(x.shape)", "grad * y",
    "Only the gradient of y was summed to the shape of its input: x may be the one that broadcasting expanded.")

unbroadcasts_only_x = mistake.edited("(grad * x).sum_to_size(y.shape)", "grad * x",
    "Only the gradient of x was summed to the shape of its input: y may be the one that broadcasting expanded.")

sums_before_multiplying = mistake.edited(
    "(grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)",
    "grad.sum_to_size(x.shape) * y, grad.sum_to_size(y.shape) * x",
    "grad was summed before it was multiplied by the other input: multiply first, then sum to the shape of the input.")

sums_only_added_axes = mistake.edited(
    "return (grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)",
    """
    grad_x, grad_y = grad * y, grad * x
    while grad_x.dim() > x.dim():
        grad_x = grad_x.sum(0)
    while grad_y.dim() > y.dim():
        grad_y = grad_y.sum(0)
    return grad_x, grad_y
    """,
    "Only the axes that broadcasting added on the left were summed: axes of size 1 were expanded too.")

averages_instead_of_summing = mistake.edited(
    "return (grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)",
    """
    many = max(1, grad.numel())
    grad_x = (grad * y).sum_to_size(x.shape) * (x.numel() / many)
    return grad_x, (grad * x).sum_to_size(y.shape) * (y.numel() / many)
    """,
    "The contributions of each use of an element were averaged: they add up, so take the sum.")

ignores_grad = mistake.edited(
    "return (grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)",
    """
    ones = torch.ones_like(grad)
    return (ones * y).sum_to_size(x.shape), (ones * x).sum_to_size(y.shape)
    """,
    "backward returned the derivatives alone: multiply them by the upstream gradient, which is not always 1.",
    common=True)

swaps_the_inputs = mistake.edited(
    "(grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)",
    "(grad * x).sum_to_size(x.shape), (grad * y).sum_to_size(y.shape)",
    "The gradient of x was made with x and that of y with y: each gradient is grad times the other input.")

swaps_and_forgets_to_unbroadcast = mistake.edited(
    "(grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)", "grad * x, grad * y",
    "The gradient of x was made with x and that of y with y: each gradient is grad times the other input. Then sum it to the "
    "shape of its own input.")

exchanges_the_gradients = mistake.edited(
    "(grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)",
    "(grad * x).sum_to_size(y.shape), (grad * y).sum_to_size(x.shape)",
    "The two gradients are in the wrong order: that of x comes first, as x does in forward.")

passes_grad_through = mistake.edited(
    "(grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)",
    "grad.sum_to_size(x.shape).clone(), grad.sum_to_size(y.shape).clone()",
    "That is the rule for addition: for a product, each gradient is grad times the other input.")

no_gradient_for_y = mistake.edited("(grad * x).sum_to_size(y.shape)", "None",
    "y got None although it requires a gradient, so it would silently never learn: return a gradient for each input.")

writes_into_grad = mistake.edited(
    "return (grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)",
    """
    grad_y = (grad * x).sum_to_size(y.shape)
    return grad.mul_(y).sum_to_size(x.shape), grad_y
    """,
    "backward changed its upstream gradient, which other parts of the graph use too: create a new tensor instead "
    "of writing into grad.")

flattens_with_view = mistake.edited(
    "return (grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)",
    """
    flat = grad.view(-1)
    grad_x, grad_y = (flat * other.expand(grad.shape).reshape(-1) for other in (y, x))
    return grad_x.view(grad.shape).sum_to_size(x.shape), grad_y.view(grad.shape).sum_to_size(y.shape)
    """,
    "backward raised an error for a gradient that is not contiguous: view needs a certain memory layout; work without it, or use "
    "reshape.")

keeps_inputs_on_ctx = mistake.edited("ctx.save_for_backward(x, y)", "ctx.x, ctx.y = x, y",
    "After an in-place edit of an input the gradients are silently wrong: ctx.save_for_backward(x, y) would detect the edit.",
    also=[(
        """
        x, y = ctx.saved_tensors
        return (grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)
        """,
        "return (grad * ctx.y).sum_to_size(ctx.x.shape), (grad * ctx.x).sum_to_size(ctx.y.shape)",
    )])

detaches_in_backward = mistake.edited("x, y = ctx.saved_tensors", "x, y = (t.detach() for t in ctx.saved_tensors)",
    "The second derivative is lost: detach, .data and no_grad turn the inputs into constants, in backward or where "
    "you save them.")

goes_through_float32 = mistake.edited(
    "return (grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)",
    """
    grad_x, grad_y = ((grad.float() * other.float()).to(grad.dtype) for other in (y, x))
    return grad_x.sum_to_size(x.shape), grad_y.sum_to_size(y.shape)
    """,
    "The float64 gradients lost half of their digits, as in products of float32. Keep the dtype of the inputs.")

matrix_product = mistake.edited("return x * y", "return x @ y",
    "That is the matrix product: x * y multiplies element by element.",
    also=[("(grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)", "grad @ y.T, x.T @ grad")])

sums_one_added_axis_only = mistake.edited(
    "return (grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)",
    """
    answer = []
    for mine, other in ((x, y), (y, x)):
        part = grad * other
        if part.dim() > mine.dim():
            part = part.sum(0)
        for axis, size in list(enumerate(mine.shape))[: part.dim()]:
            if size == 1:
                part = part.sum(axis, keepdim=True)
        answer.append(part)
    return tuple(answer)
    """,
    "Only one of the axes that broadcasting added was summed: there may be several, so repeat it while there are too many.")

compares_shapes_from_the_left = mistake.edited(
    "return (grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)",
    """
    answer = []
    for mine, other in ((x, y), (y, x)):
        part = grad * other
        axes = [a for a in range(part.dim()) if a >= mine.dim() or part.shape[a] != mine.shape[a]]
        answer.append(part.sum(axes).reshape(mine.shape) if axes else part)
    return tuple(answer)
    """,
    "The shapes were compared from the left: broadcasting lines them up from the right, so an input lacks its first axes.")

skips_axes_stretched_to_nothing = mistake.edited(
    "return (grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)",
    """
    answer = []
    for mine, other in ((x, y), (y, x)):
        part = grad * other
        while part.dim() > mine.dim():
            part = part.sum(0)
        for axis, size in enumerate(mine.shape):
            if size == 1 and part.shape[axis] > 1:
                part = part.sum(axis, keepdim=True)
        answer.append(part)
    return tuple(answer)
    """,
    "An axis of size 1 that was expanded to size 0 stayed empty: its gradient is the sum of nothing, 0. Sum every axis of size 1.")

returns_only_what_is_needed = mistake.edited(
    "return (grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)",
    """
    both = (grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)
    return tuple(g for g, needed in zip(both, ctx.needs_input_grad) if needed)
    """,
    "Where one input needs no gradient, you returned only one value: return one for each input, and None for the other.")

returns_x_for_a_factor_of_one = mistake.edited(
    "return x * y", "return x.view_as(x) if y.dim() == 0 and bool(y == 1) else x * y",
    "x times 1 shared x's memory: the result is a new tensor, whatever the numbers are.")

saves_expanded_inputs = mistake.edited(
    "ctx.save_for_backward(x, y)",
    "ctx.shapes = x.shape, y.shape\nx, y = torch.broadcast_tensors(x, y)\nctx.save_for_backward(x, y)",
    "The second derivatives are lost. One reason is that tensors made from x and y were saved (expanded or copied), "
    "which PyTorch treats as constants. Save x and y themselves.",
    also=[("return (grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)",
         "return (grad * y).sum_to_size(ctx.shapes[0]), (grad * x).sum_to_size(ctx.shapes[1])")])

takes_the_number_out_of_a_single_element = mistake.edited(
    "ctx.save_for_backward(x, y)",
    "ctx.save_for_backward(x, y)\nctx.numbers = [t.item() if t.dim() == 0 else None for t in (x, y)]",
    "The second derivatives are lost where an input is 0-dim: item() turns it into a plain number, which PyTorch treats as "
    "a constant. Save x and y themselves, whatever their shapes.",
    also=[(
        "x, y = ctx.saved_tensors\nreturn (grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)",
        """
        tensors = ctx.saved_tensors
        x, y = (t if n is None else n for t, n in zip(tensors, ctx.numbers, strict=True))
        return (grad * y).sum_to_size(tensors[0].shape), (grad * x).sum_to_size(tensors[1].shape)
        """,
    )])

lets_autograd_work = mistake.edited(
    "return (grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)",
    """
    create_graph = torch.is_grad_enabled()
    with torch.enable_grad():
        x, y = (t.view_as(t) if t.requires_grad else t.detach().requires_grad_() for t in (x, y))
        return torch.autograd.grad(x * y, (x, y), grad, create_graph=create_graph)
    """,
    "Autograd computed the gradient inside backward: write the formula yourself, with tensor operations alone.",
    forbidden="autograd inside forward and backward")

saves_only_what_both_need = mistake.edited(
    "ctx.save_for_backward(x, y)",
    """
    if all(ctx.needs_input_grad):
        ctx.save_for_backward(x, y)
    else:
        ctx.kept = x, y
    """,
    "Where one input is frozen, the inputs are kept on ctx, so an edit of them goes unnoticed. Pass them to "
    "ctx.save_for_backward in every case.",
    also=[("ctx.saved_tensors", "ctx.saved_tensors or ctx.kept")])

multiplies_in_float32 = mistake.edited("return x * y", "return (x.float() * y.float()).to(x.dtype)",
    "The product of float64 numbers has half of their digits, as in float32. Keep the dtype of the inputs.")

rounds_grad_to_float32 = mistake.edited(
    "return (grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)",
    """
    narrow = grad.float().to(grad.dtype)
    return (narrow * y).sum_to_size(x.shape), (narrow * x).sum_to_size(y.shape)
    """,
    "The gradients lost half of their float64 digits, as when grad goes through float32. Keep its dtype.")

kept_on_the_class = mistake.edited("ctx.save_for_backward(x, y)", "Mul.inputs = (x, y)",
    "What backward needs is overwritten by the next call of apply: store it on ctx, which each call has for itself.",
    also=[("x, y = ctx.saved_tensors", "x, y = Mul.inputs")])

differentiable_only_once = mistake.edited(
    "@staticmethod\ndef backward", "@staticmethod\n@once_differentiable\ndef backward",
    "The gradients cannot be differentiated: @once_differentiable, no_grad, detach and .data in backward take "
    "them out of the graph.")


@alternative("Mul")
class only_what_is_needed(torch.autograd.Function):
    """The newer style, with None for an input that needs no gradient."""

    @staticmethod
    def forward(x, y):
        return torch.mul(x, y)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad):
        x, y = ctx.saved_tensors
        grad_x = grad_y = None
        if ctx.needs_input_grad[0]:
            grad_x = torch.mul(grad, y).sum_to_size(x.shape)
        if ctx.needs_input_grad[1]:
            grad_y = torch.mul(grad, x).sum_to_size(y.shape)
        return grad_x, grad_y


def fold(grad, shape):
    """Sum the added axes one by one, then the repeated ones."""
    while grad.dim() > len(shape):
        grad = grad.sum(0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis, keepdim=True)
    return grad


folds_in_a_loop = alternative.edited(
    "(grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)",
    "fold(y * grad, x.shape), fold(x * grad, y.shape)",
    "Old style with a hand-written helper.")

returns_more_than_it_must = alternative.edited(
    "(grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)",
    "fold(y * grad, x.shape), fold(x * grad, y.shape), None",
    "A None that belongs to no argument, which PyTorch lets pass.")

sums_with_einsum = alternative.edited(
    "return (grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)",
    """
    axes = list(range(grad.dim()))
    answer = []
    for mine, other in ((x, y), (y, x)):
        added = grad.dim() - mine.dim()
        kept = [axis for axis in axes[added:] if mine.shape[axis - added] != 1]
        answer.append(torch.einsum(grad, axes, other.expand(grad.shape), axes, kept).reshape(mine.shape))
    return tuple(answer)
    """,
    "Multiplies and sums in one einsum over expanded inputs.")

saves_only_what_it_needs = alternative.edited(
    "ctx.save_for_backward(x, y)",
    """
    ctx.shapes = x.shape, y.shape
    x_learns, y_learns = ctx.needs_input_grad
    ctx.save_for_backward(x if y_learns else None, y if x_learns else None)
    """,
    "Saves an input only if the other one learns.",
    also=[(
        "return (grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)",
        """
        grad_x = None if y is None else (grad * y).sum_to_size(ctx.shapes[0])
        grad_y = None if x is None else (grad * x).sum_to_size(ctx.shapes[1])
        return grad_x, grad_y
        """,
    )])
