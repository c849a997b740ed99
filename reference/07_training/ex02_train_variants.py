"""Known mistakes and unusual but correct solutions for train."""

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "swap_statements: total += loss.item() * len(x)": "the loss does not change in the step",
    "swap_statements: samples += len(x)": "two sums that do not meet",
    "wrong_name: total += loss.item() * len(y)": "x and y have the same number of samples",
    "wrong_name: samples += len(y)": "x and y have the same number of samples",
}

HINTS = (
    "Two loops, one inside the other. For each line ask: once for each batch, once for each epoch, or "
    "once at all?",
    "A mean over samples is a sum over samples divided by their number. The loss of a batch is already a "
    "mean, so multiply it by the number of samples of its batch before you add it up.",
    "For each epoch, start a sum and a count at zero and go through the loader afresh; for each batch, do "
    "the five lines and add the plain number times the batch size. What belongs in the history when the "
    "inner loop is done?",
)


mean_of_batch_means = mistake.edited("loss.item() * len(x)", "loss.item()",
    "The small last batch counted as much as the big ones: weight each loss by the number of its samples.",
    also=[("samples += len(x)", "samples += 1")], common=True,
    pitfall="The mean of the batch losses")

divides_by_the_length = mistake.edited("total += loss.item() * len(x)", "total += loss.item()",
    "You divided by len(loader): a loader need not have a length, and a small batch counts too much. Divide by the number of samples.",
    also=[("total / samples", "total / len(loader)")])

asks_for_the_dataset = mistake.edited("total / samples", "total / len(loader.dataset)",
    "A loader need not have a `dataset`: count the samples as the batches come.")

keeps_tensors = mistake.edited("loss.item() * len(x)", "loss * len(x)",
    "The history holds tensors, and each of them keeps the graphs of an epoch in memory: add up loss.item().",
    about=("history_is_the_mean_over_the_samples", "lets_go_of_every_graph"))

adds_up_tensors = mistake.edited("loss.item() * len(x)", "loss * len(x)",
    "The sum is made of loss tensors and keeps the graph of every batch in memory until the epoch is over: add "
    "loss.item().",
    also=[("total / samples", "total.item() / samples")])

loss_of_the_last_batch = mistake.edited("history.append(total / samples)", "history.append(loss.item())",
    "Each entry is the loss of the last batch alone: an epoch's loss is the mean over all of its samples.")

loss_of_every_batch = mistake.edited("total += loss.item() * len(x)", "history.append(loss.item())",
    "The history has one entry for each batch: collect them, and append one mean when the epoch is over.",
    also=[("history.append(total / samples)", "")])

returns_after_the_first_epoch = mistake.edited("return history", "    return history",
    "Training ended after the first epoch: return the history after the loop over the epochs, not inside it.",
    common=True)

returns_the_last_entry = mistake.edited("return history", "return history[-1]",
    "You returned the loss of the last epoch alone: return the list with one entry for each epoch.")

one_epoch_less = mistake.edited("range(epochs)", "range(1, epochs)",
    "There was one epoch too few: range(1, n) gives n - 1 numbers, range(n) gives n.")

sum_over_samples = mistake.edited("total / samples", "total",
    "The sum over the samples was not divided by their number.")

total_runs_through_the_epochs = mistake.edited("total, samples = 0.0, 0", "",
    "The sum and the count were not reset to zero, so later entries also contain earlier epochs.",
    also=[("history = []", "history, total, samples = [], 0.0, 0")])

clears_once_in_each_epoch = mistake.edited("opt.zero_grad()", "",
    "Gradients were cleared once in each epoch, so the k-th batch stepped with the sum of k gradients: clear them for "
    "each batch.",
    also=[("model.train()", "model.train()\nopt.zero_grad()")])

clears_once = mistake.edited("opt.zero_grad()", "",
    "Gradients were not cleared between the batches, so each update used the sum of all so far: clear them for each batch.",
    also=[("history = []", "history = []\nopt.zero_grad()")], common=True)

clears_after_the_step = mistake.edited("opt.zero_grad()", "",
    "Gradients from before the call took part in the first update: clear them before each backward(), the first one too.",
    also=[("opt.step()", "opt.step()\nopt.zero_grad()")])

steps_once_in_each_epoch = mistake.edited("opt.step()", "",
    "step() ran once per epoch: it belongs in the inner loop, once for each batch.",
    also=[
        ("if samples == 0:", "opt.step()\nif samples == 0:"),
        ("opt.zero_grad()", ""),
        ("model.train()", "model.train()\nopt.zero_grad()"),
    ])

one_iterator_for_all_epochs = mistake.edited("history = []", "history, batches = [], iter(loader)",
    "The second epoch got no batches, as with an iterator that is created once and used up: loop over the loader itself in every epoch.",
    also=[("in loader:", "in batches:")])

