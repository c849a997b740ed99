"""Known mistakes and unusual but correct solutions for warmup_cosine and train_scheduled."""

import math

import torch

from torchdojo.variants import alternative, mistake

EVEN = "the cosine of -x is that of x"
NOTED = "the rate changes only when the scheduler makes its step"
EQUIVALENT = {
    "swap_operands: return 0.5 * (1 + math.cos(math.pi * (warmup - update) / (total - warmup)))": EVEN,
    "swap_operands: return 0.5 * (1 + math.cos(math.pi * (update - warmup) / (warmup - total)))": EVEN,
    "swap_statements: rates.append(scheduler.get_last_lr()[0])": NOTED,
    "swap_statements: opt.step()": NOTED,
}

HINTS = (
    "warmup_cosine has three parts: before the warm-up ends, after it, and after the last update. In train_scheduled, ask yourself which number "
    "the scheduler has counted to when the optimizer makes its first step.",
    "progress is the number of updates since the warm-up, divided by how many there are after it. A torch scheduler sets the rate for update 0 when it is "
    "created, and each of its steps sets the next one: so it steps after the optimizer, once per batch.",
    "torch.optim.lr_scheduler.LambdaLR(opt, schedule) multiplies the rate of each group. In the loop: clear, backward, note the rate, "
    "step the optimizer. One line is left, and it belongs inside the loop over batches.",
)

COSINE = "return 0.5 * (1 + math.cos(math.pi * (update - warmup) / (total - warmup)))"

begins_at_zero = mistake.edited(
    "return (update + 1) / warmup", "return update / warmup",
    "The warm-up begins at 0, so the first update does nothing, and never reaches 1: count the update itself, (update + 1) / warmup.",
    about="the_warm_up_is_linear", common=True,
    pitfall="the first update has a learning rate of 0")

no_warm_up = mistake.edited(
    "if update < warmup:\n    return (update + 1) / warmup", "update = max(update, warmup) if warmup < total else update",
    "There is no warm-up: in the first `warmup` updates the factor is (update + 1) / warmup.",
    about="the_warm_up_is_linear")

cosine_over_all_updates = mistake.edited(
    COSINE, "return 0.5 * (1 + math.cos(math.pi * update / total))",
    "The cosine counts from update 0, so the factor jumps when the warm-up ends: progress begins at 0 in update `warmup`.",
    about="a_cosine_follows", common=True)

divides_by_total = mistake.edited(
    COSINE, "return 0.5 * (1 + math.cos(math.pi * (update - warmup) / total))",
    "The cosine ends too high: divide by the number of updates after the warm-up, total - warmup.",
    about="a_cosine_follows", common=True)

one_update_ahead = mistake.edited(
    COSINE, "return 0.5 * (1 + math.cos(math.pi * (update - warmup + 1) / (total - warmup)))",
    "The cosine is one update ahead: its factor is 1 in update `warmup`.",
    about="a_cosine_follows")

a_straight_line = mistake.edited(
    COSINE, "return 1 - (update - warmup) / (total - warmup)",
    "The factor falls in a straight line: use the cosine of pi * progress.",
    about="a_cosine_follows")

a_whole_cosine = mistake.edited(
    "math.pi * (update - warmup)", "2 * math.pi * (update - warmup)",
    "The factor falls and rises again: half a cosine goes from 0 to pi, not to 2 * pi.",
    about="a_cosine_follows")

forgets_the_half = mistake.edited(
    "0.5 * (1 + math.cos(", "(1 + math.cos(",
    "The cosine begins at 2: 1 + cos is between 0 and 2, so halve it.",
    about="a_cosine_follows")

in_degrees = mistake.edited(
    "math.pi * (update - warmup)", "180 * (update - warmup)",
    "The angle is in degrees: math.cos takes radians, so half a turn is pi.",
    about="a_cosine_follows")

rises_after_the_end = mistake.edited(
    "if update >= total:\n    return 0.0", "",
    "There is no end: from update `total` on the factor is 0, where the cosine would rise again, or divide by 0.",
    about="the_ends_have_factors", common=True)

scheduler_before_the_optimizer = mistake.edited(
    "opt.step()\nscheduler.step()", "opt.step()",
    "schedule(0) was skipped: update k uses schedule(k), counted from 0. With a scheduler, first opt.step(), then scheduler.step().",
    also=[("opt.zero_grad()", "scheduler.step()\nopt.zero_grad()")],
    about="each_update_has_its_rate", common=True,
    pitfall="skips schedule(0)")

