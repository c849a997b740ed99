"""Known mistakes and unusual but correct solutions for bucket_batches."""

import random  # noqa: F401 (for an edit)

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


only_sorts = mistake.edited(
    "return [batches[k] for k in torch.randperm(len(batches), generator=generator).tolist()]", "return batches",
    "The batches come sorted by length in every epoch: shuffle the batches after you have cut them.",
    about="the_order_of_batches_is_random", common=True,
    pitfall="Sorting alone")

leaves_nothing_to_chance = mistake.edited(
    "return [batches[k] for k in torch.randperm(len(batches), generator=generator).tolist()]", "return batches",
    "Nothing is random: every call gives the same batches, sorted by length. Shuffle the samples before you sort, "
    "and the batches after you cut.",
    also=[("order = torch.randperm(len(lengths), generator=generator).tolist()", "order = list(range(len(lengths)))")],
    about="the_order_of_batches_is_random")

only_shuffles = mistake.edited("order.sort(key=lambda i: lengths[i])  # equal lengths stay mixed", "",
    "The batches mix short and long samples: sort the samples by length before you cut.",
    also=[("return [batches[k] for k in torch.randperm(len(batches), generator=generator).tolist()]", "return batches")],
    about="batches_do_not_overlap_in_length")

shuffles_after_sorting = mistake.edited(
    "return [batches[k] for k in torch.randperm(len(batches), generator=generator).tolist()]", "return batches",
    "The sorted samples were shuffled again before they were cut: cut first, then shuffle the batches.",
    also=[(
        "order.sort(key=lambda i: lengths[i])  # equal lengths stay mixed",
        """
        order.sort(key=lambda i: lengths[i])  # equal lengths stay mixed
        order = [order[k] for k in torch.randperm(len(order), generator=generator).tolist()]
        """,
    )], about="batches_do_not_overlap_in_length", common=True)

same_batches_every_time = mistake.edited(
    "order = torch.randperm(len(lengths), generator=generator).tolist()", "order = list(range(len(lengths)))",
    "Only the order of the batches changes from call to call, not what is in them: shuffle the samples before you sort them by length.",
    about="equal_lengths_are_mixed", common=True)

gives_lengths = mistake.edited(
    "order = torch.randperm(len(lengths), generator=generator).tolist()", "order = sorted(lengths)",
    "The batches hold lengths: they must hold indices of samples.",
    also=[("order.sort(key=lambda i: lengths[i])  # equal lengths stay mixed", "")])

drops_the_rest = mistake.edited(
    "range(0, len(order), batch_size)", "range(0, len(order) // batch_size * batch_size, batch_size)",
    "The last samples are missing: one batch may be smaller.",
    about="each_index_comes_once")

a_batch_for_each_length = mistake.edited("order.sort(key=lambda i: lengths[i])  # equal lengths stay mixed", "",
    "Each length got batches of its own, many of them too small: fill a batch with the next lengths.",
    also=[(
        "batches = [order[start : start + batch_size] for start in range(0, len(order), batch_size)]",
        """
        groups = {}
        for i in order:
            groups.setdefault(lengths[i], []).append(i)
        batches = [group[k : k + batch_size] for group in groups.values() for k in range(0, len(group), batch_size)]
        """,
    )], about="each_index_comes_once")

sorts_inside_the_batches = mistake.edited("order.sort(key=lambda i: lengths[i])  # equal lengths stay mixed", "",
    "The samples were sorted inside each batch only: sort all samples, then cut.",
    also=[("return [batches[k] for k in torch.randperm(len(batches), generator=generator).tolist()]",
         "return [sorted(batch, key=lengths.__getitem__) for batch in batches]")], about="batches_do_not_overlap_in_length")

takes_every_nth = mistake.edited(
    "batches = [order[start : start + batch_size] for start in range(0, len(order), batch_size)]",
    """
    full = len(order) // batch_size * batch_size
    batches = [order[k:full : full // batch_size] for k in range(full // batch_size)]
    if full < len(order):
        batches.append(order[full:])
    """,
    "Each batch has samples of all lengths: take neighbors of the sorted order, not every n-th sample.",
    about="batches_do_not_overlap_in_length")

seeds_itself = mistake.edited(
    "order = torch.randperm(len(lengths), generator=generator).tolist()",
    """
    generator = torch.Generator().manual_seed(0)
    order = torch.randperm(len(lengths), generator=generator).tolist()
    """,
    "Each call gave the same order, because the random numbers were seeded again: draw from generator.",
    about="the_order_of_batches_is_random")

mixes_the_batches_with_a_fixed_seed = mistake.edited(
    "return [batches[k] for k in torch.randperm(len(batches), generator=generator).tolist()]",
    "random.Random(7).shuffle(batches)\nreturn batches",
    "The batches were shuffled with a fixed seed, so their order is the same in every call: draw this order from "
    "generator, too.",
    about="the_order_of_batches_is_random")

one_empty_batch = mistake.edited(
    "batches = [order[start : start + batch_size] for start in range(0, len(order), batch_size)]",
    "batches = [order[start : start + batch_size] for start in range(0, len(order), batch_size)] or [[]]",
    "No samples gave one empty batch: return an empty list.",
    about="there_may_be_no_samples")


@alternative("bucket_batches")
def with_random_ties(lengths, batch_size, generator):
    """A random number decides between equal lengths."""
    ties = torch.rand(len(lengths), generator=generator).tolist()
    order = sorted(range(len(lengths)), key=lambda i: (lengths[i], ties[i]))
    batches = []
    while order:
        batches.append(order[:batch_size])
        del order[:batch_size]
    return [batches[k] for k in torch.randperm(len(batches), generator=generator).tolist()]


@alternative("bucket_batches")
def with_tensors(lengths, batch_size, generator):
    """A stable argsort of a shuffled tensor, and split."""
    if not lengths:
        return []
    first = torch.randperm(len(lengths), generator=generator)
    order = first[torch.tensor(lengths)[first].argsort(stable=True)]
    pieces = order.split(batch_size)
    return [pieces[k].tolist() for k in torch.randperm(len(pieces), generator=generator)]


longest_first = alternative.edited(
    "order.sort(key=lambda i: lengths[i])  # equal lengths stay mixed",
    "order.sort(key=lambda i: lengths[i])\norder.reverse()",
    "From the longest down, so that the smaller batch has the shortest samples.")
