"""Hidden checks for the predict_graph quiz: one for each question, answered by running its line."""

import warnings

import torch

from torchdojo.grading import NotYet, check

CONCEPTS = ("G01", "G03", "G07", "G27", "B10", "B14", "A01")

LINES = {
    "k01": "t = data * 2",
    "k02": "t = x + 0",
    "k03": "t = x.clone()",
    "k04": "t = x.detach()",
    "k05": "t = x.double()",
    "k06": "t = x.float()",
    "k07": "t = x.detach().clone().requires_grad_()",
    "k08": "t = x > 1",
    "k09": "t = torch.tensor([1, 2], requires_grad=True)",
    "k10": "with torch.no_grad(): t = x * 2",
    "k11": "with torch.no_grad(): t = torch.ones(2, requires_grad=True)",
    "k12": "t = torch.ones(2, requires_grad=True) * 0.1",
    "g01": "(x * w).sum().backward()",
    "g02": "y = x * 2; y.sum().backward()",
    "g03": "y = x * 2; y.retain_grad(); y.sum().backward()",
    "g04": "(x.detach() * w).sum().backward()",
    "g05": "(x * 2).backward()",
    "g06": "x.sum().detach().backward()",
    "g07": "y = (x**2).sum(); y.backward(); y.backward()",
    "g08": "y = (x + 1).sum(); y.backward(); y.backward()",
}
ASKED = {"g01": "w", "g02": "y", "g03": "y"}  # whose .grad is asked for; x's elsewhere
WHY = {
    "k01": "Neither data nor 2 requires grad, so the product is not recorded and requires no grad either.",
    "k02": "Adding 0 changes no number, but it is an operation on x, and x requires grad: it is recorded, and makes a new tensor.",
    "k03": "clone() is a recorded operation: the copy requires grad and has a grad_fn, so gradients pass through it to x.",
    "k04": "detach() gives a tensor outside of the graph: it shares the numbers of x and does not require grad.",
    "k05": "x is float32, so double() really converts: that is a recorded operation, and what it makes has a grad_fn.",
    "k06": "x is float32 already, so float() has nothing to do and hands back x itself, which you made and which requires grad.",
    "k07": "After detach() and clone() there is no history; requires_grad_() then asks for gradients of that tensor, which no operation made.",
    "k08": "A comparison gives a tensor of bools, and only floating-point and complex tensors can require grad.",
    "k09": "The numbers 1 and 2 make a tensor of integers, and asking integers to require grad raises a RuntimeError.",
    "k10": "Inside no_grad no operation is recorded: the product has no grad_fn and does not require grad.",
    "k11": "Under no_grad no operation is recorded. torch.ones is not recorded anyway, and requires_grad=True works there as well.",
    "k12": "torch.ones(...) is the leaf; t is what the multiplication by 0.1 made of it, which is recorded.",
    "g01": "w requires grad, you made it, and the product depends on it: backward fills the .grad of x and of w.",
    "g02": "backward fills the .grad of leaves. y was made by an operation, so its gradient is used in the backward pass but not kept.",
    "g03": "y was made by an operation, and retain_grad() asks that the gradient of such a result be kept: backward fills y.grad as well.",
    "g04": "x.detach() is a tensor of its own without a history: gradients end there, and x gets none. w gets its own.",
    "g05": "backward() without an argument starts from one single number, and x * 2 has two elements: a RuntimeError.",
    "g06": "After detach() the number has no history and does not require grad: backward() from such a tensor raises a RuntimeError.",
    "g07": "x**2 saves x for its backward pass, and the first backward() frees what was saved: the second one raises a RuntimeError.",
    "g08": "x + 1 and sum save no tensors for their backward passes, so nothing is missing the second time: both calls add to x.grad.",
}
WORDS = {"k": ("leaf", "result", "constant", "error"), "g": ("filled", "empty", "error")}


def truth(key):
    """Run the line and say what happens."""
    names = {"torch": torch, "data": torch.tensor([5.0, 6.0], dtype=torch.float32)}
    names["x"] = torch.tensor([1.0, 2.0], dtype=torch.float32, requires_grad=True)
    names["w"] = torch.tensor([3.0, 4.0], dtype=torch.float32, requires_grad=True)
    with torch.enable_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # reading the .grad of a result warns
        try:
            exec(LINES[key], names)
        except RuntimeError:
            return "error"
        if key.startswith("g"):
            return "empty" if names[ASKED.get(key, "x")].grad is None else "filled"
    t = names["t"]
    return "constant" if not t.requires_grad else "leaf" if t.is_leaf else "result"


def question(key):
    """The check for one question."""

    def answered(solution):
        answers = solution.ANSWERS
        if isinstance(answers, dict) and answers.get(key) is None:
            raise NotYet()
        return answers[key]

    answered.__name__ = answered.__qualname__ = f"{key}_is_predicted"
    answered.__doc__ = f"{key} is right: {LINES[key]}"
    made = check(points=0.5, devices=False)(answered)

    @made.judge
    def _(answer):
        words = WORDS[key[0]]
        if not isinstance(answer, str) or answer not in words:
            got = f'"{answer}"' if isinstance(answer, str) and len(answer) < 20 else "this"
            return f"{got} is none of the words to choose from: " + ", ".join(f'"{word}"' for word in words)
        return None if answer == truth(key) else (f'"{answer}" is wrong', WHY[key])

    return made


globals().update({f"{key}_is_predicted": question(key) for key in LINES})
