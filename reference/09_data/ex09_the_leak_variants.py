"""Known mistakes and odd-but-correct solutions for prepare."""

import torch

from torchdojo.variants import alternative, mistake

SAME = "x and y have the same number of rows"
DETACHED = "data have no history"
BROADCASTS = "a row broadcasts like a vector of its length"
EQUIVALENT = {
    "wrong_name: order = torch.randperm(len(y), generator=generator)": SAME,
    "wrong_name: n = len(y) - val_size": SAME,
    "drop_term: n = -val_size": "val_size is at least 1, and a slice may count from the back",
    "change_dim: x_train, x_val = torch.cat([x[:n], x[:n].flip(-1)]), x[n:]": "x has two axes",
    "add_detach: x_train, x_val = torch.cat([x[:n], x[:n].flip(1)]).detach(), x[n:]": DETACHED,
    "add_detach: mean, std = x_train.mean(dim=0).detach(), x_train.std(dim=0, correction=0)": DETACHED,
    "add_detach: mean, std = x_train.mean(dim=0), x_train.std(dim=0, correction=0).detach()": DETACHED,
    "toggle_keepdim: mean, std = x_train.mean(dim=0, keepdim=True), x_train.std(dim=0, correction=0)": BROADCASTS,
    "toggle_keepdim: mean, std = x_train.mean(dim=0), x_train.std(dim=0, correction=0, keepdim=True)": BROADCASTS,
}

HINTS = (
    "Follow one validation row through the code. Where is a second copy of it made, and what is computed from "
    "it?",
    "Everything that makes or measures training data comes after the split: mirror images and statistics. And "
    "one order serves rows and labels.",
    "Draw one order, reorder x and y with it, and cut both. Then make the mirror images of the training part, "
    "and take mean and std of the result. Which two parts are scaled with them?",
)


def split(x, y, val_size, generator):
    """The right rows: training rows, their labels, validation rows, their labels."""
    order = torch.randperm(len(x), generator=generator)
    n = len(x) - val_size
    return x[order[:n]], y[order[:n]], x[order[n:]], y[order[n:]]


def scaled(x_train, y_train, x_val, y_val, of=None, correction=0):
    """Both sets, with the statistics of `of` (the training set)."""
    of = x_train if of is None else of
    mean, std = of.mean(dim=0), of.std(dim=0, correction=correction)
    return ((x_train - mean) / std, y_train), ((x_val - mean) / std, y_val)


def mirrored(x_train, y_train):
    """With the mirror images at the end."""
    return torch.cat([x_train, x_train.flip(1)]), torch.cat([y_train, y_train])


@mistake("prepare", about="only_training_rows_are_mirrored")
def as_it_was(x, y, val_size, generator):
    """The code is unchanged: mirror images are made before the split, the statistics are those of all rows, and
    rows and labels have two orders."""
    x = torch.cat([x, x.flip(1)])
    y = torch.cat([y, y])
    x = (x - x.mean(dim=0)) / x.std(dim=0, correction=0)
    x = x[torch.randperm(len(x), generator=generator)]
    y = y[torch.randperm(len(y), generator=generator)]
    n = len(x) - val_size
    return (x[:n], y[:n]), (x[n:], y[n:])


@mistake("prepare", about="only_training_rows_are_mirrored", common=True)
def mirrors_before_the_split(x, y, val_size, generator):
    """Mirror images were made before the split, so those of validation rows are in the training set: split first."""
    return scaled(*split(*mirrored(x, y), val_size, generator))


@mistake("prepare", about="the_scale_is_the_training_sets", common=True)
def scales_with_all_rows(x, y, val_size, generator):
    """The statistics are those of all rows, so the training set knows about the validation rows: take those of the training set."""
    x_train, y_train, x_val, y_val = split(x, y, val_size, generator)
    x_train, y_train = mirrored(x_train, y_train)
    return scaled(x_train, y_train, x_val, y_val, of=torch.cat([x, x.flip(1)]))


@mistake("prepare", about="the_scale_is_the_training_sets")
def scales_before_it_mirrors(x, y, val_size, generator):
    """The statistics are those of the training rows without their mirror images: mirror first, then measure."""
    x_train, y_train, x_val, y_val = split(x, y, val_size, generator)
    images, labels = mirrored(x_train, y_train)
    return scaled(images, labels, x_val, y_val, of=x_train)


@mistake("prepare", about="the_scale_is_the_training_sets")
def scales_with_all_rows_once(x, y, val_size, generator):
    """The statistics are those of x as it came, validation rows included: take those of the training set with its mirror images."""
    x_train, y_train, x_val, y_val = split(x, y, val_size, generator)
    return scaled(*mirrored(x_train, y_train), x_val, y_val, of=x)


@mistake("prepare", about="the_scale_is_the_training_sets")
def scales_before_the_split(x, y, val_size, generator):
    """The rows were scaled before the split, with statistics of all rows: split first, then mirror, then measure the training set."""
    x = (x - x.mean(dim=0)) / x.std(dim=0, correction=0)
    x_train, y_train, x_val, y_val = split(x, y, val_size, generator)
    x_train, y_train = mirrored(x_train, y_train)
    return (x_train, y_train), (x_val, y_val)


