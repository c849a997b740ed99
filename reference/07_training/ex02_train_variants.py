"""Known mistakes and odd-but-correct solutions for train."""

import torch

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
    "the five lines and add the plain number times the batch size. What belongs into the history when the "
    "inner loop is done?",
)


def update(model, x, y, loss_fn, opt, clear=True):
    """One update; returns the loss as a tensor."""
    device = next(model.parameters()).device
    if clear:
        opt.zero_grad()
    loss = loss_fn(model(x.to(device)), y.to(device))
    loss.backward()
    opt.step()
    return loss


def mean_of(parts):
    """The mean over samples of (loss, samples) pairs."""
    if not parts:
        raise ValueError("the loader gave no batch")
    return sum(loss * n for loss, n in parts) / sum(n for _, n in parts)


@mistake("train", common=True)
def mean_of_batch_means(model, loader, loss_fn, opt, epochs):
    """The small last batch counted as much as the big ones: weight each loss by the number of its samples."""
    model.train()
    history = []
    for _ in range(epochs):
        losses = [update(model, x, y, loss_fn, opt).item() for x, y in loader]
        if not losses:
            raise ValueError("the loader gave no batch")
        history.append(sum(losses) / len(losses))
    return history


@mistake("train")
def keeps_tensors(model, loader, loss_fn, opt, epochs):
    """The history holds tensors, and each of them keeps the graphs of an epoch in memory: add up
    loss.item()."""
    model.train()
    history = []
    for _ in range(epochs):
        history.append(mean_of([(update(model, x, y, loss_fn, opt), len(x)) for x, y in loader]))
    return history


@mistake("train")
def adds_up_tensors(model, loader, loss_fn, opt, epochs):
    """The sum is made of loss tensors and keeps the graph of every batch in memory until the epoch is over: add loss.item()."""
    model.train()
    history = []
    for _ in range(epochs):
        total, count = 0.0, 0
        for x, y in loader:
            total += update(model, x, y, loss_fn, opt) * len(x)
            count += len(x)
        if count == 0:
            raise ValueError("the loader gave no batch")
        history.append(total.item() / count)
    return history


@mistake("train")
def loss_of_the_last_batch(model, loader, loss_fn, opt, epochs):
    """Each entry is the loss of the last batch alone: an epoch's loss is the mean over all of its samples."""
    model.train()
    history = []
    for _ in range(epochs):
        loss = None
        for x, y in loader:
            loss = update(model, x, y, loss_fn, opt).item()
        if loss is None:
            raise ValueError("the loader gave no batch")
        history.append(loss)
    return history


@mistake("train")
def loss_of_every_batch(model, loader, loss_fn, opt, epochs):
    """The history has one entry for each batch: collect them, and append one mean when the epoch is over."""
    model.train()
    history = []
    for _ in range(epochs):
        before = len(history)
        history.extend(update(model, x, y, loss_fn, opt).item() for x, y in loader)
        if len(history) == before:
            raise ValueError("the loader gave no batch")
    return history


@mistake("train")
def sum_over_samples(model, loader, loss_fn, opt, epochs):
    """The sum over the samples was not divided by their number."""
    model.train()
    history = []
    for _ in range(epochs):
        parts = [(update(model, x, y, loss_fn, opt).item(), len(x)) for x, y in loader]
        history.append(mean_of(parts) * sum(n for _, n in parts))
    return history


@mistake("train")
def total_runs_through_the_epochs(model, loader, loss_fn, opt, epochs):
    """The sum and the count were not reset to zero, so later entries also contain earlier epochs."""
    model.train()
    history, parts = [], []
    for _ in range(epochs):
        parts.extend((update(model, x, y, loss_fn, opt).item(), len(x)) for x, y in loader)
        history.append(mean_of(parts))
    return history


@mistake("train")
def clears_once_in_each_epoch(model, loader, loss_fn, opt, epochs):
    """Gradients were cleared once in each epoch, so the k-th batch stepped with the sum of k gradients:
    clear them for each batch."""
    model.train()
    history = []
    for _ in range(epochs):
        opt.zero_grad()
        history.append(
            mean_of([(update(model, x, y, loss_fn, opt, False).item(), len(x)) for x, y in loader])
        )
    return history


