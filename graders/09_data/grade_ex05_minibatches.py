"""Hidden checks for minibatches: sizes, order, labels, epochs."""

import torch

from torchdojo.grading import check, tensor

CONCEPTS = ("B15", "K05")

KEPT = {
    "batches_follow_the_rows": "batches without any chance, worth points of their own",
    "a_generator_shuffles": "one epoch, worth points without the next",
}


class oracle:
    """Sample after sample into a batch that is closed when it is full."""

    def minibatches(x, y, batch_size, generator=None, drop_last=False):
        order = list(range(len(x))) if generator is None else torch.randperm(len(x), generator=generator).tolist()
        found, waiting = [], []
        for i in order:
            waiting.append(i)
            if len(waiting) == batch_size:
                found.append(waiting)
                waiting = []
        if waiting and not drop_last:
            found.append(waiting)
        return [(torch.stack([x[i] for i in batch]), torch.stack([y[i] for i in batch])) for batch in found]


X = tensor("samples features", distinct=True)
Y = tensor("samples", dtype="int64", low=0, high=9)
LEAST = {"samples": 2, "features": 1}
SEVEN = {"x": torch.arange(14.0).reshape(7, 2), "y": torch.arange(7), "batch_size": 3}  # in parts of nearly equal size: 3, 2 and 2


def own(value):
    """A copy, if it is a tensor: it may share memory with an argument."""
    return value.clone() if isinstance(value, torch.Tensor) else value


def rows_of(batches):
    """The rows of each batch."""
    found = []
    for x_batch, _ in batches:
        found.append(own(x_batch))
    return found


@check(points=2, x=X, y=Y, batch_size=[2, 3, 4, 50], minimum=LEAST, examples=[SEVEN], devices=False)
def batches_follow_the_rows(solution, x, y, batch_size):
    """Without a generator, the batches have the samples in order, and the last batch has the rest."""
    return {"x_batch of each batch": rows_of(solution.minibatches(x, y, batch_size))}


def only_full(x, y, batch_size):
    """The first samples, without those of a last batch that is not full: another check asks about it."""
    n = len(x) // batch_size * batch_size
    return x[:n].clone(), y[:n].clone()


@check(points=2, x=tensor("samples 1", distinct=True), y=Y, batch_size=[2, 3], minimum=6, devices=False)
def a_generator_shuffles(solution, x, y, batch_size, rng):
    """With a generator, the order of the samples is drawn from it."""
    return {"x_batch of all batches": torch.cat(rows_of(solution.minibatches(*only_full(x, y, batch_size), batch_size, rng)))}


@check(points=2, x=X, y=Y, batch_size=[2, 3], minimum={"samples": 6, "features": 1}, devices=False)
def shuffled_samples_keep_their_labels(solution, x, y, batch_size, rng):
    """Each sample keeps its label."""
    x, y = only_full(x, y, batch_size)
    y, rows, labels = torch.arange(len(x)) * 10 + y, [], []
    for x_batch, y_batch in solution.minibatches(x, y, batch_size, rng):
        rows.append(x_batch[:, 0])
        labels.append(y_batch)
    return {"labels, in the order of their sorted samples": torch.cat(labels)[torch.cat(rows).argsort(stable=True)]}


@check(points=1, x=X, y=Y, minimum={"samples": 7, "features": 1}, devices=False)
def each_epoch_has_another_order(solution, x, y, rng):
    """A second call with the same generator draws a new order."""
    x, y = only_full(x, y, 3)
    epochs = [torch.cat(rows_of(solution.minibatches(x, y, 3, rng))) for _ in range(3)]
    return {f"x in epoch {k}": rows for k, rows in enumerate(epochs)}


@check(
    points=2, star=True, x=X, y=Y, batch_size=[2, 3, 1, 50], minimum={"samples": 1, "features": 1}, examples=[SEVEN], devices=False,
)  # fmt: skip
def drop_last_leaves_out_a_part(solution, x, y, batch_size):
    """drop_last leaves out a last batch that is not full, and only that."""
    x, y = torch.cat([x] * 6)[: 6 + len(x) % 2], torch.cat([y] * 6)[: 6 + len(x) % 2]  # six or seven samples
    batches = solution.minibatches(x, y, batch_size, drop_last=True)
    return {"samples in all": len(x), "x_batch of each batch": rows_of(batches)}


@check(points=1, star=True, x=X, y=Y, batch_size=[2, 3], minimum=LEAST, devices=False, beside=True)
def no_samples_are_no_batches(solution, x, y, batch_size):
    """Without samples there are no batches."""
    none = rows_of(solution.minibatches(x[:0], y[:0], batch_size))
    total = torch.cat([x[:0], *rows_of(solution.minibatches(x, y, batch_size))]).double().sum(0)
    return {"sum of all rows": total}, {"sizes of the batches of no samples": [len(rows) for rows in none]}
