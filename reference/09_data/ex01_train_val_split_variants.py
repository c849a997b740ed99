"""Known mistakes and unusual but correct solutions for train_val_split."""

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


counts_from_the_back = mistake.edited(
    "train, val = order.split([len(x) - val_size, val_size])",
    "train, val = order[:-val_size], order[-val_size:]",
    "With val_size 0 all samples went into the validation set, and a slice that ends at -0 is empty: count the training "
    "samples from the front.",
    about="a_set_may_be_empty", common=True)

leaves_the_labels_in_their_order = mistake.edited(
    "return (x[train], y[train]), (x[val], y[val])",
    "return (x[train], y[: len(train)]), (x[val], y[len(train) :])",
    "The rows were reordered, but the labels were not: select from y with the same indices as from x.",
    about="labels_stay_with_their_rows", common=True,
    pitfall="Use one order for both tensors")

ignores_the_order = mistake.edited(
    "return (x[train], y[train]), (x[val], y[val])", "n = len(train)\nreturn (x[:n], y[:n]), (x[n:], y[n:])",
    "The samples were cut in their original order: order says which of them belongs to which set.")

takes_the_first_for_validation = mistake.edited(
    "train, val = order.split([len(x) - val_size, val_size])",
    "val, train = order.split([val_size, len(x) - val_size])",
    "The validation samples were taken from the front of order: they are its last val_size entries.")

trains_on_all_samples = mistake.edited(
    "return (x[train], y[train]), (x[val], y[val])", "return (x[order], y[order]), (x[val], y[val])",
    "The validation samples are in the training set as well. That is a leak: leave them out of it.",
    about="training_rows", common=True)

one_sample_in_both_sets = mistake.edited(
    "train, val = order.split([len(x) - val_size, val_size])",
    "n = len(x) - val_size\ntrain, val = order[: n + 1], order[n:]",
    "One sample is in both sets: the training set ends where the validation set begins.")

loses_a_sample = mistake.edited(
    "train, val = order.split([len(x) - val_size, val_size])",
    "n = len(x) - val_size\ntrain, val = order[: max(n - 1, 0)], order[n:]",
    "One sample is in neither set: the validation set begins where the training set ends. The end of a slice is not included.")

exchanges_the_sizes = mistake.edited(
    "train, val = order.split([len(x) - val_size, val_size])",
    "train, val = order.split([val_size, len(x) - val_size])",
    "The training set has val_size samples, and the validation set has the rest: swap the two sizes.")

exchanges_the_sets = mistake.edited(
    "return (x[train], y[train]), (x[val], y[val])", "return (x[val], y[val]), (x[train], y[train])",
    "The validation set came first: return the training set first.")

sorts_the_indices = mistake.edited(
    "return (x[train], y[train]), (x[val], y[val])",
    "train, val = train.sort().values, val.sort().values\nreturn (x[train], y[train]), (x[val], y[val])",
    "Each set has the right samples in their original sequence: keep the sequence of order. A boolean mask loses it.")

inverts_the_order = mistake.edited("order.split", "order.argsort().split",
    "The inverse of order was used: order[0] is the index of the first training sample, not its position.")

groups_samples_with_samples = mistake.edited(
    "return (x[train], y[train]), (x[val], y[val])", "return (x[train], x[val]), (y[train], y[val])",
    "The result is grouped as (x_train, x_val), (y_train, y_val): return a pair of samples and labels for each set.")

accepts_any_size = mistake.edited("if not 0 <= val_size <= len(x):", "if False:",
    "A val_size below 0 or above the number of samples was accepted silently: compare it with both and raise ValueError.",
    also=[("train, val = order.split([len(x) - val_size, val_size])",
         "n = min(max(len(x) - val_size, 0), len(x))\ntrain, val = order[:n], order[n:]")],
    about="sizes_that_do_not_fit_are_refused")

accepts_a_negative_size = mistake.edited("if not 0 <= val_size <= len(x):", "if val_size > len(x):",
    "A val_size below 0 was accepted: raise ValueError for it.",
    also=[("train, val = order.split([len(x) - val_size, val_size])",
         "n = min(len(x) - val_size, len(x))\ntrain, val = order[:n], order[n:]")], about="sizes_that_do_not_fit_are_refused")

refuses_empty_sets = mistake.edited("if not 0 <= val_size <= len(x):", "if not 0 < val_size < len(x):",
    "An empty set raised an error: val_size may be 0, and it may be the number of samples.",
    about="a_set_may_be_empty")

returns_four_tensors = mistake.edited(
    "return (x[train], y[train]), (x[val], y[val])",
    "return x[train], y[train], x[val], y[val]",
    "You returned four tensors: return two pairs, (x_train, y_train) and (x_val, y_val).",
)

asserts_the_size = mistake.edited(
    'raise ValueError(f"val_size is {val_size}, but there are {len(x)} samples")',
    "raise AssertionError(val_size)",
    "An invalid val_size raised AssertionError, as an assert does: raise ValueError.",
    about="sizes_that_do_not_fit_are_refused",
)


reorders_first = alternative.edited(
    "train, val = order.split([len(x) - val_size, val_size])",
    "x, y, n = x[order], y[order], len(x) - val_size",
    "All rows are reordered once, then cut.",
    also=[("return (x[train], y[train]), (x[val], y[val])",
         "return (x[:n].clone(), y[:n].clone()), (x[n:].clone(), y[n:].clone())")])

with_index_select = alternative.edited(
    "train, val = order.split([len(x) - val_size, val_size])",
    "train, val = order.tensor_split((len(x) - val_size,))",
    "tensor_split and index_select.",
    also=[(
        "return (x[train], y[train]), (x[val], y[val])",
        """
        a, b, c, d = (t.index_select(0, part) for part in (train, val) for t in (x, y))
        return (a, b), (c, d)
        """,
    )])

with_lists_of_indices = alternative.edited(
    "train, val = order.split([len(x) - val_size, val_size])",
    "indices, n = order.tolist(), len(x) - val_size\ntrain, val = indices[:n], indices[n:]",
    "Plain Python lists of indices.")

as_lists = alternative.edited(
    "return (x[train], y[train]), (x[val], y[val])",
    "return [[t[part] for t in (x, y)] for part in (train, val)]",
    "Lists in place of tuples.")
