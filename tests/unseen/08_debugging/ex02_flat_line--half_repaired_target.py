"""Half repaired: target is reshaped to whatever prediction has, so (1, samples) or 0-dim targets pass silently, and a wrong number of samples is reshape's RuntimeError instead of ValueError."""
import torch

REPAIRED = True


def residuals(prediction: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Return prediction minus target, one row for each sample.

    Shapes:
        prediction  (samples, 1)               floating point
        target      (samples,) or (samples, 1) dtype and device of prediction
        result      (samples, 1)               dtype and device of prediction

    Gradients flow to prediction and to target. There may be any number of samples, one too.

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
    return prediction - target.reshape(prediction.shape)


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