@mistake("prepare", about="rows_keep_their_labels", common=True)
def two_orders(x, y, val_size, generator):
    """Rows and labels have two orders, so the labels belong to other rows: draw one order for both."""
    x_train, _, x_val, _ = split(x, y, val_size, generator)
    _, y_train, _, y_val = split(x, y, val_size, generator)
    return scaled(*mirrored(x_train, y_train), x_val, y_val)


@mistake("prepare", about="rows_keep_their_labels")
def labels_stay_in_their_order(x, y, val_size, generator):
    """The rows were reordered and the labels were not: reorder both with the same order."""
    x_train, _, x_val, _ = split(x, y, val_size, generator)
    return scaled(*mirrored(x_train, y[:-val_size]), x_val, y[-val_size:])


@mistake("prepare", about="only_training_rows_are_mirrored")
def mirrors_both_sets(x, y, val_size, generator):
    """The validation set has mirror images, too: leave it unchanged."""
    x_train, y_train, x_val, y_val = split(x, y, val_size, generator)
    return scaled(*mirrored(x_train, y_train), *mirrored(x_val, y_val))


@mistake("prepare", about="only_training_rows_are_mirrored")
def mirrors_nothing(x, y, val_size, generator):
    """The mirror images are gone: the training set must contain its rows followed by their mirror images."""
    return scaled(*split(x, y, val_size, generator))


@mistake("prepare", about="only_training_rows_are_mirrored")
def each_row_beside_its_image(x, y, val_size, generator):
    """Each row is followed by its own mirror image: all rows come first, then all mirror images."""
    x_train, y_train, x_val, y_val = split(x, y, val_size, generator)
    return scaled(torch.stack([x_train, x_train.flip(1)], dim=1).flatten(0, 1), y_train.repeat_interleave(2), x_val, y_val)


@mistake("prepare", about="everything_together")
def scales_each_set_by_itself(x, y, val_size, generator):
    """The validation set was scaled with statistics of its own: use those of the training set for both."""
    x_train, y_train, x_val, y_val = split(x, y, val_size, generator)
    train, _ = scaled(*mirrored(x_train, y_train), x_val, y_val)
    std = x_val.std(dim=0, correction=0)
    return train, ((x_val - x_val.mean(dim=0)) / torch.where(std == 0, 1.0, std), y_val)


@mistake("prepare", about="everything_together")
def measures_the_scaled_set(x, y, val_size, generator):
    """The validation set was scaled with statistics of the training set that was scaled already, 0 and 1: measure before you scale."""
    x_train, y_train, x_val, y_val = split(x, y, val_size, generator)
    (x_train, y_train), _ = scaled(*mirrored(x_train, y_train), x_val, y_val)
    return (x_train, y_train), ((x_val - x_train.mean(dim=0)) / x_train.std(dim=0, correction=0), y_val)


@mistake("prepare", about="only_training_rows_are_mirrored")
def never_shuffles(x, y, val_size, generator):
    """The rows were not shuffled: the order is drawn with torch.randperm from the generator."""
    n = len(x) - val_size
    return scaled(*mirrored(x[:n], y[:n]), x[n:], y[n:])


@mistake("prepare", about="only_training_rows_are_mirrored")
def shuffles_the_training_set_again(x, y, val_size, generator):
    """The training set was shuffled a second time, after the mirror images were made: the order is drawn once."""
    x_train, y_train, x_val, y_val = split(x, y, val_size, generator)
    x_train, y_train = mirrored(x_train, y_train)
    order = torch.randperm(len(x_train), generator=generator)
    return scaled(x_train[order], y_train[order], x_val, y_val)


@mistake("prepare", about="the_scale_is_the_training_sets")
def divides_by_n_minus_one(x, y, val_size, generator):
    """std divides by n - 1 now: keep correction=0."""
    x_train, y_train, x_val, y_val = split(x, y, val_size, generator)
    return scaled(*mirrored(x_train, y_train), x_val, y_val, correction=1)


@alternative("prepare")
def with_indices(x, y, val_size, generator):
    """Indices in place of reordered tensors."""
    x_train, y_train, x_val, y_val = split(x, y, val_size, generator)
    return scaled(*mirrored(x_train, y_train), x_val, y_val)


@alternative("prepare")
def with_tensor_split(x, y, val_size, generator):
    """Both tensors are cut in one go, the labels are repeated."""
    order = torch.randperm(x.shape[0], generator=generator)
    (x_train, x_val), (y_train, y_val) = ((t[order].tensor_split([len(t) - val_size])) for t in (x, y))
    x_train = torch.cat((x_train, torch.fliplr(x_train)))
    std, mean = torch.std_mean(x_train, dim=0, correction=0)
    return [(x_train.sub(mean).div(std), y_train.repeat(2)), (x_val.sub(mean).div(std), y_val.clone())]


@alternative("prepare")
def with_lists(x, y, val_size, generator):
    """Lists of rows in place of tensors."""
    order = torch.randperm(len(x), generator=generator).tolist()
    train, val = order[: len(x) - val_size], order[len(x) - val_size :]
    rows = [x[i] for i in train] + [x[i].flip(0) for i in train]
    labels = [y[i] for i in train] * 2
    return scaled(torch.stack(rows), torch.stack(labels), torch.stack([x[i] for i in val]), torch.stack([y[i] for i in val]))
