import torch


class LinearFunction(torch.autograd.Function):
    @staticmethod
    def forward(x, weight, bias):
        y = torch.einsum("...i,oi->...o", x, weight)
        return y if bias is None else y + bias

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, weight, _ = inputs
        ctx.save_for_backward(x, weight)

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        recipes = (
            lambda: torch.einsum("...o,oi->...i", grad, weight),
            lambda: torch.einsum("ro,ri->oi", grad.reshape(-1, grad.shape[-1]), x.reshape(-1, x.shape[-1])),
            lambda: torch.einsum("...o->o", grad),
        )
        return tuple(recipe() if needed else None for recipe, needed in zip(recipes, ctx.needs_input_grad))
