"""Known mistakes and unusual but correct solutions for prepare."""

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


@mistake("prepare", about="only_training_rows_are_mirrored")
def as_it_was(x, y, val_size, generator):
    """The code does what it did before: mirror images are made before the split, the statistics are those of all rows,
    and rows and labels have two orders."""
    x = torch.cat([x, x.flip(1)])
    y = torch.cat([y, y])
    x = (x - x.mean(dim=0)) / x.std(dim=0, correction=0)
    x = x[torch.randperm(len(x), generator=generator)]
    y = y[torch.randperm(len(y), generator=generator)]
    n = len(x) - val_size
    return (x[:n], y[:n]), (x[n:], y[n:])


mirrors_before_the_split = mistake.edited(
    "order = torch.randperm(len(x), generator=generator)",
    """
    x, y = torch.cat([x, x.flip(1)]), torch.cat([y, y])
    order = torch.randperm(len(x), generator=generator)
    """,
    "Mirror images were made before the split, so those of validation rows are in the training set: split first.",
    also=[
        ("x_train, x_val = torch.cat([x[:n], x[:n].flip(1)]), x[n:]", "x_train, x_val = x[:n], x[n:]"),
        ("torch.cat([y[:n], y[:n]])", "y[:n]"),
    ], about="only_training_rows_are_mirrored", common=True,
    pitfall="belongs to the set of its original")

scales_with_all_rows = mistake.edited(
    "mean, std = x_train.mean(dim=0), x_train.std(dim=0, correction=0)",
    "every = torch.cat([x, x.flip(1)])\nmean, std = every.mean(dim=0), every.std(dim=0, correction=0)",
    "The statistics are those of all rows, so the training set knows about the validation rows: take those of the "
    "training set.",
    about="the_scale_is_the_training_sets", common=True)

scales_before_it_mirrors = mistake.edited(
    "mean, std = x_train.mean(dim=0), x_train.std(dim=0, correction=0)",
    "mean, std = x[:n].mean(dim=0), x[:n].std(dim=0, correction=0)",
    "The statistics are those of the training rows without their mirror images: mirror first, then measure.",
    about="the_scale_is_the_training_sets")

scales_with_all_rows_once = mistake.edited(
    "mean, std = x_train.mean(dim=0), x_train.std(dim=0, correction=0)",
    "mean, std = x.mean(dim=0), x.std(dim=0, correction=0)",
    "The statistics are those of x as it came, validation rows included: take those of the training set with its mirror "
    "images.",
    about="the_scale_is_the_training_sets")

scales_before_the_split = mistake.edited(
    "order = torch.randperm(len(x), generator=generator)",
    """
    x = (x - x.mean(dim=0)) / x.std(dim=0, correction=0)
    order = torch.randperm(len(x), generator=generator)
    """,
    "The rows were scaled before the split, with statistics of all rows: split first, then mirror, then compute "
    "mean and std of the training set.",
    also=[
        ("mean, std = x_train.mean(dim=0), x_train.std(dim=0, correction=0)", ""),
        ("return ((x_train - mean) / std, torch.cat([y[:n], y[:n]])), ((x_val - mean) / std, y[n:])",
         "return (x_train, torch.cat([y[:n], y[:n]])), (x_val, y[n:])"),
    ], about="the_scale_is_the_training_sets")

two_orders = mistake.edited(
    "x, y = x[order], y[order]", "x, y = x[order], y[torch.randperm(len(y), generator=generator)]",
    "Rows and labels have two orders, so the labels belong to other rows: draw one order for both.",
    about="rows_keep_their_labels", common=True)

labels_stay_in_their_order = mistake.edited("x, y = x[order], y[order]", "x = x[order]",
    "The rows were reordered, but the labels were not: reorder both with the same order.",
    about="rows_keep_their_labels")

mirrors_both_sets = mistake.edited(
    "x_train, x_val = torch.cat([x[:n], x[:n].flip(1)]), x[n:]",
    "x_train, x_val = (torch.cat([part, part.flip(1)]) for part in (x[:n], x[n:]))",
    "The validation set has mirror images, too: leave it unchanged.",
    also=[("y[n:])", "torch.cat([y[n:], y[n:]]))")], about="only_training_rows_are_mirrored")

mirrors_nothing = mistake.edited(
    "x_train, x_val = torch.cat([x[:n], x[:n].flip(1)]), x[n:]", "x_train, x_val = x[:n], x[n:]",
    "The mirror images are missing: the training set must contain its rows followed by their mirror images.",
    also=[("torch.cat([y[:n], y[:n]])", "y[:n]")], about="only_training_rows_are_mirrored")

