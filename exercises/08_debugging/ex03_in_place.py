"""Debugging 3 of 10: in-place changes that backward trips over.

Difficulty 4 of 5, about 12 minutes. Fast track.

Symptom. `torchdojo symptom ex03_in_place` runs both programs. The first forward pass is right, but

    scores = torch.tensor([[0.0, 0.0, 1.0]], requires_grad=True)
    shares = sigmoid_shares(scores)
    shares[0, 2].backward()

stops with

    RuntimeError: one of the variables needed for gradient computation has been modified by an inplace
    operation: [torch.FloatTensor [1, 3]], which is output 0 of Sigmoid, is at version 1; expected version 0 ...

The second function once raised a similar error, until someone wrote `.data`. Now

    x = torch.tensor([-2.0, 3.0], requires_grad=True)
    gate = torch.tensor([0.5, 0.5], requires_grad=True)
    print("before", x.tolist())
    gated_block(x, gate).sum().backward()
    print("after ", x.tolist())
    print("x.grad   ", x.grad.tolist(), "expected [0.5, 1.5]")
    print("gate.grad", gate.grad.tolist(), "expected [-2.0, 3.0]")

prints

    before [-2.0, 3.0]
    after  [0.0, 3.0]
    x.grad    [1.5, 1.5] expected [0.5, 1.5]
    gate.grad [0.0, 3.0] expected [-2.0, 3.0]

Repair the code below; change as little as you can.
"""

import torch

REPAIRED = False  # set to True when you have repaired the code below


def sigmoid_shares(scores: torch.Tensor) -> torch.Tensor:
    """Return the sigmoid of each score divided by the sum of the sigmoids of its row.

    Shapes:
        scores  (..., classes)  floating point, between -20 and 20; at least one class
        result  (..., classes)  dtype and device of scores; each row sums to 1

    The gradient is that of the whole formula, the sum included. scores is not changed, and the result shares no
    memory with it.

    Example:
        >>> sigmoid_shares(torch.tensor([0.0, 0.0]))
        tensor([0.5000, 0.5000])

    Pitfall:
        `.data` hides the change from autograd. The error goes away and the gradient becomes wrong.

    For full marks:
        * Under torch.no_grad() the same values come out, and scores is not changed there either.
    """
    parts = torch.sigmoid(scores)
    parts /= parts.sum(dim=-1, keepdim=True)
    return parts


def gated_block(x: torch.Tensor, gate: torch.Tensor) -> torch.Tensor:
    """Return x times gate plus the positive part of x.

    Shapes:
        x       any shape, floating point
        gate    the shape, dtype and device of x
        result  the shape, dtype and device of x

    The gradient with respect to x is gate, plus 1 where x > 0; the gradient with respect to gate is
    x. Both are multiplied by the upstream gradient. x and gate may be leaves or results of other
    operations, and one of them may not require grad. Neither is changed, and the result shares no
    memory with them.

    Example:
        >>> gated_block(torch.tensor([-2.0, 3.0]), torch.tensor([0.5, 0.5]))
        tensor([-1.0000,  4.5000])

    For full marks:
        * Where x is 0, the gradient with respect to x is gate alone.
        * Under torch.no_grad() the same values come out, and x is not changed there either.
    """
    gated = x * gate
    x.data.relu_()
    return gated + x
