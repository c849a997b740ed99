"""Visible tests for graph_ops: pytest exercises/03_autograd -k graph_ops"""

import torch

from bonus1_graph_ops import graph_ops
from torchdojo import assert_same


def test_chain_is_listed_backwards():
    """The last operation comes first, the leaf comes last."""
    x = torch.tensor(2.0, requires_grad=True)

    got = graph_ops((3 * x).exp())

    assert_same(got, ["ExpBackward0", "MulBackward0", "AccumulateGrad"])


def test_shared_node_waits_for_all_its_users():
    """exp feeds both factors, so it comes after sin, and once."""
    x = torch.tensor(2.0, requires_grad=True)
    y = x.exp()

    got = graph_ops(y * y.sin())

    assert_same(got, ["MulBackward0", "SinBackward0", "ExpBackward0", "AccumulateGrad"])


def test_leaf_has_no_operations():
    """Nothing made a leaf."""
    assert_same(graph_ops(torch.tensor(2.0, requires_grad=True)), [])
