"""Hidden checks for make_loaders: orders, epochs, seeds, batches."""

import torch
from torch.utils.data import DataLoader

from torchdojo.grading import built, check

CONCEPTS = ("B15", "K06")

KEPT = {
    "validation_keeps_the_order": "the validation loader, worth points without the other one",
    "training_is_shuffled": "one epoch, worth points without the next",
    "the_global_generator_stays_as_it_is": "what becomes of the global generator, said by itself",
}


class oracle:
    """Two loaders; judges decide about the orders of the first."""

    def make_loaders(train, val, batch_size, seed, collate_fn=None, drop_last=False):
        shuffled = DataLoader(
            train, batch_size, shuffle=True, collate_fn=collate_fn, drop_last=drop_last, generator=torch.Generator().manual_seed(seed)
        )
        return shuffled, DataLoader(val, batch_size, collate_fn=collate_fn)


def numbers(least):
    """Different numbers, at least so many."""
    return built(lambda case: case.rng.sample(range(100), case.rng.randint(least, least + 5)))


def made(solution, *arguments, **options):
    """Both loaders; the global generator is put back, since what becomes of it is asked once, in a check of its own."""
    state = torch.get_rng_state()
    try:
        return solution.make_loaders(*arguments, **options)
    finally:
        torch.set_rng_state(state)


def epoch(loader):
    """The numbers of each batch."""
    return [torch.as_tensor(batch).tolist() for batch in loader]


def flat(batches):
    return [number for batch in batches for number in (batch if isinstance(batch, list) else [batch])]


def counted(batches, data):
    """How many samples came, and how many different ones of the dataset."""
    samples = flat(batches)
    return f"gave {len(samples)} samples, with {len(set(samples) & set(data))} of the {len(data)} in the dataset: each must come once"


def wrong_epoch(batches, train):
    """What is wrong with an epoch of the training loader, or None."""
    samples = flat(batches)
    if sorted(samples) != sorted(train):
        return f"an epoch {counted(batches, train)}"
    if samples == list(train):
        return "the training samples came in the order of the dataset"
    return None


def described(items):
    """A batch by its size and its largest number."""
    return {"size": len(items), "largest": max(items)}


TRAIN, VAL, SEED = numbers(20), numbers(5), [0, 3, 1234]


@check(points=1, train=TRAIN, val=VAL, batch_size=[2, 3, 4, 50], seed=SEED, random=True, devices=False)
def validation_keeps_the_order(solution, train, val, batch_size, seed):
    """The validation loader yields the samples in order, in every epoch."""
    loader = made(solution, train, val, batch_size, seed)[1]
    return [epoch(loader), epoch(loader)]


@validation_keeps_the_order.judge
def _(epochs, val, batch_size):
    for batches in epochs:
        if batches != [val[start : start + batch_size] for start in range(0, len(val), batch_size)]:
            if flat(batches) == val:
                return f"the validation batches have the sizes {[len(b) for b in batches]}, with batch_size {batch_size} and {len(val)} samples"
            if sorted(flat(batches)) == sorted(val):
                said = "A validation loader must not shuffle: predictions must stay in the order of the samples."
                return "the validation samples came in another order than in the dataset", said
            return f"the validation loader {counted(batches, val)}"


@check(points=2, train=TRAIN, val=VAL, batch_size=[3, 4, 50], seed=SEED, random=True, devices=False)
def training_is_shuffled(solution, train, val, batch_size, seed):
    """An epoch of the training loader has each sample once, in a new order."""
    return epoch(made(solution, train, val, batch_size, seed)[0])


@training_is_shuffled.judge
def _(batches, train, batch_size):
    sizes = [len(batch) for batch in batches]
    n = len(train)
    if sizes != [min(batch_size, n - start) for start in range(0, n, batch_size)]:
        return f"the batches have the sizes {sizes}, with batch_size {batch_size} and {n} samples"
    return wrong_epoch(batches, train)


