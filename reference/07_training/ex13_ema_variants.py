"""Known mistakes and unusual but correct solutions for EMA."""

import copy

import torch
from ex13_ema import EMA
from torch import nn  # noqa: F401 (an edit uses it)

from torchdojo.variants import alternative, mistake

ALIKE = "both models have the same structure"
EQUIVALENT = {
    "drop_keyword: for average, weight in zip(self.model.parameters(), model.parameters()):": ALIKE,
    "drop_keyword: for own, other in zip(self.model.buffers(), model.buffers()):": ALIKE,
}

HINTS = (
    "Which object changes when the optimizer makes a step, and which one must not?",
    "copy.deepcopy gives a model with memory of its own. update goes through the parameters of both models in parallel, without recording a graph, and "
    "changes those of the copy in place. Buffers are no parameters; they are copied.",
    "In __init__ copy the model, switch the copy to evaluation mode and turn requires_grad off. In update, under no_grad, multiply each average by decay and "
    "add the weight with the rest as its factor; use methods that end in an underscore. One loop is left, over the buffers.",
)

MOVES = "average.mul_(self.decay).add_(weight, alpha=1 - self.decay)"
BUFFERS = "for own, other in zip(self.model.buffers(), model.buffers(), strict=True):\n    own.copy_(other)"
COPY = "self.model = copy.deepcopy(model).eval().requires_grad_(False)"

shares_are_swapped = mistake.edited(
    MOVES, "average.mul_(1 - self.decay).add_(weight, alpha=self.decay)",
    "The two factors are swapped: the average counts decay, the new weight 1 - decay.",
    about="averages_follow_the_formula", common=True)

adds_without_decay = mistake.edited(
    MOVES, "average.add_(weight, alpha=1 - self.decay)",
    "The old average isn't multiplied by decay, so the averages grow and grow.",
    about="averages_follow_the_formula")

both_count_decay = mistake.edited(
    MOVES, "average.mul_(self.decay).add_(weight, alpha=self.decay)",
    "The new weight is multiplied by decay, too: its factor is 1 - decay, so that both add up to 1.",
    about="averages_follow_the_formula")

is_no_average = mistake.edited(
    MOVES, "average.copy_(weight)",
    "The averages are just the newest weights: mix them with the old averages.",
    about="averages_follow_the_formula")

adds_whole_weights = mistake.edited(
    MOVES, "average.mul_(self.decay).add_(weight)",
    "The new weight counts in full: multiply it by 1 - decay.",
    about="averages_follow_the_formula")

result_is_dropped = mistake.edited(
    MOVES, "average = self.decay * average + (1 - self.decay) * weight",
    "The averages never change. A new value for a name, or for an entry of a state_dict, changes no parameter: change it in place.",
    about="averages_follow_the_formula", common=True)

is_the_model_itself = mistake.edited(
    COPY, "self.model = model",
    "The average is the model itself, so it trains along, and it is put into evaluation mode: make a deep copy.",
    also=[("import copy\n", "")], about=("begins_with_a_copy", "the_average_is_for_evaluation"),
    pitfall="is no copy")

shallow_copy = mistake.edited(
    "copy.deepcopy(model)", "copy.copy(model)",
    "A shallow copy has the same parameters as the model: use copy.deepcopy.",
    about=("begins_with_a_copy", "the_average_is_for_evaluation"), common=True)


class _Fresh(EMA):
    def __init__(self, model, decay):
        super().__init__(model, decay)
        for p in self.model.parameters():
            p.zero_()


@mistake("EMA", about="begins_with_a_copy")
class BeginsWithZeros(_Fresh):
    """The averages begin with 0, so they are too small for a long time: begin with the weights of the model."""


buffers_stay_behind = mistake.edited(
    BUFFERS, "",
    "The buffers of the copy never change, so batch norm evaluates with its first statistics: copy them in update().",
    about="buffers_are_copied", common=True)

buffers_are_averaged = mistake.edited(
    "own.copy_(other)", "own.copy_(self.decay * own + (1 - self.decay) * other)",
    "The buffers are averaged, too: copy them as they are. Running statistics are averages already, and a counter is an integer.",
    about="buffers_are_copied", common=True)

stays_in_training_mode = mistake.edited(
    ".eval()", "",
    "The copy keeps the mode of the model, so dropout is on when you evaluate it: call eval() on it.",
    about="the_average_is_for_evaluation", common=True)

model_in_evaluation_mode = mistake.edited(
    "copy.deepcopy(model).eval()", "copy.deepcopy(model.eval())",
    "The model itself is in evaluation mode afterwards: call eval() on the copy.",
    about="the_average_is_for_evaluation", common=True)

requires_gradients = mistake.edited(
    ".requires_grad_(False)", "",
    "The averages require gradients: turn that off with requires_grad_(False).",
    about="the_average_is_for_evaluation")

model_is_frozen = mistake.edited(
    "copy.deepcopy(model).eval().requires_grad_(False)", "copy.deepcopy(model.requires_grad_(False)).eval()",
    "The model itself is frozen afterwards, so it can't train: call requires_grad_(False) on the copy.",
    about="the_average_is_for_evaluation")

shared_ones_move_twice = mistake.edited(
    "for average, weight in zip(self.model.parameters(), model.parameters(), strict=True):",
    "state = {name: t for name, t in model.state_dict().items() if t.is_floating_point() and name in dict(model.named_parameters(remove_duplicate=False))}\n"
    "for average, weight in ((self.model.state_dict()[name], t) for name, t in state.items()):",
    "A shared parameter was updated twice, as in a loop over a state_dict, which has it under two names: model.parameters() lists it once.",
    about="shared_parameters_move_once", common=True)

new_parameters = mistake.edited(
    "@torch.no_grad()\ndef update(self, model: nn.Module) -> None:",
    "def update(self, model: nn.Module) -> None:\n    self.model = copy.deepcopy(self.model)\n    self.move(model)\n\n@torch.no_grad()\ndef move(self, model):",
    "Each update makes new parameters, so code that holds the old ones misses it: change them in place.",
    about="averages_stay_the_same_objects")


@alternative("EMA")
class WithLerp:
    """lerp_ on detached tensors, and names."""

    def __init__(self, model, decay):
        self.model = copy.deepcopy(model)
        self.model.train(False)
        for p in self.model.parameters():
            p.requires_grad = False
        self.rest = 1.0 - decay

    def update(self, model):
        new = dict(model.named_parameters())
        for name, p in self.model.named_parameters():
            p.lerp_(new[name].detach(), self.rest)
        buffers = dict(model.named_buffers())
        for name, b in self.model.named_buffers():
            b.copy_(buffers[name])


@alternative("EMA")
class PyTorchsOwn:
    """AveragedModel, whose first update copies."""

    def __init__(self, model, decay):
        from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

        self.average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(decay))
        self.average.update_parameters(model)
        self.model = self.average.module.eval().requires_grad_(False)

    def update(self, model):
        self.average.update_parameters(model)


@alternative("EMA")
class ThroughData:
    """The formula as it stands, written into .data."""

    def __init__(self, model, decay):
        self.model, self.decay = copy.deepcopy(model).requires_grad_(False), decay
        self.model.eval()

    def update(self, model):
        with torch.no_grad():
            for average, weight in zip(self.model.parameters(), model.parameters()):
                average.data[...] = self.decay * average + (1 - self.decay) * weight
            for own, other in zip(self.model.buffers(), model.buffers()):
                own.data = other.clone()
