"""Hidden checks for predict and frozen_features."""

import torch
from torch import nn

from torchdojo.grading import check, mode_of, raises, saved_tensors, tensor, upstream

CONCEPTS = ("G22", "G24", "G25")
KEPT = {
    "answers_as_in_evaluation": "the point of the exercise",
    "gives_the_mode_back": "the usual case, where all modules are in one mode",
    "gives_every_module_its_own_mode_back": "a promise of the exercise, said by itself",
}

BOTH = ["predict", "frozen_features"]


class oracle:
    """The forward pass of a copy that cannot record, in eval mode."""

    def predict(model, x):
        parts = list(model.modules())
        flags = [part.training for part in parts]
        recording = torch.is_grad_enabled()
        for part in parts:
            part.training = False
        torch._C._set_grad_enabled(False)
        try:
            return model(x)
        finally:
            torch._C._set_grad_enabled(recording)
            for part, flag in zip(parts, flags, strict=True):
                part.training = flag

    def frozen_features(backbone, x):
        return oracle.predict(backbone, x)


class Matrix(nn.Module):
    """A linear layer with known numbers: nothing is drawn and then written over, which took a third of some checks."""

    def __init__(self, numbers, bias=None):
        super().__init__()
        self.weight = nn.Parameter(numbers)
        self.bias = None if bias is None else nn.Parameter(bias)

    def forward(self, x):
        return nn.functional.linear(x, self.weight, self.bias)


class Net(nn.Module):
    """Linear, batch norm and dropout, some of them nested, with known weights, in train mode. It notes how it is called.

    The last dropout asks the flag of the model itself, so that values tell which flags were changed."""

    def __init__(self, x, notes=None, fails=False, drop=0.25):
        super().__init__()
        self.drop = drop
        features, kind = x.shape[1], {"dtype": x.dtype, "device": x.device}
        numbers = torch.arange(3 * features + 15, **kind) % 4 / 4 + 0.25
        first, bias, scale, shift, last = numbers.split([3 * features, 3, 3, 3, 6])
        self.first = Matrix(first.view(3, features), bias)
        norm = nn.BatchNorm1d(3, affine=False, **kind)
        norm.weight, norm.bias = nn.Parameter(scale), nn.Parameter(shift)
        norm.running_mean, norm.running_var = bias + 0.5, bias * 2
        self.block = nn.Sequential(norm, nn.Sequential(nn.Dropout(2 * drop), nn.Tanh()))
        self.owner = nn.Sequential(self.block[1])  # a second owner of that part
        self.last = Matrix(last.view(2, 3))
        self.last.weight.requires_grad_(False)
        self.noting, self.fails = (notes.append if notes is not None else None), fails

    def forward(self, x):
        if self.noting:
            self.noting(flags(self))
        if self.fails:
            raise ZeroDivisionError("this model cannot do this")
        hidden = self.block(self.first(x))
        return self.last(nn.functional.dropout(hidden, self.drop, self.training))


PATTERNS = {
    "all in train mode": lambda model: model.train(),
    "all in eval mode": lambda model: model.eval(),
    "a part in eval mode": lambda model: model.train().block.eval(),
    "a part in train mode": lambda model: model.eval().block[1].train(),
    "parts of both kinds": lambda model: (model.train().first.eval(), model.block[1].eval(), model.block[1][0].train()),
    "only the outermost in eval mode": lambda model: setattr(model.train(), "training", False),
}


def flags(model):
    return {name or "the model": mode_of(part) for name, part in model.named_modules()}


def called(solution, function, model, x):
    """The result, or the name of the error that came out; one that the model did not raise comes out here, too."""
    call = lambda: getattr(solution, function)(model, x)  # noqa: E731
    return raises(call) if model.fails else plain(alone(call))


def alone(call):
    """What the call gives; grad mode and random state are put back, as they have checks of their own."""
    with torch.set_grad_enabled(torch.is_grad_enabled()), torch.random.fork_rng(devices=[]):
        return call()


def plain(result):
    return result.detach().clone()


@check(points=2, x=tensor("batch features"), function=BOTH, minimum=1)
def answers_as_in_evaluation(solution, x, function):
    """The answer matches the model's in eval mode."""
    model = Net(x)
    model.register_forward_hook(lambda model, given, made: made + 1)  # part of what model(x) returns
    return {"result": called(solution, function, model, x)}


