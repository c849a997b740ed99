"""Known mistakes and unusual but correct solutions for LinearFunction."""

import torch
from torch.autograd.function import once_differentiable  # noqa: F401 (for an edit)

from torchdojo.variants import alternative, mistake

HINTS = (
    "Write down the shapes of x, weight, bias and grad. For each of the three answers only one product or sum "
    "of these has the right shape.",
    "Every row of x went through the same weight and bias, so their gradients are sums over all rows. x gets "
    "grad times weight. Return None for what isn't needed.",
    "Turn grad and x into matrices with one row for each row of x (reshape with -1 and the last size). The "
    "weight's gradient is one transposed matrix times the other, (outputs, rows) times (rows, inputs); the "
    "bias gets the column sums. Put an if on ctx.needs_input_grad before each.",
)


weight_gradient_transposed = mistake.edited(
    "rows.T @ x.reshape(-1, x.shape[-1])", "x.reshape(-1, x.shape[-1]).T @ rows",
    "The weight's gradient is transposed: its shape must be that of weight, (outputs, inputs), so it is grad transposed "
    "times x.",
    pitfall="`x.T @ grad` has shape (inputs, outputs)")

multiplies_by_weight_transposed = mistake.edited("grad @ weight", "grad @ weight.T",
    "x got grad times the transposed weight: forward transposed once, so backward multiplies by weight as it is.")

forward_without_transpose = mistake.edited("x @ weight.T", "x @ weight",
    "forward multiplied by weight as it is: weight is (outputs, inputs), so the result is x times the transposed weight.",
    also=[
        ("grad @ weight", "grad @ weight.T"),
        ("rows.T @ x.reshape(-1, x.shape[-1])", "x.reshape(-1, x.shape[-1]).T @ rows"),
    ])

bias_gradient_not_summed = mistake.edited("rows.sum(0)", "grad.clone()",
    "The gradient of bias has the shape of the result: one bias serves all rows, so sum over all axes but the last.")

bias_summed_over_the_first_axis_only = mistake.edited("rows.sum(0)", "grad.sum(0)",
    "The gradient of bias was summed over axis 0 only: x may have more axes in front, or none at all.")

works_for_matrices_only = mistake.edited("rows.T @ x.reshape(-1, x.shape[-1])", "grad.t() @ x",
    "backward only works for an x with two axes: .t() and .T are for matrices, so bring x and grad to one matrix of rows "
    "first (reshape with -1 and the last size), for 1-D and 3-D inputs too.",
    also=[("rows.sum(0)", "grad.sum(0)")])

takes_matrices_only = mistake.edited("out = x @ weight.T", "out = x.mm(weight.T)",
    "x may have one axis, or more than two, but mm and t() take only matrices: multiply with @, and bring x and grad to matrices "
    "of rows in backward.",
    also=[("grad @ weight", "grad.mm(weight)"), ("rows.T @ x.reshape(-1, x.shape[-1])", "grad.t().mm(x)"),
        ("rows.sum(0)", "grad.sum(0)")])

transposes_the_last_two_axes = mistake.edited("rows.T @ x.reshape(-1, x.shape[-1])", "grad.transpose(-1, -2) @ x",
    "For an x with more or fewer than two axes the weight's gradient has the wrong shape: bring x and grad to one matrix of rows "
    "first (reshape with -1 and the last size).")

sums_x_over_the_batch = mistake.edited("grad @ weight", "(rows @ weight).sum(0).expand(x.shape)",
    "The gradient of x was summed over the rows: each row of x is used once and has a gradient of its own.")

averages_over_the_rows = mistake.edited(
    "rows = grad.reshape(-1, grad.shape[-1])",
    "rows = grad.reshape(-1, grad.shape[-1])\nrows = rows / max(1, len(rows))",
    "The gradients of weight and bias were averaged over the rows: they are sums. A mean belongs to the loss, and is "
    "already in grad.")

averages_the_bias_over_the_rows = mistake.edited("rows.sum(0)", "rows.mean(0)",
    "The gradient of bias was averaged over the rows: it is the sum. A mean belongs to the loss, and is already in grad.")

computes_what_nobody_needs = mistake.edited(" if x_needs else None", "",
    "An input that needs no gradient got one: look at ctx.needs_input_grad and return None there.",
    also=[(" if weight_needs else None", "")])

bias_gradient_if_there_is_a_bias = mistake.edited("ctx.save_for_backward(x, weight)", "ctx.save_for_backward(x, weight)\nctx.has_bias = bias is not None",
    "A bias that needs no gradient got one: that there is a bias isn't enough. Look at ctx.needs_input_grad.",
    also=[(" if bias_needs else None", " if ctx.has_bias else None")])

bias_asks_for_the_weight = mistake.edited("ctx.save_for_backward(x, weight)", "ctx.save_for_backward(x, weight)\nctx.has_bias = bias is not None",
    "bias gets its gradient when weight needs one, and not when bias does: ctx.needs_input_grad has an entry for each argument, and that of bias "
    "is [2].",
    also=[(" if bias_needs else None", " if ctx.has_bias and weight_needs else None")])

