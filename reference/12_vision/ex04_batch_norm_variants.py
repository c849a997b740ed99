"""Known mistakes and unusual but correct solutions for ChannelNorm."""

import torch
from torch import nn

from torchdojo.variants import alternative, mistake

HINTS = (
    "Which four numbers does each channel need: two that are learned, and two that are counted? What happens to them in training, and what in evaluation mode?",
    "nn.Parameter is for what is trained, register_buffer for what is saved but not trained. Reduce all axes but the channels. self.training tells the mode. PyTorch "
    "normalizes by the variance with correction=0 and stores the one with correction=1.",
    "In training: take mean and var over the axes 0, 2 and 3, and move each running statistic with lerp_ toward the detached new one, by momentum. Multiply the variance by count / "
    "(count - 1) for that. Otherwise take the running ones. Then one formula for both, with [:, None, None] for everything of shape (channels,).",
)
EQUIVALENT = {
    'swap_statements: self.register_buffer("running_mean", torch.zeros(channels))': 'the order of buffers makes no difference',
    'swap_statements: self.register_buffer("running_var", torch.ones(channels))': 'the order of buffers makes no difference',
    'swap_statements: self.register_buffer("num_batches_tracked", torch.tensor(0))': 'the order of buffers makes no difference',
    'swap_function: self.register_buffer("num_batches_tracked", torch.as_tensor(0))': 'the same for a number',
    'change_sign: count = x.numel() / x.shape[1]': 'the quotient is a whole number',
    'in_place: scale = self.weight / torch.sqrt_(var + self.eps)': 'the sum is a new tensor',
    'drop_copy: share = 1 / self.num_batches_tracked if self.momentum is None else self.momentum': 'a tensor with one number works as well',
}

BATCH = "mean, var = x.mean(dim=(0, 2, 3)), x.var(dim=(0, 2, 3), correction=0)"
UPDATE = "self.update(mean.detach(), var.detach() * count / (count - 1))"
SCALE = "scale = self.weight / torch.sqrt(var + self.eps)"
RESULT = "return (x - mean[:, None, None]) * scale[:, None, None] + self.bias[:, None, None]"
SHARE = "share = 1 / self.num_batches_tracked.item() if self.momentum is None else self.momentum"
MEAN_MOVES, VAR_MOVES = "self.running_mean.lerp_(mean, share)", "self.running_var.lerp_(var, share)"
REFUSED = """
if count == 1:
    raise ValueError("a single number for a channel has no variance")
"""


momentum_of_the_old = mistake.edited(MEAN_MOVES, MEAN_MOVES.replace("share", "1 - share"),
    "momentum was taken for the share of the old average, as in other libraries: in PyTorch it is the share of the new batch.",
    also=[(VAR_MOVES, VAR_MOVES.replace("share", "1 - share"))],
    common=True, about=["the_running_mean_moves", "the_running_variance_moves"],
    pitfall="momentum is the share of the new batch")

stores_the_biased_variance = mistake.edited(UPDATE, "self.update(mean.detach(), var.detach())",
    "The running variance got the variance that normalizes: it gets the one with correction=1, divided by count - 1.",
    common=True, about="the_running_variance_moves")

normalizes_by_the_unbiased = mistake.edited(BATCH, "mean, var = x.mean(dim=(0, 2, 3)), x.var(dim=(0, 2, 3))",
    "The batch was normalized by the variance with correction=1: that one is for the running variance.",
    also=[(UPDATE, "self.update(mean.detach(), var.detach())")],
    common=True, about="a_batch_is_normalized")

over_the_batch_alone = mistake.edited(BATCH, "mean, var = x.mean(dim=0).mean(dim=(1, 2)), x.var(dim=0, correction=0).mean(dim=(1, 2))",
    "Each pixel had its own variance, and you averaged these: take the variance of all pixels of a channel together.",
    about="a_batch_is_normalized")

