"""Visible tests for the report by class: pytest exercises/12_vision -k class_report"""

import torch
from torch import nn

from ex10_class_report import class_accuracies, confusion_matrix, count_top_k, evaluate_images
from torchdojo import assert_same


def test_each_pair_is_counted():
    """Class 0 is taken for class 2 twice, class 1 for class 0 once."""
    got = confusion_matrix(torch.tensor([0, 1, 0, 2]), torch.tensor([2, 0, 2, 2]), classes=3)

    assert_same(got, torch.tensor([[0, 0, 2], [1, 0, 0], [0, 0, 1]]))


def test_a_class_is_compared_with_its_own_images():
    """Of 4 images of class 0, 3 are right; of 5 of class 1, 1."""
    assert_same(class_accuracies(torch.tensor([[3, 1], [4, 1]])), torch.tensor([0.75, 0.2]))


def test_the_second_best_class_counts_for_two():
    """The right classes have the ranks 1, 2 and 3."""
    scores = torch.tensor([[0.7, 0.2, 0.1], [0.7, 0.2, 0.1], [0.7, 0.2, 0.1]])

    assert_same(count_top_k(scores, torch.tensor([0, 1, 2]), k=2), 2)


# Images of one pixel per class: the brightest is the score of its class.
BATCHES = [(torch.tensor([[3.0, 2.0, 1.0]] * 3), torch.tensor([0, 0, 1])), (torch.tensor([[1.0, 2.0, 3.0]]), torch.tensor([0]))]


def test_every_image_counts_the_same():
    """2 of 4 images are right, and 3 with the second best class."""
    got = evaluate_images(nn.Identity(), BATCHES, classes=3, k=2)

    assert_same(got["top 1"], 0.5)
    assert_same(got["top k"], 0.75)
    assert_same(got["confusion"], torch.tensor([[2, 0, 1], [1, 0, 0], [0, 0, 0]]))


def test_dropout_is_off():
    """With dropout of everything, only evaluation mode finds the brightest pixel."""
    got = evaluate_images(nn.Dropout(1.0), BATCHES, classes=3, k=1)

    assert_same(got["top 1"], 0.5)
