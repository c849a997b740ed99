"""Known mistakes and odd-but-correct solutions for bucket_batches."""

import random

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "drop_copy: return [batches[k] for k in torch.randperm(len(batches), generator=generator)]": "a list takes a tensor of one integer as an index",
}

HINTS = (
    "First an order of all indices, then pieces of it. After that you can shuffle the pieces.",
    "Sort the indices by their lengths and cut the result. Python's sort is stable: equal lengths keep the "
    "order that they had before.",
    "Start from a random permutation instead of range, sort it by length, cut it into pieces of batch_size, "
    "and put the pieces into a second random order.",
)


def mixed(n, generator):
    """A random order."""
    return torch.randperm(n, generator=generator).tolist()


def cut(order, batch_size):
    """Pieces."""
    return [order[k : k + batch_size] for k in range(0, len(order), batch_size)]


def by_length(lengths, generator):
    """Indices by length, equal lengths mixed."""
    return sorted(mixed(len(lengths), generator), key=lengths.__getitem__)


def mixed_batches(batches, generator):
    """In a random order."""
    return [batches[k] for k in mixed(len(batches), generator)]


@mistake("bucket_batches", about="the_order_of_batches_is_random", common=True)
def only_sorts(lengths, batch_size, generator):
    """The batches are sorted by length, with the short ones first in every epoch: shuffle the batches."""
    return cut(by_length(lengths, generator), batch_size)


@mistake("bucket_batches", about="the_order_of_batches_is_random")
def leaves_nothing_to_chance(lengths, batch_size, generator):
    """Nothing is random: every call gives the same batches, the short samples first. Shuffle the samples before you
    sort, and the batches after you cut."""
    return cut(sorted(range(len(lengths)), key=lengths.__getitem__), batch_size)


@mistake("bucket_batches", about="batches_do_not_overlap_in_length")
def only_shuffles(lengths, batch_size, generator):
    """The samples were shuffled regardless of their lengths: sort them by length before you cut."""
    return cut(mixed(len(lengths), generator), batch_size)


@mistake("bucket_batches", about="batches_do_not_overlap_in_length", common=True)
def shuffles_after_sorting(lengths, batch_size, generator):
    """The sorted samples were shuffled again before they were cut: cut first, then shuffle the batches."""
    order = by_length(lengths, generator)
    return cut([order[k] for k in mixed(len(order), generator)], batch_size)


@mistake("bucket_batches", about="equal_lengths_are_mixed", common=True)
def same_batches_every_time(lengths, batch_size, generator):
    """The batches are the same in every call, only their order changes: shuffle the samples before you sort them by length."""
    return mixed_batches(cut(sorted(range(len(lengths)), key=lengths.__getitem__), batch_size), generator)


@mistake("bucket_batches")
def gives_lengths(lengths, batch_size, generator):
    """The batches hold lengths: they must hold indices of samples."""
    return mixed_batches(cut(sorted(lengths), batch_size), generator)


@mistake("bucket_batches", about="each_index_comes_once")
def drops_the_rest(lengths, batch_size, generator):
    """The last samples are missing: one batch may be smaller."""
    order = by_length(lengths, generator)
    return mixed_batches(cut(order[: len(order) // batch_size * batch_size], batch_size), generator)


@mistake("bucket_batches", about="each_index_comes_once")
def a_batch_for_each_length(lengths, batch_size, generator):
    """Each length got batches of its own, many of them too small: fill a batch with the next lengths."""
    groups = {}
    for i in mixed(len(lengths), generator):
        groups.setdefault(lengths[i], []).append(i)
    return mixed_batches([batch for group in groups.values() for batch in cut(group, batch_size)], generator)


@mistake("bucket_batches", about="batches_do_not_overlap_in_length")
def sorts_inside_the_batches(lengths, batch_size, generator):
    """The samples were sorted inside each batch only: sort all samples, then cut."""
    batches = cut(mixed(len(lengths), generator), batch_size)
    return [sorted(batch, key=lengths.__getitem__) for batch in batches]


@mistake("bucket_batches", about="batches_do_not_overlap_in_length")
def takes_every_nth(lengths, batch_size, generator):
    """Each batch has samples of all lengths: take neighbors of the sorted order, not every n-th sample."""
    order = by_length(lengths, generator)
    count = -(-len(order) // batch_size)
    full = len(order) // batch_size * batch_size
    batches = [order[k:full : full // batch_size] for k in range(full // batch_size)] + ([order[full:]] if full < len(order) else [])
    return mixed_batches(batches[:count], generator)


@mistake("bucket_batches", about="the_order_of_batches_is_random")
def seeds_itself(lengths, batch_size, generator):
    """Each call gave the same order, because the random numbers were seeded again: draw from generator."""
    generator = torch.Generator().manual_seed(0)
    return mixed_batches(cut(by_length(lengths, generator), batch_size), generator)


@mistake("bucket_batches", about="the_order_of_batches_is_random")
def mixes_the_batches_with_a_fixed_seed(lengths, batch_size, generator):
    """The batches were shuffled with a fixed seed, so their order is the same in every call: draw this order from generator, too."""
    batches = cut(by_length(lengths, generator), batch_size)
    random.Random(7).shuffle(batches)
    return batches


@mistake("bucket_batches", about="there_may_be_no_samples")
def one_empty_batch(lengths, batch_size, generator):
    """No samples gave one empty batch: return an empty list."""
    return mixed_batches(cut(by_length(lengths, generator), batch_size) or [[]], generator)


@alternative("bucket_batches")
def with_random_ties(lengths, batch_size, generator):
    """A random number decides between equal lengths."""
    ties = torch.rand(len(lengths), generator=generator).tolist()
    order = sorted(range(len(lengths)), key=lambda i: (lengths[i], ties[i]))
    batches = []
    while order:
        batches.append(order[:batch_size])
        del order[:batch_size]
    return mixed_batches(batches, generator)


@alternative("bucket_batches")
def with_tensors(lengths, batch_size, generator):
    """A stable argsort of a shuffled tensor, and split."""
    if not lengths:
        return []
    first = torch.randperm(len(lengths), generator=generator)
    order = first[torch.tensor(lengths)[first].argsort(stable=True)]
    pieces = order.split(batch_size)
    return [pieces[k].tolist() for k in torch.randperm(len(pieces), generator=generator)]


@alternative("bucket_batches")
def longest_first(lengths, batch_size, generator):
    """From the longest down, so that the smaller batch has the shortest samples."""
    order = by_length(lengths, generator)[::-1]
    return mixed_batches(cut(order, batch_size), generator)
