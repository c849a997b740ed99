"""Known mistakes and unusual but correct solutions for one_hot and causal_mask."""

import functools

import torch
from ex06_masks import one_hot as right_one_hot

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "add_detach: return (labels.unsqueeze(-1) == torch.arange(classes, device=labels.device)).to(dtype).detach()": "comparisons have no gradient",
    "change_dim: return position <= position.unsqueeze(1)": "axis 1 is the last one",
}

HINTS = (
    "A mask is a question asked for every pair: is this label that class? Is this key not after that query?",
    "torch.arange lists the positions. As a column it runs down the rows of a matrix, as a row across the "
    "columns, and comparing the two fills the matrix with True and False.",
    "one_hot: give labels a new last axis, compare with arange(classes) on the same device, convert to dtype. "
    "causal_mask: compare the key positions (a row) with the query positions (a column), equality included.",
)


classes_come_first = mistake.edited(
    "(labels.unsqueeze(-1) == torch.arange(classes, device=labels.device)).to(dtype)",
    "right_one_hot(labels, classes, dtype).movedim(-1, 0)",
    "The classes are your first axis: they should be the last one, so the new axis of labels goes to the end.")

labels_without_a_new_axis = mistake.edited("labels.unsqueeze(-1)", "labels",
    "Label n meets class n only: labels need a new last axis, so that each label is compared with every class.",
    pitfall="label n is compared with class n only")

always_two_axes = mistake.edited(
    "(labels.unsqueeze(-1) == torch.arange(classes, device=labels.device)).to(dtype)",
    "right_one_hot(labels.reshape(-1), classes, dtype)",
    "Labels with more axes, or with none, became a flat list: keep the shape of labels and add one axis.")

starts_counting_at_one = mistake.edited(
    "torch.arange(classes, device=labels.device)", "torch.arange(1, classes + 1, device=labels.device)",
    "Your classes begin at 1: labels count from 0, and torch.arange(classes) does too.",
    about="one_in_the_place_of_each_label")


@mistake("one_hot")
def classes_from_the_labels(labels, classes, dtype=torch.float32):
    """You took the number of classes from the largest label: a batch may lack the last class. Use classes."""
    top = int(labels.max()) + 1 if labels.numel() else 0
    return right_one_hot(labels, top, dtype)


classes_from_the_labels_if_any = mistake.edited(
    "torch.arange(classes, device", "torch.arange(int(labels.max()) + 1 if labels.numel() else classes, device",
    "You took the number of classes from the largest label: a batch may lack the last class. Use classes.")

stays_bool = mistake.edited(
    "(labels.unsqueeze(-1) == torch.arange(classes, device=labels.device)).to(dtype)",
    "right_one_hot(labels, classes, torch.bool)",
    "Your result is always bool: convert it to dtype.")

stays_int64 = mistake.edited(
    "(labels.unsqueeze(-1) == torch.arange(classes, device=labels.device)).to(dtype)",
    "right_one_hot(labels, classes, torch.int64)",
    "Your result is always int64: convert it to dtype.")

classes_on_the_default_device = mistake.edited("torch.arange(classes, device=labels.device)", "torch.arange(classes)",
    "You made something on the default device: give arange (or eye, or zeros) the device of labels.")

the_other_triangle = mistake.edited("return position <= position.unsqueeze(-1)", "return position >= position[:, None]",
    "Your queries attend to the future: key <= query, with queries down the rows and keys across the columns.")

without_the_diagonal = mistake.edited(
    "return position <= position.unsqueeze(-1)", "return position < position[:, None]",
    "The diagonal is missing: a query may attend to itself. key <= query includes it, and so does tril() without -1.",
    pitfall="The diagonal belongs to the mask")

ones_instead_of_true = mistake.edited(
    "position <= position.unsqueeze(-1)", "(position <= position[:, None]).to(torch.int64)",
    "Your mask holds numbers: a mask is bool, which is what a comparison gives.")

device_is_forgotten = mistake.edited("position = torch.arange(T, device=device)", "i = torch.arange(T)",
    "Your mask was made on the default device: pass device on to the function that creates it.",
    also=[("return position <= position.unsqueeze(-1)", "return i <= i[:, None]")])

made_by_pytorch = mistake.edited(
    "labels.unsqueeze(-1) == torch.arange(classes, device=labels.device)",
    "torch.nn.functional.one_hot(labels.long(), classes)",
    "torch.nn.functional.one_hot does all the work: compare the labels with torch.arange(classes) instead.",
    about=("one_in_the_place_of_each_label", "dtype_is_the_one_asked_for", "labels_may_be_int32", "classes_need_not_all_occur"),
    forbidden="torch.nn.functional.one_hot")


@mistake("one_hot")
def rows_as_lists(labels, classes, dtype=torch.float32):
    """Python takes more steps for more labels or classes, as when a loop builds lists of numbers: a comparison with
    torch.arange(classes) fills the matrix at once."""
    rows = [[int(k == label) for k in range(classes)] for label in labels.reshape(-1).tolist()]
    return torch.tensor(rows, dtype=dtype, device=labels.device).reshape(*labels.shape, classes)


mask_as_lists = mistake.edited(
    "position = torch.arange(T, device=device)",
    "rows = [[key <= query for key in range(T)] for query in range(T)]",
    "Python takes more steps for a larger T, as when a loop builds lists of True and False: compare two "
    "torch.arange(T), one of them as a column.",
    also=[("position <= position.unsqueeze(-1)", "torch.tensor(rows, dtype=torch.bool, device=device).reshape(T, T)")])


