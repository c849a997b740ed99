"""Visible tests for Block: pytest exercises/10_attention -k pre_norm_block"""

import torch
from torch import nn

from ex06_pre_norm_block import Block
from torchdojo import assert_same


def test_the_parts_have_these_names_and_shapes():
    """Two norms, up and down; Identity has no parameters."""
    found = {name: tuple(p.shape) for name, p in Block(3, nn.Identity()).named_parameters() if name.endswith("weight")}

    assert_same(found, {"norm1.weight": (3,), "norm2.weight": (3,), "up.weight": (12, 3), "down.weight": (3, 12)})


def test_branches_that_give_zero_leave_x():
    """norm1 and down give zeros, so both sums add nothing."""
    block = Block(2, nn.Identity()).requires_grad_(False)
    for layer in (block.norm1, block.down):
        layer.weight.zero_()
        layer.bias.zero_()

    assert_same(block(torch.tensor([[[1.0, 3.0]]])), torch.tensor([[[1.0, 3.0]]]))


def test_attention_gets_the_normalized_x():
    """The norm of (1, 3) is (-1, 1), and down gives zeros."""
    block = Block(2, nn.Identity()).requires_grad_(False)
    block.norm1.eps = 0.0
    block.down.weight.zero_()
    block.down.bias.zero_()

    assert_same(block(torch.tensor([[[1.0, 3.0]]])), torch.tensor([[[0.0, 4.0]]]))


def test_the_second_branch_adds_to_the_first_sum():
    """norm1 gives (1, 1), and down gives (10, 10)."""
    block = Block(2, nn.Identity()).requires_grad_(False)
    block.norm1.weight.zero_()
    block.norm1.bias.fill_(1.0)
    block.down.weight.zero_()
    block.down.bias.fill_(10.0)

    assert_same(block(torch.tensor([[[1.0, 3.0]]])), torch.tensor([[[12.0, 14.0]]]))