once_per_epoch = mistake.edited(
    "        scheduler.step()\nreturn rates", "    scheduler.step()\nreturn rates",
    "The learning rate changed once per epoch: it must change after each batch, inside the inner loop.",
    about="each_update_has_its_rate", common=True)

never_steps_the_scheduler = mistake.edited(
    "scheduler.step()", "pass",
    "The learning rate stayed at that of the first update: change it for each update, for example with scheduler.step() after opt.step().",
    about="each_update_has_its_rate", common=True)

ignores_the_schedule = mistake.edited(
    "LambdaLR(opt, schedule)", "LambdaLR(opt, lambda k: 1.0)",
    "The schedule has no effect: multiply the learning rate by schedule(k) in update k.",
    about="each_update_has_its_rate")

multiplies_again_and_again = mistake.edited(
    "LambdaLR(opt, schedule)", "MultiplicativeLR(opt, schedule)",
    "The factors were multiplied with each other: in each update take the rate from the beginning times schedule(k).",
    about="each_update_has_its_rate", common=True)

notes_the_next_rate = mistake.edited(
    "rates.append(scheduler.get_last_lr()[0])\nopt.step()\nscheduler.step()", "opt.step()\nscheduler.step()\nrates.append(scheduler.get_last_lr()[0])",
    "The result has the rates of the next updates: note the rate before scheduler.step() changes it.",
    about="returns_the_rates_of_the_updates", common=True)

returns_factors = mistake.edited(
    "rates.append(scheduler.get_last_lr()[0])", "rates.append(schedule(len(rates)))",
    "The result has the factors: return the learning rates, the rate of the first group times the factor.",
    about="returns_the_rates_of_the_updates")


@mistake("train_scheduled", about="each_group_keeps_its_own_rate", common=True)
def one_rate_for_all_groups(model, loader, loss_fn, opt, epochs, schedule):
    """All groups got the rate of one group: multiply each group's own starting rate."""
    base, rates = opt.param_groups[0]["lr"], []
    model.train()
    for _ in range(epochs):
        for x, y in loader:
            for group in opt.param_groups:
                group["lr"] = base * schedule(len(rates))
            rates.append(opt.param_groups[0]["lr"])
            opt.zero_grad()
            loss_fn(model(x), y).backward()
            opt.step()
    return rates


only_the_first_group = mistake.edited(
    "LambdaLR(opt, schedule)", "LambdaLR(opt, [schedule] + [lambda k: 1.0] * (len(opt.param_groups) - 1))",
    "Only the first group follows the schedule: multiply the rate of each group.",
    about="each_group_keeps_its_own_rate")

never_clears_gradients = mistake.edited(
    "opt.zero_grad()", "",
    "Old gradients were added to the new ones: clear them before each backward().",
    about="each_update_has_its_rate", common=True)

keeps_the_mode = mistake.edited(
    "model.train()", "",
    "The model trained in evaluation mode: call model.train() first.",
    about="trains_in_training_mode")


@alternative("warmup_cosine")
def by_half_the_angle(update, warmup, total):
    """The squared cosine of half the angle; the parts in another order."""
    if warmup <= update < total:
        return math.cos(math.pi / 2 * (update - warmup) / (total - warmup)) ** 2
    return 1 / warmup * (1 + update) if update < total else 0.0


@alternative("train_scheduled")
def sets_the_rates(model, loader, loss_fn, opt, epochs, schedule):
    """Sets the rate of each group before the update, without a scheduler."""
    base, rates = [group["lr"] for group in opt.param_groups], []
    model.train(True)
    for _ in range(epochs):
        for batch in loader:
            for group, lr in zip(opt.param_groups, base, strict=True):
                group["lr"] = lr * schedule(len(rates))
            loss = loss_fn(model(batch[0]), batch[1])
            opt.zero_grad(set_to_none=False)
            loss.backward()
            opt.step()
            rates.append(opt.param_groups[0]["lr"])
    return rates


@alternative("train_scheduled")
def two_schedulers_of_torch(model, loader, loss_fn, opt, epochs, schedule):
    """LambdaLR with a list of functions, stepped at the end of the loop, and the rate read from the optimizer."""
    scheduler, rates = torch.optim.lr_scheduler.LambdaLR(opt, [schedule for _ in opt.param_groups]), []
    for _ in range(epochs):
        model.train()
        for x, y in loader:
            loss_fn(model(x), y).backward()
            opt.step()
            rates.append(opt.param_groups[0]["lr"])
            scheduler.step()
            opt.zero_grad()
    return rates
