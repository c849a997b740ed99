"""Hidden checks for ChannelNorm: both modes, running statistics, states, gradients."""

import torch
from torch import nn

from torchdojo.grading import check, gradients, raises, tensor, upstream

CONCEPTS = ("M05", "I21")
FORBIDS = {"aten.*norm*": "torch's own norm", "nn.BatchNorm*": "nn.BatchNorm2d"}
BECAUSE = "the point is to see where its statistics come from"
KEPT = {
    "a_batch_is_normalized": "the definition in training, worth points without gradients",
    "weight_and_bias_are_applied": "the scale, worth a point without gradients",
    "the_running_mean_moves": "the task, without momentum=None",
    "the_running_variance_moves": "the task, without momentum=None",
    "evaluation_uses_the_running_statistics": "the other mode, worth points of its own",
}


class oracle:
    """What PyTorch itself does."""

    class ChannelNorm(nn.BatchNorm2d):
        def __init__(self, channels, eps=1e-5, momentum=0.1):
            super().__init__(channels, eps, momentum)

        def forward(self, x):
            if self.training and x[:, 0].numel() == 1:
                raise ValueError("PyTorch raises one, too, but has already counted the batch")
            return super().forward(x)


def filled(module):
    """The module with numbers that depend on their places alone; variances are positive."""
    with torch.no_grad():
        for k, name in enumerate(("weight", "bias", "running_mean", "running_var")):
            values = getattr(module, name)
            values.copy_((torch.arange(len(values)) * 5 + 3 * k) % 7 / 4 + (0.25 if name == "running_var" else -0.5))
    return module


X = tensor("batch channels height width+1")
LEAST = {"batch": 1, "channels": 1, "height": 1, "width": 1}
ABOUT = (1e-5, 1e-5)
HERE = {"dtypes": ("float32",), "devices": False}  # a module that can't be moved fails in the checks that move it


@check(points=2, x=X, eps=[1e-3, 4.0], minimum=LEAST, tolerance=ABOUT, **HERE)
def a_batch_is_normalized(solution, x, eps):
    """In training, each channel is normalized by its own mean and variance, with eps under the root."""
    return solution.ChannelNorm(x.shape[1], eps)(x).detach()


@check(points=1, x=X, minimum=LEAST, tolerance=ABOUT, **HERE)
def weight_and_bias_are_applied(solution, x):
    """Each channel is multiplied by its weight, and its bias is added."""
    return filled(solution.ChannelNorm(x.shape[1], 1.0))(x).detach()


@check(points=2, x=X, momentum=[0.25, 0.1], minimum=LEAST, tolerance=ABOUT, **HERE)
def the_running_mean_moves(solution, x, momentum):
    """After two batches, the running mean has moved by momentum twice."""
    norm = solution.ChannelNorm(x.shape[1], **({} if momentum == 0.1 else {"momentum": momentum}))  # 0.1 is the default
    norm(x), norm(x * 2 + 1)
    return norm.running_mean


@check(points=2, x=X, momentum=[0.25, 0.1], minimum=LEAST, tolerance=ABOUT, **HERE)
def the_running_variance_moves(solution, x, momentum):
    """After two batches, the running variance has moved by momentum twice."""
    norm = solution.ChannelNorm(x.shape[1], momentum=momentum)
    norm(x), norm(x * 2 + 1)
    return norm.running_var


@check(points=2, x=X, eps=[1e-3, 2.0], minimum=LEAST, tolerance=ABOUT)
def evaluation_uses_the_running_statistics(solution, x, eps):
    """In evaluation mode, the running statistics normalize, whatever the batch is."""
    return filled(solution.ChannelNorm(x.shape[1], eps).to(x)).eval()(x).detach()


@check(points=1, x=X, minimum=LEAST, beside=True)
def evaluation_changes_nothing(solution, x):
    """In evaluation mode no buffer changes, and none is missing."""
    norm = filled(solution.ChannelNorm(x.shape[1]).to(x)).eval()
    before = {name: value.clone() for name, value in norm.state_dict().items()}
    y = norm(x).detach()
    return y, {"changed": [name for name, value in norm.state_dict().items() if not torch.equal(value, before[name])]}


@check(points=2, channels=[3, 1], devices=False)
def the_state_is_that_of_batch_norm(solution, channels):
    """A new module has the state of a new nn.BatchNorm2d; only weight and bias are trained."""
    norm = solution.ChannelNorm(channels)
    start = {name: value.clone() for name, value in norm.state_dict().items()}
    norm(torch.arange(4.0 * channels).reshape(2, channels, 1, 2))
    return {"state": start, "trained": [name for name, p in norm.named_parameters() if p.requires_grad], "num_batches_tracked": norm.num_batches_tracked}


@check(points=1, x=X, minimum=LEAST, dtypes=("float64",), mutates=("x",))
def gradients_pass_the_statistics(solution, x, rng):
    """In training, gradients reach x through the mean and the variance as well, and weight and bias."""
    x, norm = x.requires_grad_(), solution.ChannelNorm(x.shape[1], 0.5).to(x)
    y = norm(x)
    found = gradients(y, [x, norm.weight, norm.bias], upstream(y, rng))
    return dict(zip(("gradient of x", "gradient of weight", "gradient of bias"), found, strict=True))


@check(points=1, star=True, channels=[3, 1], training=[True, False], devices=False)
def a_single_number_is_refused(solution, channels, training):
    """In training a single number for a channel raises a ValueError; in evaluation mode there is no error."""
    norm = solution.ChannelNorm(channels).train(training)
    error = raises(lambda: norm(torch.full((1, channels, 1, 1), 3.0)))
    return {"error": error, "num_batches_tracked": norm.num_batches_tracked.item(), "running mean": norm.running_mean}


@check(points=1, star=True, x=X, batches=[1, 3], minimum=LEAST, tolerance=ABOUT, **HERE)
def without_momentum_all_batches_count_the_same(solution, x, batches):
    """With momentum=None, the running statistics are the mean of those of all batches."""
    norm = solution.ChannelNorm(x.shape[1], momentum=None)
    for k in range(batches):
        norm(x * (k + 1) + k)
    return {"running mean": norm.running_mean, "running variance": norm.running_var}


@check(points=1, star=True, x=X, minimum=LEAST, beside=True, **HERE)
def the_statistics_keep_no_graph(solution, x):
    """The running statistics have no graph, so that old batches are freed."""
    norm = filled(solution.ChannelNorm(x.shape[1]).to(x))
    y = norm(x.requires_grad_())
    return y.detach(), {"a graph": norm.running_mean.requires_grad or norm.running_var.requires_grad}
