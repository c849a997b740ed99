"""Hidden checks for one_hot and causal_mask."""

import torch

from torchdojo.grading import check, loop_in, size, tensor, watched

CONCEPTS = ("E08", "F03")
ONE_HOT = {"forbids": {"aten.one_hot": "torch.nn.functional.one_hot"}, "because": "a comparison of positions needs nothing else."}
KEPT = {
    "one_in_the_place_of_each_label": "the labels themselves, worth points of their own",
    "dtype_is_the_one_asked_for": "the dtype, said by itself",
    "labels_may_be_int32": "the dtype of the labels, said by itself",
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


@check(points=2, labels=tensor("...", dtype="int64", low=0, high="classes"), classes=size("classes"), minimum={"classes": 1}, devices=False, **ONE_HOT)
def one_in_the_place_of_each_label(solution, labels, classes):
    """Each label gets a 1 at its own index, for labels of any shape."""
    return solution.one_hot(labels, classes)


@check(
    points=1, labels=tensor("batch", dtype="int64", low=0, high="classes"), classes=size("classes"),
    dtype=[torch.float64, torch.int64, torch.bool, torch.float16, torch.uint8], minimum={"classes": 1}, devices=False, **ONE_HOT,
)  # fmt: skip
def dtype_is_the_one_asked_for(solution, labels, classes, dtype):
    """The result has the dtype that was given."""
    return solution.one_hot(labels, classes, dtype)


@check(points=1, star=True, labels=tensor("batch 5", dtype="int32", low=0, high=4), dtype=[torch.float32, torch.int64], devices=False, beside=True, **ONE_HOT)
def labels_may_be_int32(solution, labels, dtype):
    """int32 labels are read like int64 ones."""
    found = solution.one_hot(labels, 5, dtype)
    return {"ones": found.sum().item()}, {"the same as with int64 labels": torch.equal(found, solution.one_hot(labels.long(), 5, dtype))}


# More classes than the numbers that uint8, bfloat16 or float16 can tell apart.
MANY_CLASSES = [
    {"labels": torch.tensor([[299, 1], [130, 256]]), "extra": 297, "dtype": torch.float64},
    {"labels": torch.tensor([[256, 2048], [2049, 3]]), "extra": 2050, "dtype": torch.float16},
    {"labels": torch.tensor([[256, 255], [257, 3]]), "extra": 260, "dtype": torch.bfloat16},
]


@check(points=1, labels=tensor("batch time", dtype="int64", low=0, high=2), extra=[1, 4, 297], dtype=[torch.float64], examples=MANY_CLASSES, devices=False, **ONE_HOT)
def classes_need_not_all_occur(solution, labels, extra, dtype):
    """The number of classes is the argument, not the largest label plus 1."""
    return solution.one_hot(labels, 3 + extra, dtype=dtype)


@check(points=2, T=[3, 1, 0, 2, 5, 8, 260], devices=False)
def a_query_sees_itself_and_what_came_before(solution, T):
    """The mask is True where the key is not after the query."""
    return solution.causal_mask(T)


@check(points=1, star=True, T=[3], about_device=True, beside=True)
def the_results_lie_on_the_device(solution, T, device):
    """one_hot uses the device of labels; causal_mask uses the given device, even if passed by name."""
    labels = torch.tensor([2, 0], device=device)
    masks = [solution.causal_mask(T, device), solution.causal_mask(T, device=device), solution.causal_mask(T, str(device))]
    found = {"one_hot": solution.one_hot(labels, 3), "causal_mask": masks}
    return found, {"device of one_hot": found["one_hot"].device, "devices of causal_mask": [mask.device for mask in masks]}


@check(points=1, star=True, T=[4], devices=False, about_device=True, beside=True)
def default_device_is_used_without_an_argument(solution, T):
    """Without a device the mask is on PyTorch's default device."""
    with torch.device("meta"):
        there = solution.causal_mask(T).device.type
    return {"first query": solution.causal_mask(T)[1, 1:]}, {"default device": there}


@check(points=1, star=True, labels=tensor("batch", dtype="int64", low=0, high=2), n=[30, 41], minimum=2, devices=False)
def no_loop_over_elements(solution, labels, n):
    """The amount of work does not grow with the labels, the classes or T."""
    calls = {
        "one_hot": [(labels, 3), (labels.repeat(n), 3), (labels, n)],
        "causal_mask": [(3,), (n,)],
    }
    runs = {}
    for name, given in calls.items():
        function = getattr(solution, name)
        for arguments in given:
            function(*arguments)  # what is made once and kept is no loop
        runs[name] = [watched(lambda f=function, t=t: f(*t)) for t in given]
    answers = {name: [run.answer for run in found] for name, found in runs.items()}
    return answers, {name: [(len(run.operations), run.steps) for run in found] for name, found in runs.items()}


@no_loop_over_elements.rule
def _(counts):
    for name, more in (("one_hot", "labels or classes"), ("causal_mask", "positions")):
        few, *many = counts[name]
        if why := loop_in(few, many):
            return f"{name}: with more {more}, {why}: there is a Python loop", "", name
    return None
