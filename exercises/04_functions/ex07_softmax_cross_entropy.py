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
        result      0-dim               dtype and device of logits, in memory of its own

    The loss of one row is minus the log of the softmax probability of its target class; the result is the
    mean over the rows.

    backward gets:
        grad        0-dim, the gradient that arrives at the result, with its dtype and device; any number,
                    not only 1. Other code uses it too: never write into it.

    backward returns two things: the gradient of logits, (batch, classes) with their dtype and device, which
    is (probability - 1 at the target class, 0 elsewhere) times grad / batch; then None for target. The
    grader calls `result.grad_fn.apply(grad)` and looks at exactly what you returned, not at logits.grad.

    Edge cases:
        * Logits of 1000 and -1000 give neither inf nor nan, in the result or the gradient, also next to
          each other in one row or in different rows, and also if the target is the unlikely class (the loss
          is then about 2000). A shift of each row by its own maximum helps, and so does not taking the log
          of a probability that became 0.
        * logits may be transposed or expanded and are never changed. Nor is target.
        * backward may be called twice (retain_graph=True) and gives the same answer again.
        * Second derivatives (create_graph=True) are right or refused: backward may be marked with
          torch.autograd.function.once_differentiable, which makes PyTorch raise RuntimeError. They are
          never silently wrong. PyTorch follows saved inputs and outputs, but takes any other saved tensor,
          such as the probabilities, for a constant.
        * Somebody may edit logits or target in place between forward and backward. Then backward either
          raises RuntimeError or still returns the right gradient; it is never silently wrong.
          ctx.save_for_backward gives you this; `ctx.target = target` does not.

    You may write forward(ctx, logits, target), as below, or forward(logits, target) together with
    setup_context(ctx, inputs, output).

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
        `p[rows, target] -= 1` on a saved tensor changes it for the next call of backward.

    Not allowed: torch.softmax, log_softmax, logsumexp (logcumsumexp too), logaddexp, nll_loss and
    cross_entropy in any spelling, which are the answer, and autograd inside forward and backward (torch.enable_grad,
    torch.autograd.grad, Tensor.backward, torch.func), since then PyTorch writes the rule that you are here
    to write. exp, log, sum, amax, gather are fine.
    """

    @staticmethod
    def forward(ctx, logits: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("04_functions/ex07_softmax_cross_entropy: write SoftmaxCrossEntropy.forward()")

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, None]:
        raise NotImplementedError("04_functions/ex07_softmax_cross_entropy: write SoftmaxCrossEntropy.backward()")
