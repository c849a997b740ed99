"""Hidden checks for validation_loss: the right mean, and no trace in the model."""

import torch
from torch import nn

from torchdojo.grading import check, mode_of, raises, saved_tensors, tensor

CONCEPTS = ("A02", "A06", "G22", "G26", "I14", "I18")

KEPT = {"puts_the_mode_back": "the task alone: puts_every_mode_back refuses the same and is for the star"}


class oracle:
    """One sample at a time on a model whose every flag is set and reset by hand."""

    def validation_loss(model, loader, loss_fn):
        flags = {name: part.training for name, part in model.named_modules()}
        losses = []
        try:
            for part in model.modules():
                part.training = False
            with torch.no_grad():
                for inputs, targets in loader:
                    for k in range(len(inputs)):
                        target = [targets[0][k : k + 1]] if isinstance(targets, list) else targets[k : k + 1]
                        losses.append(loss_fn(model(inputs[k : k + 1]), target).item())
        finally:
            for name, part in model.named_modules():
                part.training = flags[name]
        if not losses:
            raise ValueError("nothing to average")
        return sum(losses) / len(losses)


class Moody(nn.Sequential):
    """Layers in a row; in train mode the result is twice as large."""

    def forward(self, x):
        return super().forward(x) * (2.0 if self.training else 1.0)


def refuse_nan(module, inputs):
    if inputs[0].isnan().any():
        raise LookupError("no such row")


def network(like):
    """Dropout, batch norm and plain weights, in the dtype and on the device of `like`."""
    parts = [nn.Linear(like.shape[1], 3), nn.BatchNorm1d(3), Moody(nn.Dropout(0.5), nn.Tanh()), nn.Linear(3, 1)]
    model = Moody(*parts).to(like.device, like.dtype)
    model[3].register_forward_pre_hook(refuse_nan)
    with torch.no_grad():
        for k, t in enumerate(model.parameters()):
            t.copy_(torch.arange(1, t.numel() + 1, dtype=torch.float64).mul(k + 1.7).sin().reshape(t.shape))
            t.grad = torch.full_like(t, k + 1.0)
        model[1].running_mean.add_(0.25), model[1].running_var.mul_(2.0)
    return model


def calm(like):
    """The same layout of parts, whose answers do not depend on their modes: there a mode can be wrong beside right values."""
    parts = [nn.Linear(like.shape[1], 3), nn.Identity(), nn.Sequential(nn.Dropout(0.0), nn.Tanh()), nn.Linear(3, 1)]
    model = nn.Sequential(*parts).to(like.device, like.dtype)
    model[3].register_forward_pre_hook(refuse_nan)
    with torch.no_grad():
        for k, t in enumerate(model.parameters()):
            t.copy_(torch.arange(1, t.numel() + 1, dtype=torch.float64).mul(k + 1.7).sin().reshape(t.shape))
    return model


def evaluated(solution, model, loader, loss_fn=nn.functional.mse_loss):
    """The mean loss. Gradients that are left switched off are switched on again: a check of its own asks about that."""
    with torch.enable_grad():
        return solution.validation_loss(model, loader, loss_fn)


def modes_of(model):
    return {name or "the whole": mode_of(part) for name, part in model.named_modules()}


def all_train(model):
    model.train()


def all_eval(model):
    model.eval()


def frozen_norm(model):
    model.train()[1].eval()


def eval_with_dropout(model):
    model.eval()[2].train()


def only_inside(model):
    model.train().training = False


def frozen_deep_inside(model):
    model.train()[2][0].eval()


STARTS = [all_train, frozen_norm, all_eval, eval_with_dropout, only_inside, frozen_deep_inside]


def in_batches(x, y):
    """A generator of batches of 2, 1 and 3 samples, and the rest."""
    start = 0
    for size in (2, 1, 3, 9):
        if start < len(x):
            yield x[start : start + size], y[start : start + size]
        start += size


def trouble_in_loader(x, y):
    yield x, y
    raise LookupError("no such file")


def trouble_in_model(x, y):
    yield x, y
    yield x + torch.nan, y


def trouble_at_once(x, y):
    raise LookupError("no such folder")
    yield


def trouble_in_loss(x, y):
    yield x, y
    yield x, y + torch.nan


def picky_loss(prediction, target):
    if target.isnan().any():
        raise LookupError("no such label")
    return nn.functional.mse_loss(prediction, target)


def squares(prediction, target):
    return nn.functional.mse_loss(prediction, target)


def squares_of_boxed(prediction, targets):
    """For targets that come in a list."""
    return nn.functional.mse_loss(prediction, targets[0])


def nothing(prediction, target):
    return (prediction - prediction).abs().mean()


def lost(prediction, target):
    return nn.functional.mse_loss(prediction, target) * torch.nan


def squares_of_sequences(prediction, target):
    """For inputs with a number of steps that differs from batch to batch."""
    return nn.functional.mse_loss(prediction, target)


