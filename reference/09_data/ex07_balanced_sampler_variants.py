"""Known mistakes and unusual but correct solutions for sample_weights and weighted_sampler."""

from collections import Counter

import torch
from torch.utils.data import RandomSampler, Sampler, WeightedRandomSampler

from torchdojo.variants import alternative, mistake

HINTS = (
    "How many samples does the class of sample i have? Get this number for all samples at once.",
    "torch.bincount(labels) counts each class, and a tensor of labels can index it: each sample gets the "
    "count of its own class. WeightedRandomSampler draws index i with probability proportional to weight i.",
    "Weights: one over the counts, indexed by the labels. Sampler: WeightedRandomSampler with weights, "
    "num_samples and the generator. It draws with replacement unless you say otherwise.",
)


one_weight_for_each_class = mistake.edited("torch.bincount(labels)[labels]", "torch.bincount(labels)[labels.unique()]",
    "The result has one weight for each class: index the weights of the classes with labels, so that each sample has one.",
    about=("samples_weigh_the_same_in_sum", "a_class_may_have_no_samples"), common=True,
    pitfall="One weight for each class")

weighs_by_the_count = mistake.edited(
    "return 1 / torch.bincount(labels)[labels]", "return torch.bincount(labels)[labels].float()",
    "A large class has large weights: divide 1 by the count, so that samples of a rare class count more.")

weighs_by_the_share = mistake.edited(
    "1 / torch.bincount(labels)[labels]", "torch.bincount(labels)[labels] / len(labels)",
    "The weight is the fraction of samples in the class: a rare class needs large weights, so take 1 divided by the count.")

divides_the_number_of_samples = mistake.edited("1 / torch", "len(labels) / torch",
    "The weights are too large by a factor of the number of samples: divide 1 by the count of the class.",
    about="samples_weigh_the_same_in_sum")

scales_the_sum_to_one = mistake.edited(
    "return 1 / torch.bincount(labels)[labels]",
    "weights = 1 / torch.bincount(labels)[labels]\nreturn weights / weights.sum()",
    "All weights together add up to 1: the weights of each class should.",
    about="samples_weigh_the_same_in_sum")

takes_the_square_root = mistake.edited(
    "1 / torch.bincount(labels)[labels]", "torch.bincount(labels)[labels].float().rsqrt()",
    "The weights fall with the square root of the count, which only partly balances the classes: take 1 divided by the "
    "count itself.")

one_minus_the_share = mistake.edited(
    "1 / torch.bincount(labels)[labels]", "1 - torch.bincount(labels)[labels] / len(labels)",
    "The weight is 1 minus the fraction of samples in the class: that doesn't balance the classes. Take 1 divided by the "
    "count.")


@mistake("sample_weights", about="a_class_may_have_no_samples")
def counts_only_classes_that_occur(labels):
    """The counts are those of the classes that occur, but labels index them: if a class number is missing, the two don't match. Count every number up to the largest."""
    counts = labels.unique(return_counts=True)[1]
    return 1 / counts[labels]


@mistake("sample_weights", about="samples_weigh_the_same_in_sum")
def counts_in_the_order_of_first_appearance(labels):
    """The counts are in the order in which the classes first appear in labels: look each class up by its number."""
    counts = torch.tensor(list(Counter(labels.tolist()).values()))
    return 1 / counts[labels.unique(return_inverse=True)[1]]


@mistake("weighted_sampler", about="large_weights_are_drawn_more_often")
def draws_all_samples_alike(weights, num_samples, generator):
    """Every index has the same probability: use the weights."""
    return RandomSampler(weights, replacement=True, num_samples=num_samples, generator=generator)


@mistake("weighted_sampler", about="large_weights_are_drawn_more_often")
def draws_the_largest(weights, num_samples, generator):
    """Only the index with the largest weight was drawn: the weights are relative probabilities."""
    return WeightedRandomSampler((weights == weights.max()).double(), num_samples, generator=generator)


@mistake("weighted_sampler", about="large_weights_are_drawn_more_often", common=True)
def draws_without_replacement(weights, num_samples, generator):
    """The draws are without replacement, so no index can come twice: draw with replacement."""
    return WeightedRandomSampler(weights, num_samples, replacement=False, generator=generator)


