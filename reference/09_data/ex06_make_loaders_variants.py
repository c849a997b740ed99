"""Known mistakes and unusual but correct solutions for make_loaders."""

import torch
from torch.utils.data import BatchSampler, DataLoader, RandomSampler, Subset  # noqa: F401 (for an edit)

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


seeds_the_global_generator = mistake.edited(
    "generator = torch.Generator().manual_seed(seed)", "torch.manual_seed(seed)",
    "The seed was set for the whole program with torch.manual_seed: give the training loader a generator of its own.",
    also=[(", generator=generator", "")], about="the_seed_decides", common=True,
    pitfall="torch.manual_seed(seed) is not enough")

ignores_the_seed = mistake.edited(", generator=generator", "",
    "The seed has no effect: the order comes from the global generator. Pass generator= to the training loader.",
    about="the_seed_decides", common=True)

always_the_same_seed = mistake.edited("torch.Generator().manual_seed(seed)", "torch.Generator()",
    "Every seed gave the same order: seed the generator with the argument. (torch.Generator() always starts with the same "
    "seed.)",
    about="the_seed_decides")

never_shuffles = mistake.edited("shuffle=True", "shuffle=False",
    "The training loader doesn't shuffle: a generator alone changes nothing, shuffle=True is needed too.",
    about="training_is_shuffled")

shuffles_the_validation_set = mistake.edited(
    "DataLoader(val, batch_size, collate_fn=collate_fn)",
    "DataLoader(val, batch_size, shuffle=True, collate_fn=collate_fn)",
    "The validation loader shuffles: its order must stay, so that predictions can be matched with samples.",
    about="validation_keeps_the_order", common=True)

shuffles_once = mistake.edited("train, batch_size, shuffle=True", "Subset(train, order), batch_size, shuffle=False",
    "Every epoch has the same order: let the loader shuffle, which draws a new order whenever a loop over it starts.",
    also=[("train_loader = DataLoader(",
         "order = torch.randperm(len(train), generator=generator).tolist()\ntrain_loader = DataLoader(")],
    about="each_epoch_has_another_order")

keeps_the_batches_of_one_epoch = mistake.edited("return train_loader", "return list(train_loader)",
    "The result is a list of batches, made once: return the loader itself, which makes new ones in every epoch.",
    about="each_epoch_has_another_order")

draws_with_replacement = mistake.edited(
    "shuffle=True",
    "sampler=RandomSampler(train, replacement=True, generator=torch.Generator().manual_seed(seed))",
    "Some samples appear twice and others never: an epoch contains each sample once, so don't draw with replacement.")

forgets_collate_fn = mistake.edited("collate_fn=collate_fn, drop_last", "drop_last",
    "The training loader doesn't use collate_fn: pass it on to both loaders.",
    about="both_loaders_use_collate_fn", common=True)

forgets_collate_fn_for_validation = mistake.edited(
    "DataLoader(val, batch_size, collate_fn=collate_fn)", "DataLoader(val, batch_size)",
    "The validation loader doesn't use collate_fn: pass it on to both loaders.",
    about="both_loaders_use_collate_fn")

drops_validation_samples = mistake.edited(
    "DataLoader(val, batch_size, collate_fn=collate_fn)",
    "DataLoader(val, batch_size, collate_fn=collate_fn, drop_last=drop_last)",
    "The validation loader left out its last samples: drop_last belongs to the training loader alone.",
    about="only_training_batches_are_left_out", common=True)

ignores_drop_last = mistake.edited(", drop_last=drop_last", "",
    "With drop_last=True the training loader keeps a smaller last batch: pass drop_last on to it.",
    about="only_training_batches_are_left_out")

validation_in_batches_of_one = mistake.edited(
    "DataLoader(val, batch_size, collate_fn=collate_fn)", "DataLoader(val, collate_fn=collate_fn)",
    "The validation batches have one sample each, the default: pass batch_size to both loaders.",
    about="validation_keeps_the_order")

exchanges_the_loaders = mistake.edited(
    "return train_loader, DataLoader(val, batch_size, collate_fn=collate_fn)",
    "return DataLoader(val, batch_size, collate_fn=collate_fn), train_loader",
    "The validation loader came first: return the training loader first.")

always_drops_the_last = mistake.edited(
    ", drop_last=drop_last",
    ", drop_last=True",
    "Without drop_last the training loader leaves out a smaller last batch: it may do so only with drop_last=True.",
)


with_a_sampler = alternative.edited("shuffle=True", "sampler=RandomSampler(train, generator=generator)",
    "A RandomSampler that has the generator.",
    also=[
        (", generator=generator", ""),
        ("DataLoader(val, batch_size, collate_fn=collate_fn)",
         "DataLoader(val, batch_size=batch_size, shuffle=False, collate_fn=collate_fn)"),
    ])


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
