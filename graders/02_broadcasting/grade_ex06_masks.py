"""Hidden checks for one_hot and causal_mask."""

import torch

from torchdojo.grading import called, check, operations, python_steps, size, tensor

CONCEPTS = ("E08", "F03")
KEPT = {
    "dtype_is_the_one_asked_for": "the dtype, said by itself",
    "classes_need_not_all_occur": "the number of classes, said by itself",
    "default_device_is_used_without_an_argument": "a call without device is the most common one",
    "no_loop_over_elements": "right values by a loop break the rule of the exercise",
}


class oracle:
    """PyTorch's own one_hot, and a loop for the mask."""

    def one_hot(labels, classes, dtype=torch.float32):
        if labels.numel() == 0:
            return torch.zeros(*labels.shape, classes, dtype=dtype, device=labels.device)
        return torch.nn.functional.one_hot(labels.long(), classes).to(dtype)

    def causal_mask(T, device=None):
        rows = [[key <= query for key in range(T)] for query in range(T)]
        return torch.tensor(rows, dtype=torch.bool, device=device).reshape(T, T)


@check(points=2, labels=tensor("...", dtype="int64", low=0, high="classes"), classes=size("classes"), minimum={"classes": 1})
def one_in_the_place_of_each_label(solution, labels, classes):
    """Each label gets a 1 in its own place, for labels of any shape."""
    return solution.one_hot(labels, classes)


@check(
    points=1, labels=tensor("batch", dtype="int32", low=0, high="classes"), classes=size("classes"),
    dtype=[torch.float64, torch.int64, torch.bool, torch.float16, torch.uint8], minimum={"classes": 1},
)  # fmt: skip
def dtype_is_the_one_asked_for(solution, labels, classes, dtype):
    """The result has the dtype that was given, also for int32 labels."""
    return solution.one_hot(labels, classes, dtype)


@check(
    points=1, labels=tensor("batch time", dtype="int64", low=0, high=2), extra=[1, 4, 297],
    examples=[{"labels": torch.tensor([[299, 1], [130, 256]]), "extra": 297}],
)  # fmt: skip
def classes_need_not_all_occur(solution, labels, extra):
    """The number of classes is the argument, not the largest label plus 1."""
    return solution.one_hot(labels, 3 + extra, dtype=torch.float64)


@check(points=2, T=[3, 1, 0, 2, 5, 8, 260])
def a_query_sees_itself_and_what_came_before(solution, T, device):
    """The mask is True where the key is not after the query."""
    return {"given": solution.causal_mask(T, device), "as keyword": solution.causal_mask(T, device=device)}


@check(points=1, T=[4], devices=False)
def default_device_is_used_without_an_argument(solution, T):
    """Without a device the mask is made where PyTorch makes tensors."""
    with torch.device("meta"):
        there = solution.causal_mask(T).device.type
    return {"mask": solution.causal_mask(T), "default device": there}


@check(points=1, n=[30])
def no_loop_over_elements(solution, n, device):
    """The work does not grow with the labels, the classes or T, and one_hot is your own."""
    few, many = torch.zeros(2, dtype=torch.int64, device=device), torch.ones(n, dtype=torch.int64, device=device)
    banned = called(lambda: solution.one_hot(few, 2), "one_hot")

    def more(count):
        def of(labels, classes, T):
            return count(lambda: (solution.one_hot(labels, classes), solution.causal_mask(T, device)))

        start = of(few, 2, 2)
        return [of(many, 2, 2) - start, of(few, n, 2) - start, of(few, 2, n) - start]

    return {"banned": banned, "operations": more(lambda function: len(operations(function))), "steps": more(python_steps)}


@no_loop_over_elements.judge
def _(found):
    if found["banned"]:
        return "torch.nn.functional.one_hot was used; a comparison of positions needs nothing else."
    if max(found["operations"]) > 0:
        return "with more labels, classes or positions, more PyTorch operations ran: there is a Python loop"
    if max(found["steps"]) > 0:
        return "with more labels, classes or positions, Python took more steps: there is a loop over the elements"
    return None
