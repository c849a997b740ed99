"""Hidden checks for predict_shapes: every answer against what PyTorch does."""

import re
from collections.abc import Mapping

import torch

from torchdojo.grading import NotYet, check

CONCEPTS = ("A05", "A06", "C09", "D01", "E05")

ADDED = ["ones(3, 4) + ones(4)", "ones(3, 4) + ones(3)", "ones(3, 4) + ones(3, 1)", "ones(7, 1) - ones(7)"]
RANKS = ["ones(2, 1, 4) * ones(3, 1)", "ones(2, 3, 4) * ones(2, 3)", "ones(6) + ones(())", "ones(()) * ones(())"]
SMALL = ["zeros(0) + ones(1)", "zeros(0) + ones(2)", "ones(3, 4) - ones(3, 4).mean(1)", "ones(1, 5, 1).squeeze()"]
PRODUCTS = ["ones(2, 3) @ ones(3, 5)", "ones(4, 2, 3) @ ones(3, 5)", "ones(3) @ ones(3)", "ones(1, 4).squeeze() @ ones(4, 2)"]

WHY = {
    "ones(3, 4) + ones(4)": "At the right, 4 is compared with 4; the 3 has no partner, so the vector is used for each of the three rows.",
    "ones(3, 4) + ones(3)": "The shapes are compared from the right: 4 with 3. They differ and neither is 1, so PyTorch raises an error.",
    "ones(3, 4) + ones(3, 1)": "From the right, 4 is compared with 1, which is expanded to 4, and 3 with 3.",
    "ones(7, 1) - ones(7)": "From the right, 1 is compared with 7 and expanded; the other 7 has no partner and stays. A column and a vector give a matrix.",
    "ones(2, 1, 4) * ones(3, 1)": "From the right, 4 is compared with 1, and 1 with 3; 2 has no partner. Each 1 is expanded to the other size.",
    "ones(2, 3, 4) * ones(2, 3)": "From the right, 4 is compared with 3. They differ and neither is 1, so PyTorch raises an error; that both start with 2 and 3 does not matter.",
    "ones(6) + ones(())": "ones(()) has no axes, so the 6 has no partner and stays.",
    "ones(()) * ones(())": "Neither side has an axis, and neither has the result: its shape is the empty tuple.",
    "zeros(0) + ones(1)": "A 1 is expanded to the other size, whatever it is; here it is 0.",
    "zeros(0) + ones(2)": "0 is compared with 2. They differ and neither is 1, so PyTorch raises an error: only a 1 is expanded.",
    "ones(3, 4) - ones(3, 4).mean(1)": "mean(1) removes its axis and leaves the shape (3,). From the right, 4 is compared with 3, so PyTorch raises an error.",
    "ones(1, 5, 1).squeeze()": "squeeze() without an argument removes every axis of size 1, the first and the last.",
    "ones(2, 3) @ ones(3, 5)": "@ multiplies matrices: the inner sizes, 3 and 3, are equal and disappear; the outer ones, 2 and 5, stay.",
    "ones(4, 2, 3) @ ones(3, 5)": "@ looks at the last two axes: (2, 3) @ (3, 5) gives (2, 5). The 4 in front is kept: each of the four matrices is multiplied.",
    "ones(3) @ ones(3)": "@ of two vectors is their dot product: the 3 disappears, and a single number without axes is left.",
    "ones(1, 4).squeeze() @ ones(4, 2)": "squeeze() leaves the vector (4,). A vector on the left of @ uses up the 4, and one axis, the 2, is left.",
}


def answer_to(solution, expression):
    """What the learner wrote for one expression."""
    if not isinstance(solution.ANSWERS, Mapping):
        return "no dict"
    if expression not in solution.ANSWERS:
        return "missing"
    given = solution.ANSWERS[expression]
    if given is None:
        raise NotYet(f'"{expression}" is not answered yet')
    return tuple(given) if isinstance(given, torch.Size) else given


def verdict(answer, expression):
    """None if PyTorch agrees; else what was answered, with the shapes drawn aligned at the right."""
    names = {"ones": torch.ones, "zeros": torch.zeros}
    try:
        truth = tuple(eval(expression, {"__builtins__": {}}, names).shape)
    except RuntimeError:
        truth = "error"
    if type(answer) is type(truth) and answer == truth:
        return None
    if answer == "missing":
        return f'the key "{expression}" is missing from ANSWERS'
    if answer == "no dict":
        return "ANSWERS is no longer a dict: keep the keys of the stub, and write an answer after each"
    if isinstance(answer, str) and answer != "error":
        return f'{expression}: the answer is the string {answer!r:.80}; write a shape without quotation marks, such as (3, 4) or (3,), and "error" if PyTorch raises an error'
    if not isinstance(answer, str | tuple) or (isinstance(answer, tuple) and not all(isinstance(n, int | float) for n in answer)):
        return f"{expression}: write the answer {answer!r:.80} as a tuple of ints, in parentheses; (3,) has one axis"
    return f"{expression}: the answer {answer!r:.80} is not what PyTorch says{drawing(expression)}", WHY[expression]


def drawing(expression):
    """The two shapes of 'a + b' under each other, aligned at the right; '' for other expressions."""
    found = re.fullmatch(r"(?:ones|zeros)\(([^)]*)\)+ [-+*] (?:ones|zeros)\(([^)]*)\)+", expression.replace("(())", "( )"))
    if not found:
        return ""
    rows = [[n for n in re.split(r"[,\s]+", shape) if n] for shape in found.groups()]
    wide = max(len(r) for r in rows)
    return "".join("\n" + "".join(f"{n:>4}" for n in [""] * (wide - len(r)) + r) for r in rows)


@check(points=1, expression=ADDED, devices=False)
def rows_and_columns(solution, expression):
    """The shapes of a matrix with a row or a column are right."""
    return answer_to(solution, expression)


@check(points=1, expression=RANKS, devices=False)
def shapes_of_different_length(solution, expression):
    """The shapes of tensors with different numbers of axes are right."""
    return answer_to(solution, expression)


@check(points=1, expression=SMALL, devices=False)
def sizes_zero_and_one(solution, expression):
    """Your answers for axes of size 0 or 1 and for removed axes are right."""
    return answer_to(solution, expression)


@check(points=1, expression=PRODUCTS, devices=False)
def matrix_products(solution, expression):
    """The shapes of matrix products are right."""
    return answer_to(solution, expression)


rows_and_columns.judge(verdict)
shapes_of_different_length.judge(verdict)
sizes_zero_and_one.judge(verdict)
matrix_products.judge(verdict)
