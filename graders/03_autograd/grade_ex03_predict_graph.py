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
        return None if answer == truth(key) else f'"{answer}" is not what happens'

    return made


globals().update({f"{key}_is_predicted": question(key) for key in LINES})
