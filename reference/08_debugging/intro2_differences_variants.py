"""Known mistakes and unusual but correct solutions for differences and largest_error."""

from torchdojo.variants import alternative, mistake

HINTS = (
    "Each of the three words is the name of an attribute of a tensor. The largest error is a chain of three methods.",
    "Compare the attributes with !=, one pair after the other, and collect the words of those that differ. abs() makes all errors "
    "positive, max() finds the largest, .item() makes a number of it.",
    "Start with an empty list. For each attribute, append its word if those of a and b differ. For the error, subtract, take the absolute "
    "values, then the maximum, then the number.",
)
EQUIVALENT = {
    'in_place: return (a - b).abs_().max().item()': "the difference is a new tensor",
    'swap_operands: return (b - a).abs().max().item()': "an absolute value has no sign",
}


counts_the_axes = mistake.edited(
    "getattr(a, word) != getattr(b, word)",
    '(a.dim() != b.dim() if word == "shape" else getattr(a, word) != getattr(b, word))',
    "You compare the number of axes: two shapes can have the same number of axes and different sizes.")

counts_the_elements = mistake.edited(
    "getattr(a, word) != getattr(b, word)",
    '(a.numel() != b.numel() if word == "shape" else getattr(a, word) != getattr(b, word))',
    "You compare the number of elements: (3, 1) and (3,) have the same number but are different shapes.",
    common=True)

compares_the_numbers = mistake.edited(
    "getattr(a, word) != getattr(b, word)",
    '(not (a == b).all() if word == "shape" else getattr(a, word) != getattr(b, word))',
    "You compare the numbers in a and b, and == broadcasts: compare a.shape and b.shape.",
    pitfall="a == b compares numbers")

only_the_first_difference = mistake.edited("!= getattr(b, word)]", "!= getattr(b, word)][:1]",
    "You stop at the first difference: name all of them.")

forgets_the_device = mistake.edited('("shape", "dtype", "device")', '("shape", "dtype")',
    "A different device is not in your list: compare a.device with b.device, too.")

what_is_the_same = mistake.edited("!= getattr", "== getattr",
    "You list what is equal: list what differs.")

in_another_order = mistake.edited('("shape", "dtype", "device")', '("device", "dtype", "shape")',
    'The order is "shape", "dtype", "device".')

without_the_sign = mistake.edited("(a - b).abs().max()", "(a - b).max()",
    "Where a is smaller than b, your difference is negative, however large the error is: take absolute values before the maximum.",
    common=True,
    pitfall="(a - b).max()")

the_mean_error = mistake.edited(".abs().max()", ".abs().mean()",
    "You returned the mean of the errors: return the largest one.")

the_sign_comes_last = mistake.edited("(a - b).abs().max()", "(a - b).max().abs()",
    "You take the absolute value after the maximum: take it first, or a large negative difference is lost.")

the_sum_of_errors = mistake.edited(".abs().max()", ".abs().sum()",
    "You added up the errors: return the largest one.")


@alternative("differences")
def one_question_after_the_other(a, b):
    """A list that grows."""
    found = []
    if a.size() != b.size():
        found.append("shape")
    if a.dtype is not b.dtype:
        found += ["dtype"]
    if str(a.device) != str(b.device):
        found += ["device"]
    return found


both_directions = alternative.edited("(a - b).abs().max().item()", "float(torch.maximum(a - b, b - a).max())",
    "The larger of the two differences.")

the_maximum_norm = alternative.edited("(a - b).abs().max().item()", 'torch.linalg.vector_norm(a - b, ord=float("inf")).item()',
    "The norm of order infinity, of all elements.")

difference_of_the_maxima = mistake.edited("(a - b).abs().max()", "(a.max() - b.max()).abs()",
    "You compared the two largest numbers: subtract element by element first, then take the maximum.")

difference_of_the_absolute_values = mistake.edited("(a - b).abs().max()", "(a.abs() - b.abs()).max()",
    "You took the absolute values before the subtraction: take those of the differences.")

the_smallest_error = mistake.edited(".abs().max()", ".abs().min()",
    "You returned the smallest error: return the largest one.")

a_tensor_for_a_float = mistake.edited("(a - b).abs().max().item()", "(a - b).abs().max()",
    "You returned a tensor: .item() makes a Python float of it.")
