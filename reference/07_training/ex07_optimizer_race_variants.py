"""Known mistakes and unusual but correct solutions for steps_to, race and VERDICT."""

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
    "steps_to: which index of the history belongs to no update at all? race: what must be the same for "
    "all contestants, and what must each have for itself?",
    "enumerate counts from 0, as the updates do. copy.deepcopy makes a model of its own with the same "
    "weights; an optimizer only works for the parameters that it was given.",
    "race: make one model and move it. For each name copy it and build the optimizer for the copy; then compute the loss max_steps + 1 times, with an update in between. For the verdict, run it.",
)


counts_from_one = mistake.edited(
    "(updates for updates, loss in enumerate(history) if loss < threshold)",
    "(k for k, loss in enumerate(history, start=1) if loss < threshold)",
    "The count is one too high: history[0] belongs to no update.")

equal_counts_too = mistake.edited(
    "(updates for updates, loss in enumerate(history) if loss < threshold)",
    "(k for k, loss in enumerate(history) if loss <= threshold)",
    "A loss equal to the threshold was taken as below it: use a strict comparison.")

the_smallest_loss = mistake.edited(
    "next((updates for updates, loss in enumerate(history) if loss < threshold), None)",
    "history.index(min(history)) if history and min(history) < threshold else None",
    "This is where the loss is smallest: find the first time that it is below the threshold.")

below_for_good = mistake.edited(
    "next((updates for updates, loss in enumerate(history) if loss < threshold), None)",
    "next((k for k in range(len(history)) if all(loss < threshold for loss in history[k:])), None)",
    "This is where the loss stays below for good: the first time counts, even if it rises again.")

zero_is_never = mistake.edited("if loss < threshold), None)", "if loss < threshold), 0) or None",
    "0 updates came out as None: 0 is false in an `if`, so test `is None`.",
    common=True,
    pitfall='0 steps and "never" are different answers')

length_instead_of_none = mistake.edited(
    "next((updates for updates, loss in enumerate(history) if loss < threshold), None)",
    "next((k for k, loss in enumerate(history) if loss < threshold), len(history))",
    "A history that never goes below got its length: the answer is None.")

minus_one_for_never = mistake.edited("if loss < threshold), None)", "if loss < threshold), -1)",
    "A history that never goes below got -1: the answer is None.")

returns_the_loss = mistake.edited("(updates for updates, loss in enumerate(history)", "(loss for updates, loss in enumerate(history)",
    "steps_to gave the loss itself: the answer is the number of updates, which is its index in the history.")

looks_at_the_first_loss_only = mistake.edited("in enumerate(history)", "in enumerate(history[:1])",
    "steps_to ends at the first loss, whatever it is: return None only when no loss of the history is below.")

a_new_start_for_each = mistake.edited("model = copy.deepcopy(start)", "model = make_model().to(x.device)",
    "Each contestant got different initial weights, so luck decided part of the race: make one model and copy it.",
    also=[("start = make_model().to(x.device)", "")],
    pitfall="a lucky start can win the race")

one_model_for_all = mistake.edited("model = copy.deepcopy(start)", "model = start",
    "The second contestant continued with the model that the first had trained: give each a copy of the untrained one.",
    also=[("if history[-1] < threshold:\n    break", "")])

one_model_until_it_arrives = mistake.edited("model = copy.deepcopy(start)", "model = start",
    "The second contestant continued where the first had stopped: give each a deep copy of the untrained model. copy.copy "
    "and state_dict() alone share its tensors.")

optimizer_of_the_original = mistake.edited("make_optimizer(model.parameters())", "make_optimizer(start.parameters())",
    "race() acts as if no update changed the model: build the optimizer for the parameters of the copy that is measured, and let it step.")

last_loss_unseen = mistake.edited("range(max_steps + 1)", "range(max_steps)",
    "The loss after the last update was not looked at: max_steps updates have max_steps + 1 losses.")

never_clears_gradients = mistake.edited("opt.zero_grad()", "",
    "Gradients of all steps were added up: clear them before each backward().",
    common=True)

model_stays_behind = mistake.edited("make_model().to(x.device)", "make_model()",
    "The model was not moved to the device of the data.")

drops_who_did_not_arrive = mistake.edited(
    "result[name] = steps_to(history, threshold)",
    "if steps_to(history, threshold) is not None:\n    result[name] = steps_to(history, threshold)",
    "A contestant that never gets below the threshold is missing from the result: include its name, with None.")

believes_the_claim = mistake.edited('"fewer"', '"three times fewer"',
    'Your verdict is "three times fewer" for every setting: let race() run and compare the medians.',
    also=[('"more"', '"three times fewer"')])

adam_always_wins = mistake.edited('"more"', '"fewer"',
    "You let Adam win every race: with its small default learning rate it loses to SGD with a large one. Run all three.")

nan_is_below = mistake.edited(
    "(updates for updates, loss in enumerate(history) if loss < threshold)",
    "(k for k, loss in enumerate(history) if not loss >= threshold)",
    "A loss that is nan was taken as below: both `<` and `>=` are false for nan, so `not loss >= threshold` is not the same as `loss < threshold`.")

where_the_loss_was_smallest = mistake.edited(
    "steps_to(history, threshold)", "history.index(min(history)) if min(history) < threshold else None",
    "The number says when the loss was smallest: it counts the updates until the loss was below for the first time.",
    also=[("if history[-1] < threshold:\n    break", "")])

sums_over_the_columns = mistake.edited(".mean()", ".sum(-1).mean()",
    "The squared errors were added up over the columns: the loss is the mean over all elements, however many columns y "
    "has.")


@mistake("steps_to")
def in_seven_digits(history, threshold):
    """The losses were rounded to float32 before they were compared, as torch.tensor(history) does: compare the floats as they are."""
    below = torch.tensor(history, dtype=torch.float32) < threshold
    return int(below.int().argmax()) if below.any() else None


part_of_the_data = mistake.edited("x, y = data", "x, y = (t[:8] for t in data)",
    "The loss is that of a few examples: each loss and each update use all of the data.")

rounded_losses = mistake.edited(
    "steps_to(history, threshold)", "steps_to([round(loss, 6) for loss in history], threshold)",
    "The losses were rounded before they were compared with the threshold: compare all of their digits.",
    also=[("if history[-1] < threshold:\n    break", "")])


@alternative("steps_to")
def with_a_loop(history, threshold):
    """An old-fashioned loop."""
    for k in range(len(history)):
        if history[k] < threshold:
            return k
    return None


start_from_a_state_dict = alternative.edited(
    "start = make_model().to(x.device)",
    """
    model = make_model().to(x.device)
    start = {name: value.clone() for name, value in model.state_dict().items()}
    """,
    "One model, set back to its first weights for each contestant, run to the end without stopping early.",
    also=[
        ("model = copy.deepcopy(start)", "model.load_state_dict(start)\nmodel.zero_grad()"),
        ("if history[-1] < threshold:\n    break", ""),
    ])


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
