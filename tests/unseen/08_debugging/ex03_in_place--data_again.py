"""parts.data hides the division from autograd; the second function writes into a clone, but gates the clone."""
import torch

REPAIRED = True


def sigmoid_shares(scores):
    parts = torch.sigmoid(scores)
    parts.data /= parts.data.sum(dim=-1, keepdim=True)
    return parts


def gated_block(x, gate):
    x = x.clone()
    x.relu_()
    return x * gate + x
