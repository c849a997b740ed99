"""Known mistakes and unusual but correct solutions for plot_history and plot_fit."""

import copy  # noqa: F401 (for an edit)
import io  # noqa: F401 (for an edit)

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    'swap_statements: ax.set(xlabel="step", ylabel="loss")': "labels may be set before the line is drawn",
    'swap_statements: ax.plot(x[order].numpy(), fitted[order].numpy(), label="model")': "points and line may be drawn in any order",
    'swap_statements: ax.set(xlabel="x", ylabel="y")': "labels may be set before the line is drawn",
    "swap_statements: ax.legend()": "the legend does not depend on the labels of the axes",
}

HINTS = (
    "Print what you are about to draw: its type, device, and whether it requires grad. Then look at the "
    "order of the points.",
    "A picture is a measurement: evaluation mode, no graph, and everything as it was before. Drawing "
    "happens on the CPU with plain numbers. Sorting x gives an order; the predictions need the same "
    "order.",
    "Remember the flags, predict on all of x without a graph, put the flags back. Bring x, y and the "
    "predictions to the CPU as flat tensors, get the order from argsort, scatter the data, plot the line. "
    "What is missing for the reader?",
)


starts_at_step_one = mistake.edited("ax.plot(range(len(losses)), losses)", "ax.plot(range(1, len(losses) + 1), losses)",
    "The first loss was drawn at step 1: it belongs to step 0.")

draws_tensors = mistake.edited(
    "losses = [loss.item() if isinstance(loss, torch.Tensor) else loss for loss in history]",
    "losses = history",
    "The losses were plotted as they are: tensors that require grad or are on another device cannot be drawn. Turn each into "
    "a plain number.")

no_labels = mistake.edited('ax.set(xlabel="step", ylabel="loss")', "",
    'The axes have no labels, so a reader cannot know what is drawn: "step" on the x-axis and "loss" on the y-axis.')

swaps_the_axes = mistake.edited("ax.plot(range(len(losses)), losses)", "ax.plot(losses, range(len(losses)))",
    "You swapped the axes: the step belongs on the x-axis, and the loss on the y-axis.",
    pitfall="draws the curve on its side")

only_dots = mistake.edited("ax.plot(range(len(losses)), losses)", "ax.scatter(range(len(losses)), losses)",
    "The losses were drawn as points: a curve is drawn with ax.plot.")

logarithmic_beside_the_labels = mistake.edited('ax.set(xlabel="step", ylabel="loss")', 'ax.set(xlabel="step", ylabel="loss", yscale="log")',
    "The scale of the loss is logarithmic: the exercise asks for a linear one.")

logarithmic = mistake.edited("ax.plot(range(len(losses)), losses)", "ax.semilogy(range(len(losses)), losses)",
    "The scale of the loss is logarithmic: the exercise asks for a linear one.")

unsorted_line = mistake.edited("order = x.argsort()", "order = torch.arange(len(x))",
    "The line joins the points in the order of the data, which gives a scribble: sort by x first.",
    pitfall="unsorted data make a scribble")

sorts_only_x = mistake.edited("fitted[order].numpy()", "fitted.numpy()",
    "x was sorted and the predictions were not, so they no longer belong together: use one order for both.")

draws_points_of_its_own = mistake.edited(
    "fitted = model(x.to(device))",
    """
    grid = torch.linspace(x.min().item(), x.max().item(), 100, dtype=x.dtype).unsqueeze(1)
    fitted = model(grid.to(device))
    """,
    "The line was drawn through new points (linspace): take the n points x of the data, in order.",
    also=[('ax.plot(x[order].numpy(), fitted[order].numpy(), label="model")',
         'ax.plot(grid.flatten().numpy(), fitted.numpy(), label="model")')])

draws_the_data_with_plot = mistake.edited(
    'ax.scatter(x.numpy(), y.numpy(), label="data")', 'ax.plot(x.numpy(), y.numpy(), "o", label="data")',
    "The data were drawn with ax.plot, which makes a second line: ax.scatter draws points.")

