"""Hidden checks for bucket_batches: whole, sorted, and random in the right places."""

from itertools import pairwise

from torchdojo.grading import built, check

CONCEPTS = ("K04", "K11")

KEPT = {"each_index_comes_once": "batches that are whole, worth points whatever the lengths"}


class oracle:
    """Only an empty list is compared with it; judges decide the rest."""

    def bucket_batches(lengths, batch_size, generator):
        order = sorted(range(len(lengths)), key=lengths.__getitem__)
        return [order[k : k + batch_size] for k in range(0, len(order), batch_size)]


def different(case):
    """Lengths from 1 on, each once, in a random order. Their number is prime: one batch is smaller than the others."""
    return case.rng.sample(range(1, 60), case.rng.choice((23, 29)))


def equal(case):
    """Two lengths, each for many samples."""
    return [case.rng.choice((5, 9)) for _ in range(40)]


LENGTHS = built(different)


def wrong_batches(batches, lengths, batch_size):
    """What is wrong with the batches whatever the lengths, or None."""
    indices = sorted(i for batch in batches for i in batch)
    if indices != list(range(len(lengths))):
        missing = len(set(range(len(lengths))) - set(indices))
        return f"of {len(lengths)} samples {missing} are missing, and {len(indices) - len(set(indices))} indices are repeated"
    sizes = sorted((len(batch) for batch in batches), reverse=True)
    full, rest = divmod(len(lengths), batch_size)
    if sizes != [batch_size] * full + [rest] * (rest > 0):
        return f"the batches have the sizes {sizes}, with batch_size {batch_size} and {len(lengths)} samples"
    return None


FULL = {"lengths": [*range(24, 0, -1)], "batch_size": 4}  # no batch is smaller


@check(points=2, lengths=LENGTHS, batch_size=[2, 3, 4, 5], examples=[FULL], devices=False)
def each_index_comes_once(solution, lengths, batch_size, rng):
    """Each index appears once, and at most one batch is smaller than batch_size."""
    return solution.bucket_batches(list(lengths), batch_size, rng)


@each_index_comes_once.judge
def _(batches, lengths, batch_size):
    other = next((type(i).__name__ for batch in batches for i in batch if type(i) is not int), None)
    if other:
        return f"an index is of type {other}, not a Python int"
    return wrong_batches(batches, lengths, batch_size)


@check(points=3, lengths=LENGTHS, batch_size=[2, 3, 4, 5], devices=False)
def batches_do_not_overlap_in_length(solution, lengths, batch_size, rng):
    """Each batch contains samples that are consecutive when all are sorted by length."""
    return solution.bucket_batches(list(lengths), batch_size, rng)


@batches_do_not_overlap_in_length.judge
def _(batches, lengths):
    if len({i for batch in batches for i in batch}) < 6:
        return "the batches have fewer than six different samples"
    spans = sorted((min(lengths[i] for i in batch), max(lengths[i] for i in batch)) for batch in batches)
    for (low, high), (next_low, next_high) in pairwise(spans):
        if high > next_low:
            return f"one batch has lengths from {low} to {high}, another from {next_low} to {next_high}"


@check(points=2, lengths=LENGTHS, batch_size=[1, 2], devices=False)
def the_order_of_batches_is_random(solution, lengths, batch_size, rng):
    """The order of the batches is drawn from the generator in each call."""
    state, calls = rng.get_state(), []
    for k in range(3):
        if k == 2:
            rng.set_state(state)
        calls.append(solution.bucket_batches(list(lengths), batch_size, rng))
    return calls


@the_order_of_batches_is_random.judge
def _(calls, lengths):
    calls = [[[int(i) for i in batch] for batch in batches] for batches in calls]
    longest = [[max(lengths[i] for i in batch) for batch in batches] for batches in calls]
    if any(len(set(one)) < 8 for one in longest):
        return "the batches have fewer than eight different lengths"
    if any(one in (sorted(one), sorted(one, reverse=True)) for one in longest):
        return "the batches are sorted by length", "Shuffle the batches after you have cut them; otherwise short samples come first in every epoch."
    if longest[0] == longest[1]:
        return "two calls gave the batches in the same order"
    return "the same state of the generator gave a different order" if calls[0] != calls[2] else None


@check(points=2, star=True, lengths=built(equal), batch_size=[4, 5], devices=False)
def equal_lengths_are_mixed(solution, lengths, batch_size, rng):
    """Samples of equal length are reshuffled in each call."""
    return [solution.bucket_batches(list(lengths), batch_size, rng) for _ in range(2)]


@equal_lengths_are_mixed.judge
def _(calls, lengths, batch_size):
    for batches in calls:
        if wrong_batches(batches, lengths, batch_size):
            return wrong_batches(batches, lengths, batch_size)
    if len(calls[0]) > 1 and {frozenset(batch) for batch in calls[0]} == {frozenset(batch) for batch in calls[1]}:
        said = "Sorting keeps samples of equal length in the order that they had before it. So shuffle all samples before you sort them."
        return "two calls gave the same batches, though many samples have the same length", said


@check(points=1, star=True, lengths=LENGTHS, batch_size=[2, 50], devices=False)
def there_may_be_no_samples(solution, lengths, batch_size, rng):
    """Without samples the result is an empty list; a few samples give one batch."""
    few = solution.bucket_batches(lengths[:2], batch_size, rng)
    return {"no samples": solution.bucket_batches([], batch_size, rng), "two samples": [sorted(batch) for batch in few]}
