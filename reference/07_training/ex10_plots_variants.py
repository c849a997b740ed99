"""Known mistakes and odd-but-correct solutions for plot_history and plot_fit."""

import copy
import io

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


def predict_quietly(model, x):
    """Predictions in evaluation mode, with the flags put back."""
    modes = {module: module.training for module in model.modules()}
    model.eval()
    try:
        with torch.no_grad():
            return model(x.to(next(model.parameters()).device))
    finally:
        for module, training in modes.items():
            module.training = training


def flat(values):
    """A flat CPU tensor without history."""
    return values.detach().cpu().flatten()


def draw(ax, x, y, fitted, order):
    """The picture."""
    ax.scatter(x.numpy(), y.numpy(), label="data")
    ax.plot(x[order].numpy(), fitted[order].numpy(), label="model")
    ax.set(xlabel="x", ylabel="y")
    ax.legend()


starts_at_step_one = mistake.edited("ax.plot(range(len(losses)), losses)", "ax.plot(range(1, len(losses) + 1), losses)",
    "The first loss was drawn at step 1: it belongs to step 0.")


@mistake("plot_history")
def draws_tensors(ax, history):
    """The losses were handed over as they are: tensors that require grad or lie elsewhere cannot be drawn.
    Turn each into a plain number."""
    ax.plot(range(len(history)), history)
    ax.set(xlabel="step", ylabel="loss")


@mistake("plot_history")
def no_labels(ax, history):
    """The axes have no labels, so a reader cannot know what is drawn: "step" below, "loss" on the left."""
    ax.plot([loss.item() if isinstance(loss, torch.Tensor) else loss for loss in history])


swaps_the_axes = mistake.edited("ax.plot(range(len(losses)), losses)", "ax.plot(losses, range(len(losses)))",
    "You swapped the axes: the step belongs on the x-axis, the loss on the y-axis.")

only_dots = mistake.edited("ax.plot(range(len(losses)), losses)", "ax.scatter(range(len(losses)), losses)",
    "The losses were drawn as points: a curve is drawn with ax.plot.")

logarithmic = mistake.edited("ax.plot(range(len(losses)), losses)", "ax.semilogy(range(len(losses)), losses)",
    "The scale of the loss is logarithmic: a linear one was asked for.")


@mistake("plot_fit")
def unsorted_line(ax, model, x, y):
    """The line joins the points in the order of the data, which gives a scribble: sort by x first."""
    fitted = flat(predict_quietly(model, x))
    draw(ax, flat(x), flat(y), fitted, torch.arange(len(fitted)))


@mistake("plot_fit")
def sorts_only_x(ax, model, x, y):
    """x was sorted and the predictions were not, so they no longer belong together: use one order for
    both."""
    fitted = flat(predict_quietly(model, x))
    ax.scatter(flat(x).numpy(), flat(y).numpy(), label="data")
    ax.plot(flat(x).sort().values.numpy(), fitted.numpy(), label="model")
    ax.set(xlabel="x", ylabel="y")
    ax.legend()


@mistake("plot_fit")
def draws_points_of_its_own(ax, model, x, y):
    """The line was drawn through new points (linspace): take the n points x of the data, in order."""
    grid = torch.linspace(x.min().item(), x.max().item(), 100, dtype=x.dtype).unsqueeze(1)
    ax.scatter(flat(x).numpy(), flat(y).numpy(), label="data")
    ax.plot(flat(grid).numpy(), flat(predict_quietly(model, grid)).numpy(), label="model")
    ax.set(xlabel="x", ylabel="y")
    ax.legend()


@mistake("plot_fit")
def draws_the_data_with_plot(ax, model, x, y):
    """The data were drawn with ax.plot, which makes a second line: ax.scatter draws points."""
    fitted, order = flat(predict_quietly(model, x)), flat(x).argsort()
    ax.plot(flat(x).numpy(), flat(y).numpy(), "o", label="data")
    ax.plot(flat(x)[order].numpy(), fitted[order].numpy(), label="model")
    ax.set(xlabel="x", ylabel="y")
    ax.legend()


@mistake("plot_fit", common=True)
def in_training_mode(ax, model, x, y):
    """The model was drawn in training mode, with dropout on: switch to evaluation mode for the picture."""
    with torch.no_grad():
        fitted = flat(model(x.to(next(model.parameters()).device)))
    draw(ax, flat(x), flat(y), fitted, flat(x).argsort())


