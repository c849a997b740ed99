"""Visible tests for RMSNorm and SwiGLU: pytest exercises/11_language_models -k rms_norm"""

import torch

from ex02_rms_norm import RMSNorm, SwiGLU
from torchdojo import assert_same


def test_each_vector_has_a_mean_square_of_one():
    """The root mean square of 1 and 7 is 5, that of -2 and 14 is 10."""
    norm = RMSNorm(2, eps=0.0)

    got = norm(torch.tensor([[1.0, 7.0], [-2.0, 14.0], [5.0, 5.0]])).detach()

    assert_same(got, torch.tensor([[0.2, 1.4], [-0.2, 1.4], [1.0, 1.0]]))


def test_the_weight_is_the_only_parameter_and_scales():
    """The second number is multiplied by 10."""
    norm = RMSNorm(2, eps=0.0)
    with torch.no_grad():
        norm.weight[1] = 10.0

    assert_same([name for name, _ in norm.named_parameters()], ["weight"])
    assert_same(norm(torch.tensor([1.0, 7.0])).detach(), torch.tensor([0.2, 14.0]))


def test_the_gate_multiplies():
    """silu(20) is 20, and silu(-20) almost 0: one gate is open, one closed."""
    network = SwiGLU(1, 2)
    with torch.no_grad():
        network.gate.weight.copy_(torch.tensor([[20.0], [-20.0]]))
        network.up.weight.copy_(torch.tensor([[-3.0], [5.0]]))
        network.down.weight.copy_(torch.tensor([[1.0, 1.0]]))

    assert_same(network(torch.tensor([[1.0]])).detach(), torch.tensor([[-60.0]]))
