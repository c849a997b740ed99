"""Known mistakes and odd-but-correct solutions for residuals and learn_line."""

import torch
from ex02_flat_line import residuals

from torchdojo.variants import alternative, mistake

HINTS = (
    "Print the shape of prediction, of target and of their difference, for three samples.",
    "(N, 1) minus (N,) is (N, N): every prediction meets every target. The line that is best for all of them "
    "at once is flat, at the mean of y.",
    "First compare target.shape with the two shapes that are allowed and raise ValueError for the rest. Then "
    "give the target the shape of the prediction and subtract.",
)

EQUIVALENT = {
    "swap_view-L12-1": "a flat target has a view as a column, whatever its stride is",
    "in_place-L21-1": "the residuals are a tensor of our own, and square_ keeps what its backward needs",
    "add_transpose-L21-2": "the weight is 1 by 1",
    "swap_statements-L24-1": "both gradients are there before the first of the two updates",
}


def fits(prediction, target):
    """Whether the target has one of the two shapes that are allowed."""
    return tuple(target.shape) in ((len(prediction),), (len(prediction), 1))


@mistake("residuals")
def broadcasts(prediction, target):
    """residuals lets (N,) broadcast against (N, 1): the result is (N, N). Give the target the shape of the prediction before you
    subtract."""
    return prediction - target


@mistake("residuals")
def flattens_the_prediction_only(prediction, target):
    """Only the prediction was flattened, so a target of shape (N, 1) broadcasts to N x N now: bring both to
    the shape (N, 1)."""
    if not fits(prediction, target):
        raise ValueError("shapes do not fit")
    return prediction.reshape(-1) - target


@mistake("residuals")
def squeezes_everything(prediction, target):
    """squeeze() drops every axis of size 1: the result is (N,), and for one sample 0-dim. Keep the shape (N,
    1)."""
    if not fits(prediction, target):
        raise ValueError("shapes do not fit")
    return prediction.squeeze() - target.squeeze()


@mistake("residuals")
def always_adds_an_axis(prediction, target):
    """The target gets a new axis even when it is a column already, and (N, 1) becomes (N, 1, 1): reshape it
    to the prediction's shape instead."""
    if not fits(prediction, target):
        raise ValueError("shapes do not fit")
    return prediction - target.unsqueeze(-1)


@mistake("residuals")
def checks_and_broadcasts_all_the_same(prediction, target):
    """residuals lets (N,) broadcast against (N, 1): the result is (N, N). Give the target the shape of the prediction before you
    subtract."""
    if not fits(prediction, target):
        raise ValueError("shapes do not fit")
    return prediction - target


@mistake("residuals")
def takes_any_layout(prediction, target):
    """Any target with the right number of values is accepted, (1, N) too: compare the shape with (N,) and (N,
    1) and raise ValueError for the rest."""
    if target.numel() != prediction.numel():
        raise ValueError("shapes do not fit")
    return prediction - target.reshape(prediction.shape)


@mistake("residuals")
def lets_one_sample_meet_many(prediction, target):
    """One prediction accepts a target of any length, because a single row broadcasts: check the shape for one
    sample, too."""
    if len(prediction) > 1 and not fits(prediction, target):
        raise ValueError("shapes do not fit")
    return prediction - target.reshape(-1, 1)


@mistake("residuals")
def leaves_the_error_to_reshape(prediction, target):
    """A target of the wrong size raises RuntimeError or passes: check the shape yourself and raise
    ValueError."""
    return prediction - target.reshape(prediction.shape)


@mistake("residuals")
def refuses_flat_targets(prediction, target):
    """A target of shape (N,) is allowed: reshape it to a column instead of refusing it."""
    if prediction.shape != target.shape:
        raise ValueError("shapes do not fit")
    return prediction - target


@mistake("residuals")
def averages_over_the_square(prediction, target):
    """The N x N table of differences was averaged over one axis, so each prediction meets the mean of all
    targets:
    pair each prediction with its own target."""
    if not fits(prediction, target):
        raise ValueError("shapes do not fit")
    return (prediction - target.reshape(1, -1)).mean(dim=1, keepdim=True)


@mistake("residuals")
def cuts_the_gradient(prediction, target):
    """The result has no graph: convert shapes with reshape, not with .data, tolist() or a new tensor."""
    if not fits(prediction, target):
        raise ValueError("shapes do not fit")
    return prediction - target.detach().reshape(-1, 1)


@mistake("learn_line")
def sums_the_squares(x, y, lr=0.1, steps=100):
    """The squares were summed, so the steps grow with the number of samples: the loss is the mean."""
    weight = torch.zeros(1, 1, dtype=x.dtype, device=x.device, requires_grad=True)
    bias = torch.zeros(1, dtype=x.dtype, device=x.device, requires_grad=True)
    history = []
    for _ in range(steps):
        loss = residuals(x @ weight + bias, y).square().sum()
        grad_weight, grad_bias = torch.autograd.grad(loss, (weight, bias))
        with torch.no_grad():
            weight -= lr * grad_weight
            bias -= lr * grad_bias
        history.append(loss.item())
    return weight.item(), bias.item(), history


