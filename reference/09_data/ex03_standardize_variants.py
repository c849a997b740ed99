"""Known mistakes and odd-but-correct solutions for standardize_sets."""

import torch

from torchdojo.variants import alternative, mistake

DETACHED = "data have no history"
EQUIVALENT = {
    "add_detach: mean = train.mean(dim=0).detach()": DETACHED,
    "add_detach: std = train.std(dim=0, correction=0).detach()": DETACHED,
    "add_detach: std = torch.where(std == 0, 1.0, std).detach()": DETACHED,
    "add_detach: return ((train - mean) / std).detach(), (val - mean) / std": DETACHED,
    "add_detach: return (train - mean) / std, ((val - mean) / std).detach()": DETACHED,
    "toggle_keepdim: mean = train.mean(dim=0, keepdim=True)": "a row broadcasts like a vector of its length",
    "toggle_keepdim: std = train.std(dim=0, correction=0, keepdim=True)": "a row broadcasts like a vector of its length",
}

HINTS = (
    "Two numbers for each feature, from one of the two sets. Which set, and which axis do you average over?",
    "mean(dim=0) averages over the samples and leaves one number for each feature. A validation sample is "
    "treated like a future sample: nothing about it is known yet.",
    "Compute mean and std of train over dim=0, with correction=0. Replace each std that is 0 by 1. Apply the "
    "same formula to both sets.",
)


def statistics(x, dim=0, correction=0):
    """Mean and standard deviation, none of them 0."""
    mean, std = x.mean(dim=dim, keepdim=True), x.std(dim=dim, keepdim=True, correction=correction)
    return mean, torch.where(std == 0, 1.0, std)


@mistake("standardize_sets", common=True)
def uses_all_samples(train, val):
    """The statistics are those of both sets together, so the training set knows about the validation set: use train alone."""
    mean, std = statistics(torch.cat([train, val]))
    return (train - mean) / std, (val - mean) / std


@mistake("standardize_sets", about="validation_set_takes_the_training_scale", common=True)
def scales_each_set_by_itself(train, val):
    """The validation set was scaled by its own statistics: use the mean and the std of train for both sets."""
    mean, std = statistics(train)
    other_mean, other_std = statistics(val) if len(val) else (mean, std)
    return (train - mean) / std, (val - other_mean) / other_std


@mistake("standardize_sets")
def one_scale_for_all_features(train, val):
    """One mean and one std were used for all features: average over the samples alone, with dim=0."""
    mean, std = train.mean(), train.std(correction=0)
    std = torch.where(std == 0, 1.0, std)
    return (train - mean) / std, (val - mean) / std


@mistake("standardize_sets")
def scales_each_sample(train, val):
    """Each sample was scaled by its own statistics: dim=1 averages over the features, dim=0 over the samples."""
    return tuple((x - statistics(x, dim=1)[0]) / statistics(x, dim=1)[1] for x in (train, val))


@mistake("standardize_sets")
def divides_by_n_minus_one(train, val):
    """std divided by n - 1, which is its default: pass correction=0."""
    mean, std = statistics(train, correction=1)
    return (train - mean) / std, (val - mean) / std


@mistake("standardize_sets")
def divides_by_the_variance(train, val):
    """The variance was used in place of the standard deviation: std is its square root."""
    mean, std = statistics(train)
    return (train - mean) / std**2, (val - mean) / std**2


@mistake("standardize_sets")
def divides_first(train, val):
    """The values were divided before the mean was subtracted: x - mean needs parentheses."""
    mean, std = statistics(train)
    return train / std - mean, val / std - mean


@mistake("standardize_sets", about="validation_set_takes_the_training_scale")
def leaves_the_validation_set(train, val):
    """val is unchanged: shift and scale it like train, with the statistics of train before scaling."""
    mean, std = statistics(train)
    return (train - mean) / std, val.clone()


@mistake("standardize_sets", about="validation_set_takes_the_training_scale")
def takes_only_the_mean_from_train(train, val):
    """Only the mean came from train, the std is that of val: both come from train."""
    mean, std = statistics(train)
    other = statistics(val)[1] if len(val) else std
    return (train - mean) / std, (val - mean) / other


@mistake("standardize_sets")
def scales_between_0_and_1(train, val):
    """The values were scaled by minimum and maximum: the task asks for mean and standard deviation."""
    low, high = train.min(dim=0).values, train.max(dim=0).values
    size = torch.where(high == low, 1.0, high - low)
    return (train - low) / size, (val - low) / size


@mistake("standardize_sets", about="constant_features_are_shifted", common=True)
def divides_by_zero(train, val):
    """A constant feature has the std 0, and 0 / 0 is nan: divide by 1 there."""
    mean, std = train.mean(dim=0), train.std(dim=0, correction=0)
    return (train - mean) / std, (val - mean) / std


@mistake("standardize_sets", about="constant_features_are_shifted")
def adds_a_small_number(train, val):
    """A small number was added to std: a constant feature of train becomes huge in val, and every other feature is a little off. Replace the zeros by 1."""
    mean, std = train.mean(dim=0), train.std(dim=0, correction=0) + 1e-8
    return (train - mean) / std, (val - mean) / std


@mistake("standardize_sets", about="constant_features_are_shifted")
def sets_constant_features_to_zero(train, val):
    """nan was replaced by 0 after the division: the values of val in a constant feature are lost. Replace the std."""
    mean, std = train.mean(dim=0), train.std(dim=0, correction=0)
    return tuple(((x - mean) / std).nan_to_num(0.0, 0.0, 0.0) for x in (train, val))


@mistake("standardize_sets")
def lets_no_std_be_below_one(train, val):
    """Every std below 1 was set to 1: only a std of 0 counts as 1."""
    mean, std = train.mean(dim=0), train.std(dim=0, correction=0).clamp(min=1.0)
    return (train - mean) / std, (val - mean) / std


@mistake("standardize_sets")
def works_in_place(train, val):
    """The caller's tensors were changed: -= and /= write into them. Make new tensors."""
    mean, std = statistics(train)
    for x in (train, val):
        x -= mean
        x /= std
    return train, val


@mistake("standardize_sets", about="validation_set_may_be_empty")
def refuses_an_empty_set(train, val):
    """A validation set without samples raised an error: nothing has to be computed from it, so accept it."""
    mean, std = statistics(train)
    scaled = (val - mean) / std
    assert scaled.max() < float("inf")
    return (train - mean) / std, scaled


@alternative("standardize_sets")
def by_the_formula(train, val):
    """Mean and variance written out."""
    mean = train.sum(0) / train.shape[0]
    variance = ((train - mean) ** 2).sum(0) / len(train)
    std = variance.sqrt()
    std[std == 0] = 1
    return tuple((x - mean) / std for x in (train, val))


@alternative("standardize_sets")
def with_std_mean(train, val):
    """Both statistics in one call."""
    std, mean = torch.std_mean(train, dim=0, unbiased=False)
    scale = std.masked_fill(std == 0, 1)
    return (train - mean).div(scale), torch.sub(val, mean).div(scale)


@alternative("standardize_sets")
def feature_by_feature(train, val):
    """A loop over columns."""
    train, val = train.clone(), val.clone()
    for j in range(train.shape[1]):
        mean, std = train[:, j].mean(), train[:, j].var(correction=0) ** 0.5
        std = std if std > 0 else 1.0
        train[:, j], val[:, j] = (train[:, j] - mean) / std, (val[:, j] - mean) / std
    return [train, val]
