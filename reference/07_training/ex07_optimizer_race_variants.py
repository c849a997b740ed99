"""Known mistakes and odd-but-correct solutions for steps_to, race and VERDICT."""

import copy

import torch
from ex07_optimizer_race import steps_to

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "swap_operands: loss = ((y - model(x)) ** 2).mean()": "the difference is squared",
    "drop_copy: history.append(loss)": "steps_to can compare tensors too",
    "force_branch: if False:": "stopping early is allowed, not asked for",
    "swap_jump: continue": "later losses do not change when it was below for the first time",
}

HINTS = (
    "steps_to: which place in the history belongs to no update at all? race: what must be the same for "
    "all contestants, and what must each have for itself?",
    "enumerate counts from 0, as the updates do. copy.deepcopy makes a model of its own with the same "
    "weights; an optimizer only works for the parameters that it was given.",
    "race: make one model and move it. For each name copy it and build the optimizer for the copy; then "
    "look at the loss max_steps + 1 times, with an update after each look. What is in the way of the "
    "verdict is only the running of it.",
)


def losses(model, opt, data, looks):
    """The losses after 0, 1, ... updates."""
    x, y = data
    history = []
    for _ in range(looks):
        opt.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        history.append(loss.item())
        loss.backward()
        opt.step()
    return history


counts_from_one = mistake.edited(
    "(updates for updates, loss in enumerate(history) if loss < threshold)",
    "(k for k, loss in enumerate(history, start=1) if loss < threshold)",
    "The count is one too high: history[0] belongs to no update.")

equal_counts_too = mistake.edited(
    "(updates for updates, loss in enumerate(history) if loss < threshold)",
    "(k for k, loss in enumerate(history) if loss <= threshold)",
    "A loss equal to the threshold was taken as below it: use a strict comparison.")


@mistake("steps_to")
def the_smallest_loss(history, threshold):
    """This is where the loss is smallest: find the first time that it is below the threshold."""
    if not history or not min(history) < threshold:
        return None
    return history.index(min(history))


@mistake("steps_to")
def below_for_good(history, threshold):
    """This is where the loss stays below for good: the first time counts, even if it rises again."""
    for k in range(len(history)):
        if all(loss < threshold for loss in history[k:]):
            return k
    return None


@mistake("steps_to", common=True)
def zero_is_never(history, threshold):
    """0 updates came out as None: 0 is false in an `if`, so ask `is None`."""
    return next((k for k, loss in enumerate(history) if loss < threshold), 0) or None


length_instead_of_none = mistake.edited(
    "next((updates for updates, loss in enumerate(history) if loss < threshold), None)",
    "next((k for k, loss in enumerate(history) if loss < threshold), len(history))",
    "A history that never goes below got its length: the answer is None.")


@mistake("race")
def a_new_start_for_each(make_model, optimizers, threshold, data, max_steps):
    """Each contestant got other initial weights, so luck took part in the race: make one model and copy
    it."""
    result = {}
    for name, make_optimizer in optimizers.items():
        model = make_model().to(data[0].device)
        result[name] = steps_to(
            losses(model, make_optimizer(model.parameters()), data, max_steps + 1), threshold
        )
    return result


@mistake("race")
def one_model_for_all(make_model, optimizers, threshold, data, max_steps):
    """The second contestant continued with the model that the first had trained: give each a copy of the
    untrained one."""
    model = make_model().to(data[0].device)
    result = {}
    for name, make_optimizer in optimizers.items():
        result[name] = steps_to(
            losses(model, make_optimizer(model.parameters()), data, max_steps + 1), threshold
        )
    return result


@mistake("race")
def one_model_until_it_arrives(make_model, optimizers, threshold, data, max_steps):
    """The second contestant went on where the first had stopped: give each a deep copy of the untrained model. copy.copy and
    state_dict() alone share its tensors."""
    x, y = data
    model = make_model().to(x.device)
    result = {}
    for name, make_optimizer in optimizers.items():
        opt, result[name] = make_optimizer(model.parameters()), None
        for updates in range(max_steps + 1):
            opt.zero_grad()
            loss = ((model(x) - y) ** 2).mean()
            if loss.item() < threshold:
                result[name] = updates
                break
            loss.backward()
            opt.step()
    return result