@mistake("train", common=True)
def clears_once(model, loader, loss_fn, opt, epochs):
    """Gradients were cleared once, before the first epoch, and added up from then on: clear them for each
    batch."""
    model.train()
    opt.zero_grad()
    history = []
    for _ in range(epochs):
        history.append(
            mean_of([(update(model, x, y, loss_fn, opt, False).item(), len(x)) for x, y in loader])
        )
    return history


@mistake("train")
def clears_after_the_step(model, loader, loss_fn, opt, epochs):
    """Gradients from before the call took part in the first update: clear them before backward(), not only
    after the step."""
    model.train()
    history = []
    for _ in range(epochs):
        parts = []
        for x, y in loader:
            parts.append((update(model, x, y, loss_fn, opt, False).item(), len(x)))
            opt.zero_grad()
        history.append(mean_of(parts))
    return history


@mistake("train")
def steps_once_in_each_epoch(model, loader, loss_fn, opt, epochs):
    """step() ran once per epoch: it belongs in the inner loop, once for each batch."""
    model.train()
    device = next(model.parameters()).device
    history = []
    for _ in range(epochs):
        parts = []
        opt.zero_grad()
        for x, y in loader:
            loss = loss_fn(model(x.to(device)), y.to(device))
            loss.backward()
            parts.append((loss.item(), len(x)))
        opt.step()
        history.append(mean_of(parts))
    return history


@mistake("train")
def one_iterator_for_all_epochs(model, loader, loss_fn, opt, epochs):
    """You created the iterator once, and it was used up after the first epoch: iterate over the loader itself in
    every epoch."""
    model.train()
    batches, history = iter(loader), []
    for _ in range(epochs):
        history.append(mean_of([(update(model, x, y, loss_fn, opt).item(), len(x)) for x, y in batches]))
    return history


@mistake("train")
def first_shuffle_forever(model, loader, loss_fn, opt, epochs):
    """You put the batches into a list once, so every epoch saw the same order: iterate over the loader again in
    every epoch."""
    model.train()
    batches, history = list(loader), []
    for _ in range(epochs):
        history.append(mean_of([(update(model, x, y, loss_fn, opt).item(), len(x)) for x, y in batches]))
    return history


@mistake("train")
def keeps_evaluation_mode(model, loader, loss_fn, opt, epochs):
    """You trained a model in evaluation mode, without dropout: call model.train() first."""
    history = []
    for _ in range(epochs):
        history.append(mean_of([(update(model, x, y, loss_fn, opt).item(), len(x)) for x, y in loader]))
    return history


@mistake("train")
def measures_after_the_epoch(model, loader, loss_fn, opt, epochs):
    """The loss was measured again after the epoch: use the losses that the updates were computed from."""
    device = next(model.parameters()).device
    model.train()
    history = []
    for _ in range(epochs):
        batches = list(loader)
        for x, y in batches:
            update(model, x, y, loss_fn, opt)
        with torch.no_grad():
            parts = [(loss_fn(model(x.to(device)), y.to(device)).item(), len(x)) for x, y in batches]
        history.append(mean_of(parts))
    return history


@mistake("train")
def leaves_batches_where_they_are(model, loader, loss_fn, opt, epochs):
    """You didn't move the batches: move inputs and targets to the device of the model's parameters."""
    model.train()
    history = []
    for _ in range(epochs):
        parts = []
        for x, y in loader:
            opt.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            opt.step()
            parts.append((loss.item(), len(x)))
        history.append(mean_of(parts))
    return history


@mistake("train")
def brings_predictions_to_the_targets(model, loader, loss_fn, opt, epochs):
    """The prediction was moved to the targets: both tensors of a batch go to the device of the model, where loss_fn may have
    weights of its own."""
    model.train()
    device, history = next(model.parameters()).device, []
    for _ in range(epochs):
        parts = []
        for x, y in loader:
            opt.zero_grad()
            loss = loss_fn(model(x.to(device)).to(y.device), y)
            loss.backward()
            opt.step()
            parts.append((loss.item(), len(x)))
        history.append(mean_of(parts))
    return history


@mistake("train")
def ends_in_evaluation_mode(model, loader, loss_fn, opt, epochs):
    """The model was switched to evaluation mode at the end: after training it stays in training mode."""
    history = []
    for _ in range(epochs):
        model.train()
        history.append(mean_of([(update(model, x, y, loss_fn, opt).item(), len(x)) for x, y in loader]))
        model.eval()
    return history