@mistake("plot_fit")
def stays_in_evaluation_mode(ax, model, x, y):
    """You left the model in evaluation mode: restore each `training` flag."""
    model.eval()
    with torch.no_grad():
        fitted = flat(model(x.to(next(model.parameters()).device)))
    draw(ax, flat(x), flat(y), fitted, flat(x).argsort())


@mistake("plot_fit")
def always_trains_afterwards(ax, model, x, y):
    """All of the model came back in training mode, but some of it may have been in evaluation mode: put back
    each flag as it was."""
    model.eval()
    try:
        with torch.no_grad():
            fitted = flat(model(x.to(next(model.parameters()).device)))
    finally:
        model.train()
    draw(ax, flat(x), flat(y), fitted, flat(x).argsort())


@mistake("plot_fit")
def records_a_graph(ax, model, x, y):
    """A graph was recorded and thrown away: predict under torch.no_grad()."""
    modes = {module: module.training for module in model.modules()}
    model.eval()
    try:
        fitted = model(x.to(next(model.parameters()).device))
    finally:
        for module, training in modes.items():
            module.training = training
    draw(ax, flat(x), flat(y), flat(fitted), flat(x).argsort())


@mistake("plot_fit")
def forgets_the_cpu(ax, model, x, y):
    """What is drawn must come back to the CPU first: .detach().cpu() before .numpy()."""
    fitted = predict_quietly(model, x).detach().flatten()
    x, y = x.detach().flatten(), y.detach().flatten()
    draw(ax, x, y, fitted, x.argsort())


@mistake("plot_fit")
def input_stays_behind(ax, model, x, y):
    """x did not move to the device of the model."""
    modes = {module: module.training for module in model.modules()}
    model.eval()
    try:
        with torch.no_grad():
            fitted = model(x)
    finally:
        for module, training in modes.items():
            module.training = training
    draw(ax, flat(x), flat(y), flat(fitted), flat(x).argsort())


@mistake("plot_fit", common=True)
def no_detach(ax, model, x, y):
    """x or y requires grad, and NumPy refuses such a tensor: detach first."""
    fitted = flat(predict_quietly(model, x))
    x, y = x.cpu().flatten(), y.cpu().flatten()
    draw(ax, x, y, fitted, x.argsort())


@mistake("plot_fit")
def freezes_the_inputs(ax, model, x, y):
    """x or y no longer requires grad: requires_grad_(False) changes the caller's tensor, detach() does not."""
    x, y = x.requires_grad_(False), y.requires_grad_(False)
    draw(ax, flat(x), flat(y), flat(predict_quietly(model, x)), flat(x).argsort())


@mistake("plot_fit")
def no_legend(ax, model, x, y):
    """The legend is missing: labels are only shown after ax.legend()."""
    x, y, fitted = flat(x), flat(y), flat(predict_quietly(model, x))
    order = x.argsort()
    ax.scatter(x.numpy(), y.numpy(), label="data")
    ax.plot(x[order].numpy(), fitted[order].numpy(), label="model")
    ax.set(xlabel="x", ylabel="y")


@mistake("plot_fit")
def draws_the_data_as_line(ax, model, x, y):
    """The line shows y, and the points show the predictions: it must be the other way around."""
    x, y, fitted = flat(x), flat(y), flat(predict_quietly(model, x))
    draw(ax, x, fitted, y, x.argsort())


dots_without_a_line = mistake.edited("ax.plot(range(len(losses)), losses)", 'ax.plot(range(len(losses)), losses, "o")',
    'ax.plot with a marker style alone draws dots and no line: leave the style out, or add "-" to it.')


@mistake("plot_fit")
def sample_by_sample(ax, model, x, y):
    """The model ran once for each point: give it all of x at once."""
    fitted = torch.cat([flat(predict_quietly(model, row[None])) for row in x])
    draw(ax, flat(x), flat(y), fitted, flat(x).argsort())


@mistake("plot_fit")
def flags_lost_in_an_error(ax, model, x, y):
    """After an error in the model the flags were not restored: do it in a `finally`."""
    modes = {module: module.training for module in model.modules()}
    model.eval()
    with torch.no_grad():
        fitted = flat(model(x.to(next(model.parameters()).device)))
    for module, training in modes.items():
        module.training = training
    draw(ax, flat(x), flat(y), fitted, flat(x).argsort())


