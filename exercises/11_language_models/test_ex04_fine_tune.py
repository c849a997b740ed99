"""Visible tests for fine-tuning: pytest exercises/11_language_models -k fine_tune"""

from torch import nn

from ex04_fine_tune import count_trained, fine_tune_groups, train_parts
from torchdojo import assert_same


def example():
    """A body with a batch norm and dropout, a head with dropout, and a header."""
    return nn.ModuleDict({
        "body": nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Dropout(0.5)),
        "head": nn.Sequential(nn.Dropout(0.1), nn.Linear(3, 1)),
        "header": nn.Linear(1, 1),
    })


def test_each_part_has_its_learning_rate():
    """The head's weight and bias, then the bias of the first layer."""
    groups = fine_tune_groups(example(), {"head": 0.1, "body.0.bias": 0.01})

    assert_same([group["lr"] for group in groups], [0.1, 0.01])
    assert_same([sorted(tuple(p.shape) for p in group["params"]) for group in groups], [[(1,), (1, 3)], [(3,)]])


def test_all_other_parameters_are_frozen():
    """The header is no head."""
    model = example()
    fine_tune_groups(model, {"head": 0.1})

    assert_same([name for name, p in model.named_parameters() if p.requires_grad], ["head.1.weight", "head.1.bias"])


def test_numbers_are_counted():
    """6 + 3 for the first layer, 4 of them frozen here."""
    layer = nn.Linear(2, 3)
    layer.bias.requires_grad_(False)

    assert_same(count_trained(layer), (6, 9))


def test_frozen_modules_stay_in_evaluation_mode():
    """The batch norm keeps its statistics; the dropout of the head drops."""
    model = example()
    model.body.requires_grad_(False)
    model.eval()

    train_parts(model)

    assert_same([model.body[1].training, model.body[2].training], [False, False])
    assert_same([model.training, model.head[0].training, model.header.training], [True, True, True])