@check(points=1, train=TRAIN, val=VAL, batch_size=[3, 50], seed=SEED, random=True, devices=False)
def each_epoch_has_another_order(solution, train, val, batch_size, seed):
    """The next epoch has a different order."""
    loader = made(solution, train, val, batch_size, seed)[0]
    return [epoch(loader) for _ in range(3)]


@each_epoch_has_another_order.judge
def _(epochs, train):
    for batches in epochs:
        if sorted(flat(batches)) != sorted(train):
            return wrong_epoch(batches, train)
    if epochs[0] == epochs[1] or epochs[1] == epochs[2]:
        return "two epochs had the same order"


@check(points=2, train=TRAIN, val=VAL, batch_size=[4, 50], seed=SEED, drawn=[1, 3], random=True, devices=False)
def the_seed_decides(solution, train, val, batch_size, seed, drawn):
    """Loaders with the same seed agree in every epoch, whatever else is drawn."""
    seen = {}
    for name, number in (("first", seed), ("second", seed), ("another seed", seed + 1)):
        loader = made(solution, train, val, batch_size, number)[0]
        torch.rand(drawn)  # somebody else uses the global generator
        seen[name] = [epoch(loader)]
        torch.rand(drawn)
        seen[name].append(epoch(loader))
        torch.rand(drawn)
    return seen


@the_seed_decides.judge
def _(seen, train):
    for name in ("first", "another seed"):
        if sorted(flat(seen[name][0])) != sorted(train):
            return wrong_epoch(seen[name][0], train)
    for k in (0, 1):
        if seen["first"][k] != seen["second"][k]:
            return f"two loaders with the same seed had different orders in epoch {k + 1}, with random numbers drawn elsewhere in between"
    if seen["first"][0] == seen["another seed"][0]:
        return "two different seeds gave the same order"


@check(points=1, train=TRAIN, val=VAL, batch_size=[3, 4], seed=SEED, random=True, devices=False)
def both_loaders_use_collate_fn(solution, train, val, batch_size, seed):
    """Both loaders make their batches with collate_fn."""
    train_loader, val_loader = made(solution, train, val, batch_size, seed, described)
    found = {}
    for name, loader in (("training", train_loader), ("validation", val_loader)):
        batches = list(loader)
        own = [batch for batch in batches if isinstance(batch, dict)]
        found[f"{name} batches that collate_fn made"] = f"{len(own)} of {len(batches)}"
        found[f"sizes of these {name} batches"] = [batch["size"] for batch in own]
        found[f"largest {name} sample"] = max((batch["largest"] for batch in own), default=None)
    return found


@check(points=2, star=True, train=TRAIN, val=VAL, batch_size=[3, 4], seed=SEED, random=True, devices=False)
def only_training_batches_are_left_out(solution, train, val, batch_size, seed):
    """With drop_last, the training loader drops a smaller last batch; the validation loader drops none."""
    train, val = [train, train[1:], train[2:]][len(train) % 2], val[: 1 + batch_size]
    train_loader, val_loader = made(solution, train, val, batch_size, seed, drop_last=True)
    sizes = {"sizes of the training batches": [len(batch) for batch in epoch(train_loader)]}
    return sizes | {"validation samples, sorted": sorted(flat(epoch(val_loader)))}


@check(points=1, star=True, train=TRAIN, val=VAL, batch_size=[3, 4], seed=SEED, devices=False)
def the_global_generator_stays_as_it_is(solution, train, val, batch_size, seed):
    """The call changes neither seed nor state of the global generator."""
    before = torch.get_rng_state(), torch.initial_seed()
    train_loader, val_loader = solution.make_loaders(train, val, batch_size, seed)
    same = torch.equal(before[0], torch.get_rng_state()) and before[1] == torch.initial_seed()
    torch.default_generator.manual_seed(before[1])
    torch.set_rng_state(before[0])
    samples = sorted(flat(epoch(val_loader)))
    torch.set_rng_state(before[0])
    return {"validation samples, sorted": samples, "global generator as before": same}
