"""Hidden checks for sample_weights and weighted_sampler: weights exactly, draws by how often they come."""

from collections import Counter

import torch
from torch.utils.data import WeightedRandomSampler

from torchdojo.grading import built, check

CONCEPTS = ("K07",)

KEPT = {
    "samples_weigh_the_same_in_sum": "the weights themselves, where no class is missing",
    "large_weights_are_drawn_more_often": "how often each index comes, said by itself",
    "each_loop_draws_anew": "a loop that repeats the one before, or is empty, said by itself",
    "the_length_is_right": "how many indices there are, said by itself",
}


class oracle:
    """Counts in Python."""

    def sample_weights(labels):
        counts = Counter(labels.tolist())
        return torch.tensor([1 / counts[label] for label in labels.tolist()], dtype=torch.float32, device=labels.device)

    def weighted_sampler(weights, num_samples, generator):
        return WeightedRandomSampler(weights.tolist(), num_samples, generator=generator)


def unequal(case):
    """Labels of three classes of quite different sizes, in a random order."""
    counts = case.rng.choice([(20, 5, 2), (1, 12, 4), (3, 2, 25)])
    labels = [label for label, count in enumerate(counts) for _ in range(count)]
    case.rng.shuffle(labels)
    return torch.tensor(labels)


def uneven(case):
    """Seven weights, two of them 0."""
    weights = [0.0, 0.0, 0.125, 0.125, 0.5, 1.0, 2.0]
    case.rng.shuffle(weights)
    return torch.tensor(weights)


LABELS = built(unequal)
WEIGHTS = built(uneven)


@check(points=3, labels=LABELS, devices=False)
def samples_weigh_the_same_in_sum(solution, labels):
    """The weight of a sample is 1 divided by the number of samples in its class."""
    return {"weights": solution.sample_weights(labels).float()}


@check(points=1, star=True, labels=LABELS, missing=[0, 1, 2], devices=False, beside=True)
def a_class_may_have_no_samples(solution, labels, missing):
    """A class without samples does not affect the others."""
    moved = labels + (labels >= missing).long()  # the numbers from `missing` on move up by one
    found = solution.sample_weights(moved).float()
    return {"weights": found}, {"the same as without that class": torch.equal(found, solution.sample_weights(labels).float())}


DRAWS = 4000  # a share has a standard deviation of at most 0.008


def indices(sampler):
    """What a loop over the sampler gives, as plain numbers."""
    return [int(i) for i in sampler]


def wrong_indices(drawn, weights):
    """What is wrong with a list of indices whatever their shares, or None."""
    if any(not 0 <= i < len(weights) or weights[i] == 0 for i in drawn):
        return "an index was drawn that has the weight 0, or that no sample has"
    return None if drawn else "no index was drawn"


@check(points=2, weights=WEIGHTS, devices=False)
def large_weights_are_drawn_more_often(solution, weights, rng):
    """Each index is drawn about as often as its weight says."""
    return indices(solution.weighted_sampler(weights, DRAWS, rng))


@large_weights_are_drawn_more_often.judge
def _(drawn, weights):
    if wrong_indices(drawn, weights):
        return wrong_indices(drawn, weights)
    for i, wanted in enumerate((weights / weights.sum()).tolist()):
        share = drawn.count(i) / len(drawn)
        if abs(share - wanted) > 0.06:
            return f"index {i} has {share:.2f} of the draws, wanted about {wanted:.2f}"


@check(points=1, weights=WEIGHTS, devices=False)
def each_loop_draws_anew(solution, weights, rng):
    """Each loop over the sampler draws new indices."""
    sampler = solution.weighted_sampler(weights, 60, rng)
    return [indices(sampler), indices(sampler)]


@each_loop_draws_anew.judge
def _(loops, weights):
    for drawn in loops:
        if wrong_indices(drawn, weights):
            return wrong_indices(drawn, weights)
    return "two loops over the sampler gave the same indices" if loops[0] == loops[1] else None


@check(points=1, weights=WEIGHTS, num_samples=[2, 1, 3], devices=False)
def the_length_is_right(solution, weights, num_samples, rng):
    """A loop yields num_samples indices, and len() is num_samples."""
    sampler = solution.weighted_sampler(weights, num_samples, rng)
    return {"length": len(sampler), "drawn": [indices(sampler) for _ in range(60)]}


@the_length_is_right.judge
def _(seen, weights, num_samples):
    for drawn in seen["drawn"]:
        if [seen["length"], len(drawn)] != [num_samples] * 2:
            return f"len says {seen['length']}, a loop gives {len(drawn)} indices, wanted {num_samples}"
        if wrong_indices(drawn, weights):
            return wrong_indices(drawn, weights)
    if len({i for drawn in seen["drawn"] for i in drawn}) == 1:  # by chance once in 10 ** 16 times
        return "each of 60 loops gave the same index"


@check(points=1, weights=WEIGHTS, seed=[0, 5], devices=False)
def the_generator_decides(solution, weights, seed):
    """The same seed gives the same indices; a different seed gives different ones."""
    return [indices(solution.weighted_sampler(weights, 60, torch.Generator().manual_seed(s))) for s in (seed, seed, seed + 1)]


@the_generator_decides.judge
def _(runs, weights):
    for drawn in runs:
        if wrong_indices(drawn, weights):
            return wrong_indices(drawn, weights)
    if runs[0] != runs[1]:
        return "generators with the same seed gave different indices"
    return "generators with different seeds gave the same indices" if runs[0] == runs[2] else None