class MeanOfSteps(nn.Module):
    """The mean over the last axis, and then the model."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x):
        return self.model(x.mean(dim=-1))


def large_in_float16(prediction, target):
    """40000 as float16, which ends at 65504."""
    return torch.full((), 40000.0, dtype=torch.float16, device=prediction.device)


COLUMN = torch.tensor([[1.0], [-2.0], [0.5]])  # two batches, of two samples and of one


# The oracle adds the samples' losses one by one; in float32 that was up to 3e-7 apart from the means of batches.
@check(
    points=3, x=tensor("samples features"), y=tensor("samples 1"), start=STARTS, loss_fn=[squares, squares_of_sequences], minimum=1,
    tolerance=(1e-5, 1e-6), examples=[{"x": COLUMN, "y": COLUMN.flip(0), "start": all_train, "loss_fn": squares_of_sequences}],
)  # fmt: skip
def counts_every_sample_once(solution, x, y, start, loss_fn):
    """The loss is the mean over all samples, even with a short last batch."""
    model = network(x)
    start(model)
    loader = in_batches(x, y)
    if loss_fn.__name__ == "squares_of_sequences":
        model, loader = MeanOfSteps(model), [(a.unsqueeze(-1).expand(-1, -1, k), b) for k, (a, b) in enumerate(loader, 1)]
    return evaluated(solution, model, loader, loss_fn)


@check(
    points=1, star=True, x=tensor("samples features"), y=tensor("samples 1"),
    loss_fn=[large_in_float16, squares_of_boxed, nothing, lost], minimum=1, tolerance=(1e-5, 1e-6),
    examples=[{"x": COLUMN, "y": COLUMN.flip(0), "loss_fn": squares_of_boxed}],
)  # fmt: skip
def takes_any_loss_and_targets(solution, x, y, loss_fn):
    """Losses may be float16, 0 or nan, and targets may come in a list."""
    loader = in_batches(x, y)
    if loss_fn.__name__ == "squares_of_boxed":
        loader = [(a, [b]) for a, b in loader]
    return evaluated(solution, calm(x), loader, loss_fn)


@check(points=2, x=tensor("samples features"), y=tensor("samples 1"), train=[True, False], minimum=1, beside=True, tolerance=(1e-5, 1e-6))
def puts_the_mode_back(solution, x, y, train):
    """The model is left in the mode that it was in."""
    model = calm(x).train(train)
    loss = float(evaluated(solution, model, [(x, y)]))
    return loss, {"modes of its parts": modes_of(model)}


@check(
    points=1, star=True, x=tensor("samples features"), y=tensor("samples 1"), start=STARTS, minimum=1, beside=True, tolerance=(1e-5, 1e-6),
)  # fmt: skip
def puts_every_mode_back(solution, x, y, start):
    """Each module is left in the mode that it was in, even after a second call."""
    model = calm(x)
    start(model)
    losses = [float(evaluated(solution, model, [(x, y)]))]
    after = modes_of(model)
    for part in (model[1], model[2]):
        part.training = not part.training
    losses.append(float(evaluated(solution, model, [(x, y)])))
    return losses, {"modes of its parts": after, "modes of its parts after a second call": modes_of(model)}


@check(points=2, x=tensor("samples features"), y=tensor("samples 1"), start=STARTS, minimum=1, beside=True, tolerance=(1e-5, 1e-6))
def leaves_no_trace(solution, x, y, start):
    """Weights, buffers, .grad and the random generator stay as they were."""
    model = network(x)
    start(model)
    random_before = torch.get_rng_state()
    loss = float(evaluated(solution, model, [(x, y)]))
    return loss, {
        "weights and buffers": dict(model.state_dict()),
        "old .grad": [p.grad for p in model.parameters()],
        "requires grad": [p.requires_grad for p in model.parameters()],
        "p of the dropout": model[2][0].p,
        "random generator as before": torch.equal(random_before, torch.get_rng_state()),
    }


@check(points=3, x=tensor("samples features"), y=tensor("samples 1"), start=STARTS, minimum=1, beside=True, tolerance=(1e-5, 1e-6))
def evaluates_without_a_graph(solution, x, y, start):
    """No batch has a graph, and nothing is saved for backward."""
    model, graphs, losses = calm(x), [], []
    weight = torch.ones((), dtype=x.dtype, device=x.device, requires_grad=True)
    start(model)

    def watching_loss(prediction, target):
        graphs.append(prediction.requires_grad)
        loss = weight * nn.functional.mse_loss(prediction, target)
        losses.append(loss.requires_grad)
        return loss

    with saved_tensors() as saved:
        loss = float(evaluated(solution, model, [(x, y)], watching_loss))
    found = {"predictions with a graph": any(graphs), "losses with a graph": any(losses)}
    return loss, {**found, "tensors saved for backward": len(saved)}


TROUBLES = [trouble_in_loader, trouble_in_model, trouble_in_loss, trouble_at_once]


@check(
    points=1, star=True, x=tensor("samples features"), y=tensor("samples 1"), start=STARTS, trouble=TROUBLES,
    minimum={"samples": 2, "features": 1},
)  # fmt: skip
def restores_the_modes_after_an_error(solution, x, y, start, trouble):
    """An error reaches the caller, and the modes are restored."""
    model = calm(x)
    start(model)
    error = raises(lambda: evaluated(solution, model, trouble(x, y), picky_loss), ValueError)
    return {"error": error, "modes of its parts": modes_of(model)}


@check(points=1, star=True, x=tensor("2 features"), start=STARTS, loader=[[], ()], minimum=1)
def refuses_to_average_nothing(solution, x, start, loader):
    """A loader without batches raises ValueError."""
    model = network(x)
    start(model)
    return {"error": raises(lambda: evaluated(solution, model, iter(loader)), ValueError)}


@check(
    points=1, star=True, x=tensor("samples features"), y=tensor("samples 1"), enabled=[True, False], minimum=1, beside=True,
    tolerance=(1e-5, 1e-6),
)  # fmt: skip
def keeps_the_callers_gradients(solution, x, y, enabled):
    """Gradients are enabled afterwards if and only if they were before."""
    with torch.set_grad_enabled(enabled):
        loss = float(solution.validation_loss(calm(x).eval(), [(x, y)], nn.functional.mse_loss))
        return loss, {"gradients enabled afterwards": torch.is_grad_enabled()}
