"""Known mistakes and unusual but correct solutions for minibatches."""

import torch
from ex05_minibatches import minibatches

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "wrong_name: n = len(y)": "x and y have the same number of rows",
}

HINTS = (
    "First an order of all samples, then pieces of this order. What is the first index of each piece?",
    "range(0, samples, batch_size) gives the starts. A slice that goes past the end of the data is shortened "
    "automatically, so the last batch needs no extra code. One permutation serves both tensors.",
    "Choose arange or randperm. For each start take the indices from start to start + batch_size, and yield x "
    "and y at them. With drop_last the starts end at the largest multiple of batch_size.",
)


def order_of(x, generator):
    """The right order."""
    return torch.arange(len(x)) if generator is None else torch.randperm(len(x), generator=generator)


def cut(x, y, order, batch_size, drop_last):
    """The right batches of this order."""
    return list(minibatches(x[order], y[order], batch_size, None, drop_last))


@mistake("minibatches", about="shuffled_samples_keep_their_labels", common=True)
def two_permutations(x, y, batch_size, generator=None, drop_last=False):
    """Samples and labels were shuffled separately, so the labels belong to other samples: draw one order for both."""
    order = order_of(x, generator)
    other = order_of(y, generator)
    return [(a, b) for (a, _), (_, b) in zip(cut(x, y, order, batch_size, drop_last), cut(x, y, other, batch_size, drop_last), strict=True)]


leaves_the_labels = mistake.edited("y[batch]", "y[start : start + batch_size]",
    "The samples were shuffled, but the labels were not: index both with the same order.",
    about="shuffled_samples_keep_their_labels")

never_shuffles = mistake.edited(
    "order = torch.arange(n) if generator is None else torch.randperm(n, generator=generator)",
    "order = torch.arange(n)",
    "The samples were not shuffled: with a generator draw an order with torch.randperm.")


@mistake("minibatches", about="batches_follow_the_rows", common=True)
def always_shuffles(x, y, batch_size, generator=None, drop_last=False):
    """The samples were shuffled although there is no generator: without one they keep their order."""
    return cut(x, y, torch.randperm(len(x), generator=generator), batch_size, drop_last)


@mistake("minibatches", about="each_epoch_has_another_order", common=True)
def seeds_the_generator_again(x, y, batch_size, generator=None, drop_last=False):
    """Every call gave the same order, as if the generator were seeded again each time: draw from the generator as it is."""
    if generator is not None:
        generator = torch.Generator().manual_seed(generator.initial_seed())
    return cut(x, y, order_of(x, generator), batch_size, drop_last)


draws_with_replacement = mistake.edited("torch.randperm(n,", "torch.randint(n, (n,),",
    "Some samples appear twice and others never: draw a permutation, which contains each index once.")

uses_the_global_generator = mistake.edited("torch.randperm(n, generator=generator)", "torch.randperm(n)",
    "The order was not drawn from the generator that you got: pass it to randperm.")


@mistake("minibatches")
def shuffles_the_batches(x, y, batch_size, generator=None, drop_last=False):
    """The batches were shuffled, and the samples in them were not: shuffle the samples, then cut."""
    found = cut(x, y, order_of(x, None), batch_size, drop_last)
    return found if generator is None else [found[i] for i in torch.randperm(len(found), generator=generator).tolist()]


@mistake("minibatches")
def shuffles_inside_each_batch(x, y, batch_size, generator=None, drop_last=False):
    """Each batch has the same samples in every epoch, and only their order changes: shuffle all samples, then cut."""
    found = cut(x, y, order_of(x, None), batch_size, drop_last)
    return [tuple(t[order] for t in (a, b)) for a, b in found for order in [order_of(a, generator)]]


always_drops_the_last = mistake.edited("n - n % batch_size if drop_last else n", "n - n % batch_size",
    "The last samples are missing: without drop_last a smaller batch stays. (samples // batch_size counts full batches "
    "alone.)")