@mistake("one_hot")
def classes_as_bytes(labels, classes, dtype=torch.float32):
    """With many classes a label gets more than one 1: uint8 wraps around after 255. Don't change the dtype of arange."""
    numbers = (torch.arange(classes, device=labels.device) % 256).to(torch.uint8)
    return (labels.unsqueeze(-1) == numbers).to(dtype)


@mistake("one_hot")
def classes_in_the_dtype_of_the_result(labels, classes, dtype=torch.float32):
    """You listed the classes in the dtype of the result, and a small dtype can't hold many different numbers:
    compare as integers, then convert."""
    numbers = torch.arange(classes, device=labels.device).to(torch.int64 if dtype == torch.bool else dtype)
    return (labels.unsqueeze(-1).to(numbers.dtype) == numbers).to(dtype)


dtype_has_no_effect = mistake.edited(
    "(labels.unsqueeze(-1) == torch.arange(classes, device=labels.device)).to(dtype)",
    "right_one_hot(labels, classes)",
    "Your result is always float32: convert it to dtype.")


@mistake("one_hot")
def one_label_at_a_time(labels, classes, dtype=torch.float32):
    """More operations run for more labels or classes, as in a Python loop: a comparison with torch.arange(classes)
    fills the matrix at once."""
    table = torch.zeros(labels.numel(), classes, dtype=dtype, device=labels.device)
    for row, label in zip(table, labels.reshape(-1).tolist(), strict=True):
        row[label] = 1
    return table.reshape(*labels.shape, classes)


@mistake("causal_mask")
def one_row_at_a_time(T, device=None):
    """More operations run for a larger T, as in a Python loop over the rows: compare two torch.arange(T), one of them
    as a column."""
    mask = torch.zeros(T, T, dtype=torch.bool, device=device)
    for query in range(T):
        mask[query, : query + 1] = True
    return mask


@mistake("causal_mask")
def device_is_no_name(T, device=None):
    """The device may be given by its name, as in "cuda", and a str has no .type: pass device on to arange unchanged."""
    return torch.arange(T, device=device and device.type) <= torch.arange(T, device=device and device.type)[:, None]


no_device_is_the_cpu = mistake.edited(
    "position = torch.arange(T, device=device",
    'i = torch.arange(T, device="cpu" if device is None else device',
    "Without a device your mask stays on the CPU: None means PyTorch's current default device, so pass it on to arange as "
    "it is, and keep no mask from an earlier call.",
    also=[("return position <= position.unsqueeze(-1)", "return i <= i[:, None]")])

labels_as_bytes = mistake.edited(
    "(labels.unsqueeze(-1) == torch.arange(classes, device=labels.device)).to(dtype)",
    "right_one_hot(labels.to(torch.uint8), classes, dtype)",
    "Large labels got the position of others: uint8 wraps around after 255. Don't change the dtype of the labels.")

positions_as_bytes = mistake.edited(
    "position = torch.arange(T, device=device)", "i = torch.arange(T, device=device).to(torch.uint8)",
    "For a large T positions were mixed up: uint8 wraps around after 255. Don't change the dtype of arange.",
    also=[("return position <= position.unsqueeze(-1)", "return i <= i[:, None]")])


the_new_axis_is_the_second = mistake.edited(
    "labels.unsqueeze(-1)",
    "labels.unsqueeze(1)",
    "Your code is right for a list of labels only: labels may have any number of axes, so the new axis must be the "
    "last one, -1, not 1.")


@mistake("one_hot")
def a_list_of_labels_only(labels, classes, dtype=torch.float32):
    """Your code is right for a list of labels only: labels may have any number of axes, or none. Give them a new last
    axis and compare with all classes."""
    table = torch.zeros(len(labels), classes, dtype=dtype, device=labels.device)
    table[torch.arange(len(labels), device=labels.device), labels] = 1
    return table


@alternative()
def rows_of_the_identity_and_tril():
    """A table to look up the rows in; the lower triangle of ones."""

    def one_hot(labels, classes, dtype=torch.float32):
        return torch.eye(classes, device=labels.device, dtype=dtype)[labels]

    def causal_mask(T, device=None):
        return torch.ones(T, T, dtype=torch.bool, device=device).tril()

    return {"one_hot": one_hot, "causal_mask": causal_mask}


@alternative()
def tables_that_are_kept():
    """An identity made once for each number of classes, dtype and device."""

    @functools.lru_cache
    def identity(classes, dtype, device):
        return torch.eye(classes, dtype=dtype, device=device)

    def one_hot(labels, classes, dtype=torch.float32):
        return identity(classes, dtype, labels.device)[labels]

    return {"one_hot": one_hot}


@alternative()
def scatter_and_a_difference():
    """Ones scattered into zeros; a subtraction instead of a comparison of two aranges."""

    def one_hot(labels, classes, dtype=torch.float32):
        out = torch.zeros(*labels.shape, classes, dtype=dtype, device=labels.device)
        return out.scatter_(-1, labels.long().unsqueeze(-1), 1)

    def causal_mask(T, device=None):
        i = torch.arange(T, device=device).reshape(1, T)
        return (i.mT - i) >= 0

    return {"one_hot": one_hot, "causal_mask": causal_mask}