throws_away_what_nobody_needs = mistake.edited(
    "return grad_x, grad_weight, grad_bias",
    """
    grads = grad_x, grad_weight, grad_bias
    return tuple(g if needed else None for g, needed in zip(grads, ctx.needs_input_grad, strict=True))
    """,
    "You compute every gradient and then discard those that nothing needs, so the work is done anyway. Check "
    "ctx.needs_input_grad before each product.",
    also=[(" if x_needs else None", ""), (" if weight_needs else None", ""), (" if bias_needs else None", "")])

turns_all_axes_round = mistake.edited("rows.T @ x.reshape(-1, x.shape[-1])", "grad.T @ x",
    "grad.T reverses all axes of grad, which is right only for a matrix: bring x and grad to one matrix of rows first "
    "(reshape with -1 and the last size), for 1-D and 3-D inputs too.",
    also=[("rows.sum(0)", "grad.sum(0)")])

forgets_the_bias = mistake.edited("rows.sum(0) if bias_needs else None", "None",
    "bias got None although it requires a gradient, so it would silently never learn: it gets the sum of grad over all "
    "rows.")

cannot_do_without_bias = mistake.edited("return out if bias is None else out + bias", "return out + bias",
    "A bias of None raised an error: leave the addition out when there is no bias.")

asks_whether_the_bias_is_true = mistake.edited("out if bias is None else out + bias", "out + bias if bias else out",
    "A bias was asked whether it is True, which several numbers can't answer, and 0 is False: test `bias is None`.")

needs_a_view_of_grad = mistake.edited("grad.reshape(-1, grad.shape[-1])", "grad.view(-1, grad.shape[-1])",
    "backward raised an error for a gradient that is not contiguous: view needs a certain memory layout; use reshape.")

keeps_inputs_on_ctx = mistake.edited("ctx.save_for_backward(x, weight)", "ctx.kept = x, weight",
    "After an in-place edit of x or weight the gradients are silently wrong: ctx.save_for_backward(x, weight) would detect the edit.",
    also=[("ctx.saved_tensors", "ctx.kept")])

detaches_in_backward = mistake.edited(
    "x, weight = ctx.saved_tensors", "x, weight = (t.detach() for t in ctx.saved_tensors)",
    "The second derivatives are lost: for backward x and weight are constants, made so by detach, .data or no_grad, or "
    "saved as copies. Save them as they are.")

the_answer_itself = mistake.edited(
    "out = x @ weight.T\nreturn out if bias is None else out + bias",
    "return torch.nn.functional.linear(x, weight, bias)",
    "A ready-made linear layer does all the work: multiply by the transposed weight and add the bias yourself.",
    forbidden=("torch.nn.functional.linear", "torch.nn.Linear"))

bilinear_does_it = mistake.edited(
    "out = x @ weight.T\nreturn out if bias is None else out + bias",
    "return torch.nn.functional.bilinear(x, x.new_ones(*x.shape[:-1], 1), weight.unsqueeze(2), bias)",
    "torch.nn.functional.bilinear does all the work: multiply by the transposed weight and add the bias yourself.",
    forbidden="torch.nn.functional.bilinear")

forward_goes_through_float32 = mistake.edited("out = x @ weight.T", "out = (x.float() @ weight.float().T).to(x.dtype)",
    "The result lost half of its float64 digits, as when forward goes through float32. Keep the dtype of the inputs.")

lets_autograd_work = mistake.edited("grad @ weight", "slope(0)",
    "Autograd computed the gradient inside backward: write the formula yourself, with tensor operations alone.",
    also=[
        ("rows.T @ x.reshape(-1, x.shape[-1])", "slope(1)"),
        (
            "rows = grad.reshape(-1, grad.shape[-1])",
            """
            rows = grad.reshape(-1, grad.shape[-1])
            create_graph = torch.is_grad_enabled()

            def slope(place):
                with torch.enable_grad():
                    both = [t.view_as(t) if t.requires_grad else t.detach().requires_grad_() for t in (x, weight)]
                    return torch.autograd.grad(both[0] @ both[1].T, both[place], grad, create_graph=create_graph)[0]
            """,
        ),
    ],
    forbidden="autograd inside forward and backward")

backward_goes_through_float32 = mistake.edited(
    "x, weight = ctx.saved_tensors",
    "x, weight = (t.float() for t in ctx.saved_tensors)\ndtype, grad = grad.dtype, grad.float()",
    "The gradients lost half of their float64 digits, as when backward goes through float32. Keep the dtype of the inputs.",
    also=[("return grad_x, grad_weight, grad_bias",
         "return tuple(g if g is None else g.to(dtype) for g in (grad_x, grad_weight, grad_bias))")])

sums_over_an_empty_list_of_axes = mistake.edited("rows.sum(0)", "grad.sum(list(range(grad.dim() - 1)))",
    "For an x with one axis there is nothing to sum for the bias, but sum with an empty list of axes sums everything. Reshape to a matrix of rows, or check first.")