@mistake("train")
def puts_the_mode_back(model, loader, loss_fn, opt, epochs):
    """You restored the model's earlier mode: after training it stays in training mode."""
    was, history = model.training, []
    model.train()
    for _ in range(epochs):
        history.append(mean_of([(update(model, x, y, loss_fn, opt).item(), len(x)) for x, y in loader]))
    model.train(was)
    return history


@mistake("train")
def no_batches_no_complaint(model, loader, loss_fn, opt, epochs):
    """A loader without batches gave a number: raise ValueError, because there is no mean of no losses."""
    model.train()
    history = []
    for _ in range(epochs):
        parts = [(update(model, x, y, loss_fn, opt).item(), len(x)) for x, y in loader]
        history.append(mean_of(parts) if parts else 0.0)
    return history


@mistake("train")
def peeks_at_the_loader(model, loader, loss_fn, opt, epochs):
    """The loader was iterated once more, only to see whether it is empty: count the samples of the epoch
    instead."""
    model.train()
    history = []
    for _ in range(epochs):
        if next(iter(loader), None) is None:
            raise ValueError("the loader gave no batch")
        history.append(mean_of([(update(model, x, y, loss_fn, opt).item(), len(x)) for x, y in loader]))
    return history


@mistake("train")
def casts_the_batches(model, loader, loss_fn, opt, epochs):
    """The batches were cast to the dtype of the weights, but tokens and labels are whole numbers: move them and
    leave their dtype alone."""
    model.train()
    dtype = next(model.parameters()).dtype
    history = []
    for _ in range(epochs):
        history.append(
            mean_of([(update(model, x.to(dtype), y.to(dtype), loss_fn, opt).item(), len(x)) for x, y in loader])
        )
    return history


@mistake("train")
def no_loss_is_no_batch(model, loader, loss_fn, opt, epochs):
    """An epoch whose loss is 0 was taken for one without batches: count the samples instead."""
    model.train()
    history = []
    for _ in range(epochs):
        parts = [(update(model, x, y, loss_fn, opt).item(), len(x)) for x, y in loader]
        if not sum(loss for loss, _ in parts):
            raise ValueError("the loader gave no batch")
        history.append(mean_of(parts))
    return history


@mistake("train")
def puts_the_random_numbers_back(model, loader, loss_fn, opt, epochs):
    """You restored the random state after each epoch, so the loader shuffles in the same order every time: leave
    the generator alone."""
    model.train()
    history = []
    for _ in range(epochs):
        state = torch.get_rng_state()
        history.append(mean_of([(update(model, x, y, loss_fn, opt).item(), len(x)) for x, y in loader]))
        torch.set_rng_state(state)
    return history


@alternative("train")
def one_entry_for_each_sample(model, loader, loss_fn, opt, epochs):
    """Writes the loss of a batch down once for each of its samples and takes the plain mean."""
    history = []
    for _ in range(epochs):
        model.train()
        losses = []
        for x, y in loader:
            losses += [update(model, x, y, loss_fn, opt).item()] * x.shape[0]
        if not losses:
            raise ValueError("empty loader")
        history.append(sum(losses) / len(losses))
    return history


@alternative("train")
def running_mean(model, loader, loss_fn, opt, epochs):
    """A while loop that corrects the mean as samples come in."""
    history = []
    while len(history) < epochs:
        model.train()
        mean, seen = 0.0, 0
        for batch in loader:
            seen += batch[0].size(0)
            mean += (update(model, *batch, loss_fn, opt).item() - mean) * batch[0].size(0) / seen
        if not seen:
            raise ValueError("no samples")
        history.append(mean)
    return history


@alternative("train")
def adds_up_on_the_device(model, loader, loss_fn, opt, epochs):
    """Adds detached losses in float64 and turns them into a number once for each epoch."""
    history = []
    for _ in range(epochs):
        model.train()
        losses, counts = [], []
        for x, y in loader:
            losses.append(update(model, x, y, loss_fn, opt).detach().reshape(()))
            counts.append(len(x))
        if not counts:
            raise ValueError("no samples")
        weights = torch.tensor(counts, dtype=torch.float64, device=losses[0].device) / sum(counts)
        history.append((torch.stack(losses).double() * weights).sum().item())
    return history
