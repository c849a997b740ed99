"""Vision 2 of 12: a convolution with its three gradients.

Difficulty 4 of 5, about 30 minutes.
"""

import torch
from torch.nn import functional as F


class Convolution(torch.autograd.Function):
    """A convolution, and the gradients of image, weight and bias.

    Call:
        Convolution.apply(x, weight, bias, stride, padding)

    Shapes:
        x        (batch, channels, height, width)
        weight   (out_channels, channels, kernel_height, kernel_width)
        bias     (out_channels,)
        result   (batch, out_channels, out_height, out_width)

    stride and padding are ints, for height and width alike. All tensors have one dtype and device.

    backward gets grad, the upstream gradient, and returns five values: the gradients of x, weight and bias, each in its shape, and
    None for stride and padding. F.unfold and F.fold are allowed.

    Example:
        >>> x, weight = torch.tensor([[[[1.0, 2.0, 4.0]]]], requires_grad=True), torch.tensor([[[[1.0, 10.0]]]])
        >>> Convolution.apply(x, weight, torch.zeros(1), 1, 0).sum().backward()
        >>> x.grad
        tensor([[[[ 1., 11., 10.]]]])

    Pitfall:
        With a stride, the last rows or columns of x may be in no window. The gradient still has the shape of x, with zeros there.

    Not allowed: torch's own convolutions and their derivatives, and autograd inside forward and backward (then this exercise is not
    done).

    For full marks:
        * bias may be None; then its gradient is None
        * after an in-place edit of x or weight, backward raises a RuntimeError or is still right: ctx.save_for_backward does that
    """

    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        raise NotImplementedError("12_vision/ex02_conv_function: write Convolution.forward()")

    @staticmethod
    def backward(ctx, grad):
        raise NotImplementedError("12_vision/ex02_conv_function: write Convolution.backward()")
