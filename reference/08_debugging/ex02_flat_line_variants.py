"""Known mistakes and unusual but correct solutions for residuals and learn_line."""

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


broadcasts = mistake.edited("if target.shape not in (prediction.shape, prediction.shape[:1]):", "if False:",
    "The result is (N, N), every prediction minus every target: give the target the shape of the prediction before you "
    "subtract.",
    also=[("prediction - target.reshape(prediction.shape)", "prediction - target")])

flattens_the_prediction_only = mistake.edited(
    "prediction - target.reshape(prediction.shape)", "prediction.reshape(-1) - target",
    "Only the prediction was flattened, so a target of shape (N, 1) broadcasts to N x N now: bring both to the shape (N, 1).")

squeezes_everything = mistake.edited("prediction - target.reshape(prediction.shape)", "prediction.squeeze() - target.squeeze()",
    "squeeze() drops every axis of size 1: the result is (N,), and for one sample 0-dim. Keep the shape (N, 1).",
    pitfall="squeeze() without an argument")

always_adds_an_axis = mistake.edited("target.reshape(prediction.shape)", "target.unsqueeze(-1)",
    "A target that is a column already, (N, 1), is broadcast to all pairs of samples, as after unsqueeze(-1): reshape it to the "
    "prediction's shape instead.")

checks_and_broadcasts_all_the_same = mistake.edited("target.reshape(prediction.shape)", "target",
    "The result is (N, N), every prediction minus every target: give the target the shape of the prediction before you "
    "subtract.")

takes_any_layout = mistake.edited(
    "target.shape not in (prediction.shape, prediction.shape[:1])", "target.numel() != prediction.numel()",
    "Any target with the right number of values is accepted, (1, N) too: compare the shape with (N,) and (N, 1) and raise "
    "ValueError for the rest.")

lets_one_sample_meet_many = mistake.edited("if target.shape not in", "if len(prediction) > 1 and target.shape not in",
    "One prediction accepts a target of any length, because a single row broadcasts: check the shape for one sample, too.",
    also=[("target.reshape(prediction.shape)", "target.reshape(-1, 1)")])

leaves_the_error_to_reshape = mistake.edited("if target.shape not in (prediction.shape, prediction.shape[:1]):", "if False:",
    "A target of the wrong size raises RuntimeError or passes: check the shape yourself and raise ValueError.")

refuses_flat_targets = mistake.edited(
    "target.shape not in (prediction.shape, prediction.shape[:1])", "target.shape != prediction.shape",
    "A target of shape (N,) is allowed: reshape it to a column instead of rejecting it.")

averages_over_the_square = mistake.edited(
    "prediction - target.reshape(prediction.shape)", "(prediction - target.reshape(1, -1)).mean(dim=1, keepdim=True)",
    "The N x N table of differences was averaged over one axis, so each prediction meets the mean of all targets: pair each "
    "prediction with its own target.")

cuts_the_gradient = mistake.edited("target.reshape(", "target.detach().reshape(",
    "target gets no gradient: reshape it without detach(), .data, tolist() or a new tensor.")

sums_the_squares = mistake.edited("square().mean()", "square().sum()",
    "The squares were summed, so the steps grow with the number of samples: the loss is the mean.")


@mistake("learn_line")
def repairs_the_end_only(x, y, lr=0.1, steps=100):
    """Slope and intercept were computed with a formula: the answer is the result of `steps` steps of gradient descent from 0, with the loss before each step."""
    points = torch.cat([x, torch.ones_like(x)], dim=1)
    zero = residuals(torch.zeros_like(x), y)
    slope, intercept = (torch.linalg.pinv(points) @ -zero).reshape(-1).tolist()
    loss = residuals(slope * x + intercept, y).square().mean().item()
    return slope, intercept, [loss] * steps


target_minus_prediction = mistake.edited(
    "prediction - target.reshape(prediction.shape)", "target.reshape(prediction.shape) - prediction",
    "The sign is wrong: it is prediction minus target. The square in learn_line hides this.")

looks_at_the_number_of_rows = mistake.edited(
    "target.shape not in (prediction.shape, prediction.shape[:1])", "target.ndim not in (1, 2) or len(target) != len(prediction)",
    "You compare only the number of rows, so a target of shape (N, 2) broadcasts silently: compare the whole shape.",
    also=[("target.reshape(prediction.shape)", "(target.unsqueeze(1) if target.ndim == 1 else target)")])

makes_any_y_fit = mistake.edited("residuals(x @ weight + bias, y)", "residuals(x @ weight + bias, y.reshape(-1, 1))",
    "learn_line reshapes y before residuals can check it, so a y of the wrong shape is fitted silently: pass y on unchanged.")

works_in_float64_only = mistake.edited("torch.zeros(1, 1, dtype=x.dtype,", "torch.zeros(1, 1, dtype=torch.float64,",
    "Slope and intercept are float64, which doesn't match float32 data: use the dtype of x.",
    also=[("torch.zeros(1, dtype=x.dtype,", "torch.zeros(1, dtype=torch.float64,")])

converts_the_target_to_float32 = mistake.edited("target.reshape(", "target.float().reshape(",
    "For bfloat16 the result is float32, as if the target had been converted with float(): keep the dtype of prediction.")

lets_no_sample_meet_one = mistake.edited("if target.shape not in", "if len(prediction) > 0 and target.shape not in",
    "With no predictions and one target, the target is lost silently: check the shape for zero samples, too.",
    also=[("target.reshape(prediction.shape)", "target.reshape(-1, 1)[: len(prediction)]")])


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


flattens_both_and_adds_the_axis_at_the_end = alternative.edited("target.shape not in (prediction.shape, prediction.shape[:1])",
    "target.dim() not in (1, 2) or not target.numel() == len(target) == len(prediction)",
    "Subtracts flat vectors, then makes a column.",
    also=[("prediction - target.reshape(prediction.shape)", "torch.sub(prediction.flatten(), target.flatten())[:, None]")])

adds_an_axis_when_one_is_missing = alternative.edited("if target.shape not in (prediction.shape, prediction.shape[:1]):",
    """
    if target.ndim == 1:
        target = target.unsqueeze(1)
    if target.shape != prediction.shape:
    """,
    "Unsqueezes flat targets only.",
    also=[("target.reshape(prediction.shape)", "target")])


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

repairs_the_call_only = mistake.edited("if target.shape not in (prediction.shape, prediction.shape[:1]):", "if False:",
    "residuals itself still gives (N, N) for a flat target, whatever learn_line does with y or with the prediction: repair residuals.",
    also=[
        ("prediction - target.reshape(prediction.shape)", "prediction - target"),
        ("residuals(x @ weight + bias, y)", "residuals(x @ weight + bias, y.reshape(-1, 1))"),
    ])

makes_a_row_of_the_target = mistake.edited("target.reshape(prediction.shape)", "target.reshape(1, -1)",
    "The result is (N, N), every prediction minus every target: give the target the shape of the prediction before you subtract.")

raises_an_assertion = mistake.edited("raise ValueError(", "raise AssertionError(",
    "A wrong shape raises AssertionError: write `if ...: raise ValueError(...)`.")

transposes_the_result = mistake.edited("prediction - target.reshape(prediction.shape)", "(prediction - target.reshape(prediction.shape)).T",
    "The result is a row, (1, N): it has one row for each sample, (N, 1).")

returns_a_flat_result = mistake.edited("prediction - target.reshape(prediction.shape)", "prediction.squeeze(1) - target.reshape(-1)",
    "The result is flat, (N,): keep one row for each sample, (N, 1).")
