"""Visible tests for SequencePool and sequence_loss: pytest exercises/08_debugging -k stray_cpu"""

import torch

from ex05_stray_cpu import SequencePool, sequence_loss
from torchdojo import assert_same


class Mean(torch.nn.Module):
    """A model that takes lengths, too, and does not use them."""

    def __init__(self):
        super().__init__()
        self.head = torch.nn.Linear(3, 2)

    def forward(self, x, lengths):
        return self.head(x.mean(dim=1))


def test_forward_works_away_from_the_cpu():
    """On the device "meta" the result has the right shape and device."""
    model = SequencePool(features=3, classes=2).to("meta")
    x = torch.ones(4, 5, 3, device="meta")

    got = model(x, torch.full((4,), 5, device="meta"))

    assert got.device == torch.device("meta")
    assert got.shape == (4, 2)


def test_dtype_of_the_input_is_kept():
    """bfloat16 in, bfloat16 out."""
    model = SequencePool(features=3, classes=2).to(torch.bfloat16)

    got = model(torch.ones(4, 5, 3, dtype=torch.bfloat16), torch.full((4,), 5))

    assert got.dtype == torch.bfloat16


def test_labels_follow_the_model():
    """A batch on the CPU and a model on "meta": the loss is on "meta"."""
    model = Mean().to("meta")
    seen = []
    model.register_forward_hook(lambda module, args, output: seen.extend(args))
    batch = (torch.ones(4, 5, 3), torch.full((4,), 5), torch.zeros(4, dtype=torch.long))

    loss = sequence_loss(model, batch)

    assert loss.device == torch.device("meta")
    assert [tensor.device.type for tensor in seen] == ["meta", "meta"]


def test_later_steps_count_more_and_padding_does_not():
    """Steps 3 and 6 with weights 1 and 2 average to 5; the third is ignored."""
    model = SequencePool(features=1, classes=1)
    torch.nn.init.ones_(model.head.weight)
    torch.nn.init.zeros_(model.head.bias)

    got = model(torch.tensor([[[3.0], [6.0], [99.0]]]), torch.tensor([2]))

    assert_same(got.detach(), torch.tensor([[5.0]]))
