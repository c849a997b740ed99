"""Functions 7 of 9: softmax and cross-entropy in one step, stable in both directions.

Difficulty 4 of 5, about 15 minutes.
"""

import torch


class SoftmaxCrossEntropy(torch.autograd.Function):
    """Return the mean cross-entropy between softmax(logits) and the target classes, with its gradient.

    Call:
        SoftmaxCrossEntropy.apply(logits, target)
        logits      (batch, classes)    float32 or float64, finite; batch and classes at least 1
        target      (batch,)            int64, each from 0 to classes - 1, on the device of logits
        result      0-dim               dtype and device of logits

    The loss of one row is minus the log of the softmax probability of its target class; the result is the
    mean over the rows. Logits of 1000 and -1000 give neither inf nor nan: subtract from each row its own
    maximum, and never take the log of a probability that became 0.

    backward gets grad, 0-dim, and returns two values: the gradient of logits, which is (probability - 1 at
    the target class, probability elsewhere) times grad / batch; then None for target.

    forward(logits, target) with setup_context is fine too.

    Example:
        >>> logits = torch.tensor([[0.0, 0.0], [0.0, 0.0]], requires_grad=True)
        >>> loss = SoftmaxCrossEntropy.apply(logits, torch.tensor([0, 1]))
        >>> loss.detach()
        tensor(0.6931)
        >>> loss.backward()
        >>> logits.grad
        tensor([[-0.2500,  0.2500],
                [ 0.2500, -0.2500]])

    Pitfall:
        The mean divides by the number of rows, so the gradient of each row has the factor 1 / batch.

    Not allowed: torch.softmax, log_softmax, logsumexp (logcumsumexp too), logaddexp, nll_loss and
    cross_entropy in any spelling (or another ready-made loss), and autograd inside forward and backward
    (torch.enable_grad, torch.autograd.grad, Tensor.backward, torch.func) (then this exercise is not done):
    write the rule yourself.

    For full marks:
        * logits may be transposed or expanded. Logits, target and grad are never changed.
        * backward may be called twice (retain_graph=True) and gives the same answer again. `p[rows, target] -= 1`
          on a saved tensor changes it for the next call.
        * Second derivatives (create_graph=True) are right or refused
          (torch.autograd.function.once_differentiable), never silently wrong. PyTorch follows saved
          inputs and outputs, but treats any other saved tensor, such as the probabilities, as a
          constant.
        * After an in-place edit of logits or target, backward raises RuntimeError or is still right.
          ctx.save_for_backward gives you this; `ctx.target = target` does not.
    """

    @staticmethod
    def forward(ctx, logits: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("04_functions/ex07_softmax_cross_entropy: write SoftmaxCrossEntropy.forward()")

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, None]:
        raise NotImplementedError("04_functions/ex07_softmax_cross_entropy: write SoftmaxCrossEntropy.backward()")
