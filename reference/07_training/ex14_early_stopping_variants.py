"""Known mistakes and unusual but correct solutions for train_until_best."""

import copy
import math
import tempfile
from pathlib import Path

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "You need to remember three things from one epoch to the next. Which of them must not change while the model trains on?",
    "Remember the lowest loss, a copy of the state from that epoch, and for how many epochs there was nothing better. A state_dict shares its memory with "
    "the model, so copy it deeply. load_state_dict writes values back into the model.",
    "Loop while there are epochs left and the count is below patience. Train, validate, note the loss. If it is lower than the best one, renew all three things; "
    "otherwise count. One line is left after the loop.",
)

RENEW = "best, best_state, waited = losses[-1], copy.deepcopy(model.state_dict()), 0"
RESTORE = "model.load_state_dict(best_state)"

state_goes_on_changing = mistake.edited(
    RENEW, "best, best_state, waited = losses[-1], model.state_dict(), 0",
    "The saved state changed while the model trained on: a state_dict, and a shallow copy of it, share memory with the parameters. Use copy.deepcopy.",
    about="the_best_weights_come_back", common=True,
    pitfall="they go on changing")

restores_nothing = mistake.edited(
    RESTORE, "",
    "The model has the weights of the last epoch: save the state of the best epoch alone, and load it into the model after the loop.",
    about="the_best_weights_come_back", common=True)

saves_before_training = mistake.edited(
    "train_epoch()", "state = copy.deepcopy(model.state_dict())\ntrain_epoch()",
    "The weights are from one epoch before the best: save them after training, when the loss is known.",
    also=[(RENEW, "best, best_state, waited = losses[-1], state, 0")],
    about="the_best_weights_come_back")

buffers_stay = mistake.edited(
    RENEW, "best, best_state, waited = losses[-1], {name: p.detach().clone() for name, p in model.named_parameters()}, 0",
    "Only the parameters came back: buffers, such as batch norm's running statistics, belong to the state, too.",
    also=[(RESTORE, "model.load_state_dict(best_state, strict=False)")],
    about="buffers_come_back", common=True)

one_epoch_too_many = mistake.edited(
    "waited < patience", "waited <= patience",
    "Training stopped one epoch too late: stop as soon as `patience` epochs in a row were not better.",
    about="stops_in_time", common=True)

one_epoch_too_few = mistake.edited(
    "waited < patience", "waited < max(1, patience - 1)",
    "Training stopped one epoch too early: it ends after `patience` epochs in a row without an improvement.",
    about="stops_in_time")

never_forgets = mistake.edited(
    RENEW, "best, best_state = losses[-1], copy.deepcopy(model.state_dict())",
    "Every epoch without an improvement was counted: only those in a row count, so reset the counter after each improvement.",
    about="stops_in_time", common=True)

equal_is_better = mistake.edited(
    "losses[-1] < best", "losses[-1] <= best",
    "An equal loss counted as better: only a lower one is.",
    about="stops_in_time", common=True)

compares_with_the_last = mistake.edited(
    "if losses[-1] < best:", "if len(losses) == 1 or losses[-1] < losses[-2]:",
    "Each loss was compared with that of the epoch before: compare it with the lowest so far.",
    about="stops_in_time", common=True)

higher_is_better = mistake.edited(
    "losses[-1] < best", "losses[-1] > best",
    "A higher loss counted as better: a loss should be low.",
    also=[("best, best_state = math.inf", "best, best_state = -math.inf")],
    about="stops_in_time")

never_stops = mistake.edited(
    " and waited < patience", "",
    "Training went on until max_epochs: stop after `patience` epochs in a row that were not better.",
    about="stops_in_time")

ignores_max_epochs = mistake.edited(
    "len(losses) < max_epochs and waited", "len(losses) < 12 and waited",
    "There were more than max_epochs epochs: stop after max_epochs at the latest.",
    about="makes_at_most_max_epochs")

one_epoch_at_least = mistake.edited(
    "len(losses) < max_epochs and", "len(losses) < max(1, max_epochs) and",
    "With max_epochs=0 there was an epoch: ask before you train.",
    about="makes_at_most_max_epochs")

validates_first = mistake.edited(
    "train_epoch()\nlosses.append(validate())", "losses.append(validate())\ntrain_epoch()",
    "Each epoch validated before it trained: first train_epoch(), then validate().",
    about="makes_at_most_max_epochs")

nan_is_best = mistake.edited(
    "if losses[-1] < best:", "if not losses[-1] >= best:",
    "nan counted as better: every comparison with nan is False, so ask whether the loss is lower.",
    about="nan_is_not_better")

first_is_always_best = mistake.edited(
    "if losses[-1] < best:", "if len(losses) == 1 or losses[-1] < best:",
    "A first loss of nan counted as the best, and no number is lower than nan: begin with infinity.",
    about="nan_is_not_better", common=True)


@mistake("train_until_best", about="parameters_stay_the_same_objects")
def new_parameters(model, train_epoch, validate, patience, max_epochs):
    """The model has new parameters afterwards, which no optimizer knows: write the values into the old ones, as load_state_dict does."""
    best, best_model, losses, waited = math.inf, copy.deepcopy(model), [], 0
    while len(losses) < max_epochs and waited < patience:
        train_epoch()
        losses.append(validate())
        waited += 1
        if losses[-1] < best:
            best, best_model, waited = losses[-1], copy.deepcopy(model), 0
    model.__dict__.update(best_model.__dict__)
    return losses


@alternative("train_until_best")
def through_a_file(model, train_epoch, validate, patience, max_epochs):
    """The best state in a file, and a for loop with break."""
    best_epoch, history = -1, []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "best.pt"
        torch.save(model.state_dict(), file)
        for epoch in range(max_epochs):
            train_epoch()
            history.append(validate())
            if history[-1] < (history[best_epoch] if best_epoch >= 0 else float("inf")):
                best_epoch = epoch
                torch.save(model.state_dict(), file)
            if epoch - best_epoch >= patience:
                break
        model.load_state_dict(torch.load(file, weights_only=True))
    return history


@alternative("train_until_best")
def clones_by_name(model, train_epoch, validate, patience, max_epochs):
    """Clones in a dict, and copy_ under no_grad."""
    def state():
        return {name: t.detach().clone() for name, t in model.state_dict().items()}

    best, saved, bad, losses = float("inf"), state(), 0, []
    for _ in range(max_epochs):
        if bad == patience:
            break
        train_epoch()
        loss = validate()
        losses += [loss]
        bad += 1
        if loss < best:
            best, saved, bad = loss, state(), 0
    with torch.no_grad():
        for name, t in model.state_dict().items():
            t.copy_(saved[name])
    return losses
