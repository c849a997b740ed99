"""Known mistakes and unusual but correct solutions for Convolution."""

import torch
from torch.nn import functional as F

from torchdojo.variants import alternative, mistake

HINTS = (
    "Take a row of four pixels and a kernel of two. Write the three numbers of the result. In which of them is pixel 1, and by which number of the kernel is it multiplied there?",
    "forward is a matrix product, weight times windows. Its backward is two more products: grad times the transposed windows, summed over the batch, and the transposed weight times "
    "grad. The latter has a number for each pixel of each window, and F.fold adds up those of the same pixel.",
    "Save x and weight. In backward, flatten grad to (batch, out_channels, positions). F.fold takes the product of the transposed weight and grad, the size of x, the kernel's size, and the same "
    "stride and padding. Sum grad over batch and positions for bias.",
)
EQUIVALENT = {
    "in_place_update: out += bias[:, None]": "the product is a tensor of the function's own",
    "drop_keyword: sizes = ((n + 2 * padding - k) // stride + 1 for n, k in zip(x.shape[2:], weight.shape[2:]))": "both have two numbers",
    "toggle_keepdim: grad_weight = (grad @ columns.mT).sum(dim=0, keepdim=True).view_as(weight)": "view_as gives the shape either way",
}

OUT = "out = weight.flatten(1) @ F.unfold(x, weight.shape[2:], **ctx.settings)"
BIAS = "out = out + bias[:, None]"
SIZES = "sizes = ((n + 2 * padding - k) // stride + 1 for n, k in zip(x.shape[2:], weight.shape[2:], strict=True))"
COLUMNS = "columns = F.unfold(x, weight.shape[2:], **ctx.settings)"
GRAD_X = "grad_x = F.fold(weight.flatten(1).mT @ grad, x.shape[2:], weight.shape[2:], **ctx.settings)"
GRAD_WEIGHT = "grad_weight = (grad @ columns.mT).sum(dim=0).view_as(weight)"
GRAD_BIAS = "grad_bias = grad.sum(dim=(0, 2)) if ctx.has_bias else None"
SAVED = "ctx.save_for_backward(x, weight)"


size_without_the_rest = mistake.edited(GRAD_X,
    """
    sizes = [(n - 1) * ctx.settings["stride"] + k - 2 * ctx.settings["padding"] for n, k in zip(out_sizes, weight.shape[2:])]
    grad_x = F.fold(weight.flatten(1).mT @ grad, sizes, weight.shape[2:], **ctx.settings)
    """,
    "The gradient of x is smaller than x if the last rows or columns are in no window: it has the shape of x, with zeros there.",
    also=[("grad = grad.flatten(2)", "out_sizes, grad = grad.shape[2:], grad.flatten(2)")],
    common=True, about="the_gradient_of_x_follows_stride_and_padding",
    pitfall="the last rows or columns of x may be in no window")

mean_of_the_windows = mistake.edited(GRAD_X,
    GRAD_X + "\ngrad_x = grad_x / F.fold(torch.ones_like(columns), x.shape[2:], weight.shape[2:], **ctx.settings).clamp(min=1)",
    "The gradient of a pixel was averaged over its windows: add the parts of all windows.",
    common=True, about="the_gradient_of_x_adds_up")

flipped_kernel = mistake.edited(GRAD_X, GRAD_X.replace("weight.flatten(1)", "weight.flip(-1, -2).flatten(1)"),
    "For the gradient of x, the kernel is the wrong way round: fold needs it as it is, but a sum over the windows of grad needs it flipped.",
    about="the_gradient_of_x_adds_up")

not_transposed = mistake.edited(GRAD_X, GRAD_X.replace("weight.flatten(1).mT", "weight.reshape(-1, len(weight))"),
    "The weight was reshaped where it should be transposed, so its channels are mixed.",
    about="the_gradient_of_x_adds_up")

x_without_padding = mistake.edited(GRAD_X, 'padding = ctx.settings["padding"]\n'
    'grad_x = F.fold(weight.flatten(1).mT @ grad, [n + 2 * padding for n in x.shape[2:]], weight.shape[2:], stride=ctx.settings["stride"])',
    "The gradient of x has the size of the padded image: cut off the padding.",
    common=True, about="the_gradient_of_x_follows_stride_and_padding")

cut_at_one_end = mistake.edited(GRAD_X, 'padding = ctx.settings["padding"]\n'
    'padded = F.fold(weight.flatten(1).mT @ grad, [n + 2 * padding for n in x.shape[2:]], weight.shape[2:], stride=ctx.settings["stride"])\n'
    "grad_x = padded[..., : x.shape[2], : x.shape[3]]",
    "The padding was cut off below and to the right, so the gradient of x is shifted: cut it off on all four sides.",
    about="the_gradient_of_x_follows_stride_and_padding")

weight_without_padding = mistake.edited(COLUMNS, 'columns = F.unfold(x, weight.shape[2:], stride=ctx.settings["stride"])',
    "The gradient of weight ignores the padding: unfold x as in forward.",
    common=True, about="the_gradient_of_weight_follows_stride_and_padding")