over_each_image = mistake.edited(BATCH, "mean, var = x.mean(dim=(0, 2, 3)), x.var(dim=(2, 3), correction=0).mean(dim=0)",
    "Each image had its own variance, and you averaged these: take the variance of all pixels of a channel together.",
    common=True, about="a_batch_is_normalized")

the_same_for_all_channels = mistake.edited(BATCH, "mean, var = x.mean().expand(x.shape[1]), x.var(correction=0).expand(x.shape[1])",
    "All channels share one mean and one variance: reduce all axes but axis 1.",
    about="a_batch_is_normalized")

eps_beside_the_root = mistake.edited(SCALE, "scale = self.weight / (torch.sqrt(var) + self.eps)",
    "eps was added to the root: add it to the variance, under the root.",
    common=True, about="a_batch_is_normalized")

by_the_variance = mistake.edited(SCALE, "scale = self.weight / (var + self.eps)",
    "You divided by the variance: divide by its square root.")

weight_has_no_effect = mistake.edited(SCALE, "scale = (0 * self.weight + 1) / torch.sqrt(var + self.eps)",
    "weight has no effect: multiply each normalized channel by it.",
    about="weight_and_bias_are_applied")

bias_has_no_effect = mistake.edited(RESULT, RESULT.replace(" + self.bias", " + 0 * self.bias"),
    "bias has no effect: add it last.",
    about="weight_and_bias_are_applied")

bias_is_scaled = mistake.edited(RESULT, "return (x - mean[:, None, None] + self.bias[:, None, None]) * scale[:, None, None]",
    "The bias was scaled, too: add it after the weight.",
    about="weight_and_bias_are_applied")

along_the_width = mistake.edited(RESULT, "return (x - mean) * scale + self.bias",
    "The statistics of the channels were lined up with the width: give them two more axes at the end.",
    about="a_batch_is_normalized")

the_mean_stays = mistake.edited(MEAN_MOVES, "pass",
    "The running mean never moves: it gets a share of each batch's mean.",
    about="the_running_mean_moves")

the_variance_stays = mistake.edited(VAR_MOVES, "pass",
    "The running variance never moves: it gets a share of each batch's variance.",
    about="the_running_variance_moves")

adds_without_shrinking = mistake.edited(MEAN_MOVES, "self.running_mean += share * mean",
    "The old running statistics keep their full weight: multiply them by 1 - momentum.",
    also=[(VAR_MOVES, "self.running_var += share * var")],
    about=["the_running_mean_moves", "the_running_variance_moves"])

only_the_last_batch = mistake.edited(MEAN_MOVES, "self.running_mean.copy_(mean)",
    "Only the last batch is left in the running statistics: move them by momentum.",
    also=[(VAR_MOVES, "self.running_var.copy_(var)")],
    about=["the_running_mean_moves", "the_running_variance_moves"])

updates_in_evaluation = mistake.edited("mean, var = self.running_mean, self.running_var", """
mean, var = self.running_mean.clone(), self.running_var.clone()
if not self.training:
    self.update(x.detach().mean(dim=(0, 2, 3)), x.detach().var(dim=(0, 2, 3)))
""".strip("\n"),
    "In evaluation mode the running statistics moved: they only move in training.",
    common=True, about="evaluation_changes_nothing")

mode_has_no_effect = mistake.edited("if self.training:", "if True:",
    "In evaluation mode the batch was normalized by its own statistics, so a prediction depends on the other images: use the running ones, and leave them as they are.",
    common=True, about=["evaluation_uses_the_running_statistics", "evaluation_changes_nothing"])

normalizes_by_running_in_training = mistake.edited(BATCH, "var = x.var(dim=(0, 2, 3), correction=0)\nself.update(x.mean(dim=(0, 2, 3)).detach(), var.detach() * count / (count - 1))",
    "In training, the running statistics normalized the batch: use those of the batch itself.",
    also=[("    " + UPDATE, "    mean, var = self.running_mean.clone(), self.running_var.clone()")],
    about="a_batch_is_normalized")

