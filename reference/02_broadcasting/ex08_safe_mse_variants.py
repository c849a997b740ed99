"""Known mistakes and unusual but correct solutions for safe_mse."""

import torch
from ex08_safe_mse import safe_mse as right

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "in_place: return (pred - target).square_().mean()": "works on a temporary tensor that nobody else sees",
    "swap_operands: return (target - pred).square().mean()": "the difference is squared",
}

HINTS = (
    "What must be compared before anything is subtracted?",
    "Shapes can be compared like tuples. Equal numbers of elements are not enough, and neither is a pair of "
    "shapes that can be broadcast.",
    "If the two shapes are not equal, raise a ValueError whose text holds tuple(...) of each. Otherwise "
    "subtract, square and take the mean, and return the tensor itself.",
)


no_check = mistake.edited("if pred.shape != target.shape:", "if False:",
    "Different shapes get through: compare the two shapes first, and raise a ValueError unless they are equal.",
    pitfall="(5, 1) minus (5,) is a (5, 5) matrix")

reshapes_the_target = mistake.edited(
    "if pred.shape != target.shape:",
    """
    if pred.numel() == target.numel():
        target = target.reshape(pred.shape)
    if pred.shape != target.shape:
    """,
    "Shapes with equally many elements were accepted, as after a reshape: that hides the mistake of the caller. Raise "
    "a ValueError instead.")

forces_the_dtype_of_pred = mistake.edited("pred - target)", "pred - target.to(pred.dtype))",
    "The result has the dtype of pred even if the target is float64, so digits are lost: a plain difference chooses "
    "the wider dtype by itself.")

always_float32 = mistake.edited("pred - target)", "pred.float() - target.float())",
    "The result is float32 even for float64 tensors, so digits are lost: a plain difference chooses the dtype by itself.",
    about=("mean_of_the_squared_differences", "integer_targets_are_fine", "the_wider_dtype_comes_out"))

counts_the_elements = mistake.edited("if pred.shape != target.shape:", "if pred.numel() != target.numel():",
    "Shapes with equally many elements were not refused, such as (5, 1) and (5,), which broadcast to (5, 5). Compare "
    "the shapes.")

compares_the_first_axis = mistake.edited("if pred.shape != target.shape:", "if pred.shape[:1] != target.shape[:1]:",
    "Shapes with the same first size were accepted: (5, 1) and (5,) agree there. Compare the whole shapes.")

compares_the_number_of_axes = mistake.edited("if pred.shape != target.shape:", "if pred.dim() != target.dim():",
    "Shapes with the same number of axes were accepted: (1, 3) and (2, 3) have two each. Compare the whole shapes.")


@mistake("safe_mse")
def refuses_what_cannot_be_broadcast_only(pred, target):
    """You rejected only shapes that can't be broadcast: those that can are the dangerous ones. Compare for
    equality."""
    try:
        torch.broadcast_shapes(pred.shape, target.shape)
    except RuntimeError:
        return right(pred, target)
    return (pred - target).square().mean()


a_python_number = mistake.edited(
    "return (pred - target).square().mean()", "return (pred - target).square().mean().item()",
    "You returned a Python number: it has no graph, so backward cannot start from it. Return the tensor.")

sum_of_squares = mistake.edited(".mean()", ".sum()",
    "You added the squares: the mean divides by the number of elements.")

an_assertion = mistake.edited("raise ValueError(", "raise AssertionError(",
    "You raised an AssertionError, as assert does, which python -O skips altogether. Raise a ValueError.")

message_without_shapes = mistake.edited(
    'f"pred has shape {tuple(pred.shape)}, but target has {tuple(target.shape)}"', '"shapes differ"',
    'Your message must contain both shapes written as tuples, such as "(5, 1)": tuple(...) around a shape writes it '
    "that way, without torch.Size.")

target_is_never_learnt = mistake.edited("pred - target)", "pred - target.detach())",
    "No gradient reaches the target, but it may require grad: subtract it without detach or .data.")