first_shuffle_forever = mistake.edited("history = []", "history, batches = [], list(loader)",
    "Every epoch saw the batches of the first one, as in a list that is made once: loop over the loader again in every epoch.",
    also=[("in loader:", "in batches:")])

keeps_evaluation_mode = mistake.edited("model.train()", "",
    "You trained a model in evaluation mode, without dropout: call model.train() first.")

measures_after_the_epoch = mistake.edited("for x, y in loader:", "batches = list(loader)\nfor x, y in batches:",
    "The loss was measured again after the epoch: use the losses that the updates were computed from.",
    also=[
        ("total += loss.item() * len(x)", ""),
        (
            "history.append(total / samples)",
            """
            with torch.no_grad():
                total = sum(loss_fn(model(x.to(device)), y.to(device)).item() * len(x) for x, y in batches)
            history.append(total / samples)
            """,
        ),
    ])

leaves_batches_where_they_are = mistake.edited("loss_fn(model(x.to(device)), y.to(device))", "loss_fn(model(x), y)",
    "You didn't move the batches: move inputs and targets to the device of the model's parameters.")

brings_predictions_to_the_targets = mistake.edited(
    "loss_fn(model(x.to(device)), y.to(device))", "loss_fn(model(x.to(device)).to(y.device), y)",
    "The loss was not computed on the model's device: move both tensors of a batch there, because loss_fn may have weights of its own there.")

ends_in_evaluation_mode = mistake.edited(
    "history.append(total / samples)", "history.append(total / samples)\nmodel.eval()",
    "The model was switched to evaluation mode at the end: after training it stays in training mode.")

puts_the_mode_back = mistake.edited("history = []", "history, was = [], model.training",
    "You restored the model's earlier mode: after training it stays in training mode.",
    also=[("return history", "model.train(was)\nreturn history")])

no_batches_no_complaint = mistake.edited('raise ValueError("the loader gave no batch")', "samples = 1",
    "A loader without batches gave a number: raise ValueError, because there is no mean of no losses.")

divides_by_no_samples = mistake.edited('if samples == 0:\n    raise ValueError("the loader gave no batch")', "",
    "An epoch without a batch ended in a division by 0: raise a ValueError when no sample came.",
    common=True)

peeks_at_the_loader = mistake.edited(
    "model.train()",
    'model.train()\nif next(iter(loader), None) is None:\n    raise ValueError("the loader gave no batch")',
    "The loader was iterated more than once per epoch: go through it once, and count its samples on the way.")

casts_the_batches = mistake.edited(
    "loss_fn(model(x.to(device)), y.to(device))", "loss_fn(model(x.to(device, dtype)), y.to(device, dtype))",
    "The batches were converted to the dtype of the weights: only move them to the model's device, and leave their dtypes alone.",
    also=[("history = []", "history, dtype = [], next(model.parameters()).dtype")])

no_loss_is_no_batch = mistake.edited("if samples == 0:", "if not total:",
    "An epoch whose loss is 0 was taken for one without batches: count the samples instead.")

puts_the_random_numbers_back = mistake.edited("model.train()", "model.train()\nstate = torch.get_rng_state()",
    "The loader shuffles in the same order in every epoch, because the random state is put back: leave the generator alone.",
    also=[("history.append(total / samples)", "history.append(total / samples)\ntorch.set_rng_state(state)")])

one_entry_for_each_sample = alternative.edited(
    "total += loss.item() * len(x)\nsamples += len(x)", "losses += [loss.item()] * x.shape[0]",
    "Writes the loss of a batch down once for each of its samples and takes the plain mean.",
    also=[
        ("total, samples = 0.0, 0", "losses = []"),
        ("if samples == 0:", "if not losses:"),
        ("total / samples", "sum(losses) / len(losses)"),
    ])

running_mean = alternative.edited(
    "total += loss.item() * len(x)\nsamples += len(x)",
    "samples += x.size(0)\ntotal += (loss.item() - total) * x.size(0) / samples",
    "A while loop that corrects the mean as samples come in.",
    also=[("for _ in range(epochs):", "while len(history) < epochs:"), ("total / samples", "total")])

adds_up_on_the_device = alternative.edited(
    "total += loss.item() * len(x)\nsamples += len(x)",
    "losses.append(loss.detach().reshape(()))\ncounts.append(len(x))",
    "Adds detached losses in float64 and turns them into a number once for each epoch.",
    also=[
        ("total, samples = 0.0, 0", "losses, counts = [], []"),
        ("if samples == 0:", "if not counts:"),
        (
            "history.append(total / samples)",
            """
            weights = torch.tensor(counts, dtype=torch.float64, device=device) / sum(counts)
            history.append((torch.stack(losses).double() * weights).sum().item())
            """,
        ),
    ])