each_row_beside_its_image = mistake.edited(
    "torch.cat([x[:n], x[:n].flip(1)])", "torch.stack([x[:n], x[:n].flip(1)], dim=1).flatten(0, 1)",
    "Each row is followed by its own mirror image: all rows come first, then all mirror images.",
    also=[("torch.cat([y[:n], y[:n]])", "y[:n].repeat_interleave(2)")], about="only_training_rows_are_mirrored")

scales_each_set_by_itself = mistake.edited(
    "(x_val - mean) / std", "(x_val - x_val.mean(dim=0)) / torch.where(val_std == 0, 1.0, val_std)",
    "The validation set was scaled with statistics of its own: use those of the training set for both.",
    also=[(
        "mean, std = x_train.mean(dim=0), x_train.std(dim=0, correction=0)",
        """
        mean, std = x_train.mean(dim=0), x_train.std(dim=0, correction=0)
        val_std = x_val.std(dim=0, correction=0)
        """,
    )], about="everything_together")

measures_the_scaled_set = mistake.edited(
    "return ((x_train - mean) / std, torch.cat([y[:n], y[:n]])), ((x_val - mean) / std, y[n:])",
    """
    x_train = (x_train - mean) / std
    x_val = (x_val - x_train.mean(dim=0)) / x_train.std(dim=0, correction=0)
    return (x_train, torch.cat([y[:n], y[:n]])), (x_val, y[n:])
    """,
    "The validation set was not scaled with the mean and std that the training set had before scaling: use those for both "
    "sets.",
    about="everything_together")

never_shuffles = mistake.edited("order = torch.randperm(len(x), generator=generator)\nx, y = x[order], y[order]", "",
    "The rows were not shuffled: the order is drawn with torch.randperm from the generator.",
    about="only_training_rows_are_mirrored")

shuffles_the_training_set_again = mistake.edited(
    "mean, std = x_train.mean(dim=0), x_train.std(dim=0, correction=0)",
    """
    again = torch.randperm(len(x_train), generator=generator)
    x_train = x_train[again]
    mean, std = x_train.mean(dim=0), x_train.std(dim=0, correction=0)
    """,
    "The training set was shuffled a second time, after the mirror images were made: the order is drawn once.",
    also=[("torch.cat([y[:n], y[:n]])", "torch.cat([y[:n], y[:n]])[again]")], about="only_training_rows_are_mirrored")

divides_by_n_minus_one = mistake.edited("correction=0", "correction=1",
    "std divides by n - 1: it must divide by n, so pass correction=0.",
    about="the_scale_is_the_training_sets")

reverses_the_rows = mistake.edited(
    "x[:n].flip(1)",
    "x[:n].flip(0)",
    "The second half of the training set has the rows in reverse order: a mirror image has its columns in reverse.",
    about="only_training_rows_are_mirrored",
)

mirror_images_have_no_labels = mistake.edited(
    "torch.cat([y[:n], y[:n]])",
    "y[:n]",
    "The mirror images have no labels: y_train needs the training labels twice.",
    about="rows_keep_their_labels",
)

mirror_images_come_first = mistake.edited(
    "torch.cat([x[:n], x[:n].flip(1)])",
    "torch.cat([x[:n].flip(1), x[:n]])",
    "The mirror images come before the rows: put the rows first.",
    about="only_training_rows_are_mirrored",
)

validates_with_the_first = mistake.edited(
    "x_train, x_val = torch.cat([x[:n], x[:n].flip(1)]), x[n:]",
    "x_train, x_val = torch.cat([x[val_size:], x[val_size:].flip(1)]), x[:val_size]",
    "The validation set has the first indices of the order: it has the last val_size of them.",
    also=[("torch.cat([y[:n], y[:n]])", "torch.cat([y[val_size:], y[val_size:]])"), ("y[n:])", "y[:val_size])")],
    about="only_training_rows_are_mirrored",
)


with_indices = alternative.edited(
    "x, y = x[order], y[order]", "train, val = order[: len(x) - val_size], order[len(x) - val_size :]",
    "Indices in place of reordered tensors.",
    also=[
        ("n = len(x) - val_size", ""),
        ("x_train, x_val = torch.cat([x[:n], x[:n].flip(1)]), x[n:]",
         "x_train, x_val = torch.cat([x[train], x[train].flip(1)]), x[val]"),
        ("torch.cat([y[:n], y[:n]])", "torch.cat([y[train], y[train]])"),
        ("y[n:])", "y[val])"),
    ])


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
    x_train, x_val = torch.stack(rows), torch.stack([x[i] for i in val])
    mean, std = x_train.mean(dim=0), x_train.std(dim=0, correction=0)
    return ((x_train - mean) / std, torch.stack(labels)), ((x_val - mean) / std, torch.stack([y[i] for i in val]))
