"""Known mistakes and odd-but-correct solutions for make_loaders."""

import torch
from torch.utils.data import BatchSampler, DataLoader, RandomSampler, Subset

from torchdojo.variants import alternative, mistake

HINTS = (
    "Two calls of DataLoader. Which arguments are the same for both, and which belong to one of them?",
    "A loader draws its order when an epoch begins, from the generator that it has. Without its own, it uses "
    "PyTorch's global generator, which all other code uses, too.",
    "Make a torch.Generator, seed it, and give it to the training loader beside shuffle=True. Both loaders "
    "get batch_size and collate_fn. Which of them gets drop_last?",
)


def seeded(seed):
    """A generator of its own."""
    return torch.Generator().manual_seed(seed)


def train_loader(train, batch_size, seed, collate_fn=None, drop_last=False, **options):
    """The right one, with other options where they are given."""
    options = {"shuffle": True, "generator": seeded(seed)} | options
    return DataLoader(train, batch_size, collate_fn=collate_fn, drop_last=drop_last, **options)


@mistake("make_loaders", about="the_seed_decides", common=True)
def seeds_the_global_generator(train, val, batch_size, seed, collate_fn=None, drop_last=False):
    """The seed was set for the whole program with torch.manual_seed: give the training loader a generator of its own."""
    torch.manual_seed(seed)
    return train_loader(train, batch_size, seed, collate_fn, drop_last, generator=None), DataLoader(val, batch_size, collate_fn=collate_fn)


@mistake("make_loaders", about="the_seed_decides", common=True)
def ignores_the_seed(train, val, batch_size, seed, collate_fn=None, drop_last=False):
    """The seed has no effect: the order comes from the global generator. Pass generator= to the training loader."""
    return train_loader(train, batch_size, seed, collate_fn, drop_last, generator=None), DataLoader(val, batch_size, collate_fn=collate_fn)


@mistake("make_loaders", about="the_seed_decides")
def always_the_same_seed(train, val, batch_size, seed, collate_fn=None, drop_last=False):
    """Every seed gave the same order: seed the generator with the argument. (torch.Generator() always starts with the same seed.)"""
    return train_loader(train, batch_size, 0, collate_fn, drop_last, generator=torch.Generator()), DataLoader(val, batch_size, collate_fn=collate_fn)


@mistake("make_loaders", about="training_is_shuffled")
def never_shuffles(train, val, batch_size, seed, collate_fn=None, drop_last=False):
    """The training loader doesn't shuffle: a generator alone changes nothing, shuffle=True is needed too."""
    return train_loader(train, batch_size, seed, collate_fn, drop_last, shuffle=False), DataLoader(val, batch_size, collate_fn=collate_fn)


@mistake("make_loaders", about="validation_keeps_the_order", common=True)
def shuffles_the_validation_set(train, val, batch_size, seed, collate_fn=None, drop_last=False):
    """The validation loader shuffles: its order must stay, so that predictions can be matched with samples."""
    return train_loader(train, batch_size, seed, collate_fn, drop_last), DataLoader(val, batch_size, shuffle=True, collate_fn=collate_fn)


@mistake("make_loaders", about="each_epoch_has_another_order")
def shuffles_once(train, val, batch_size, seed, collate_fn=None, drop_last=False):
    """The data were shuffled once, so every epoch has the same order: let the loader shuffle."""
    order = torch.randperm(len(train), generator=seeded(seed)).tolist()
    return train_loader(Subset(train, order), batch_size, seed, collate_fn, drop_last, shuffle=False), DataLoader(val, batch_size, collate_fn=collate_fn)


@mistake("make_loaders", about="each_epoch_has_another_order")
def keeps_the_batches_of_one_epoch(train, val, batch_size, seed, collate_fn=None, drop_last=False):
    """The result is a list of batches, made once: return the loader itself, which makes new ones in every epoch."""
    return list(train_loader(train, batch_size, seed, collate_fn, drop_last)), DataLoader(val, batch_size, collate_fn=collate_fn)