weight_without_stride = mistake.edited(COLUMNS, 'columns = F.unfold(x, weight.shape[2:], padding=ctx.settings["padding"])',
    "The gradient of weight ignores the stride: unfold x as in forward.",
    common=True, about="the_gradient_of_weight_follows_stride_and_padding")

mean_over_the_batch = mistake.edited(GRAD_WEIGHT, GRAD_WEIGHT.replace(".sum(dim=0)", ".mean(dim=0)"),
    "The gradient of weight was averaged over the batch: add it up. The loss takes the mean, if there is one.",
    common=True, about="the_gradient_of_weight_adds_up")

mean_over_the_positions = mistake.edited(GRAD_WEIGHT, GRAD_WEIGHT.replace("grad @ columns.mT", "grad @ columns.mT / grad.shape[2]"),
    "The gradient of weight was averaged over the positions: add it up.",
    about="the_gradient_of_weight_adds_up")

first_image_only = mistake.edited(GRAD_WEIGHT, GRAD_WEIGHT.replace(".sum(dim=0)", "[0]"),
    "The gradient of weight counts the first image only: add up the batch.",
    about="the_gradient_of_weight_adds_up")

ones_in_place_of_grad = mistake.edited(GRAD_WEIGHT, GRAD_WEIGHT.replace("grad @", "torch.ones_like(grad) @"),
    "The gradient of weight ignores the upstream gradient: multiply by it.",
    about="the_gradient_of_weight_adds_up")

x_without_upstream = mistake.edited(GRAD_X, GRAD_X.replace("@ grad", "@ torch.ones_like(grad)"),
    "The gradient of x ignores the upstream gradient: multiply by it.",
    about="the_gradient_of_x_adds_up")

mean_over_the_positions_for_bias = mistake.edited(GRAD_BIAS, "grad_bias = grad.sum(dim=0).mean(dim=1) if ctx.has_bias else None",
    "The gradient of bias was averaged over the positions: add up batch and positions.",
    common=True, about="the_gradient_of_bias_is_a_sum")

mean_for_the_bias = mistake.edited(GRAD_BIAS, "grad_bias = grad.mean(dim=0).sum(dim=1) if ctx.has_bias else None",
    "The gradient of bias was averaged over the batch: add up batch and positions.",
    common=True, about="the_gradient_of_bias_is_a_sum")

positions_of_the_bias = mistake.edited(GRAD_BIAS, "grad_bias = grad.sum(dim=(1, 2)) if ctx.has_bias else None",
    "The gradient of bias was summed over the channels instead of the batch: one number for each output channel is left.",
    about="the_gradient_of_bias_is_a_sum")

no_gradient_for_bias = mistake.edited(GRAD_BIAS, "grad_bias = None",
    "bias gets no gradient, so it never learns.",
    about="the_gradient_of_bias_is_a_sum")

without_bias = mistake.edited(BIAS, "out = out + 0 * bias[:, None]",
    "The bias has no effect in forward: add it to each output channel.",
    about="the_result_is_a_convolution")

rows_and_columns_exchanged = mistake.edited("return out.unflatten(2, tuple(sizes))", "return out.unflatten(2, tuple(sizes)[::-1])",
    "The positions were split into width and height: the rows come first.")

size_without_stride = mistake.edited(SIZES, SIZES.replace("// stride", ""),
    "The output size ignores the stride: divide by it before you add 1.",
    about="stride_and_padding_shape_the_result")

one_padding_in_the_size = mistake.edited(SIZES, SIZES.replace("2 * padding", "padding"),
    "The output size counts the padding once: it is on both sides.",
    about="stride_and_padding_shape_the_result")

settings_swapped = mistake.edited('{"stride": stride, "padding": padding}', '{"stride": padding + 1, "padding": stride - 1}',
    "stride and padding are exchanged: they come in this order.",
    also=[(SIZES, SIZES.replace("2 * padding", "2 * (stride - 1)").replace("// stride", "// (padding + 1)"))],
    about="stride_and_padding_shape_the_result")

bias_is_needed = mistake.edited("if ctx.has_bias:", "if True:",
    "Without a bias, forward raises an error: add it only if it isn't None.",
    common=True, about="bias_may_be_none")

a_gradient_for_none = mistake.edited(GRAD_BIAS, "grad_bias = grad.sum(dim=(0, 2))",
    "If bias is None, backward must return None for it, not a tensor.",
    common=True, about="bias_may_be_none")

kept_on_ctx = mistake.edited(SAVED, "ctx.x, ctx.weight = x, weight",
    "After an in-place edit, backward computes with the new numbers, and silently returns a wrong gradient: save x and weight themselves with ctx.save_for_backward.",
    also=[("x, weight = ctx.saved_tensors", "x, weight = ctx.x, ctx.weight")],
    common=True, about="edits_are_never_silently_wrong")

