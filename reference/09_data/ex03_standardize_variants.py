"""Known mistakes and unusual but correct solutions for standardize_sets."""

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


uses_all_samples = mistake.edited(
    "mean = train.mean(dim=0)\nstd = train.std(dim=0, correction=0)",
    "both = torch.cat([train, val])\nmean, std = both.mean(dim=0), both.std(dim=0, correction=0)",
    "The statistics are those of both sets together, so the training set knows about the validation set: use train alone.",
    common=True,
    pitfall="A mean over train and val together")

scales_each_set_by_itself = mistake.edited(
    "return (train - mean) / std, (val - mean) / std",
    """
    other = val.std(dim=0, correction=0) if len(val) else std
    return (train - mean) / std, (val - val.mean(dim=0)) / torch.where(other == 0, 1.0, other)
    """,
    "The validation set was scaled by its own statistics: use the mean and the std of train for both sets.",
    about="validation_set_takes_the_training_scale", common=True)

one_scale_for_all_features = mistake.edited("train.mean(dim=0)", "train.mean()",
    "One mean and one std were used for all features: average over the samples alone, with dim=0.",
    also=[("train.std(dim=0, ", "train.std(")])


@mistake("standardize_sets")
def scales_each_sample(train, val):
    """Each sample was scaled by its own statistics: dim=1 averages over the features, and dim=0 over the samples."""
    found = [(x, x.mean(dim=1, keepdim=True), x.std(dim=1, keepdim=True, correction=0)) for x in (train, val)]
    return tuple((x - mean) / torch.where(std == 0, 1.0, std) for x, mean, std in found)


divides_by_n_minus_one = mistake.edited("correction=0", "correction=1",
    "The standard deviation divides by n - 1: it must divide by n. For std, pass correction=0.")

divides_by_the_variance = mistake.edited("torch.where(std == 0, 1.0, std)", "torch.where(std == 0, 1.0, std) ** 2",
    "The variance was used in place of the standard deviation: std is its square root.")

divides_first = mistake.edited(
    "return (train - mean) / std, (val - mean) / std", "return train / std - mean, val / std - mean",
    "The values were divided by std before the mean was subtracted: subtract first.")

leaves_the_validation_set = mistake.edited("(val - mean) / std", "val.clone()",
    "val is unchanged: shift and scale it like train, with the statistics of train before scaling.",
    about="validation_set_takes_the_training_scale")

takes_only_the_mean_from_train = mistake.edited(
    "return (train - mean) / std, (val - mean) / std",
    """
    other = val.std(dim=0, correction=0) if len(val) else std
    return (train - mean) / std, (val - mean) / torch.where(other == 0, 1.0, other)
    """,
    "Only the mean came from train, and the std came from val: take both from train.",
    about="validation_set_takes_the_training_scale")

scales_between_0_and_1 = mistake.edited("mean = train.mean(dim=0)", "mean = train.min(dim=0).values",
    "The values were scaled by minimum and maximum: the task asks for mean and standard deviation.",
    also=[("std = train.std(dim=0, correction=0)", "std = train.max(dim=0).values - mean")])

divides_by_zero = mistake.edited("std = torch.where(std == 0, 1.0, std)", "",
    "A constant feature has the std 0, and 0 / 0 is nan: divide by 1 there.",
    about="constant_features_are_shifted", common=True)

adds_a_small_number = mistake.edited("std = torch.where(std == 0, 1.0, std)", "std = std + 1e-8",
    "A constant feature of train was divided by a tiny number, so it becomes huge in val: replace a std of 0 by 1.",
    about="constant_features_are_shifted")

sets_constant_features_to_zero = mistake.edited("std = torch.where(std == 0, 1.0, std)", "",
    "A constant feature became 0 in val, so its values are lost: it is only shifted. Replace a std of 0 by 1.",
    also=[("return (train - mean) / std, (val - mean) / std",
         "return tuple(((x - mean) / std).nan_to_num(0.0, 0.0, 0.0) for x in (train, val))")],
    about="constant_features_are_shifted")

lets_no_std_be_below_one = mistake.edited("std = torch.where(std == 0, 1.0, std)", "std = std.clamp(min=1.0)",
    "Every std below 1 was set to 1: only a std of 0 counts as 1.")

works_in_place = mistake.edited(
    "return (train - mean) / std, (val - mean) / std",
    """
    for x in (train, val):
        x -= mean
        x /= std
    return train, val
    """,
    "The caller's tensors were changed: make new tensors. An in-place operation such as -= writes into the old ones.")

refuses_an_empty_set = mistake.edited(
    "return (train - mean) / std, (val - mean) / std",
    'assert ((val - mean) / std).max() < float("inf")\nreturn (train - mean) / std, (val - mean) / std',
    "A validation set without samples raised an error: nothing has to be computed from it, so accept it.",
    about="validation_set_may_be_empty")


@mistake("standardize_sets")
def averages_over_the_features(train, val):
    """You average over the features of each sample, dim=1: average over the samples, dim=0, so that each feature has its own mean."""
    mean, std = train.mean(dim=1), train.std(dim=1, correction=0)
    std = torch.where(std == 0, 1.0, std)
    return (train - mean) / std, (val - mean) / std

one_zero_changes_every_std = mistake.edited(
    "std = torch.where(std == 0, 1.0, std)",
    "std = torch.ones_like(std) if (std == 0).any() else std",
    "One constant feature changed the scale of all others: replace only the std that is 0.",
    about="constant_features_are_shifted",
)

adds_a_millionth = mistake.edited(
    "std = torch.where(std == 0, 1.0, std)",
    "std = std + 1e-6",
    "A constant feature of train was divided by a tiny number, so it becomes huge in val: replace a std of 0 by 1.",
    about="constant_features_are_shifted",
)

replaces_nan_and_inf = mistake.edited(
    "std = torch.where(std == 0, 1.0, std)",
    "",
    "A constant feature became huge in val, because it was divided by 0: replace a std of 0 by 1 before you divide.",
    also=[("return (train - mean) / std, (val - mean) / std", "return tuple(((x - mean) / std).nan_to_num() for x in (train, val))")],
    about="constant_features_are_shifted",
)

clamps_to_a_small_number = mistake.edited(
    "std = torch.where(std == 0, 1.0, std)",
    "std = std.clamp(min=1e-8)",
    "A constant feature of train was divided by a tiny number, so it becomes huge in val: replace a std of 0 by 1.",
    about="constant_features_are_shifted",
)


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
