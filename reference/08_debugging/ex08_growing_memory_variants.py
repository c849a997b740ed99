"""Known mistakes and odd-but-correct solutions for train_with_running_mean."""

import gc
import math
from itertools import accumulate

from torchdojo.variants import alternative, mistake

HINTS = (
    "Make a list of everything that still refers to the first loss, or to something computed from it, when the last batch is done.",
    "A tensor with a history keeps that history alive. A sum of losses has all their histories; a Python "
    "number has none. And retain_graph asks backward to keep what it would release.",
    "Take the argument away from backward(), and add the number in the loss, not the loss, to the total. The "
    "history is then a list of numbers by itself.",
)

EQUIVALENT = {
    "swap_statements-L17-1": "the loss was computed before the step, so item() gives the same before and after it",
}


@mistake("train_with_running_mean")
def keeps_everything(model, batches, loss_fn, opt):
    """The total and the history refer to every graph, and retain_graph=True keeps what each of them saved: add loss.item()
    to the total, and call backward() without arguments."""
    history, total = [], 0.0
    for step, (inputs, targets) in enumerate(batches, start=1):
        opt.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward(retain_graph=True)
        opt.step()
        total += loss
        history.append(total / step)
    return history


@mistake("train_with_running_mean")
def keeps_retain_graph(model, batches, loss_fn, opt):
    """The log is clean, but retain_graph=True keeps what backward would release: one backward for each loss
    needs no retain_graph."""
    history, total = [], 0.0
    for step, (inputs, targets) in enumerate(batches, start=1):
        opt.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward(retain_graph=True)
        opt.step()
        total += loss.item()
        history.append(total / step)
    return history


@mistake("train_with_running_mean")
def total_is_still_a_tensor(model, batches, loss_fn, opt):
    """The history holds floats, but the total is a tensor that refers to every graph: add loss.item() to
    it."""
    history, total = [], 0.0
    for step, (inputs, targets) in enumerate(batches, start=1):
        opt.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        opt.step()
        total += loss
        history.append((total / step).item())
    return history


@mistake("train_with_running_mean")
def deletes_the_loss(model, batches, loss_fn, opt):
    """`del loss` removes one name; the total and the history refer to the graph as well. Add the number, not
    the tensor."""
    history, total = [], 0.0
    for step, (inputs, targets) in enumerate(batches, start=1):
        opt.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        opt.step()
        total += loss
        history.append(total / step)
        del loss
        gc.collect()
    return history


@mistake("train_with_running_mean")
def converts_at_the_end(model, batches, loss_fn, opt):
    """The floats are right, but until the end the list keeps every loss with its graph: turn each loss into a
    number at once."""
    losses = []
    for inputs, targets in batches:
        opt.zero_grad()
        losses.append(loss_fn(model(inputs), targets))
        losses[-1].backward()
        opt.step()
    sums = accumulate(loss.item() for loss in losses)
    return [total / step for step, total in enumerate(sums, start=1)]


@mistake("train_with_running_mean")
def detaches_only(model, batches, loss_fn, opt):
    """The history holds tensors: loss.item() gives a Python float, which has no graph."""
    history, total = [], 0.0
    for step, (inputs, targets) in enumerate(batches, start=1):
        opt.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        opt.step()
        total += loss.detach()
        history.append(total / step)
    return history


@mistake("train_with_running_mean")
def sums_in_the_precision_of_the_loss(model, batches, loss_fn, opt):
    """The losses are added in the precision of a tensor, where a small loss disappears beside a large total: add the
    Python float loss.item() to a Python float."""
    history, total = [], 0.0
    for step, (inputs, targets) in enumerate(batches, start=1):
        opt.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        opt.step()
        total += loss.detach()
        history.append(total.item() / step)
    return history


@mistake("train_with_running_mean")
def loads_everything_first(model, batches, loss_fn, opt):
    """All batches are in memory before the first step: take them from the iterable one at a time."""
    history, total = [], 0.0
    for step, (inputs, targets) in enumerate(list(batches), start=1):
        opt.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        opt.step()
        total += loss.item()
        history.append(total / step)
    return history


@mistake("train_with_running_mean")
def logs_the_loss_itself(model, batches, loss_fn, opt):
    """The history holds the loss of each batch: entry k is the mean of the losses 0 to k."""
    history = []
    for inputs, targets in batches:
        opt.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        opt.step()
        history.append(loss.item())
    return history


@mistake("train_with_running_mean")
def divides_by_the_step_before(model, batches, loss_fn, opt):
    """The mean is divided by the wrong count: after the first batch it is one loss divided by 1."""
    history, total = [], 0.0
    for step, (inputs, targets) in enumerate(batches):
        opt.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        opt.step()
        total += loss.item()
        history.append(total / max(step, 1))
    return history


@mistake("train_with_running_mean")
def drops_zero_grad(model, batches, loss_fn, opt):
    """zero_grad() went away, so gradients pile up: it has nothing to do with the memory. Keep it."""
    history, total = [], 0.0
    for step, (inputs, targets) in enumerate(batches, start=1):
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        opt.step()
        total += loss.item()
        history.append(total / step)
    return history


@mistake("train_with_running_mean")
def detaches_before_backward(model, batches, loss_fn, opt):
    """The loss was detached before backward, so nothing is trained: go backward first, then take the
    number."""
    history, total = [], 0.0
    for step, (inputs, targets) in enumerate(batches, start=1):
        opt.zero_grad()
        loss = loss_fn(model(inputs), targets).detach().requires_grad_(True)
        loss.backward()
        opt.step()
        total += loss.item()
        history.append(total / step)
    return history


@mistake("train_with_running_mean")
def passes_over_a_loss_of_nan(model, batches, loss_fn, opt):
    """A batch whose loss is nan was passed over: each batch is one step, and nan in the history is a symptom to be seen, not
    hidden."""
    history, total = [], 0.0
    for step, (inputs, targets) in enumerate(batches, start=1):
        opt.zero_grad()
        loss = loss_fn(model(inputs), targets)
        if math.isfinite(loss.item()):
            loss.backward()
            opt.step()
            total += loss.item()
        history.append(total / step)
    return history


def one_step(model, inputs, targets, loss_fn, opt):
    """An ordinary step; its loss as a number."""
    loss = loss_fn(model(inputs), targets)
    opt.zero_grad(set_to_none=False)
    loss.backward()
    opt.step()
    return float(loss.detach())


@alternative("train_with_running_mean")
def step_in_a_function(model, batches, loss_fn, opt):
    """The names of a step end with its function; a generator feeds accumulate."""
    sums = accumulate(one_step(model, *batch, loss_fn, opt) for batch in batches)
    return [total / step for step, total in enumerate(sums, start=1)]


@alternative("train_with_running_mean")
def keeps_the_numbers(model, batches, loss_fn, opt):
    """Averages the list of numbers each time."""
    numbers, history = [], []
    iterator = iter(batches)
    while (batch := next(iterator, None)) is not None:
        loss = loss_fn(model(batch[0]), batch[1])
        model.zero_grad()
        loss.backward()
        opt.step()
        numbers.append(loss.detach().cpu().tolist())
        history.append(sum(numbers) / len(numbers))
    return history


@alternative("train_with_running_mean")
def moves_the_mean(model, batches, loss_fn, opt):
    """The mean itself moves towards each new loss; there is no sum."""
    history, mean = [], 0.0
    for batch in batches:
        mean += (one_step(model, *batch, loss_fn, opt) - mean) / (len(history) + 1)
        history.append(mean)
    return history
