"""Known mistakes and unusual but correct solutions for from_list, zero_table, identity_matrix and filled_like."""

import numpy as np  # noqa: F401 (for an edit)
import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "swap_function: return torch.as_tensor(numbers)": "as_tensor of a list copies it, too",
    "flip_minus: return -torch.zeros(rows, columns)": "minus zero equals zero",
}

HINTS = (
    "Each function is one call of a function of torch. The section of the lesson shows all four.",
    "torch.tensor reads nested lists and infers the dtype. torch.zeros takes the sizes, rows first. A matrix with ones on its "
    "diagonal is called identity, in code eye. Functions that end in _like take shape and dtype from a tensor.",
    "Give from_list's argument to torch.tensor and add no dtype. zero_table and identity_matrix take their sizes in the order "
    "of the arguments. The last one is full_like, with the tensor and the value.",
)


capital_t = mistake.edited("return torch.tensor(numbers)", "return torch.Tensor(numbers)",
    "Your tensor is float32 whatever the numbers are, as from torch.Tensor with a capital T. torch.tensor without a dtype infers the right one.",
    pitfall="torch.Tensor with a capital T")

always_int64 = mistake.edited("return torch.tensor(numbers)", "return torch.tensor(numbers).long()",
    "Your tensor is always int64, so fractions are cut off. torch.tensor without a dtype infers the right one.")

through_numpy = mistake.edited("return torch.tensor(numbers)", "return torch.from_numpy(np.array(numbers))",
    "Your floats are float64, as in a NumPy array. torch.tensor of the list itself, without a dtype, makes them float32.")

flat = mistake.edited("return torch.tensor(numbers)", "return torch.tensor(numbers).flatten()",
    "Your tensor has one axis: the nesting of the list was lost. A list of two lists is a tensor with two rows.")

bools_become_integers = mistake.edited(
    "return torch.tensor(numbers)",
    "t = torch.tensor(numbers)\nreturn t.long() if t.dtype == torch.bool else t",
    "True and False became 1 and 0. torch.tensor without a dtype keeps them bool.")

columns_come_first = mistake.edited("return torch.zeros(rows, columns)", "return torch.zeros(columns, rows)",
    "Rows and columns are swapped: the first size is the number of rows.")

integers_in_the_table = mistake.edited(
    "return torch.zeros(rows, columns)", "return torch.zeros(rows, columns, dtype=torch.int64)",
    "Your zeros are integers: torch.zeros makes float32 unless it is told otherwise.")

not_filled = mistake.edited("return torch.zeros(rows, columns)", "return torch.empty(rows, columns)",
    "Your numbers are whatever was in memory before, as with torch.empty or torch.Tensor(rows, columns). torch.zeros writes zeros.")

one_long_row = mistake.edited("return torch.zeros(rows, columns)", "return torch.zeros(rows * columns)",
    "Your zeros are on one axis: pass both sizes to torch.zeros.")

ones_everywhere = mistake.edited("return torch.eye(n)", "return torch.ones(n, n)",
    "Your matrix is 1 everywhere: the identity matrix is 1 on its diagonal alone. torch.eye makes it.")

the_diagonal_alone = mistake.edited("return torch.eye(n)", "return torch.ones(n)",
    "You returned the diagonal alone, n numbers on one axis: torch.eye(n) makes the whole matrix.")

integers_on_the_diagonal = mistake.edited("return torch.eye(n)", "return torch.eye(n, dtype=torch.int64)",
    "Your matrix holds integers: torch.eye makes float32 unless it is told otherwise.")

float_whatever_t_is = mistake.edited("torch.full_like(t, value)", "torch.full(t.shape, float(value), device=t.device)",
    "Your tensor has the shape of t but not its dtype: full_like takes both from t.")

fills_t_itself = mistake.edited("return torch.full_like(t, value)", "return t.fill_(value)",
    "You filled t itself, but t must stay as it is. torch.full_like makes a new tensor.")

ones_whatever_the_value = mistake.edited("return torch.full_like(t, value)", "return torch.ones_like(t)",
    "Your tensor holds ones, whatever value is: full_like takes the value as its second argument.")

as_long_as_t = mistake.edited(
    "torch.full_like(t, value)", "torch.full((len(t),), value, dtype=t.dtype, device=t.device)",
    "Your tensor has one axis, as long as the first axis of t. Take the whole shape, as full_like does.")


dtype_of_the_value = mistake.edited(
    "torch.full_like(t, value)",
    "torch.full(t.shape, value, device=t.device)",
    "Your tensor takes its dtype from value, as torch.full does, and not from t. Pass dtype=t.dtype, or use "
    "torch.full_like.")


dtype_of_the_value_on_the_default_device = mistake.edited(
    "torch.full_like(t, value)",
    "torch.full(t.shape, value)",
    "Your tensor has the dtype of value and is on the default device, as from torch.full. Pass dtype=t.dtype and "
    "device=t.device, or use torch.full_like.")


ones_of_the_default_dtype = mistake.edited(
    "torch.full_like(t, value)",
    "torch.ones(t.shape) * value",
    "Your tensor has the shape of t, but the default dtype and device: full_like takes both from t.")


@alternative()
def new_and_fill():
    """torch.as_tensor for a list, and the methods of an existing tensor."""

    def from_list(numbers):
        return torch.as_tensor(numbers)

    def zero_table(rows, columns):
        return torch.tensor([[0.0] * columns] * rows)

    def identity_matrix(n):
        return torch.ones(n).diag()

    def filled_like(t, value):
        return t.new_full(t.shape, value)

    return {"from_list": from_list, "zero_table": zero_table, "identity_matrix": identity_matrix, "filled_like": filled_like}


@alternative("identity_matrix")
def filled_in_a_loop(n):
    """Zeros, then a 1 in each row."""
    t = torch.zeros((n, n))
    for i in range(n):
        t[i, i] = 1
    return t


a_filled_copy = alternative.edited("return torch.full_like(t, value)", "return t.clone().fill_(value)",
    "A copy of t, filled in place.")