in_training_mode = mistake.edited("model.eval()", "",
    "The model was drawn in training mode, with dropout on: switch to evaluation mode for the picture.",
    common=True)

stays_in_evaluation_mode = mistake.edited(
    "for module, training in modes.items():\n    module.training = training", "pass",
    "You left the model in evaluation mode: restore each `training` flag.")

always_trains_afterwards = mistake.edited(
    "for module, training in modes.items():\n    module.training = training", "model.train()",
    "The whole model ended in training mode, but parts of it may have been in evaluation mode: restore each flag.")

records_a_graph = mistake.edited("with torch.no_grad():", "if True:",
    "A graph was recorded: predict under torch.no_grad().")

forgets_the_cpu = mistake.edited("values.detach().cpu()", "values.detach()",
    "What is drawn must come back to the CPU first: .detach().cpu() before .numpy().")

input_stays_behind = mistake.edited("model(x.to(device))", "model(x)",
    "x did not move to the device of the model.")

no_detach = mistake.edited("values.detach().cpu()", "values.cpu()",
    "x or y requires grad, and NumPy refuses such a tensor: detach first.",
    common=True)

freezes_the_inputs = mistake.edited(
    "device = next(model.parameters()).device",
    "x, y = x.requires_grad_(False), y.requires_grad_(False)\ndevice = next(model.parameters()).device",
    "x or y no longer requires grad afterwards: leave the caller's tensors alone; detach() gives you another one.")

no_legend = mistake.edited("ax.legend()", "",
    "The legend is missing: labels are only shown after ax.legend().")

swaps_the_labels = mistake.edited('label="data"', 'label="model"',
    'You swapped the labels: the points are "data", and the line is "model".',
    also=[('fitted[order].numpy(), label="model"', 'fitted[order].numpy(), label="data"')])

draws_the_data_as_line = mistake.edited("x, y, fitted = (values", "x, fitted, y = (values",
    "The line shows y, and the points show the predictions: it must be the other way around.")

dots_without_a_line = mistake.edited("ax.plot(range(len(losses)), losses)", 'ax.plot(range(len(losses)), losses, "o")',
    'ax.plot with a marker style alone draws dots and no line: leave the style out, or add "-" to it.')

sample_by_sample = mistake.edited(
    "fitted = model(x.to(device))", "fitted = torch.cat([model(row[None].to(device)) for row in x])",
    "The model ran once for each point: give it all of x at once.")

flags_lost_in_an_error = mistake.edited("try:", "if True:",
    "After an error in the model the flags were not restored: do it in a `finally`.",
    also=[("finally:", "if True:")])

draws_a_copy_on_the_cpu = mistake.edited(
    "device = next(model.parameters()).device", 'device, model = "cpu", copy.deepcopy(model).cpu()',
    "The model was run on the CPU, on a copy: x moves to where the parameters are, and only what is drawn comes back.")

switches_recording_on_afterwards = mistake.edited("with torch.no_grad():", "torch.set_grad_enabled(False)\nif True:",
    "After the call the grad mode is not the caller's: `with torch.no_grad():` restores it, even after an error.",
    also=[("x, y, fitted = (values", "torch.set_grad_enabled(True)\nx, y, fitted = (values")])

freezes_the_parameters = mistake.edited("with torch.no_grad():", "model.requires_grad_(False)\nwith torch.no_grad():",
    "A parameter that was frozen before requires grad afterwards: leave requires_grad alone. torch.no_grad() is enough.",
    also=[("finally:", "finally:\n    model.requires_grad_(True)")])

uses_pyplot = mistake.edited(
    'ax.set(xlabel="step", ylabel="loss")',
    'ax.set(xlabel="step", ylabel="loss")\nimport matplotlib.pyplot as plt\nplt.figure()',
    "You used matplotlib.pyplot, which now holds a figure: draw with the methods of ax, and leave figures to the caller.")

leaves_out_nan = mistake.edited("loss.item() if isinstance(loss, torch.Tensor) else loss", "float(loss)",
    "A loss that is nan was left out, so the later ones moved to earlier steps: the line goes through (k, history[k]).",
    also=[("ax.plot(range(len(losses)), losses)", "ax.plot([loss for loss in losses if loss == loss])")])