root_and_square_again = mistake.edited(
    "return (pred - target).square().mean()", "return (pred - target).square().mean().sqrt() ** 2",
    "Where the prediction is perfect the gradient is nan: the derivative of the square root at 0 is infinite. Leave out "
    "both the square root and the square.")

divides_by_the_rows = mistake.edited(
    "return (pred - target).square().mean()",
    "return (pred - target).square().mean() * pred.numel() / (len(pred) if pred.dim() else 1)",
    "You divided by the size of the first axis: the mean divides by the number of all elements.")

checks_too_late = mistake.edited(
    "if pred.shape != target.shape:",
    "torch.nn.functional.mse_loss(pred, target)\nif pred.shape != target.shape:",
    "Shapes that can't be broadcast raise PyTorch's own error and not a ValueError: compare the shapes before you "
    "compute anything with the tensors.")

squeezes_both = mistake.edited(
    "if pred.shape != target.shape:",
    "pred, target = pred.squeeze(), target.squeeze()\nif pred.shape != target.shape:",
    "Shapes that differ only by axes of size 1 were accepted, as after squeeze(), such as (5, 1) and (5,): compare "
    "the original shapes.")

zero_without_elements = mistake.edited(
    "return (pred - target).square().mean()",
    "return (pred - target).square().mean() if pred.numel() else pred.new_zeros(())",
    "Without elements you gave 0: the mean of nothing is nan, which says that something is wrong with the batch.")


stops_at_the_shorter_shape = mistake.edited(
    "if pred.shape != target.shape:",
    "if any(p != t for p, t in zip(pred.shape, target.shape)):",
    "Shapes that agree up to the end of the shorter one were accepted, such as (5, 1) and (5,). The numbers of axes "
    "must be equal, too.")


compares_the_lengths = mistake.edited(
    "if pred.shape != target.shape:",
    "if len(pred) != len(target):",
    "len is the size of the first axis alone, and fails without axes: (5, 1) and (5,) agree there. Compare the whole"
    " shapes.")


mean_along_the_first_axis = mistake.edited(
    ".mean()",
    ".mean(dim=0)",
    "You averaged along the first axis alone: the mean over all elements is a single number.")


takes_the_root = mistake.edited(
    "return (pred - target).square().mean()",
    "return (pred - target).square().mean().sqrt()",
    "You took the square root at the end: return the mean of the squares itself.",
    about=("mean_of_the_squared_differences", "gradients_flow_to_both"))


stops_early_and_prints_torch_size = mistake.edited(
    "if pred.shape != target.shape:",
    "if any(p != t for p, t in zip(pred.shape, target.shape)):",
    "Shapes that agree up to the end of the shorter one were accepted, such as (5, 1) and (5,). Compare the numbers "
    "of axes, too, and write both shapes as tuples in the message.",
    also=[('f"pred has shape {tuple(pred.shape)}, but target has {tuple(target.shape)}"', 'f"{pred.shape} and {target.shape}"')])


@alternative("safe_mse")
def checked_then_mse_loss(pred, target):
    """PyTorch's own loss, after the check."""
    shapes = [tuple(t.shape) for t in (pred, target)]
    if shapes[0] != shapes[1]:
        raise ValueError("shapes differ: {} and {}".format(*shapes))
    return torch.nn.functional.mse_loss(pred, target)


class ShapesDiffer(ValueError):
    """An error type of one's own."""


with_an_error_of_its_own = alternative.edited(
    'ValueError(f"pred has shape {tuple(pred.shape)}, but target has {tuple(target.shape)}")',
    "ShapesDiffer(tuple(pred.shape), tuple(target.shape))",
    "A class that is made of ValueError is one.")


@alternative("safe_mse")
def dot_product_over_count(pred, target):
    """The flat difference multiplied with itself, divided by the number of elements."""
    if list(pred.size()) != list(target.size()):
        raise ValueError(f"expected {tuple(pred.size())} for the target, got {tuple(target.size())}")
    difference = (pred - target).reshape(-1)
    return torch.dot(difference, difference) / difference.numel()