kept_on_the_class = mistake.edited("ctx.save_for_backward(x, weight)", "LinearFunction.inputs = x, weight",
    "What backward needs is overwritten by the next call of apply: store it on ctx, which each call has for itself.",
    also=[("ctx.saved_tensors", "LinearFunction.inputs")])

differentiable_only_once = mistake.edited(
    "@staticmethod\ndef backward", "@staticmethod\n@once_differentiable\ndef backward",
    "The gradients cannot be differentiated: @once_differentiable, no_grad, detach and .data in backward take "
    "them out of the graph.")

saves_the_rows_of_x = mistake.edited(
    "ctx.save_for_backward(x, weight)", "ctx.save_for_backward(x.reshape(-1, x.shape[-1]), weight)",
    "The second derivatives through x are lost. One reason is that a tensor made from x was saved, which PyTorch "
    "treats as a constant. Save x itself.")

saves_rows_of_more_axes = mistake.edited(
    "ctx.save_for_backward(x, weight)", "ctx.save_for_backward(x.flatten(0, -2) if x.dim() > 2 else x, weight)",
    "Second derivatives are lost where x has more than two axes: a tensor made from x was saved, which PyTorch "
    "treats as a constant. Save x itself.")

saves_contiguous_copies = mistake.edited(
    "ctx.save_for_backward(x, weight)", "ctx.save_for_backward(x.contiguous(), weight.contiguous())",
    "Second derivatives are lost for transposed inputs: copies of them were saved, which PyTorch treats as "
    "constants. Save x and weight themselves.")

saves_the_transposed_weight = mistake.edited("ctx.save_for_backward(x, weight)", "ctx.save_for_backward(x, weight.T)",
    "The second derivatives through weight are lost. One reason is that a tensor made from weight was saved, which "
    "PyTorch treats as a constant. Save weight itself.",
    also=[("grad @ weight", "grad @ weight.T")])

adds_row_by_row = mistake.edited(
    "rows.T @ x.reshape(-1, x.shape[-1])",
    "sum(torch.outer(g, row) for g, row in zip(rows, x.reshape(-1, x.shape[-1])))",
    "With no rows the weight's gradient was the number 0, which is Python's sum() of nothing: one matrix product of all rows "
    "gives zeros of the right shape.")

turns_all_axes_of_the_weight_round = mistake.edited("rows.T @ x.reshape(-1, x.shape[-1])", "grad.T @ x",
    "In the gradient of weight, grad.T reverses all axes of grad, which is right only for a matrix: bring x and grad to "
    "one matrix of rows first (reshape with -1 and the last size), for 1-D and 3-D inputs too.")


@alternative("LinearFunction")
class einsum_in_setup_context(torch.autograd.Function):
    """The newer style, with einsum everywhere."""

    @staticmethod
    def forward(x, weight, bias):
        out = torch.einsum("...i,oi->...o", x, weight)
        if bias is not None:
            out = out + bias
        return out

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, weight, _ = inputs
        ctx.save_for_backward(x, weight)

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        grad_x = grad_weight = grad_bias = None
        if ctx.needs_input_grad[0]:
            grad_x = torch.einsum("...o,oi->...i", grad, weight)
        if ctx.needs_input_grad[1]:
            grad_weight = torch.einsum("no,ni->oi", grad.reshape(-1, grad.shape[-1]), x.reshape(-1, x.shape[-1]))
        if ctx.needs_input_grad[2]:
            grad_bias = torch.einsum("no->o", grad.reshape(-1, grad.shape[-1]))
        return grad_x, grad_weight, grad_bias


@alternative("LinearFunction")
class saves_all_and_sums_axes(torch.autograd.Function):
    """Old style; saves everything, sums over a list of axes, adds in place to its own result."""

    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight, bias)
        out = torch.matmul(x, weight.transpose(0, 1))
        if bias is not None:
            out += bias
        return out

    @staticmethod
    def backward(ctx, grad):
        x, weight, bias = ctx.saved_tensors
        grad_x, grad_weight, grad_bias = None, None, None
        front = list(range(grad.dim() - 1))
        if ctx.needs_input_grad[0]:
            grad_x = grad.matmul(weight)
        if ctx.needs_input_grad[1]:
            outer = grad.unsqueeze(-1) * x.unsqueeze(-2)
            grad_weight = outer.sum(front) if front else outer
        if bias is not None and ctx.needs_input_grad[2]:
            grad_bias = grad.sum(front) if front else grad.clone()
        return grad_x, grad_weight, grad_bias


weight_and_bias_in_one_product = alternative.edited(
    """
    grad_weight = rows.T @ x.reshape(-1, x.shape[-1]) if weight_needs else None
    grad_bias = rows.sum(0) if bias_needs else None
    """,
    """
    grad_weight = grad_bias = None
    if weight_needs or bias_needs:
        both = rows.T @ torch.cat((x.reshape(-1, x.shape[-1]), rows.new_ones(len(rows), 1)), 1)
        grad_weight = both[:, :-1] if weight_needs else None
        grad_bias = both[:, -1] if bias_needs else None
    """,
    "A column of ones beside x gives the gradients of weight and bias at once.")