@mistake("race")
def optimizer_of_the_original(make_model, optimizers, threshold, data, max_steps):
    """The optimizer holds the parameters of the original and the copy was measured: build the optimizer for
    the copy."""
    start = make_model().to(data[0].device)
    result = {}
    for name, make_optimizer in optimizers.items():
        opt = make_optimizer(start.parameters())
        result[name] = steps_to(losses(copy.deepcopy(start), opt, data, max_steps + 1), threshold)
    return result


@mistake("race")
def last_loss_unseen(make_model, optimizers, threshold, data, max_steps):
    """The loss after the last update was not looked at: max_steps updates have max_steps + 1 losses."""
    start = make_model().to(data[0].device)
    result = {}
    for name, make_optimizer in optimizers.items():
        model = copy.deepcopy(start)
        result[name] = steps_to(losses(model, make_optimizer(model.parameters()), data, max_steps), threshold)
    return result


@mistake("race", common=True)
def never_clears_gradients(make_model, optimizers, threshold, data, max_steps):
    """Gradients of all steps were added up: clear them before each backward()."""
    x, y = data
    start = make_model().to(x.device)
    result = {}
    for name, make_optimizer in optimizers.items():
        model = copy.deepcopy(start)
        opt = make_optimizer(model.parameters())
        history = []
        for _ in range(max_steps + 1):
            loss = ((model(x) - y) ** 2).mean()
            history.append(loss.item())
            loss.backward()
            opt.step()
        result[name] = steps_to(history, threshold)
    return result


@mistake("race")
def model_stays_behind(make_model, optimizers, threshold, data, max_steps):
    """The model was not moved to the device of the data."""
    start = make_model()
    result = {}
    for name, make_optimizer in optimizers.items():
        model = copy.deepcopy(start)
        result[name] = steps_to(
            losses(model, make_optimizer(model.parameters()), data, max_steps + 1), threshold
        )
    return result


@mistake("race")
def drops_who_did_not_arrive(make_model, optimizers, threshold, data, max_steps):
    """Who did not arrive is missing in the result: every name belongs there, with None."""
    start = make_model().to(data[0].device)
    result = {}
    for name, make_optimizer in optimizers.items():
        model = copy.deepcopy(start)
        steps = steps_to(losses(model, make_optimizer(model.parameters()), data, max_steps + 1), threshold)
        if steps is not None:
            result[name] = steps
    return result


@mistake()
def believes_the_claim():
    """You believed the claim for every setting: let race() run and compare the medians."""
    return {
        "VERDICT": {
            "SGD with lr 0.01, Adam with lr 0.01": "three times fewer",
            "SGD with lr 0.1, Adam with lr 0.01": "three times fewer",
            "SGD with lr 0.1, Adam with lr 0.001": "three times fewer",
        }
    }


@mistake()
def adam_always_wins():
    """You let Adam win every race: with its small default learning rate it loses to SGD with a large one.
    Run all three."""
    return {
        "VERDICT": {
            "SGD with lr 0.01, Adam with lr 0.01": "three times fewer",
            "SGD with lr 0.1, Adam with lr 0.01": "fewer",
            "SGD with lr 0.1, Adam with lr 0.001": "fewer",
        }
    }


nan_is_below = mistake.edited(
    "(updates for updates, loss in enumerate(history) if loss < threshold)",
    "(k for k, loss in enumerate(history) if not loss >= threshold)",
    "A loss that is nan was taken as below: every comparison with nan is false, so `not loss >= threshold` is not the "
    "same as `loss < threshold`.")


@mistake("race")
def where_the_loss_was_smallest(make_model, optimizers, threshold, data, max_steps):
    """The number says when the loss was smallest: it counts the updates until the loss was below for the
    first time."""
    start = make_model().to(data[0].device)
    result = {}
    for name, make_optimizer in optimizers.items():
        model = copy.deepcopy(start)
        history = losses(model, make_optimizer(model.parameters()), data, max_steps + 1)
        result[name] = history.index(min(history)) if min(history) < threshold else None
    return result