plain_attributes = mistake.edited('self.register_buffer("running_mean", torch.zeros(channels))', "self.running_mean = torch.zeros(channels)",
    "The running statistics are plain tensors: they are neither saved nor moved to another device. Register them as buffers.",
    also=[('self.register_buffer("running_var", torch.ones(channels))', "self.running_var = torch.ones(channels)")],
    common=True, about=["the_state_is_that_of_batch_norm", "evaluation_changes_nothing"])

variance_starts_at_zero = mistake.edited('self.register_buffer("running_var", torch.ones(channels))', 'self.register_buffer("running_var", torch.zeros(channels))',
    "The running variance starts at 0: it starts at 1.",
    common=True, about=["the_state_is_that_of_batch_norm", "the_running_variance_moves"])

not_counted = mistake.edited('self.register_buffer("num_batches_tracked", torch.tensor(0))', "self.num_batches_tracked = torch.tensor(0)",
    "num_batches_tracked isn't in the state: register it as a buffer.",
    about="the_state_is_that_of_batch_norm")

batches_stay_at_zero = mistake.edited("self.num_batches_tracked += 1", "self.num_batches_tracked += 0",
    "num_batches_tracked never grows: add 1 for each batch in training.",
    about="the_state_is_that_of_batch_norm")

random_weights = mistake.edited("self.weight = nn.Parameter(torch.ones(channels))", "self.weight = nn.Parameter(torch.zeros(channels))",
    "weight starts at 0, so every result is 0: it starts at 1.")

a_constant_mean = mistake.edited(UPDATE, UPDATE + "\nmean, var = mean.detach(), var.detach()",
    "A part of the gradient of x is missing, as if the mean and the variance were constants: detach them for the running statistics alone.",
    common=True, about="gradients_pass_the_statistics")

statistics_with_a_graph = mistake.edited(UPDATE, "self.update(mean, var * count / (count - 1))",
    "The running statistics keep the graph of every batch, and memory grows: detach what you store.",
    also=[(MEAN_MOVES, "self.running_mean = self.running_mean.lerp(mean, share)"), (VAR_MOVES, "self.running_var = self.running_var.lerp(var, share)")],
    common=True, about="the_statistics_keep_no_graph")


