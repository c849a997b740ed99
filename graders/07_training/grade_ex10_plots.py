"""Hidden checks for plot_history and plot_fit: what is on the axes afterwards."""

import os
import sys

import torch
from torch import nn

from torchdojo.grading import called, check, mode_of, saved_tensors, tensor

CONCEPTS = ("F07", "H07", "I15")


class oracle:
    """Draws lists of Python numbers, made one element at a time."""

    def plot_history(ax, history):
        ax.plot([*range(len(history))], [float(torch.as_tensor(loss).detach().reshape(())) for loss in history])
        ax.set_xlabel("step")
        ax.set_ylabel("loss")

    def plot_fit(ax, model, x, y):
        flags = [(part, part.training) for part in model.modules()]
        for part, _ in flags:
            part.training = False
        recording = torch.is_grad_enabled()
        torch._C._set_grad_enabled(False)
        try:
            fitted = model(x.detach().to(next(model.parameters()).device)).flatten().tolist()
        finally:
            torch._C._set_grad_enabled(recording)
            for part, flag in flags:
                part.training = flag
        points = list(zip(x.flatten().tolist(), y.flatten().tolist(), strict=True))
        curve = sorted(zip(x.flatten().tolist(), fitted, strict=True))
        ax.scatter([p[0] for p in points], [p[1] for p in points], label="data")
        ax.plot([p[0] for p in curve], [p[1] for p in curve], label="model")
        ax.set_xlabel("x")
        ax.set_ylabel("y")
        ax.legend()


class Net(nn.Module):
    """Batch norm and dropout, some of them nested, with known weights and statistics, one of them frozen."""

    def __init__(self, like, fails=False):
        super().__init__()
        self.first = nn.Linear(1, 4)
        self.block = nn.Sequential(nn.BatchNorm1d(4), nn.Sequential(nn.Dropout(0.5), nn.Tanh()))
        self.last = nn.Linear(4, 1)
        with torch.no_grad():
            for k, t in enumerate([*self.parameters(), *self.buffers()]):
                if t.is_floating_point():
                    numbers = torch.arange(1, t.numel() + 1, dtype=torch.float64).mul(k + 1.7).sin()
                    t.copy_((numbers if t.dim() > 1 else numbers.abs() + 0.25).reshape(t.shape))
        self.to(like.device, like.dtype)
        self.first.bias.requires_grad_(False)
        self.fails = fails

    def forward(self, x):
        if self.fails:
            raise ZeroDivisionError("this model cannot do this")
        return self.last(self.block(self.first(x)))


def calls(model):
    """A list that notes how the model is called, and a copy of it too."""
    seen = []

    def note(part, args):
        modes = {mode_of(m) for m in part.modules()}
        seen.append({"shape": tuple(args[0].shape), "mode": "train" if "train" in modes else "eval", "device": args[0].device.type})

    model.register_forward_pre_hook(note)
    return seen


def plain(like):
    """A model without buffers."""
    model = nn.Sequential(nn.Linear(1, 3), nn.Tanh(), nn.Linear(3, 1)).to(like.dtype)
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.arange(1, p.numel() + 1, dtype=torch.float64).mul(k + 1.7).sin().reshape(p.shape))
    return model


def empty_axes():
    """Axes of a figure that no window shows, and that the rest of matplotlib does not know."""
    from matplotlib.figure import Figure

    ax = Figure().subplots()
    ax.before = set(os.listdir(".")), figures_of_pyplot()
    return ax