@check(points=2, x=tensor("batch features"), function=BOTH, wanted=[False, True], minimum=1, beside=True)
def records_nothing(solution, x, function, wanted):
    """Autograd saves no tensor, even if x requires grad, and the result does not require grad."""
    x.requires_grad_(wanted)
    model, recorded = Net(x).eval(), []
    model.first.register_forward_hook(lambda part, given, made: recorded.append(made.requires_grad))
    with torch.enable_grad(), saved_tensors() as shapes:
        got = alone(lambda: getattr(solution, function)(model, x))
    found = {"tensors saved": len(shapes), "recorded in the model": any(recorded), "requires grad": got.requires_grad}
    return {"result": plain(got)}, found | {"x.grad": x.grad, "x.requires_grad": x.requires_grad}


def answer_and_flags(solution, x, function, pattern):
    """What was answered, each module's flag afterwards, and how often the model was called."""
    notes = []
    model = Net(x, notes, drop=0.0)  # a call in train mode gives a wrong answer, and the same one again
    PATTERNS[pattern](model)
    return called(solution, function, model, x), {"mode": flags(model)}, len(notes)


@check(points=1, x=tensor("batch features"), function=BOTH, pattern=list(PATTERNS)[:2], minimum=2, beside=True)
def gives_the_mode_back(solution, x, function, pattern):
    """The model is called once and is left in the mode, train or eval, that it was in."""
    answer, mode, calls = answer_and_flags(solution, x, function, pattern)
    return answer, mode | {"calls of the model": calls}


@check(points=1, star=True, x=tensor("batch features"), function=BOTH, pattern=list(PATTERNS)[2:], minimum=2, beside=True)
def gives_every_module_its_own_mode_back(solution, x, function, pattern):
    """Each module's training flag is restored, even if the flags of modules differ."""
    return answer_and_flags(solution, x, function, pattern)[:2]


@check(points=1, star=True, x=tensor("batch features"), function=BOTH, pattern=list(PATTERNS)[:4], minimum=2)
def modes_come_back_after_an_error(solution, x, function, pattern):
    """If the model raises an exception, it reaches the caller and the training flags are restored."""
    model = Net(x, fails=True)
    PATTERNS[pattern](model)
    return {"error": alone(lambda: called(solution, function, model, x)), "mode": flags(model)}


@check(points=1, x=tensor("batch features"), function=BOTH, recording=[True, False], fails=[False, True], minimum=2, beside=True)
def grad_mode_is_as_it_was(solution, x, function, recording, fails):
    """The caller's grad mode is restored, even if the model raises an exception."""
    model = Net(x, fails=fails).eval()
    with torch.set_grad_enabled(recording):
        call = lambda: getattr(solution, function)(model, x)  # noqa: E731
        result = raises(call) if fails else plain(call())
        return {"result": result}, {"grad mode": torch.is_grad_enabled(), "inference mode": torch.is_inference_mode_enabled()}


@check(points=3, x=tensor("batch features"), function=BOTH, training=[True, False], minimum=2, beside=True)
def leaves_the_model_unchanged(solution, x, function, training):
    """Parameters, buffers, requires_grad, .grad and random state stay the same."""
    model = Net(x).train(training)
    for p in model.parameters():
        p.grad = torch.full_like(p, 5.0) if p.requires_grad else None
    state = torch.get_rng_state()
    with torch.set_grad_enabled(torch.is_grad_enabled()):
        result = plain(getattr(solution, function)(model, x))
    found = {"random state unchanged": torch.equal(state, torch.get_rng_state())}
    found |= {"state": {name: t.clone() for name, t in model.state_dict().items()}}
    found |= {"requires_grad": {name: p.requires_grad for name, p in model.named_parameters()}}
    return {"result": result}, found | {"old .grad": {name: p.grad for name, p in model.named_parameters()}}


@check(points=1, x=tensor("batch features"), wanted=[False, True], minimum=1)
def head_can_be_trained_on_features(solution, x, wanted, rng):
    """A head learns from the features, but the backbone gets no gradient."""
    backbone, weight = Net(x).eval(), torch.full((2, 3), 0.5, dtype=x.dtype, device=x.device).requires_grad_()
    x.requires_grad_(wanted)
    with torch.enable_grad():
        features = alone(lambda: solution.frozen_features(backbone, x))
        scores = (features @ weight) ** 2
        scores.backward(upstream(scores, rng))
    found = {"gradient of the head": weight.grad, "is_inference": features.is_inference(), "x.grad": x.grad}
    return found | {"backbone": [name for name, p in backbone.named_parameters() if p.grad is not None]}
