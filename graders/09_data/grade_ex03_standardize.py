"""Hidden checks for standardize_sets: whose statistics, over which axis, and constant features."""

import torch

from torchdojo.grading import check, tensor

CONCEPTS = ("K03",)

KEPT = {
    "the_training_mean_becomes_zero": "points for the right mean, whatever the scale",
    "training_set_is_standardized": "the training set itself, worth points without the validation set",
    "validation_set_takes_the_training_scale": "the validation set, said by itself",
}


class oracle:
    """Sums over Python's rows, one feature after the other."""

    def standardize_sets(train, val):
        n, scaled = len(train), []
        for j in range(train.shape[1]):
            mean = sum(row[j] for row in train) / n
            square = sum((row[j] - mean) ** 2 for row in train) / n
            constant = bool((train[:, j] == train[0, j]).all())
            std = torch.ones_like(square) if constant else square.sqrt()
            mean = train[0, j] if constant else mean
            scaled.append([(part[:, j] - mean) / std for part in (train, val)])
        return tuple(torch.stack(columns, dim=1) for columns in zip(*scaled, strict=True))


def spread(train):
    """The same rows, but for the first one, which is much larger. With values in [-3, 3], every standard deviation is above 1."""
    wide = train.clone()
    wide[0] += 12
    return wide


TRAIN = tensor("rows features", low=-3, high=3)
VAL = tensor("others features", low=-3, high=3)
LEAST = {"rows": 2, "others": 2, "features": 1}
NARROW = {"train": torch.tensor([[-11.75, -11.0], [0.5, 0.25], [0.0, 0.75]]), "val": torch.tensor([[-1.0, 0.5]])}
# after spread(), every standard deviation is below 1


@check(points=2, train=TRAIN, minimum={"rows": 2, "features": 1})
def the_training_mean_becomes_zero(solution, train):
    """The mean of each feature of the training set becomes 0, whatever the scale."""
    train = spread(train) + 20
    scaled, other = solution.standardize_sets(train, torch.cat([train, train]).flip(0))
    return {"train_scaled in units of its first row": scaled / scaled[:1], "val_scaled in units of its last row": other / other[-1:]}


@check(points=2, train=TRAIN, val=VAL, minimum=LEAST, examples=[NARROW])
def training_set_is_standardized(solution, train, val):
    """Each feature of the training set gets the mean 0 and the standard deviation 1."""
    return {"train_scaled": solution.standardize_sets(spread(train), val + 20)[0]}


@check(points=1, train=TRAIN, val=VAL, minimum=LEAST, examples=[NARROW], beside=True)
def validation_set_takes_the_training_scale(solution, train, val):
    """The validation set is scaled by the mean and the standard deviation of the training set."""
    train = spread(train)
    scaled, other = solution.standardize_sets(train.clone(), torch.cat([val + 20, train]))
    alike = torch.allclose(other[len(val) :], scaled, rtol=1e-4, atol=1e-4)
    return {"val_scaled": other[: len(val)].clone()}, {"training rows in the validation set get the same numbers": alike}


@check(points=2, star=True, train=TRAIN, val=VAL, value=[3.0, 0.0, -0.5], minimum=LEAST, devices=False)
def constant_features_are_shifted(solution, train, val, value):
    """A feature that is constant in the training set is only shifted; the others are scaled as usual."""
    wide = spread(train)
    with_constant = torch.cat([wide, torch.full_like(train[:, :1], value)], dim=1)
    alone = solution.standardize_sets(wide.clone(), val.clone())[1]
    scaled, other = solution.standardize_sets(with_constant, torch.cat([val, val[:, :1] + 4.5], dim=1))
    return {
        "train_scaled of the constant feature": scaled[:, -1], "val_scaled of the constant feature": other[:, -1],
        "other features as without the constant one": torch.allclose(other[:, :-1], alone, rtol=1e-4, atol=1e-4),
    }  # fmt: skip


@check(points=1, star=True, train=TRAIN, val=VAL, minimum=LEAST, devices=False)
def validation_set_may_be_empty(solution, train, val):
    """A validation set without samples stays empty."""
    train = spread(train) + 20
    train[1] -= 12  # so each feature has values on both sides of any mean, also of one mean for all features
    scaled, other = solution.standardize_sets(train, val[:0])
    signs = {"largest": scaled.amax(dim=0).sign(), "smallest": scaled.amin(dim=0).sign()}
    return {"val_scaled": other, "signs of train_scaled": signs}