def figures_of_pyplot():
    """The numbers of the figures that pyplot looks after."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    return set(pyplot.get_fignums() if pyplot else ())


def pictured(ax):
    """What is drawn on the axes, and on anything else."""
    files, figures = ax.before
    found = {
        "lines": [[[float(v) for v in point] for point in line.get_xydata()] for line in ax.lines],
        "the points are joined by a line": [line.get_linestyle() not in ("None", "none", "", " ") for line in ax.lines],
        "labels of the axes": [ax.get_xlabel(), ax.get_ylabel()],
        "scales": [ax.get_xscale(), ax.get_yscale()],
        "sets of points": [sorted([float(v) for v in point] for point in dots.get_offsets()) for dots in ax.collections],
    }
    found["axes in the figure"] = len(ax.figure.axes)
    found["drawn on the figure itself"] = [type(part).__name__ for part in ax.figure.get_children() if part not in (ax, ax.figure.patch)]
    found["figures of pyplot"] = len(figures_of_pyplot() - figures)
    found["files written"] = sorted(set(os.listdir(".")) - files)
    return found


def named(ax):
    """The words in the legend, each with what it stands for, in any order."""
    legend = ax.get_legend()
    if legend is None:
        return "there is no legend"
    handles = legend.legend_handles if hasattr(legend, "legend_handles") else legend.legendHandles
    words = [text.get_text() for text in legend.get_texts()]
    kinds = {"Line2D": "the line", "PathCollection": "the points"}
    return sorted(f"{kinds.get(type(h).__name__, 'something else')}: {w}" for h, w in zip(handles, words, strict=True))


PATTERNS = {
    "all in train mode": lambda model: model.train(),
    "all in eval mode, under no_grad": lambda model: model.eval(),
    "a part in eval mode": lambda model: model.train().block.eval(),
    "a part in train mode": lambda model: model.eval().block[1].train(),
    "only the outermost in eval mode": lambda model: setattr(model.train(), "training", False),
}
SHOWN = ("matplotlib.pyplot.show", "matplotlib.figure.savefig", "matplotlib.figure.show")
KINDS = ["floats", "a loss is nan", "tensors", "one number each", "from a graph", "a leaf", "mixed"]


def losses_of(values, kind):
    """The losses of a run, as floats or as tensors of several kinds."""
    if kind == "floats":
        return values.tolist()
    if kind == "a loss is nan":
        return [float("nan") if k == 1 else v for k, v in enumerate(values.tolist())]
    weight = torch.ones((), dtype=values.dtype, device=values.device, requires_grad=True)
    if kind == "a leaf":
        return [v.clone().requires_grad_() for v in values]
    if kind == "from a graph":
        return [v * weight for v in values]
    if kind == "one number each":
        return [(v * weight).reshape(1, 1) for v in values]
    if kind == "mixed":
        return [v * weight if k % 2 else v.item() for k, v in enumerate(values)]
    return tuple(values.unbind())


@check(points=3, values=tensor("steps", low=0), kind=KINDS[:2], minimum=1, needs=("matplotlib",))
def draws_the_history(solution, values, kind):
    """One line goes through the losses, from step 0, on linear scales."""
    return history_drawn(solution, values, kind)


@check(points=1, star=True, values=tensor("steps", low=0), kind=KINDS[2:], minimum=1, needs=("matplotlib",))
def losses_may_be_tensors(solution, values, kind):
    """The losses may be tensors on any device, and the tensors may require grad."""
    return history_drawn(solution, values, kind)


def history_drawn(solution, values, kind):
    """What plot_history leaves on the axes."""
    ax, history = empty_axes(), losses_of(values, kind)
    shown = called(lambda: solution.plot_history(ax, history), *SHOWN)
    return pictured(ax) | {"losses afterwards": list(history), "shown or saved": shown}


# Points are computed in float32 or float64 and drawn as they are; Python numbers have too narrow a tolerance for that.
FITS = {"minimum": 1, "tolerance": (1e-5, 1e-6), "needs": ("matplotlib",)}


@check(points=4, x=tensor("n 1", distinct=True), y=tensor("n 1"), pattern=["train", "eval"], devices=False, **FITS)
def draws_the_fit(solution, x, y, pattern):
    """The data are points; the predictions in eval mode are a line from the smallest x to the largest."""
    ax = empty_axes()
    solution.plot_fit(ax, Net(x).train(pattern == "train"), x, y)
    return pictured(ax) | {"legend": named(ax)}


@check(points=1, star=True, x=tensor("n 1", distinct=True), y=tensor("n 1"), wanted=[(True, True), (True, False), (False, True)], devices=False, beside=True, **FITS)
def data_may_require_grad(solution, x, y, wanted):
    """x and y may require grad, and still do afterwards."""
    ax = empty_axes()
    solution.plot_fit(ax, plain(x), x.requires_grad_(wanted[0]), y.requires_grad_(wanted[1]))
    return pictured(ax), {"x and y require grad": [x.requires_grad, y.requires_grad]}


@check(points=1, star=True, x=tensor("5 1", distinct=True), pattern=list(PATTERNS), fails=[False, True], **FITS)
def only_looks_at_the_model(solution, x, pattern, fails):
    """The model runs once in evaluation mode; its flags and buffers are restored."""
    model = Net(x, fails)
    PATTERNS[pattern](model)
    state, error, seen = torch.get_rng_state(), "no error", calls(model)
    with torch.set_grad_enabled("no_grad" not in pattern), saved_tensors() as shapes:
        try:
            solution.plot_fit(empty_axes(), model, x, x**2)
        except ZeroDivisionError:
            error = "ZeroDivisionError"
        after = torch.is_grad_enabled()
    found = {"calls of the model": seen, "error": error, "tensors saved for backward": len(shapes)}
    found |= {"mode": {name or "the model": mode_of(part) for name, part in model.named_modules()}}
    found |= {"requires_grad": {name: p.requires_grad for name, p in model.named_parameters()}, "gradients are recorded afterwards": after}
    found |= {"state": {name: t.clone() for name, t in model.state_dict().items()}}
    return found | {"random state unchanged": torch.equal(state, torch.get_rng_state())}


@check(points=1, star=True, x=tensor("4 1", distinct=True), y=tensor("4 1"), place=["x", "y", "both", "model"], **FITS, about_device=True)
def brings_everything_together(solution, x, y, place, device):
    """Model, x and y may be on different devices."""
    ax, model = empty_axes(), plain(x).to("cpu" if place == "model" else device)
    a, b = x.cpu() if place in ("x", "both") else x, y.cpu() if place in ("y", "both") else y
    solution.plot_fit(ax, model, a, b)
    return pictured(ax)