conv_in_forward = mistake.edited(OUT, "return F.conv2d(x, weight, bias, stride, padding)",
    "You used torch's own convolution: multiply the windows by the weight yourself.",
    forbidden="torch's own convolutions and their derivatives")


@mistake("Convolution", forbidden="autograd inside forward and backward")
class AutogradInside(torch.autograd.Function):
    """You let autograd find the gradients: write the three of them yourself."""

    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        ctx.save_for_backward(x, weight, bias)
        ctx.settings = stride, padding
        return AutogradInside.run(x, weight, bias, stride, padding)

    @staticmethod
    def run(x, weight, bias, stride, padding):
        kernel = weight.shape[2:]
        out = weight.flatten(1) @ F.unfold(x, kernel, stride=stride, padding=padding)
        out = out if bias is None else out + bias[:, None]
        return out.unflatten(2, [(n + 2 * padding - k) // stride + 1 for n, k in zip(x.shape[2:], kernel, strict=True)])

    @staticmethod
    def backward(ctx, grad):
        inputs = [t if t is None else t.detach().requires_grad_() for t in ctx.saved_tensors]
        with torch.enable_grad():
            y = AutogradInside.run(*inputs, *ctx.settings)
        found = iter(torch.autograd.grad(y, [t for t in inputs if t is not None], grad))
        return (*(None if t is None else next(found) for t in inputs), None, None)


@alternative("Convolution")
class KernelByKernel(torch.autograd.Function):
    """Each number of the kernel multiplies a shifted, strided slice of the padded image."""

    @staticmethod
    def slices(padded, weight, stride, sizes):
        for i in range(weight.shape[2]):
            for j in range(weight.shape[3]):
                rows, columns = slice(i, i + (sizes[0] - 1) * stride + 1, stride), slice(j, j + (sizes[1] - 1) * stride + 1, stride)
                yield i, j, padded[:, :, rows, columns]

    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        ctx.save_for_backward(x, weight)
        ctx.stride, ctx.padding, ctx.biased = stride, padding, bias is not None
        padded = F.pad(x, [padding] * 4)
        sizes = [(n - k) // stride + 1 for n, k in zip(padded.shape[2:], weight.shape[2:], strict=True)]
        out = x.new_zeros(len(x), len(weight), *sizes)
        for i, j, part in KernelByKernel.slices(padded, weight, stride, sizes):
            out += torch.einsum("nchw,oc->nohw", part, weight[:, :, i, j])
        return out + bias.view(-1, 1, 1) if bias is not None else out

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        padded = F.pad(x, [ctx.padding] * 4)
        grad_padded, grad_weight = torch.zeros_like(padded), torch.zeros_like(weight)
        for i, j, part in KernelByKernel.slices(padded, weight, ctx.stride, grad.shape[2:]):
            grad_weight[:, :, i, j] = torch.einsum("nohw,nchw->oc", grad, part)
        for i, j, part in KernelByKernel.slices(grad_padded, weight, ctx.stride, grad.shape[2:]):
            part += torch.einsum("nohw,oc->nchw", grad, weight[:, :, i, j])
        inner = grad_padded[:, :, ctx.padding : ctx.padding + x.shape[2], ctx.padding : ctx.padding + x.shape[3]]
        return inner, grad_weight, grad.sum((0, 2, 3)) if ctx.biased else None, None, None


@alternative("Convolution")
class SavedColumns(torch.autograd.Function):
    """The windows are saved in place of x, in the new style with setup_context."""

    @staticmethod
    def forward(x, weight, bias, stride, padding):
        columns = F.unfold(x, weight.shape[2:], padding=padding, stride=stride)
        height = (x.shape[2] + 2 * padding - weight.shape[2]) // stride + 1
        out = torch.einsum("ok,nkp->nop", weight.flatten(1), columns)
        return (out if bias is None else out + bias.reshape(1, -1, 1)).reshape(len(x), len(weight), height, -1)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, weight, bias, ctx.stride, ctx.padding = inputs
        ctx.size, ctx.biased = x.shape[2:], bias is not None
        ctx.save_for_backward(F.unfold(x, weight.shape[2:], padding=ctx.padding, stride=ctx.stride), weight)

    @staticmethod
    def backward(ctx, grad):
        columns, weight = ctx.saved_tensors
        flat = grad.reshape(*grad.shape[:2], -1)
        grad_weight = torch.einsum("nop,nkp->ok", flat, columns).reshape(weight.shape)
        grad_columns = torch.einsum("ok,nop->nkp", weight.flatten(1), flat)
        grad_x = F.fold(grad_columns, ctx.size, weight.shape[2:], padding=ctx.padding, stride=ctx.stride)
        return grad_x, grad_weight, flat.sum(2).sum(0) if ctx.biased else None, None, None


one_product_for_the_weight = alternative.edited(GRAD_WEIGHT, 'grad_weight = torch.tensordot(grad, columns, dims=([0, 2], [0, 2])).view_as(weight)',
    "Batch and positions are contracted at once.")
