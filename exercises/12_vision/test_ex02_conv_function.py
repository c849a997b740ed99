"""Visible tests for Convolution: pytest exercises/12_vision -k conv_function"""

import torch

from ex02_conv_function import Convolution
from torchdojo import assert_same


def example(stride, padding):
    """An image of one row and five columns, and a kernel of 1 and 10."""
    x = torch.tensor([[[[1.0, 2.0, 3.0, 4.0, 6.0]]]], requires_grad=True)
    weight = torch.tensor([[[[1.0, 10.0]]]], requires_grad=True)
    bias = torch.tensor([0.5], requires_grad=True)
    return x, weight, bias, Convolution.apply(x, weight, bias, stride, padding)


def test_the_result_is_a_convolution():
    """1 + 10 * 2 + 0.5, 2 + 10 * 3 + 0.5, ..."""
    assert_same(example(1, 0)[3].detach(), torch.tensor([[[[21.5, 32.5, 43.5, 64.5]]]]))


def test_each_pixel_gets_a_gradient_from_each_of_its_windows():
    """The upstream gradient is 1, 2, 3, 4. Pixel 1 is second in the first window, and first in the second."""
    x, weight, bias, y = example(1, 0)
    y.backward(torch.tensor([[[[1.0, 2.0, 3.0, 4.0]]]]))

    assert_same(x.grad, torch.tensor([[[[1.0, 12.0, 23.0, 34.0, 40.0]]]]))
    assert_same(weight.grad, torch.tensor([[[[1.0 + 4.0 + 9.0 + 16.0, 2.0 + 6.0 + 12.0 + 24.0]]]]))
    assert_same(bias.grad, torch.tensor([10.0]))


def test_a_pixel_in_no_window_has_a_gradient_of_zero():
    """With a stride of 2, the windows are columns 0 and 1, and columns 2 and 3."""
    x, weight, bias, y = example(2, 0)
    y.backward(torch.tensor([[[[1.0, 3.0]]]]))

    assert_same(x.grad, torch.tensor([[[[1.0, 10.0, 3.0, 30.0, 0.0]]]]))
    assert_same(weight.grad, torch.tensor([[[[10.0, 14.0]]]]))


def test_padding_gets_no_gradient():
    """With a frame of zeros; upstream, only the middle row isn't 0."""
    x, weight, bias, y = example(1, 1)
    grad = torch.zeros(1, 1, 3, 6)
    grad[0, 0, 1] = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    y.backward(grad)

    assert_same(x.grad, torch.tensor([[[[12.0, 23.0, 34.0, 45.0, 56.0]]]]))
    assert_same(weight.grad, torch.tensor([[[[76.0, 60.0]]]]))
