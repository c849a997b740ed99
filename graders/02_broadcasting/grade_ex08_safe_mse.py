"""Hidden checks for safe_mse."""

import torch

from torchdojo.grading import check, gradients, raises, tensor

CONCEPTS = ("D03", "D04", "H04")
KEPT = {
    "mean_of_the_squared_differences": "the values themselves, worth points without gradients",
    "different_shapes_are_refused": "the point of the exercise",
    "integer_targets_are_fine": "the dtype rule, said by itself",
}

PAIRS = [
    ((5, 1), (5,)), ((5,), (5, 1)), ((1,), ()), ((), (1,)), ((1, 3), (2, 3)), ((2, 3), (3,)), ((6,), (2, 3)),
    ((2, 3), (3, 2)), ((2, 3), (2, 4)), ((4,), (5,)), ((3, 1), (1, 3)), ((2, 1, 3), (2, 3)), ((0,), (1,)), ((0,), (0, 2)),
]  # fmt: skip


class oracle:
    """PyTorch's loss, after a look at the shapes."""

    def safe_mse(pred, target):
        if pred.shape != target.shape:
            raise ValueError(f"{tuple(pred.shape)} and {tuple(target.shape)}")
        dtype = torch.promote_types(pred.dtype, target.dtype)
        return torch.nn.functional.mse_loss(pred.to(dtype), target.to(dtype))


@check(points=3, pred=tensor("..."), target=tensor("..."), minimum=1)
def mean_of_the_squared_differences(solution, pred, target):
    """The loss is the mean of the squared differences, as a single number."""
    return solution.safe_mse(pred, target)


@check(points=3, shapes=PAIRS)
def different_shapes_are_refused(solution, shapes, device):
    """Different shapes raise ValueError, even where broadcasting is possible; equal shapes do not."""
    pred, target = (torch.ones(s, device=device) for s in shapes)
    raised = raises(lambda: solution.safe_mse(pred, target))
    return {"raised": raised, "raised for equal shapes": raises(lambda: solution.safe_mse(torch.ones(2, 1), torch.zeros(2, 1)))}


@check(points=1, star=True, shapes=PAIRS[:6], devices=False)
def the_message_names_both_shapes(solution, shapes):
    """The error message contains both shapes, written as tuples."""
    try:
        solution.safe_mse(torch.ones(shapes[0]), torch.ones(shapes[1]))
    except ValueError as error:
        return {"raised": "ValueError", "the two shapes are in the message": [str(tuple(s)) in str(error) for s in shapes]}
    return {"raised": "no error", "the two shapes are in the message": [False, False]}


@check(points=1, star=True, pred=tensor("..."), target=tensor("...", dtype="int64"), minimum=1, beside=True)
def integer_targets_are_fine(solution, pred, target):
    """An integer target gives a loss in the dtype of the prediction."""
    loss, with_floats = solution.safe_mse(pred, target), solution.safe_mse(pred, target.to(pred.dtype))
    return loss, {"dtype": loss.dtype, "the same as with a float target": torch.equal(loss, with_floats)}


@check(points=1, star=True, pred=tensor("...", dtype="float32"), target=tensor("...", dtype="float64"), minimum=1, beside=True)
def the_wider_dtype_comes_out(solution, pred, target):
    """If the float dtypes differ, the result has the wider one, as a difference does."""
    losses = [solution.safe_mse(pred, target), solution.safe_mse(target, pred)]
    return losses, {"dtypes": [loss.dtype for loss in losses]}


EQUAL = [{"pred": torch.tensor([1.0, -2.0]), "target": torch.tensor([1.0, -2.0]), "learning": ("pred", "target")}]


@check(points=1, pred=tensor("..."), target=tensor("..."), learning=[("pred", "target"), ("target",), ("pred",)], minimum=1, examples=EQUAL, beside=True)
def gradients_flow_to_both(solution, pred, target, learning):
    """Gradients reach the prediction, and the target if it requires grad."""
    inputs = [{"pred": pred, "target": target}[name].requires_grad_() for name in learning]
    found = gradients(3 * solution.safe_mse(pred, target), inputs)
    facts = {f"a finite gradient reaches {name}": g is not None and bool(g.isfinite().all()) for name, g in zip(learning, found, strict=True)}
    return {f"gradient of {name}": g for name, g in zip(learning, found, strict=True)}, facts


@check(points=1, star=True, shape=[(0,), (0, 3)])
def without_elements_it_is_nan(solution, shape, device):
    """Without elements the loss is nan, as PyTorch's is."""
    nothing, one = torch.ones(shape, device=device), torch.ones(1, device=device)
    return {"without elements": solution.safe_mse(nothing, nothing), "of one element": solution.safe_mse(one, 3 * one)}
