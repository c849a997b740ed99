"""Hidden checks for predictions, mean_squared_error and after_one_step."""

import torch

from torchdojo.grading import check, tensor

CONCEPTS = ("H03", "H04", "I09")


class oracle:
    """The formulas in matrix form, and PyTorch's optimizer."""

    def predictions(w, b, X):
        return torch.cat([X, torch.ones_like(X)], dim=1) @ torch.stack([w, b]).unsqueeze(1)

    def mean_squared_error(predicted, y):
        return torch.nn.functional.mse_loss(predicted, y)

    def after_one_step(p, grad, lr):
        moved = p.clone().requires_grad_()
        moved.grad = grad.clone()
        torch.optim.SGD([moved], lr=lr).step()
        return moved.detach()


@check(points=2, w=tensor(""), b=tensor(""), X=tensor("n 1"), minimum=1, tolerance=(1e-5, 1e-5))
def predictions_lie_on_the_line(solution, w, b, X):
    """Each point has its prediction, w * x + b."""
    return solution.predictions(w, b, X)


@check(points=3, predicted=tensor("n 1"), y=tensor("n 1"), minimum=1, tolerance=(1e-5, 1e-5))
def the_error_is_the_mean_of_squares(solution, predicted, y):
    """All squared differences count the same."""
    return solution.mean_squared_error(predicted, y)


@check(points=3, p=tensor("..."), grad=tensor("..."), lr=[0.5, 0.125, 1.0], minimum=1)
def a_step_goes_down(solution, p, grad, lr):
    """The step subtracts lr times the gradient and leaves p unchanged."""
    return solution.after_one_step(p, grad, lr)
