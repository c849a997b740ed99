"""Known mistakes and odd-but-correct solutions for train_keeping_best."""

import copy
import math

import torch
from ex09_best_model_lost import train_keeping_best

from torchdojo.variants import alternative, mistake

HINTS = (
    "Print data_ptr() of a tensor in the saved state and of the model's own weight.",
    "state_dict() is a dict of the living tensors, not a copy: training goes on writing into them. A copy of "
    "the dict still holds the same tensors.",
    "One line is at fault, the one that notes the best epoch. Let it note copies of the tensors: "
    "copy.deepcopy, or clone() for each of them.",
)


def run(model, train_epoch, validate, epochs, save, better=lambda loss, best: loss < best):
    """The loop of the file with another way to save."""
    best_loss, best_state = float("inf"), None
    for _ in range(epochs):
        train_epoch(model)
        loss = validate(model)
        if better(loss, best_loss):
            best_loss, best_state = loss, save(model)
    if best_state is None:
        raise ValueError("no epoch has a loss to compare")
    model.load_state_dict(best_state)
    return best_state, best_loss


def clones(model):
    """The same, tensor by tensor."""
    return {key: tensor.clone() for key, tensor in model.state_dict().items()}


def snapshot(model):
    """A deep copy of parameters and buffers."""
    return copy.deepcopy(model.state_dict())


@mistake("train_keeping_best")
def saves_the_models_own_tensors(model, train_epoch, validate, epochs):
    """The saved tensors are the model's own, and training goes on writing into them: save copies, with copy.deepcopy or clone().
    state_dict(), dict(...), detach() and cpu() copy no numbers."""
    return run(model, train_epoch, validate, epochs, lambda model: model.state_dict())


@mistake("train_keeping_best")
def copies_the_dict_only(model, train_epoch, validate, epochs):
    """The saved tensors are the model's own, and training goes on writing into them: save copies, with copy.deepcopy or clone().
    state_dict(), dict(...), detach() and cpu() copy no numbers."""
    return run(model, train_epoch, validate, epochs, lambda model: dict(model.state_dict()))


@mistake("train_keeping_best")
def brings_the_tensors_to_the_cpu(model, train_epoch, validate, epochs):
    """The saved tensors are the model's own, and training goes on writing into them: save copies, with copy.deepcopy or clone().
    state_dict(), dict(...), detach() and cpu() copy no numbers."""
    return run(model, train_epoch, validate, epochs, lambda model: {k: v.detach().cpu() for k, v in model.state_dict().items()})


@mistake("train_keeping_best")
def integers_stay_live(model, train_epoch, validate, epochs):
    """The integer buffers in the state are still the model's own: clone every entry, not only the floating ones."""
    return run(
        model, train_epoch, validate, epochs,
        lambda model: {k: v.clone() if v.is_floating_point() else v for k, v in model.state_dict().items()},
    )  # fmt: skip


@mistake("train_keeping_best")
def copies_after_the_last_epoch(model, train_epoch, validate, epochs):
    """The copy is made at the end, when the weights are those of the last epoch: copy at the moment when the
    epoch is the best."""
    state, loss = run(model, train_epoch, validate, epochs, lambda model: model.state_dict())
    return copy.deepcopy(state), loss


@mistake("train_keeping_best")
def returns_the_models_own_tensors(model, train_epoch, validate, epochs):
    """The best weights are back in the model, but the returned tensors are the model's own: more training
    changes them.
    Return the copy."""
    _, loss = run(model, train_epoch, validate, epochs, snapshot)
    return model.state_dict(), loss


@mistake("train_keeping_best")
def forgets_to_load_them_back(model, train_epoch, validate, epochs):
    """The returned state is right, but the model still has the weights of the last epoch: load the best state
    into it."""
    best_loss, best = float("inf"), None
    for _ in range(epochs):
        train_epoch(model)
        loss = validate(model)
        if loss < best_loss:
            best_loss, best = loss, copy.deepcopy(model)
    if best is None:
        raise ValueError("no epoch has a loss to compare")
    return best.state_dict(), best_loss


@mistake("train_keeping_best")
def takes_the_last_of_equals(model, train_epoch, validate, epochs):
    """With equal losses the later epoch was taken: the first one counts, so compare with < and not with
    <=."""
    return run(model, train_epoch, validate, epochs, snapshot, lambda loss, best: loss <= best)


@mistake("train_keeping_best")
def stuck_at_nan(model, train_epoch, validate, epochs):
    """A nan in the first epoch was taken as the best loss, and nothing is smaller than nan: start from
    infinity."""
    best_loss, best_state = None, None
    for _ in range(epochs):
        train_epoch(model)
        loss = validate(model)
        if best_loss is None or loss < best_loss:
            best_loss, best_state = loss, snapshot(model)
    if best_state is None:
        raise ValueError("no epoch has a loss to compare")
    model.load_state_dict(best_state)
    return best_state, best_loss


@mistake("train_keeping_best")
def copies_parameters_only(model, train_epoch, validate, epochs):
    """Only the parameters were saved: the buffers, such as the running statistics of batch norm, belong to
    the state too."""
    best_loss, best = float("inf"), None
    for _ in range(epochs):
        train_epoch(model)
        loss = validate(model)
        if loss < best_loss:
            best_loss, best = loss, {name: p.detach().clone() for name, p in model.named_parameters()}
    if best is None:
        raise ValueError("no epoch has a loss to compare")
    model.load_state_dict(best, strict=False)
    return best, best_loss


