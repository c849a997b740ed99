"""Visible tests for make_loaders: pytest exercises/09_data -k make_loaders"""

import torch

from ex06_make_loaders import make_loaders
from torchdojo import assert_same


def test_validation_batches_are_in_order():
    """Three samples in batches of two."""
    _, loader = make_loaders([0, 1, 2], [10, 20, 30], 2, seed=0)

    assert_same([batch.tolist() for batch in loader], [[10, 20], [30]])


def test_an_epoch_has_each_training_sample_once():
    """In a different order from that of the dataset."""
    loader, _ = make_loaders(list(range(20)), [0], 4, seed=0)

    samples = torch.cat(list(loader)).tolist()

    assert sorted(samples) == list(range(20))
    assert samples != list(range(20))


def test_the_second_epoch_has_another_order():
    """One loader, two epochs."""
    loader, _ = make_loaders(list(range(20)), [0], 20, seed=0)

    (first,), (second,) = list(loader), list(loader)

    assert first.tolist() != second.tolist()


def test_loaders_with_the_same_seed_agree():
    """A random number that is drawn in between changes nothing."""
    first, _ = make_loaders(list(range(20)), [0], 20, seed=7)
    torch.rand(1)
    second, _ = make_loaders(list(range(20)), [0], 20, seed=7)

    assert_same(next(iter(second)), next(iter(first)))


def test_both_loaders_use_collate_fn():
    """A batch is the sum of its samples."""
    train_loader, val_loader = make_loaders([1, 2], [3, 4], 2, seed=0, collate_fn=sum)

    assert_same([list(train_loader), list(val_loader)], [[3], [7]])
