"""Debugging 2 of 10: a regression that learns a flat line.

Difficulty 2 of 5, about 10 minutes. Fast track.

Symptom. The data lie exactly on the line 3 x + 2. `torchdojo symptom ex02_flat_line` runs this program

    x = torch.tensor([[-1.0], [0.0], [1.0], [2.0]])
    y = (3 * x + 2).reshape(-1)
    slope, intercept, history = learn_line(x, y, lr=0.2, steps=200)
    print(f"slope {slope:.4f}, intercept {intercept:.4f}, loss {history[-1]:.4f}")
    print(f"mean of y {y.mean().item():.4f}")

and prints

    slope 0.0000, intercept 3.5000, loss 11.2500
    mean of y 3.5000

There is no error and no warning. Repair the code below; change as little as you can.
"""

import torch

REPAIRED = False  # set to True when you have repaired the code below


def residuals(prediction: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Return prediction minus target, one row for each sample.

    Shapes:
        prediction  (samples, 1)               floating point
        target      (samples,) or (samples, 1) dtype and device of prediction
        result      (samples, 1)               dtype and device of prediction

    Gradients flow to prediction and to target. There may be any number of samples, even one.

    Example:
        >>> residuals(torch.tensor([[1.0], [2.0]]), torch.tensor([0.0, 5.0]))
        tensor([[ 1.],
                [-3.]])

    Pitfall:
        squeeze() without an argument drops every axis of size 1, so the shape of the result depends on how
        many samples there are.

    For full marks:
        * A target of any other shape raises ValueError: 0-dim, another number of samples, (1, samples),
          (samples, 2), three axes. So no shape can broadcast silently.
    """
    return prediction - target


def learn_line(x: torch.Tensor, y: torch.Tensor, lr: float = 0.1, steps: int = 100) -> tuple[float, float, list[float]]:
    """Fit a line to the points by gradient descent and return slope, intercept and the losses.

    Shapes:
        x       (samples, 1)               floating point, at least one sample
        y       (samples,) or (samples, 1) dtype and device of x
        result  (slope, intercept, history): two Python floats and a list of `steps` Python floats

    Slope and intercept start at 0, in the dtype and on the device of x. The loss is the mean of the squared
    residuals over the samples. history holds the loss before each update. Each update subtracts lr times the
    gradient. Both shapes of y give the same answer. steps may be 0.

    Example:
        >>> learn_line(torch.tensor([[1.0]]), torch.tensor([2.0]), lr=0.25, steps=2)
        (1.0, 1.0, [4.0, 0.0])

    For full marks:
        * y of any other shape raises ValueError if steps is at least 1.
    """
    weight = torch.zeros(1, 1, dtype=x.dtype, device=x.device, requires_grad=True)
    bias = torch.zeros(1, dtype=x.dtype, device=x.device, requires_grad=True)
    history = []
    for _ in range(steps):
        loss = residuals(x @ weight + bias, y).square().mean()
        grad_weight, grad_bias = torch.autograd.grad(loss, (weight, bias))
        with torch.no_grad():
            weight -= lr * grad_weight
            bias -= lr * grad_bias
        history.append(loss.item())
    return weight.item(), bias.item(), history
