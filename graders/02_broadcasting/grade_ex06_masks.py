"""Hidden checks for one_hot and causal_mask."""

import torch

from torchdojo.grading import check, operations, size, tensor

CONCEPTS = ("E08", "F03")
KEPT = {
    "dtype_is_the_one_asked_for": "the dtype, said by itself",
    "classes_need_not_all_occur": "the number of classes, said by itself",
    "default_device_is_used_without_an_argument": "a call without device is the most common one",
    "no_loop_over_elements": "right values by a loop break the rule of the exercise",
}

FORBIDDEN = {"aten.one_hot": "torch.nn.functional.one_hot"}
REASON = "a comparison of positions needs nothing else."


class oracle:
    """PyTorch's own one_hot, and a loop for the mask."""

    def one_hot(labels, classes, dtype=torch.float32):
        if labels.numel() == 0:
            return torch.zeros(*labels.shape, classes, dtype=dtype, device=labels.device)
        return torch.nn.functional.one_hot(labels.long(), classes).to(dtype)

    def causal_mask(T, device=None):
        rows = [[key <= query for key in range(T)] for query in range(T)]
        return torch.tensor(rows, dtype=torch.bool, device=device).reshape(T, T)


@check(
    points=2, labels=tensor("...", dtype="int64", low=0, high="classes"), classes=size("classes"),
    minimum={"classes": 1}, forbids=FORBIDDEN, because=REASON,
)  # fmt: skip
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


@check(points=1, labels=tensor("batch time", dtype="int64", low=0, high=2), extra=[1, 4])
def classes_need_not_all_occur(solution, labels, extra):
    """The number of classes is the argument, not the largest label plus 1."""
    return solution.one_hot(labels, 3 + extra, dtype=torch.float64)


@check(points=2, T=[3, 1, 0, 2, 5, 8])
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
    """The number of PyTorch operations does not grow with the labels, the classes or T."""
    few, many = torch.zeros(2, dtype=torch.int64, device=device), torch.ones(n, dtype=torch.int64, device=device)

    def count(labels, classes, T):
        return len(operations(lambda: (solution.one_hot(labels, classes), solution.causal_mask(T, device))))

    return [count(many, 2, 2) - count(few, 2, 2), count(few, n, 2) - count(few, 2, 2), count(few, 2, n) - count(few, 2, 2)]


@no_loop_over_elements.judge
def _(more):
    if max(more) > 0:
        return "with more labels, classes or positions, more PyTorch operations ran: there is a Python loop"
    return None