@mistake("weighted_sampler", about="the_length_is_right")
def draws_as_many_as_there_are(weights, num_samples, generator):
    """num_samples has no effect: as many indices were drawn as there are weights."""
    return WeightedRandomSampler(weights, len(weights), generator=generator)


@mistake("weighted_sampler", about="each_loop_draws_anew")
def draws_once(weights, num_samples, generator):
    """Each loop gave the same indices: draw new ones whenever a loop starts. A list of indices is drawn only once."""
    return list(WeightedRandomSampler(weights, num_samples, generator=generator))


@mistake("weighted_sampler", about="each_loop_draws_anew")
def gives_an_iterator(weights, num_samples, generator):
    """An iterator has no len(), and a second loop over it gives nothing: return the sampler itself."""
    return iter(list(WeightedRandomSampler(weights, num_samples, generator=generator)))


uses_a_generator_of_its_own = mistake.edited("generator=generator", "generator=torch.Generator().manual_seed(0)",
    "The generator has no effect: pass it on to the sampler.",
    about="the_generator_decides")

divides_the_mean_size = mistake.edited(
    "1 / torch.bincount(labels)[labels]",
    "len(labels) / (len(torch.bincount(labels)) * torch.bincount(labels)[labels])",
    "All weights are too large by the same factor: divide 1 by the count, not the mean size of a class.",
    about=("samples_weigh_the_same_in_sum", "a_class_may_have_no_samples"),
)

scales_the_weights_of_the_classes = mistake.edited(
    "return 1 / torch.bincount(labels)[labels]",
    """
    weights = 1 / torch.bincount(labels)
    return (weights / weights.sum())[labels]
    """,
    "The weights of one sample of each class add up to 1: take 1 divided by the count as it is.",
    about=("samples_weigh_the_same_in_sum", "a_class_may_have_no_samples"),
)

passes_the_generator_as_replacement = mistake.edited(
    "num_samples, generator=generator",
    "num_samples, generator",
    "The third argument of WeightedRandomSampler is replacement: pass the generator by name.",
)

one_weight_for_each_number = mistake.edited(
    "torch.bincount(labels)[labels]",
    "torch.bincount(labels)",
    "The result has one weight for each class: index the weights of the classes with labels, so that each sample "
    "has one.",
    about=("samples_weigh_the_same_in_sum", "a_class_may_have_no_samples"),
)


@alternative()
def counts_in_a_loop():
    """Python's Counter, and a list of weights."""

    def weights_of(labels):
        counts = Counter(labels.tolist())
        return torch.tensor([1.0 / counts[label] for label in labels.tolist()])

    def sampler_of(weights, num_samples, generator):
        return WeightedRandomSampler(weights.tolist(), num_samples=num_samples, replacement=True, generator=generator)

    return {"sample_weights": weights_of, "weighted_sampler": sampler_of}


compares_all_pairs = alternative.edited(
    "1 / torch.bincount(labels)[labels]",
    "(labels[:, None] == labels[None, :]).sum(dim=1).float().reciprocal()",
    "A table of equal labels, whose rows are counted.")


@alternative("sample_weights")
def with_unique(labels):
    """Counts of the classes that occur, and which of them each sample has; in float64."""
    _, inverse, counts = labels.unique(return_inverse=True, return_counts=True)
    return (1.0 / counts.double())[inverse]


@alternative("weighted_sampler")
class FromCumulatedWeights(Sampler):
    """A random number for each draw, looked up in the cumulated weights."""

    def __init__(self, weights, num_samples, generator):
        self.ends = weights.double().cumsum(0)
        self.num_samples, self.generator = num_samples, generator

    def __len__(self):
        return self.num_samples

    def __iter__(self):
        for _ in range(self.num_samples):
            number = torch.rand((), dtype=torch.float64, generator=self.generator) * self.ends[-1]
            yield int(torch.searchsorted(self.ends, number, right=True))


@alternative("weighted_sampler")
class DrawsAllAtOnce(Sampler):
    """multinomial in each loop, tensors as indices."""

    def __init__(self, weights, num_samples, generator):
        self.weights, self.num_samples, self.generator = weights.double() * 7, num_samples, generator

    def __len__(self):
        return self.num_samples

    def __iter__(self):
        return iter(torch.multinomial(self.weights, self.num_samples, True, generator=self.generator))