@mistake("make_loaders")
def draws_with_replacement(train, val, batch_size, seed, collate_fn=None, drop_last=False):
    """Some samples came twice and some never: an epoch has each sample once, so don't draw with replacement."""
    sampler = RandomSampler(train, replacement=True, generator=seeded(seed))
    return train_loader(train, batch_size, seed, collate_fn, drop_last, shuffle=False, sampler=sampler), DataLoader(val, batch_size, collate_fn=collate_fn)


@mistake("make_loaders", about="both_loaders_use_collate_fn", common=True)
def forgets_collate_fn(train, val, batch_size, seed, collate_fn=None, drop_last=False):
    """The training loader doesn't use collate_fn: pass it on to both loaders."""
    return train_loader(train, batch_size, seed, None, drop_last), DataLoader(val, batch_size, collate_fn=collate_fn)


@mistake("make_loaders", about="both_loaders_use_collate_fn")
def forgets_collate_fn_for_validation(train, val, batch_size, seed, collate_fn=None, drop_last=False):
    """The validation loader doesn't use collate_fn: pass it on to both loaders."""
    return train_loader(train, batch_size, seed, collate_fn, drop_last), DataLoader(val, batch_size)


@mistake("make_loaders", about="only_training_batches_are_left_out", common=True)
def drops_validation_samples(train, val, batch_size, seed, collate_fn=None, drop_last=False):
    """The validation loader left out its last samples: drop_last belongs to the training loader alone."""
    return train_loader(train, batch_size, seed, collate_fn, drop_last), DataLoader(val, batch_size, collate_fn=collate_fn, drop_last=drop_last)


@mistake("make_loaders", about="only_training_batches_are_left_out")
def ignores_drop_last(train, val, batch_size, seed, collate_fn=None, drop_last=False):
    """drop_last has no effect: pass it on to the training loader."""
    return train_loader(train, batch_size, seed, collate_fn), DataLoader(val, batch_size, collate_fn=collate_fn)


@mistake("make_loaders", about="validation_keeps_the_order")
def validation_in_batches_of_one(train, val, batch_size, seed, collate_fn=None, drop_last=False):
    """The validation batches have one sample each, the default: pass batch_size to both loaders."""
    return train_loader(train, batch_size, seed, collate_fn, drop_last), DataLoader(val, collate_fn=collate_fn)


@mistake("make_loaders")
def exchanges_the_loaders(train, val, batch_size, seed, collate_fn=None, drop_last=False):
    """The validation loader came first: return the training loader first."""
    return DataLoader(val, batch_size, collate_fn=collate_fn), train_loader(train, batch_size, seed, collate_fn, drop_last)


@alternative("make_loaders")
def with_a_sampler(train, val, batch_size, seed, collate_fn=None, drop_last=False):
    """A RandomSampler that has the generator."""
    sampler = RandomSampler(train, generator=seeded(seed))
    return (
        DataLoader(train, batch_size=batch_size, sampler=sampler, collate_fn=collate_fn, drop_last=drop_last),
        DataLoader(val, batch_size=batch_size, shuffle=False, collate_fn=collate_fn),
    )


@alternative("make_loaders")
def with_a_batch_sampler(train, val, batch_size, seed, collate_fn=None, drop_last=False):
    """Batches of indices, from a sampler that seeds each epoch by its number."""

    class Shuffled:
        def __init__(self):
            self.epoch = -1

        def __len__(self):
            return len(train)

        def __iter__(self):
            self.epoch += 1
            return iter(torch.randperm(len(train), generator=seeded(1000 * seed + self.epoch)).tolist())

    options = {"collate_fn": collate_fn} if collate_fn else {}
    return DataLoader(train, batch_sampler=BatchSampler(Shuffled(), batch_size, drop_last), **options), DataLoader(val, batch_size, **options)


@alternative("make_loaders")
def both_have_generators(train, val, batch_size, seed, collate_fn=None, drop_last=False):
    """One set of options for both."""
    common = {"batch_size": batch_size, "collate_fn": collate_fn, "num_workers": 0}
    return [
        DataLoader(train, shuffle=True, drop_last=drop_last, generator=seeded(seed), **common),
        DataLoader(val, generator=seeded(seed), **common),
    ]