names_the_figure = mistake.edited(
    'ax.set(xlabel="step", ylabel="loss")',
    'ax.set(xlabel="step", ylabel="loss")\nax.figure.suptitle("training")',
    "You gave the figure a title: draw on ax only, because the figure belongs to the caller.")

saves_the_figure = mistake.edited(
    'ax.set(xlabel="step", ylabel="loss")',
    'ax.set(xlabel="step", ylabel="loss")\nax.figure.savefig(io.BytesIO())',
    "The figure was saved or shown: leave that to the caller.")


@alternative("plot_history")
def one_by_one(ax, history):
    """Lists built by hand, single setters, a stacked tensor for the tensors."""
    steps, losses = [], []
    for loss in history:
        steps.append(len(steps))
        losses.append(torch.as_tensor(loss, dtype=torch.float64).detach().cpu().reshape(()).tolist())
    ax.plot(steps, losses, marker=".", color="black")
    ax.set_xlabel("step")
    ax.set_ylabel("loss")


with_python_lists = alternative.edited(
    "x, y, fitted = (values.detach().cpu().flatten() for values in (x, y, fitted))",
    "x, y, fitted = (values.flatten().tolist() for values in (x, y, fitted))",
    "Draws lists instead of arrays, the line before the points, and names the handles in the legend.",
    also=[
        ("order = x.argsort()", "points = sorted(zip(x, fitted, strict=True))"),
        ('ax.scatter(x.numpy(), y.numpy(), label="data")',
         '(line,) = ax.plot([p[0] for p in points], [p[1] for p in points], "-", label="model")'),
        ('ax.plot(x[order].numpy(), fitted[order].numpy(), label="model")',
         'dots = ax.scatter(x, y, s=4, label="data")'),
        ("ax.legend()", "ax.legend(handles=[dots, line])"),
    ])


@alternative("plot_fit")
def in_inference_mode(ax, model, x, y):
    """inference_mode, and sort() with its indices."""
    modes = [(module, module.training) for module in model.modules()]
    model.train(False)
    try:
        with torch.inference_mode():
            fitted = model(x.detach().to(next(model.parameters()).device)).squeeze(-1).cpu().numpy()
    finally:
        for module, training in modes:
            module.training = training
    xs, order = x.detach().cpu().squeeze(-1).sort()
    ax.scatter(x.detach().cpu().numpy(), y.detach().cpu().numpy(), label="data", marker="x")
    ax.plot(xs.numpy(), fitted[order.numpy()], label="model", linewidth=2)
    ax.set(xlabel="x", ylabel="y")
    ax.legend(loc="best")


names_in_the_legend = alternative.edited(
    "order = x.argsort()", "order = sorted(range(len(x)), key=x.tolist().__getitem__)",
    "The words are given to the legend, and there is more on the picture than asked for.",
    also=[
        ('ax.scatter(x.numpy(), y.numpy(), label="data")', 'ax.scatter(x, y, c="k")'),
        ('ax.plot(x[order].numpy(), fitted[order].numpy(), label="model")',
         'ax.plot(x[order], fitted[order], "r--", marker=".")'),
        ("ax.legend()", 'ax.set_title("fit")\nax.grid(True)\nax.legend(["data", "model"])'),
    ])

sorts_everything_first = alternative.edited(
    "device = next(model.parameters()).device",
    """
    x, order = x.detach().cpu().flatten().sort()
    x, y = x[:, None], y.detach().cpu().flatten()[order]
    device = next(model.parameters()).device
    """,
    "The samples are put in order before the model sees them; points that are scattered have no order.",
    also=[("order = x.argsort()", "order = slice(None)")])

on_a_copy = alternative.edited(
    "device = next(model.parameters()).device",
    "model = copy.deepcopy(model).requires_grad_(False)\ndevice = next(model.parameters()).device",
    "Draws a copy of the model and leaves the original in peace.",
    also=[("x.to(device)", "x.detach().to(device)"), ("with torch.no_grad():", "if True:")])