@mistake("ChannelNorm", about="a_single_number_is_refused", common=True)
class OneNumberIsFine(nn.Module):
    """A single number for a channel was accepted in training, though it has no variance: raise a ValueError."""

    def __init__(self, channels, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.weight, self.bias = nn.Parameter(torch.ones(channels)), nn.Parameter(torch.zeros(channels))
        self.register_buffer("running_mean", torch.zeros(channels))
        self.register_buffer("running_var", torch.ones(channels))
        self.register_buffer("num_batches_tracked", torch.tensor(0))

    def forward(self, x):
        mean, var = self.running_mean, self.running_var
        if self.training:
            mean, var = x.mean((0, 2, 3)), x.var((0, 2, 3), correction=0)
            with torch.no_grad():
                self.num_batches_tracked += 1
                share = 1 / self.num_batches_tracked.item() if self.momentum is None else self.momentum
                self.running_mean += share * (mean - self.running_mean)
                self.running_var += share * (x.var((0, 2, 3)) - self.running_var)
        view = (1, -1, 1, 1)
        return (x - mean.view(view)) / (var.view(view) + self.eps).sqrt() * self.weight.view(view) + self.bias.view(view)


counts_before_it_refuses = mistake.edited(REFUSED.strip("\n"), """
self.num_batches_tracked += 1
if count == 1:
    raise ValueError("a single number for a channel has no variance")
self.num_batches_tracked -= 1
""".strip("\n"),
    "A refused batch was counted: check before you change a buffer.",
    about="a_single_number_is_refused")

refuses_in_evaluation = mistake.edited("if self.training:\n    count = x.numel() // x.shape[1]", "count = x.numel() // x.shape[1]\nif count == 1:\n    raise ValueError\nif self.training:",
    "A single number was refused in evaluation mode, too: there the running statistics normalize it.",
    about="a_single_number_is_refused")

one_tenth_without_momentum = mistake.edited(SHARE, "share = 0.1 if self.momentum is None else self.momentum",
    "momentum=None was replaced by 0.1: it stands for the plain mean over all batches.",
    about="without_momentum_all_batches_count_the_same")

batch_norm_itself = mistake.edited(RESULT, "return nn.functional.batch_norm(x, None, None, self.weight, self.bias, True, 0.0, self.eps) if self.training else "
    "nn.functional.batch_norm(x, mean, var, self.weight, self.bias, False, 0.0, self.eps)",
    "You used torch's own norm: compute the mean and the variance yourself.",
    forbidden="torch's own norms")


@alternative("ChannelNorm")
class ByMoments(nn.Module):
    """keepdim in place of new axes, the variance from the squares of the deviations, no_grad in place of detach."""

    def __init__(self, channels, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps = eps
        self.momentum = momentum
        self.weight = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))
        self.register_buffer("running_mean", torch.zeros(channels))
        self.register_buffer("running_var", torch.ones(channels))
        self.register_buffer("num_batches_tracked", torch.zeros((), dtype=torch.long))

    def forward(self, x):
        n, c, h, w = x.shape
        if self.training:
            if n * h * w < 2:
                raise ValueError(f"Expected more than 1 value per channel when training, got input size {tuple(x.shape)}")
            mean = x.mean(dim=(0, 2, 3), keepdim=True)
            var = ((x - mean) ** 2).mean(dim=(0, 2, 3), keepdim=True)
            with torch.no_grad():
                self.num_batches_tracked.add_(1)
                m = 1.0 / self.num_batches_tracked.item() if self.momentum is None else self.momentum
                self.running_mean.mul_(1 - m).add_(m * mean.view(c))
                self.running_var.mul_(1 - m).add_(m * var.view(c) * (n * h * w) / (n * h * w - 1))
        else:
            mean, var = self.running_mean.view(1, c, 1, 1), self.running_var.view(1, c, 1, 1)
        normalized = (x - mean) / torch.sqrt(var + self.eps)
        return normalized * self.weight.view(1, c, 1, 1) + self.bias.view(1, c, 1, 1)


@alternative("ChannelNorm")
class ChannelsFirstFlat(nn.Module):
    """Each channel as a row; assigns new buffers."""

    def __init__(self, channels, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.weight, self.bias = nn.Parameter(torch.ones(channels)), nn.Parameter(torch.zeros(channels))
        for name, start in (("running_mean", torch.zeros(channels)), ("running_var", torch.ones(channels)), ("num_batches_tracked", torch.tensor(0))):
            self.register_buffer(name, start)

    def forward(self, x):
        rows = x.transpose(0, 1).flatten(1)
        mean, std = self.running_mean, (self.running_var + self.eps).sqrt()
        if self.training:
            if rows.shape[1] == 1:
                raise ValueError("one number for a channel")
            mean, std = rows.mean(1), (rows.var(1, correction=0) + self.eps).sqrt()
            self.num_batches_tracked = self.num_batches_tracked + 1
            share = self.momentum if self.momentum is not None else 1 / int(self.num_batches_tracked)
            self.running_mean = (1 - share) * self.running_mean + share * mean.detach()
            self.running_var = (1 - share) * self.running_var + share * rows.detach().var(1)
        out = (x.movedim(1, -1) - mean) / std * self.weight + self.bias
        return out.movedim(-1, 1)


by_addcmul = alternative.edited(RESULT, "return torch.addcmul((self.bias - mean * scale)[:, None, None], x, scale[:, None, None])",
    "One multiplication and one addition for each pixel.")