@mistake("race")
def sums_over_the_columns(make_model, optimizers, threshold, data, max_steps):
    """The squared errors were added up over the columns: the loss is the mean over all elements, however many columns y has."""
    x, y = data
    start = make_model().to(x.device)
    result = {}
    for name, make_optimizer in optimizers.items():
        model, history = copy.deepcopy(start), []
        opt = make_optimizer(model.parameters())
        for _ in range(max_steps + 1):
            opt.zero_grad()
            loss = ((model(x) - y) ** 2).sum(-1).mean()
            history.append(loss.item())
            loss.backward()
            opt.step()
        result[name] = steps_to(history, threshold)
    return result


@mistake("steps_to")
def in_seven_digits(history, threshold):
    """The losses were rounded to float32 before they were compared, as torch.tensor(history) does: compare the floats as they are."""
    below = torch.tensor(history, dtype=torch.float32) < threshold
    return int(below.int().argmax()) if below.any() else None


@mistake("race")
def part_of_the_data(make_model, optimizers, threshold, data, max_steps):
    """The loss is that of a few examples: each look and each update take all of the data."""
    few = tuple(t[:8] for t in data)
    start = make_model().to(data[0].device)
    result = {}
    for name, make_opt in optimizers.items():
        model = copy.deepcopy(start)
        result[name] = steps_to(losses(model, make_opt(model.parameters()), few, max_steps + 1), threshold)
    return result


@mistake("race")
def rounded_losses(make_model, optimizers, threshold, data, max_steps):
    """The losses were rounded before they were compared with the threshold: compare all of their digits."""
    start = make_model().to(data[0].device)
    result = {}
    for name, make_opt in optimizers.items():
        model = copy.deepcopy(start)
        history = losses(model, make_opt(model.parameters()), data, max_steps + 1)
        result[name] = steps_to([round(loss, 6) for loss in history], threshold)
    return result


@alternative("steps_to")
def with_a_loop(history, threshold):
    """An old-fashioned loop."""
    for k in range(len(history)):
        if history[k] < threshold:
            return k
    return None


@alternative("race")
def start_from_a_state_dict(make_model, optimizers, threshold, data, max_steps):
    """One model, set back to its first weights for each contestant, run to the end without stopping early."""
    model = make_model().to(data[0].device)
    start = {name: value.clone() for name, value in model.state_dict().items()}
    result = dict.fromkeys(optimizers)
    for name in optimizers:
        model.load_state_dict(start)
        model.zero_grad()
        history = losses(model, optimizers[name](list(model.parameters())), data, max_steps + 1)
        result[name] = steps_to(history, threshold)
    return result


@alternative("race")
def side_by_side(make_model, optimizers, threshold, data, max_steps):
    """All contestants make their steps together."""
    x, y = data
    start = make_model().to(x.device)
    models = {name: copy.deepcopy(start) for name in optimizers}
    opts = {name: make(models[name].parameters()) for name, make in optimizers.items()}
    result = dict.fromkeys(optimizers)
    for done in range(max_steps + 1):
        for name in optimizers:
            if result[name] is None:
                opts[name].zero_grad()
                loss = torch.nn.functional.mse_loss(models[name](x), y)
                if loss.item() < threshold:
                    result[name] = done
                loss.backward()
                opts[name].step()
    return result


@alternative("race")
def with_closures(make_model, optimizers, threshold, data, max_steps):
    """step() calls the closure and returns its loss."""
    x, y = data
    start = make_model().to(x)

    def run(make_optimizer):
        model = copy.deepcopy(start)
        opt = make_optimizer(list(model.parameters()))

        def closure():
            opt.zero_grad()
            loss = (y - model(x)).square().mean()
            loss.backward()
            return loss

        return steps_to([opt.step(closure).item() for _ in range(max_steps + 1)], threshold)

    return {name: run(make_optimizer) for name, make_optimizer in optimizers.items()}