drops_a_full_batch = mistake.edited(
    "n - n % batch_size if drop_last", "(n - 1) // batch_size * batch_size if drop_last",
    "drop_last dropped a full batch: leave the last one out only if it has fewer than batch_size samples.",
    about="drop_last_leaves_out_a_part", common=True)

ignores_drop_last = mistake.edited("n - n % batch_size if drop_last else n", "n",
    "With drop_last=True a last batch of fewer than batch_size samples is still there: leave it out.",
    about="drop_last_leaves_out_a_part")


@mistake("minibatches", pitfall="torch.chunk(x, n)")
def makes_equal_chunks(x, y, batch_size, generator=None, drop_last=False):
    """The parts have nearly equal sizes, as torch.chunk makes them: each batch has batch_size samples, only the last one fewer."""
    order, parts = order_of(x, generator), max(1, -(-len(x) // batch_size))
    found = [(x[part], y[part]) for part in order.tensor_split(parts) if len(part)]
    return [pair for pair in found if not drop_last or len(pair[0]) == batch_size]


makes_that_many_batches = mistake.edited("n = len(x)", "n = len(x)\nbatch_size = max(1, -(-n // batch_size))",
    "batch_size was used as the number of batches: it is the number of samples in a batch.")


@mistake("minibatches")
def fills_the_last_batch(x, y, batch_size, generator=None, drop_last=False):
    """The last batch was filled with samples from the beginning, so these appear twice in an epoch: let it be smaller."""
    order = order_of(x, generator)
    if batch_size > 0 and len(x) and not drop_last:
        order = torch.cat([order, order.repeat(batch_size)[: -len(x) % batch_size]])
    return cut(x, y, order, batch_size, drop_last)


adds_an_empty_batch = mistake.edited("range(0, end, batch_size)", "range(0, end if drop_last else end + 1, batch_size)",
    "When batch_size divides the number of samples, an empty batch came at the end: stop when no samples are left.",
    about=("batches_follow_the_rows", "no_samples_are_no_batches"))

one_empty_batch = mistake.edited("range(0, end, batch_size)", "range(0, end if n else 1, batch_size)",
    "No samples gave one empty batch: there must be none.",
    about="no_samples_are_no_batches")

draws_for_each_batch = mistake.edited(
    "order = torch.arange(n) if generator is None else torch.randperm(n, generator=generator)",
    "",
    "The order was drawn again for each batch, so some samples come twice and others never: draw it once, before "
    "the loop.",
    also=[("batch = order[start : start + batch_size]", """
    order = torch.arange(n) if generator is None else torch.randperm(n, generator=generator)
    batch = order[start : start + batch_size]
    """)],
)

ends_at_the_batch_size = mistake.edited(
    "order[start : start + batch_size]",
    "order[start:batch_size]",
    "Only the first batch has samples: the second number of a slice is the index where it ends, not how many it "
    "takes.",
    about="batches_follow_the_rows",
)


@alternative("minibatches")
def with_split(x, y, batch_size, generator=None, drop_last=False):
    """A list, made with torch.split."""
    order = order_of(x, generator)
    parts = [part for part in torch.split(order, batch_size) if len(part) == batch_size or (len(part) and not drop_last)]
    return [(x.index_select(0, part), y.index_select(0, part)) for part in parts]


@alternative("minibatches")
def with_a_loop(x, y, batch_size, generator=None, drop_last=False):
    """Lists of indices, collected one by one."""
    batch = []
    for i in order_of(x, generator).tolist():
        batch.append(i)
        if len(batch) == batch_size:
            yield [x[batch], y[batch]]
            batch = []
    if batch and not drop_last:
        yield [x[batch], y[batch]]


@alternative("minibatches")
def shuffles_everything_first(x, y, batch_size, generator=None, drop_last=False):
    """Both tensors are reordered, then sliced."""
    if generator is not None:
        order = torch.randperm(x.shape[0], generator=generator)
        x, y = x[order], y[order]
    count = len(x) // batch_size if drop_last else (len(x) + batch_size - 1) // batch_size
    return iter([(x[k * batch_size : (k + 1) * batch_size], y[k * batch_size : (k + 1) * batch_size]) for k in range(count)])