@mistake("learn_line")
def repairs_the_end_only(x, y, lr=0.1, steps=100):
    """Slope and intercept were computed by a formula: the answer is where `steps` steps of gradient descent
    from 0 arrive, with the loss before each step."""
    points = torch.cat([x, torch.ones_like(x)], dim=1)
    zero = residuals(torch.zeros_like(x), y)
    slope, intercept = (torch.linalg.pinv(points) @ -zero).reshape(-1).tolist()
    loss = residuals(slope * x + intercept, y).square().mean().item()
    return slope, intercept, [loss] * steps


@mistake("residuals")
def target_minus_prediction(prediction, target):
    """The sign is wrong: it is prediction minus target. The square in learn_line hides this."""
    if not fits(prediction, target):
        raise ValueError("shapes do not fit")
    return target.reshape(prediction.shape) - prediction


@mistake("residuals")
def looks_at_the_number_of_rows(prediction, target):
    """You compare only the number of rows, so a target of shape (N, 2) broadcasts silently: compare the whole
    shape."""
    if target.ndim not in (1, 2) or len(target) != len(prediction):
        raise ValueError("shapes do not fit")
    return prediction - (target.unsqueeze(1) if target.ndim == 1 else target)


@mistake("learn_line")
def makes_any_y_fit(x, y, lr=0.1, steps=100):
    """learn_line reshapes y before residuals can check it, so a y of the wrong shape is fitted silently: pass y
    on unchanged."""
    weight = torch.zeros(1, 1, dtype=x.dtype, device=x.device, requires_grad=True)
    bias = torch.zeros(1, dtype=x.dtype, device=x.device, requires_grad=True)
    history = []
    for _ in range(steps):
        loss = residuals(x @ weight + bias, y.reshape(-1, 1)).square().mean()
        grad_weight, grad_bias = torch.autograd.grad(loss, (weight, bias))
        with torch.no_grad():
            weight -= lr * grad_weight
            bias -= lr * grad_bias
        history.append(loss.item())
    return weight.item(), bias.item(), history


@mistake("learn_line")
def works_in_float64_only(x, y, lr=0.1, steps=100):
    """Slope and intercept are float64, which doesn't match float32 data: use the dtype of x."""
    weight = torch.zeros(1, 1, dtype=torch.float64, device=x.device, requires_grad=True)
    bias = torch.zeros(1, dtype=torch.float64, device=x.device, requires_grad=True)
    history = []
    for _ in range(steps):
        loss = residuals(x @ weight + bias, y).square().mean()
        grad_weight, grad_bias = torch.autograd.grad(loss, (weight, bias))
        with torch.no_grad():
            weight -= lr * grad_weight
            bias -= lr * grad_bias
        history.append(loss.item())
    return weight.item(), bias.item(), history


@mistake("residuals")
def converts_the_target_to_float32(prediction, target):
    """The target became float32, and with it the result: it has the dtype of prediction, bfloat16 too."""
    if not fits(prediction, target):
        raise ValueError("shapes do not fit")
    return prediction - target.reshape(-1, 1).float()


@mistake("residuals")
def lets_no_sample_meet_one(prediction, target):
    """With no predictions and one target, the target is lost silently: check the shape for zero samples, too."""
    if len(prediction) > 0 and not fits(prediction, target):
        raise ValueError("shapes do not fit")
    return prediction - target.reshape(-1, 1)[: len(prediction)]


@alternative("learn_line")
def lets_an_optimizer_step(x, y, lr=0.1, steps=100):
    """An nn.Linear that starts at 0, and SGD."""
    line = torch.nn.Linear(1, 1, dtype=x.dtype, device=x.device)
    for parameter in line.parameters():
        torch.nn.init.zeros_(parameter)
    opt = torch.optim.SGD(line.parameters(), lr=lr)
    history = []
    for _ in range(steps):
        opt.zero_grad()
        loss = (residuals(line(x), y) ** 2).mean()
        loss.backward()
        opt.step()
        history.append(loss.item())
    return line.weight.item(), line.bias.item(), history


@alternative("residuals")
def flattens_both_and_adds_the_axis_at_the_end(prediction, target):
    """Subtracts flat vectors, then makes a column."""
    samples = prediction.shape[0]
    if target.dim() not in (1, 2) or target.shape[0] != samples or target.numel() != samples:
        raise ValueError("target must have shape (samples,) or (samples, 1)")
    return torch.sub(prediction.flatten(), target.flatten())[:, None]


@alternative("residuals")
def adds_an_axis_when_one_is_missing(prediction, target):
    """Unsqueezes flat targets only."""
    if target.ndim == 1:
        target = target.unsqueeze(1)
    if target.shape != prediction.shape:
        raise ValueError("target must have shape (samples,) or (samples, 1)")
    return prediction - target


@alternative("learn_line")
def gradients_by_hand(x, y, lr=0.1, steps=100):
    """The two derivatives of the mean of squares, without autograd."""
    slope, intercept = x.new_zeros(()), x.new_zeros(())
    history = []
    for _ in range(steps):
        difference = residuals(slope * x + intercept, y)
        history.append(difference.pow(2).mean().item())
        slope = slope - lr * 2 * (difference * x).mean()
        intercept = intercept - lr * 2 * difference.mean()
    return slope.item(), intercept.item(), history