@mistake("plot_fit")
def draws_a_copy_on_the_cpu(ax, model, x, y):
    """The model was run on the CPU, on a copy: x moves to where the parameters are, and only what is drawn comes back."""
    twin = copy.deepcopy(model).cpu().eval()
    x, y = x.detach().cpu(), y.detach().cpu()
    with torch.no_grad():
        fitted = flat(twin(x))
    draw(ax, flat(x), flat(y), fitted, flat(x).argsort())


@mistake("plot_fit")
def switches_recording_on_afterwards(ax, model, x, y):
    """After the call gradients are recorded, or not, whatever the caller had chosen: `with torch.no_grad():` puts the switch back,
    after an error too."""
    modes = {module: module.training for module in model.modules()}
    model.eval()
    torch.set_grad_enabled(False)
    try:
        fitted = model(x.to(next(model.parameters()).device))
    finally:
        for module, training in modes.items():
            module.training = training
    torch.set_grad_enabled(True)
    draw(ax, flat(x), flat(y), flat(fitted), flat(x).argsort())


@mistake("plot_fit")
def freezes_the_parameters(ax, model, x, y):
    """requires_grad was switched off and on for all parameters, and one that was frozen before is not any more: torch.no_grad() leaves them alone."""
    try:
        model.requires_grad_(False)
        fitted = predict_quietly(model, x)
    finally:
        model.requires_grad_(True)
    draw(ax, flat(x), flat(y), flat(fitted), flat(x).argsort())


@mistake("plot_history")
def uses_pyplot(ax, history):
    """You used matplotlib.pyplot, which now holds a figure: draw with the methods of ax, and leave figures to the
    caller."""
    import matplotlib.pyplot as plt

    plt.figure()
    ax.plot([float(loss) for loss in history])
    ax.set(xlabel="step", ylabel="loss")


leaves_out_nan = mistake.edited("loss.item() if isinstance(loss, torch.Tensor) else loss", "float(loss)",
    "A loss that is nan was left out, so the later ones moved to earlier steps: the line goes through (k, history[k]).",
    also=[("ax.plot(range(len(losses)), losses)", "ax.plot([loss for loss in losses if loss == loss])")])


@mistake("plot_history")
def names_the_figure(ax, history):
    """You gave the figure a title: draw on ax only, the figure belongs to the caller."""
    ax.plot([float(loss) for loss in history])
    ax.set(xlabel="step", ylabel="loss")
    ax.figure.suptitle("training")


@mistake("plot_history")
def saves_the_figure(ax, history):
    """The figure was saved or shown: this is for the caller to decide."""
    ax.plot([float(loss) for loss in history])
    ax.set(xlabel="step", ylabel="loss")
    ax.figure.savefig(io.BytesIO())


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


@alternative("plot_fit")
def with_python_lists(ax, model, x, y):
    """Draws lists instead of arrays, the line before the points, and names the handles in the legend."""
    fitted = predict_quietly(model, x.detach()).flatten().tolist()
    points = sorted(zip(x.flatten().tolist(), fitted, strict=True))
    (line,) = ax.plot([p[0] for p in points], [p[1] for p in points], "-", label="model")
    dots = ax.scatter(x.flatten().tolist(), y.flatten().tolist(), s=4, label="data")
    ax.set_xlabel("x")
    ax.set_ylabel("y")
    ax.legend(handles=[dots, line])


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


@alternative("plot_fit")
def names_in_the_legend(ax, model, x, y):
    """The words are given to the legend, and there is more on the picture than asked for."""
    x, y, fitted = flat(x), flat(y), flat(predict_quietly(model, x))
    order = sorted(range(len(x)), key=x.tolist().__getitem__)
    ax.scatter(x, y, c="k")
    ax.plot(x[order], fitted[order], "r--", marker=".")
    ax.set_xlabel("x", fontsize=12)
    ax.set_ylabel("y")
    ax.set_title("fit")
    ax.grid(True)
    ax.legend(["data", "model"])


@alternative("plot_fit")
def sorts_everything_first(ax, model, x, y):
    """The samples are put in order before the model sees them; points that are scattered have no order."""
    x, order = flat(x).sort()
    fitted = flat(predict_quietly(model, x[:, None]))
    draw(ax, x, flat(y)[order], fitted, slice(None))


@alternative("plot_fit")
def on_a_copy(ax, model, x, y):
    """Draws a copy of the model and leaves the original in peace."""
    twin = copy.deepcopy(model).eval().requires_grad_(False)
    fitted = flat(twin(x.detach().to(next(twin.parameters()).device)))
    draw(ax, flat(x), flat(y), fitted, flat(x).argsort())
