"""The shares are the softmax of the log sigmoids; the block is one addcmul."""
import torch
from torch.nn import functional as F

REPAIRED = True


def sigmoid_shares(scores):
    return F.logsigmoid(scores).softmax(dim=-1)


def gated_block(x, gate):
    return torch.addcmul(x.relu(), x, gate)
