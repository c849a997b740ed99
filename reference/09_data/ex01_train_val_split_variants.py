"""Known mistakes and odd-but-correct solutions for train_val_split."""


from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "wrong_name: if not 0 <= val_size <= len(y):": "x and y have the same number of rows",
    "wrong_name: train, val = order.split([len(y) - val_size, val_size])": "x and y have the same number of rows",
}

HINTS = (
    "Cut order into two parts. Which index of order is the first one of the validation set?",
    "A tensor of indices selects rows: x[indices]. Select from x and from y with the same indices.",
    "There are len(x) - val_size training samples. Cut order at that number, counted from the front. Counted from the back, "
    "a slice that ends at -0 is empty.",
)


def refuse(x, val_size):
    """The sizes that are not valid."""
    if not 0 <= val_size <= len(x):
        raise ValueError("val_size")
    return len(x) - val_size


def pairs(x, y, train, val):
    """Both sets."""
    return (x[train], y[train]), (x[val], y[val])


@mistake("train_val_split", about="a_set_may_be_empty", common=True)
def counts_from_the_back(x, y, order, val_size):
    """With val_size 0 the slice order[:-0] is empty, so all samples went into the wrong set: count the training samples from the front."""
    refuse(x, val_size)
    return pairs(x, y, order[:-val_size], order[-val_size:])


@mistake("train_val_split", about="labels_stay_with_their_rows", common=True)
def leaves_the_labels_in_their_order(x, y, order, val_size):
    """The rows were reordered and the labels were not: select from y with the same indices as from x."""
    n = refuse(x, val_size)
    return (x[order[:n]], y[:n]), (x[order[n:]], y[n:])


@mistake("train_val_split")
def ignores_the_order(x, y, order, val_size):
    """The samples were cut in their original order: order says which of them belongs to which set."""
    n = refuse(x, val_size)
    return (x[:n], y[:n]), (x[n:], y[n:])


@mistake("train_val_split")
def takes_the_first_for_validation(x, y, order, val_size):
    """The validation samples were taken from the front of order: they are its last val_size entries."""
    refuse(x, val_size)
    return pairs(x, y, order[val_size:], order[:val_size])


@mistake("train_val_split", about="training_rows", common=True)
def trains_on_all_samples(x, y, order, val_size):
    """The validation samples are in the training set as well. That is a leak: leave them out of it."""
    return pairs(x, y, order, order[refuse(x, val_size) :])


@mistake("train_val_split")
def one_sample_in_both_sets(x, y, order, val_size):
    """One sample is in both sets: the training set ends where the validation set begins."""
    n = refuse(x, val_size)
    return pairs(x, y, order[: n + 1], order[n:])


@mistake("train_val_split")
def loses_a_sample(x, y, order, val_size):
    """One sample is in neither set: the end of a slice is not included, so nothing has to be subtracted."""
    n = refuse(x, val_size)
    return pairs(x, y, order[: max(n - 1, 0)], order[n:])


@mistake("train_val_split")
def exchanges_the_sizes(x, y, order, val_size):
    """The training set has val_size samples, and the validation set has the rest: swap the two sizes."""
    refuse(x, val_size)
    return pairs(x, y, order[:val_size], order[val_size:])


@mistake("train_val_split")
def exchanges_the_sets(x, y, order, val_size):
    """The validation set came first: return the training set first."""
    n = refuse(x, val_size)
    return pairs(x, y, order[n:], order[:n])


@mistake("train_val_split")
def sorts_the_indices(x, y, order, val_size):
    """Each set has the right samples in their original sequence: keep the sequence of order. A boolean mask loses it."""
    n = refuse(x, val_size)
    return pairs(x, y, order[:n].sort().values, order[n:].sort().values)


@mistake("train_val_split")
def inverts_the_order(x, y, order, val_size):
    """The inverse of order was used: order[0] is the index of the first training sample, not its position."""
    n = refuse(x, val_size)
    inverse = order.argsort()
    return pairs(x, y, inverse[:n], inverse[n:])


@mistake("train_val_split")
def groups_samples_with_samples(x, y, order, val_size):
    """The result is grouped as (x_train, x_val), (y_train, y_val): return a pair of samples and labels for each set."""
    n = refuse(x, val_size)
    return (x[order[:n]], x[order[n:]]), (y[order[:n]], y[order[n:]])


@mistake("train_val_split", about="sizes_that_do_not_fit_are_refused")
def accepts_any_size(x, y, order, val_size):
    """An invalid val_size was accepted silently, because slices never complain: compare it with the number of samples."""
    n = min(max(len(x) - val_size, 0), len(x))
    return pairs(x, y, order[:n], order[n:])


@mistake("train_val_split", about="sizes_that_do_not_fit_are_refused")
def accepts_a_negative_size(x, y, order, val_size):
    """A val_size below 0 was accepted: raise ValueError for it."""
    if val_size > len(x):
        raise ValueError("val_size")
    n = min(len(x) - val_size, len(x))
    return pairs(x, y, order[:n], order[n:])


@mistake("train_val_split", about="a_set_may_be_empty")
def refuses_empty_sets(x, y, order, val_size):
    """An empty set was refused: val_size may be 0, and it may be the number of samples."""
    n = refuse(x, val_size)
    if val_size in (0, len(x)):
        raise ValueError("one of the sets is empty")
    return pairs(x, y, order[:n], order[n:])


@alternative("train_val_split")
def reorders_first(x, y, order, val_size):
    """All rows are reordered once, then cut."""
    n = refuse(x, val_size)
    x, y = x[order], y[order]
    return (x[:n].clone(), y[:n].clone()), (x[n:].clone(), y[n:].clone())


@alternative("train_val_split")
def with_index_select(x, y, order, val_size):
    """tensor_split and index_select."""
    train, val = order.tensor_split((refuse(x, val_size),))
    (a, b), (c, d) = ((x.index_select(0, part), y.index_select(0, part)) for part in (train, val))
    return (a, b), (c, d)


@alternative("train_val_split")
def with_lists_of_indices(x, y, order, val_size):
    """Plain Python lists of indices."""
    indices, n = order.tolist(), refuse(x, val_size)
    return (x[indices[:n]], y[indices[:n]]), (x[indices[n:]], y[indices[n:]])


@alternative("train_val_split")
def as_lists(x, y, order, val_size):
    """Lists in place of tuples."""
    n = refuse(x, val_size)
    return [[t[part] for t in (x, y)] for part in (order[:n], order[n:])]
