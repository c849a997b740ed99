"""Known mistakes and unusual but correct solutions for train_with_running_mean."""

import gc  # noqa: F401 (for an edit)
import math  # noqa: F401 (for an edit)
from itertools import accumulate

from torchdojo.variants import alternative, mistake

HINTS = (
    "Make a list of everything that still refers to the first loss, or to something computed from it, when the last batch is done.",
    "A tensor with a history keeps that history alive. A sum of losses has all their histories; a Python "
    "number has none. And retain_graph asks backward to keep what it would release.",
    "Remove the argument of backward(), and add the number in the loss, not the loss, to the total. The "
    "history is then a list of numbers by itself.",
)

EQUIVALENT = {
    "swap_statements-L17-1": "the loss was computed before the step, so item() gives the same before and after it",
}


keeps_everything = mistake.edited("backward()", "backward(retain_graph=True)",
    "The total and the history refer to every graph, and retain_graph=True keeps what each of them saved: add loss.item() to "
    "the total, and call backward() without arguments.",
    also=[("loss.item()", "loss")])

keeps_retain_graph = mistake.edited("backward()", "backward(retain_graph=True)",
    "Your running total keeps no graph, but retain_graph=True keeps what backward would release: one backward for each loss needs no retain_graph.")

total_is_still_a_tensor = mistake.edited("loss.item()", "loss",
    "The history holds floats, but the total is a tensor that refers to every graph: add loss.item() to it.",
    also=[("total / step", "(total / step).item()")])

deletes_the_loss = mistake.edited("loss.item()", "loss",
    "The total and the history hold tensors, which refer to every graph, and `del loss` does not change that: add "
    "loss.item().",
    also=[("history.append(total / step)",
        """
        history.append(total / step)
        del loss
        gc.collect()
        """)],
    pitfall="`del loss` removes one name")

converts_at_the_end = mistake.edited("total += loss.item()\nhistory.append(total / step)", "history.append(loss)",
    "Until the end the list keeps every loss with its graph: turn each loss into a number at once.",
    also=[("return history",
        """
        sums = accumulate(loss.item() for loss in history)
        return [total / step for step, total in enumerate(sums, start=1)]
        """)])

detaches_only = mistake.edited("loss.item()", "loss.detach()",
    "The history holds tensors: loss.item() gives a Python float, which has no graph.")

sums_in_the_precision_of_the_loss = mistake.edited("loss.item()", "loss.detach()",
    "The losses are added in the precision of a tensor, where a small loss is lost next to a large total: add the Python "
    "float loss.item() to a Python float.",
    also=[("total / step", "total.item() / step")])

loads_everything_first = mistake.edited("enumerate(batches,", "enumerate(list(batches),",
    "All batches are in memory before the first step: take them from the iterable one at a time.")

logs_the_loss_itself = mistake.edited("total / step", "loss.item()",
    "The history holds the loss of each batch: entry k is the mean of the losses 0 to k.")

divides_by_the_step_before = mistake.edited("enumerate(batches, start=1)", "enumerate(batches)",
    "From the second batch on, the sum of the losses is divided by one too few: entry k is the mean of k + 1 losses.",
    also=[("total / step", "total / max(step, 1)")])

drops_zero_grad = mistake.edited("opt.zero_grad()", "",
    "Gradients pile up from batch to batch: call opt.zero_grad() for each batch. It has nothing to do with the memory.")

detaches_before_backward = mistake.edited(
    "loss_fn(model(inputs), targets)", "loss_fn(model(inputs), targets).detach().requires_grad_(True)",
    "Nothing is trained, as if the loss were detached before backward(): call backward() on the loss as it is, and take the number afterwards.",
    about=("means_and_weights_are_right", "backward_releases_what_was_saved"))

passes_over_a_loss_of_nan = mistake.edited(
    """
    loss.backward()
    opt.step()
    total += loss.item()
    """,
    """
    if math.isfinite(loss.item()):
        loss.backward()
        opt.step()
        total += loss.item()
    """,
    "A batch whose loss is nan was skipped: each batch is one step, and nan in the history is a symptom that must stay visible.")


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


keeps_the_numbers = alternative.edited("total = 0.0", "numbers = []",
    "Averages the list of numbers each time.",
    also=[("total += loss.item()\nhistory.append(total / step)",
        """
        numbers.append(loss.detach().cpu().tolist())
        history.append(sum(numbers) / len(numbers))
        """)])

moves_the_mean = alternative.edited(
    "total += loss.item()\nhistory.append(total / step)", "total += (loss.item() - total) / step\nhistory.append(total)",
    "The mean itself moves towards each new loss; there is no sum.")

divides_the_loss_alone = mistake.edited("total / step", "loss.item() / step",
    "You divide the loss of the batch, not the total: divide the sum of all losses so far.")

divides_by_one_too_many = mistake.edited("total / step", "total / (step + 1)",
    "The sum of the losses is divided by one too many: after the first batch the mean is that loss itself.")

logs_the_total = mistake.edited("total / step", "total",
    "The history holds sums: divide each by the number of batches so far.")

only_drops_retain_graph = mistake.edited("loss.item()", "loss",
    "The total and the history hold tensors, which refer to every graph, and `del loss` does not change that: add loss.item().")