@mistake("train_keeping_best")
def goes_back_after_each_bad_epoch(model, train_epoch, validate, epochs):
    """You loaded the best weights after each worse epoch, so training continued from the wrong weights: load them
    when all epochs are done."""
    best_loss, best_state = float("inf"), None
    for _ in range(epochs):
        train_epoch(model)
        loss = validate(model)
        if loss < best_loss:
            best_loss, best_state = loss, snapshot(model)
        elif best_state is not None:
            model.load_state_dict(best_state)
    if best_state is None:
        raise ValueError("no epoch has a loss to compare")
    model.load_state_dict(best_state)
    return best_state, best_loss


@mistake("train_keeping_best")
def keeps_the_highest_loss(model, train_epoch, validate, epochs):
    """The epoch with the highest loss was kept: lower is better."""
    best_loss, best_state = -float("inf"), None
    for _ in range(epochs):
        train_epoch(model)
        loss = validate(model)
        if loss > best_loss:
            best_loss, best_state = loss, snapshot(model)
    if best_state is None:
        raise ValueError("no epoch has a loss to compare")
    model.load_state_dict(best_state)
    return best_state, best_loss


@mistake("train_keeping_best")
def swaps_the_parameter_objects(model, train_epoch, validate, epochs):
    """The best values came back as new Parameter objects, and an optimizer still holds the old ones: copy
    into the model with load_state_dict."""
    state, loss = run(model, train_epoch, validate, epochs, snapshot)
    for module in model.modules():
        for name, parameter in list(module.named_parameters(recurse=False)):
            setattr(module, name, torch.nn.Parameter(parameter.detach().clone()))
    return state, loss


@mistake("train_keeping_best")
def saves_the_last_epoch(model, train_epoch, validate, epochs):
    """State and loss are those of the last epoch, whatever its loss: save only when the loss is the lowest so
    far."""
    return run(model, train_epoch, validate, epochs, snapshot, lambda loss, best: not math.isnan(loss))


@mistake("train_keeping_best")
def sets_the_mode_itself(model, train_epoch, validate, epochs):
    """You call train() and eval() around the two functions: they set the mode themselves, leave it alone."""

    def in_train_mode(model):
        model.train()
        train_epoch(model)
        model.eval()

    return train_keeping_best(model, in_train_mode, validate, epochs)


@mistake("train_keeping_best")
@torch.no_grad()
def turns_gradients_off(model, train_epoch, validate, epochs):
    """The epochs run under no_grad(), where no training can call backward: copying a state needs no such thing, so take it
    away."""
    return train_keeping_best(model, train_epoch, validate, epochs)


@mistake("train_keeping_best")
def compares_rounded_losses(model, train_epoch, validate, epochs):
    """The losses were rounded before they were compared, so a small gain counts as none: compare them as they are."""
    return train_keeping_best(model, train_epoch, lambda model: round(validate(model), 5), epochs)


@mistake("train_keeping_best")
def stops_when_nothing_gets_better(model, train_epoch, validate, epochs):
    """Training stopped early, after some epochs without a better loss: all epochs are asked for, and a later one may be the
    best."""
    best_loss, best_state, waiting = float("inf"), None, 0
    for _ in range(epochs):
        train_epoch(model)
        loss = validate(model)
        waiting += 1
        if loss < best_loss:
            best_loss, best_state, waiting = loss, clones(model), 0
        if waiting == 20:
            break
    if best_state is None:
        raise ValueError("no epoch has a loss to compare")
    model.load_state_dict(best_state)
    return best_state, best_loss


@mistake("train_keeping_best")
def compares_in_float32(model, train_epoch, validate, epochs):
    """The losses were compared as float32 numbers, which have seven digits, so a small gain counts as none: compare the Python
    floats as they are."""
    losses, states = [], []
    for _ in range(epochs):
        train_epoch(model)
        losses.append(validate(model))
        states.append(clones(model))
    if all(math.isnan(loss) for loss in losses):
        raise ValueError("no epoch has a loss to compare")
    best = int(torch.tensor(losses).nan_to_num(nan=math.inf).argmin())
    model.load_state_dict(states[best])
    return states[best], losses[best]


@mistake("train_keeping_best")
def takes_a_best_loss_of_zero_for_none(model, train_epoch, validate, epochs):
    """A best loss of 0 was taken for none at all, because 0 is false in a condition: compare with `is None`, or start from
    infinity."""
    best_loss, best_state = None, None
    for _ in range(epochs):
        train_epoch(model)
        loss = validate(model)
        if loss == loss and (not best_loss or loss < best_loss):
            best_loss, best_state = loss, clones(model)
    if best_state is None:
        raise ValueError("no epoch has a loss to compare")
    model.load_state_dict(best_state)
    return best_state, best_loss


@alternative("train_keeping_best")
def copies_the_whole_model(model, train_epoch, validate, epochs):
    """A deep copy of the model each time, with its state at the end."""
    best_loss, best = math.inf, None
    for _ in range(epochs):
        train_epoch(model)
        loss = validate(model)
        if loss < best_loss:
            best_loss, best = loss, copy.deepcopy(model)
    if best is None:
        raise ValueError("nothing to choose from")
    model.load_state_dict(best.state_dict())
    return best.state_dict(), best_loss


@alternative("train_keeping_best")
def clones_each_tensor(model, train_epoch, validate, epochs):
    """A dict of clones."""
    return run(model, train_epoch, validate, epochs, clones)


@alternative("train_keeping_best")
def keeps_every_epoch(model, train_epoch, validate, epochs):
    """Saves all epochs and picks at the end."""
    saved = []
    for _ in range(epochs):
        train_epoch(model)
        saved.append((validate(model), {key: t.detach().clone() for key, t in model.state_dict().items()}))
    saved = [pair for pair in saved if not math.isnan(pair[0])]
    if not saved:
        raise ValueError("nothing to choose from")
    loss, state = min(saved, key=lambda pair: pair[0])
    model.load_state_dict(state)
    return state, loss
