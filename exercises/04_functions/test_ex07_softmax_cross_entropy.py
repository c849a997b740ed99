"""Visible tests for SoftmaxCrossEntropy: pytest exercises/04_functions -k softmax_cross_entropy"""

import math

import torch

from ex07_softmax_cross_entropy import SoftmaxCrossEntropy
from torchdojo import assert_same


def test_equal_logits_cost_the_log_of_the_number_of_classes():
    """Four equally likely classes cost log 4."""
    got = SoftmaxCrossEntropy.apply(torch.zeros(3, 4), torch.tensor([0, 3, 1]))

    assert_same(got, torch.tensor(math.log(4)))


def test_gradient_is_probability_minus_target_over_the_batch():
    """Two rows, four equally likely classes, and a grad of 8."""
    logits = torch.zeros(2, 4, requires_grad=True)
    loss = SoftmaxCrossEntropy.apply(logits, torch.tensor([0, 3]))

    grad_logits, grad_target = loss.grad_fn.apply(torch.tensor(8.0))

    assert_same(grad_logits.detach(), torch.tensor([[-3.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, -3.0]]))
    assert grad_target is None


def test_huge_logits_stay_finite():
    """A class that is 2000 behind the other costs 2000."""
    logits = torch.tensor([[1000.0, -1000.0]])

    got = SoftmaxCrossEntropy.apply(logits, torch.tensor([1]))

    assert_same(got, torch.tensor(2000.0))
