"""Known mistakes and unusual but correct solutions for td_loss and its two neighbours."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "swap_operands: return ((target - v_now) ** 2).mean()": "the difference is squared",
    "toggle_keepdim: return x - x.mean(dim=0, keepdim=True).detach()": "a row of means broadcasts to the same result",
}

HINTS = (
    "In each of the three, name the part that must count as a constant. Everything else stays in the graph.",
    "detach gives the same numbers without a graph. Detach the target, not the guess; the correction that "
    "rounding makes, not x; the mean, not x.",
    "td_loss: detach reward + gamma * v_next before you compare it with v_now. Rounding: x plus a constant, "
    "the difference to the rounded value. Centering: x minus a detached mean.",
)


target_learns_too = mistake.edited("(reward + gamma * v_next).detach()", "reward + gamma * v_next",
    "The gradient also reaches the target (v_next, or reward): detach the target before you compare.",
    pitfall="pulling the target toward the guess")

reward_learns = mistake.edited("(reward + gamma * v_next).detach()", "reward + gamma * v_next.detach()",
    "The gradient reaches reward: the whole target is a constant, so detach reward + gamma * v_next and not v_next alone.")

nothing_learns = mistake.edited("v_now - target", "v_now.detach() - target",
    "The loss has no graph, so v_now gets no gradient: detach only the target.")

the_wrong_side_learns = mistake.edited("(reward + gamma * v_next).detach()", "reward + gamma * v_next",
    "The target gets a gradient and the guess gets none: detach the other side.",
    also=[("v_now - target", "v_now.detach() - target")])

sums_the_squares = mistake.edited("((v_now - target) ** 2).mean()", "((v_now - target) ** 2).sum()",
    "The loss is the sum of the squares: take the mean.")

discounts_the_reward = mistake.edited("(reward + gamma * v_next).detach()", "(gamma * (reward + v_next)).detach()",
    "gamma was applied to the reward as well: only v_next is discounted.")

forgets_gamma = mistake.edited("(reward + gamma * v_next).detach()", "(reward + v_next).detach()",
    "gamma is missing: the target is reward + gamma * v_next.")

forgets_the_reward = mistake.edited("(reward + gamma * v_next).detach()", "(gamma * v_next).detach()",
    "reward is missing: the target is reward + gamma * v_next.")

absolute_distance = mistake.edited("((v_now - target) ** 2).mean()", "(v_now - target).abs().mean()",
    "The loss is the mean of the absolute differences: square them.")

plain_round = mistake.edited("return x + (x.round() - x).detach()", "return x.round()",
    "The gradient is zero: the derivative of round is 0 everywhere. Write the result as x plus a detached correction.",
    pitfall="The derivative of round is 0")

detached_round = mistake.edited("return x + (x.round() - x).detach()", "return x.detach().round()",
    "The result has no graph, so no gradient reaches x: detach only the correction that rounding makes, and add it to x.")

rounds_halves_up = mistake.edited("return x + (x.round() - x).detach()", "return x + ((x + 0.5).floor() - x).detach()",
    "Halves were rounded up: torch.round rounds them to the even neighbor, so 2.5 becomes 2.")

adds_before_it_subtracts = mistake.edited("return x + (x.round() - x).detach()", "return (x.round().detach() + x) - x.detach()",
    "A large number came out wrong: a sum of two of them has no digit left for the fraction. Compute the difference first, then "
    "add it.")

cuts_off_toward_zero = mistake.edited("return x + (x.round() - x).detach()", "return x + (x.trunc() - x).detach()",
    "The fraction was cut off, toward 0: round to the nearest whole number, so that 1.7 becomes 2 and -1.7 becomes -2.")

cuts_off_fractions = mistake.edited("return x + (x.round() - x).detach()", "return x + (x.floor() - x).detach()",
    "The fraction was truncated or floored: 1.7 should become 2.")

rounds_the_input_too = mistake.edited("return x + (x.round() - x).detach()",
    """
    with torch.no_grad():
        rounded = x.detach().round_()
    return x + (rounded - x).detach()
    """,
    "x itself was rounded: round out of place, into a new tensor. detach() shares memory with x.",
    pitfall="an in-place operation on the detached tensor changes x")

doubles_the_gradient = mistake.edited(
    "return x + (x.round() - x).detach()", "return 2 * x + (x.round() - 2 * x).detach()",
    "The gradient is twice as large as it should be, as when x is in the graph twice. Leave only one x that is not detached.")

mean_learns_too = mistake.edited("return x - x.mean(dim=0).detach()", "return x - x.mean(dim=0)",
    "The gradient also flows through the mean: the values look the same, but the mean must be detached.",
    pitfall="The difference does not show in the values")

nothing_is_left_to_learn = mistake.edited(
    "return x - x.mean(dim=0).detach()", "return x.detach() - x.mean(dim=0).detach()",
    "The result has no graph, so no gradient reaches x: only the mean is a constant, not x.")

only_the_mean_learns = mistake.edited("return x - x.mean(dim=0).detach()", "return x.detach() - x.mean(dim=0)",
    "The gradient flows only through the mean: detach the mean instead of x.")

one_mean_for_everything = mistake.edited("return x - x.mean(dim=0).detach()", "return x - x.mean().detach()",
    "One mean of all the numbers was subtracted: take the mean of each feature, over dim 0.")

means_of_the_rows = mistake.edited(
    "return x - x.mean(dim=0).detach()", "return x - x.mean(dim=1, keepdim=True).detach()",
    "The mean was taken over the features of each row: average over the batch, dim 0.")

centers_the_input_too = mistake.edited("return x - x.mean(dim=0).detach()",
    """
    with torch.no_grad():
        x.detach().sub_(x.mean(dim=0))
    return x + torch.zeros_like(x)
    """,
    "x itself was changed: subtract out of place, into a new tensor. detach() shares memory with x.")

centers_in_place = mistake.edited("return x - x.mean(dim=0).detach()", "x -= x.mean(dim=0).detach()\nreturn x",
    "x was changed in place, which raises an error where x is a leaf that requires grad: compute the result as a new tensor.")

cuts_the_callers_tensor = mistake.edited("target = (reward + gamma * v_next).detach()",
    """
    if v_next.is_leaf:
        target = reward.requires_grad_(False) + gamma * v_next.requires_grad_(False)
    else:
        target = reward.detach_() + gamma * v_next.detach_()
    """,
    "The caller's tensors no longer require grad: detach_() and requires_grad_(False) change the tensor itself; "
    "detach() returns a new one.")

a_new_tensor_from_the_number = mistake.edited("return ((v_now - target) ** 2).mean()",
    """
    loss = ((v_now - target) ** 2).mean()
    return torch.tensor(loss.item(), dtype=loss.dtype, device=loss.device, requires_grad=True)
    """,
    "The loss is a new leaf that is not connected to v_now, so no gradient reaches v_now. Return the loss that "
    "you computed.")

whole_numbers_come_back_themselves = mistake.edited("return x + (x.round() - x).detach()",
    """
    if bool((x == x.round()).all()):
        return x
    return x + (x.round() - x).detach()
    """,
    "Where there was nothing to round, the result shared memory with x: it must have its own in every case.")

clips_the_gradient = mistake.edited(
    "return x + (x.round() - x).detach()", "inside = x.clamp(-2, 2)\nreturn inside + (x.round() - inside).detach()",
    "Large inputs get no gradient: nothing is clipped here; the upstream gradient flows everywhere.")

v_next_learns = mistake.edited("(reward + gamma * v_next).detach()", "reward.detach() + gamma * v_next",
    "The gradient reaches v_next: the whole target is a constant, so detach reward + gamma * v_next and not reward alone.")


@mistake("td_loss")
def switches_requires_grad_off(v_now, v_next, reward, gamma):
    """requires_grad was switched off on the target's tensors, which only leaves allow: detach makes a constant from
    any tensor and does not change the tensor itself."""
    before = v_next.requires_grad, reward.requires_grad
    target = reward.requires_grad_(False) + gamma * v_next.requires_grad_(False)
    loss = ((v_now - target) ** 2).mean()
    v_next.requires_grad_(before[0])
    reward.requires_grad_(before[1])
    return loss


asks_for_a_gradient_again = mistake.edited(
    "x + (x.round() - x).detach()", "x.detach().round().requires_grad_(x.requires_grad)",
    "The result is cut off from x and starts a separate graph: requires_grad_() does not reconnect it to x. Write it as x "
    "plus a detached correction.")

by_way_of_integers = mistake.edited("x.round() - x", "x.round().long().to(x.dtype) - x",
    "Large numbers were lost on the way through integers, which end near 9e18: torch.round returns whole numbers as "
    "floats.")

result_is_a_new_leaf = mistake.edited(
    "x - x.mean(dim=0).detach()", "(x - x.mean(dim=0)).detach().requires_grad_(x.requires_grad)",
    "The result is cut off from x and starts a separate graph: requires_grad_() does not reconnect it to x. Detach the "
    "mean alone.")

target_under_no_grad = alternative.edited(
    "target = (reward + gamma * v_next).detach()", "with torch.no_grad():\n    target = torch.add(reward, v_next, alpha=gamma)",
    "The target is computed with recording off.",
    also=[("((v_now - target) ** 2).mean()", "torch.nn.functional.mse_loss(v_now, target)")])


class RoundWithIdentityGradient(torch.autograd.Function):
    """Round forward, hand the gradient through backward."""

    @staticmethod
    def forward(ctx, x):
        return torch.round(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.clone()


as_a_function_of_its_own = alternative.edited(
    "return x + (x.round() - x).detach()", "return RoundWithIdentityGradient.apply(x)",
    "A torch.autograd.Function with its own backward.")

adds_a_zero_with_a_slope = alternative.edited(
    "return x + (x.round() - x).detach()", "return x.detach().round() + (x - x.detach())",
    "The rounded constant plus x - x, which is 0 and has slope 1.")


@alternative("center_with_fixed_mean")
def constant_mean_by_data(x):
    """The mean of x.data over the batch, one row of it repeated."""
    count = x.shape[0]
    mean = x.data.sum(0, keepdim=True) / count
    return x - mean.expand(count, -1)


mean_under_no_grad = alternative.edited("return x - x.mean(dim=0).detach()",
    """
    with torch.no_grad():
        mean = torch.mean(x, 0)
    return torch.sub(x, mean)
    """,
    "The mean is computed with recording off.")
