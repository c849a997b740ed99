"""An example of each symptom: the answer, the expected answer, and the sentence. Tests run the examples; docs/reference/symptoms.md lists them.

`x` is an argument with three float64 inputs, of shapes (2, 3), (4, 4) and (3, 1), and `y = x.sin() + 2`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import torch

SIZES = ((2, 3), (4, 4), (3, 1))


@dataclass(frozen=True)
class Example:
    """An answer and the right one as expressions, and the cause that is told; of: what the family shows."""

    of: str
    got: str
    want: str
    sentence: str
    x: str = "x"
    path: str = ""

    def __str__(self) -> str:
        return f"{self.got} for {self.want}"


def inputs(dtype: torch.dtype = torch.float64, seed: int = 0) -> list[torch.Tensor]:
    """Three examples of an argument x."""
    drawn = (
        torch.randn(size, generator=torch.Generator().manual_seed(seed + n), dtype=torch.float64) for n, size in enumerate(SIZES)
    )
    return [x.to(dtype) for x in drawn]


def value(expression: str, x: torch.Tensor) -> Any:
    """What an expression gives for one x."""
    return eval(expression, {"torch": torch, "math": math, "x": x, "y": x.sin() + 2, "ones": torch.ones})


def _of(family: str, *rows: tuple[str, ...]) -> list[Example]:
    return [Example(family, *row) for row in rows]


_WRONG_SHAPE = (
    ("ones(3, 2)", "ones(2, 3)", "The last two axes are swapped."),
    ("ones(5, 2, 3)", "ones(3, 5, 2)", "The axes are in the wrong order: permute and transpose change it."),
    (
        "ones(3)",
        "ones(3, 1)",
        "An axis of size 1 is missing: keepdim=True keeps it, unsqueeze puts one in, and squeeze() removes every one.",
    ),
    (
        "ones(3, 1)",
        "ones(3)",
        "There is an extra axis of size 1: keepdim=True, unsqueeze and None in an index, for example, leave one.",
    ),
    ("ones(7, 3)", "ones(3)", "There are extra leading axes: sum over them (or over the batch), or select one entry."),
    (
        "ones(4, 4)",
        "ones(4)",
        "Broadcasting (N, 1) with (N,), or every row with every row, gives an N by N matrix. Pair them one to one.",
    ),
    (
        "ones(5, 3)",
        "ones(5, 1)",
        "An axis should have size 1, but is larger, as after broadcasting, or without a reduction along it.",
    ),
    (
        "ones(5, 1)",
        "ones(5, 3)",
        "An axis has size 1 instead of its full size, as after a reduction or a slice of one entry, or before it is expanded.",
    ),
    ("ones(())", "ones(5)", "The result is one number, with no axes. sum(), mean() or max() without dim=, for example, gives one."),
    ("ones(5)", "ones(5, 3)", "An axis is missing: it was reduced or indexed away, or never created."),
    ("ones(5, 3, 2)", "ones(5, 2)", "There is an extra axis: it should be reduced or indexed away, or was never needed."),
    ("x.sum(0)", "x.sum(1)", "The shape is that of x with one axis reduced, but with the wrong one.", "ones(2, 3)"),
    (
        "ones(6, 4)",
        "ones(2, 3, 4)",
        "All leading axes were merged into one: keep each of them. cat and flatten merge axes, stack and unsqueeze create new ones.",
    ),
    ("ones(24)", "ones(2, 3, 4)", "The number of elements is right, but they are all in one axis: reshape the result."),
    (
        "ones(4, 6)",
        "ones(2, 2, 3, 2)",
        "The result is a matrix with the right number of elements: reshape it to the expected shape.",
    ),
)

_WRONG_DTYPE = (
    ("y.float()", "y", "The precision is wrong: float64 is expected. x is float64, and the result should be, too."),
    ("y", "y.int()", "These are floating-point numbers instead of integers."),
    ("y.long()", "y > 2", "These are integers instead of True and False."),
    ("y.int()", "y.long()", "The integer dtype is wrong: int64 is expected."),
)

_NO_FINITE_NUMBERS = (
    (
        "(y - y) / (y - y)",
        "y",
        "0 / 0, inf / inf, inf - inf, 0 * inf, and the root or log of a negative number are nan: look at where each can arise.",
    ),
    ("y / 0", "y", "1 / 0, -log(0) and numbers too large for their dtype are inf: look at where each can arise."),
    (
        *("x.exp().exp()", "y"),
        "The input holds large numbers. exp and powers of them can be inf, or 0, whose log is -inf; inf - inf, inf / inf and 0 / 0 are nan.",
        "100 * x + 90",
    ),
    (
        "x.half().exp()",
        "x.half() + 2",
        "float16 ends at 65504, and exp(12) is more: larger numbers are inf there, as are 1 / 0 and -log(0).",
        "x * 0 + 12",
    ),
    (
        "x - x",
        "x",
        "The numbers contain inf, and inf - inf, inf / inf and 0 * inf are nan: select values there (torch.where, clamp, an index) instead of computing with inf.",
        "x / 0",
    ),
)

_WRONG_NUMBERS = (
    ("-y", "Every sign is flipped."),
    ("y * 0", "Every value there is 0: check where it is computed, or last written."),
    ("y * 2", "Every value is 2 times what it should be."),
    ("y / 3", "Every value is 1/3 times what it should be."),
    ("y * 100", "Every value is 100 times what it should be, as a percentage is of a fraction."),
    (
        "y * y.numel()",
        "Every value is too large by the number of elements, as if a sum were taken instead of a mean, or a division were missing.",
    ),
    (
        "y / y.numel()",
        "Every value is too small by the number of elements, as if a mean were taken instead of a sum, or you divided once too often.",
    ),
    (
        "y * x.shape[0]",
        "Every value is x.shape[0] times too large, as if a sum were taken instead of a mean, or a division were missing.",
    ),
    ("y + 1", "Every value is too large by 1."),
    ("x.clone()", "This equals x."),
    ("y - x", "Every value is what it should be, minus x."),
    ("y / x", "Every value is what it should be, divided by x."),
    ("y * x", "Every value is what it should be, times x."),
    ("y.float().double()", "Every value is the expected one rounded to float32."),
    (
        "y * (1 + 3e-8)",
        "Only about seven digits are right, as when a step is done in float32, something is rounded, or a small number is added or left out.",
    ),
    (
        "y.square()",
        "Every value is the square of the expected one: a square root is missing, or something is squared once too often.",
    ),
    ("y.log()", "Applying exp to your result makes it right: that step is missing at the end, or its inverse is one too many."),
    ("y.floor()", "Every value is rounded down to a whole number, as by floor, // or an integer dtype."),
    (
        "-(-y).exp()",
        "Your values are minus probabilities, and minus their logarithms are expected: nll_loss takes log-probabilities, cross_entropy takes scores.",
    ),
    ("y.softmax(-1)", "Your answer is the softmax (along axis -1) of the expected one."),
    (
        "y.cumsum(0)",
        "Your answer is the cumsum (along axis -2) of the expected one: each entry includes the ones before it, as when a total (or a .grad) is not cleared in between.",
    ),
    ("1 - y", "Your answer is 1 minus the expected one."),
    ("1 / y", "Your answer is 1 divided by the expected one."),
    ("y.flip(0)", "The order along axis -2 is reversed."),
    ("y.T.reshape(y.shape)", "The right numbers are there, but in the wrong positions."),
)

_WRONG_TYPE = (
    (
        "1.0",
        "ones(())",
        "This is a plain Python number, but a tensor is expected: `.item()` and `float(...)` make one, which has no graph.",
    ),
    ("ones(1)", "1.0", "This is a tensor with one element, but a plain Python number is expected: use `.item()`."),
    (
        "(ones(1),)",
        "ones(1)",
        "This is a tuple with one entry, but the entry itself is expected: [0] takes it out. A trailing comma creates such a tuple.",
    ),
    ("ones(2, 2).to_sparse()", "ones(2, 2)", "This is a sparse tensor, but a dense one is expected: convert it with to_dense()."),
    ("(0.5,)", "[0.5]", "A list is expected: `list(...)` makes one."),
    (
        "2.0",
        "2",
        "A float is not an int, even if its value is whole: `/` always gives a float; `//` of integers and int(...) give an int.",
    ),
    (
        "'2.0'",
        "ones(2)",
        "This is a string that only looks like a tensor: return the object itself, without str(...) or quotation marks.",
    ),
    ("0.5", "[0.5, 0.5]", "This is a single number, but a list with 2 entries is expected."),
    (
        "torch.zeros(2)",
        "None",
        "None is expected here, and zeros are not None: for a gradient, None means that there is none, and zeros mean that it is zero.",
    ),
)

_RECORDED = (
    (
        "'train'",
        "'eval'",
        "The model, or a part of it, is in train mode but should be in eval mode: check what calls eval(), and what gives each module its own mode back after a temporary switch.",
    ),
    ("'a, b'", "'a, b, c'", "`c` is missing."),
    ("'a, b, c'", "'a, b'", "`c` should not appear."),
    ("'step, backward'", "'backward, step'", "The order is reversed: what should come first comes last."),
    ("'a, a, b'", "'a, b'", "`a` occurs twice, but should occur once."),
    ("[0.5, 0.5]", "[0.5]", "The list has too many entries, for example 2 instead of 1: check what adds an entry, and how often."),
    (
        "[0.5]",
        "[0.5, 0.5]",
        "The list has too few entries, for example 1 instead of 2: check what adds an entry, and what is skipped.",
    ),
)

_ERRORS = (
    ("'no error'", "'ValueError'", "No error is raised for this input: it should raise ValueError."),
    ("'IndexError'", "'ValueError'", "The error has the wrong type: ValueError should be raised, before anything else fails."),
    (
        "'AssertionError'",
        "'ValueError'",
        "`assert` raises an AssertionError, and checks nothing under python -O: write `if ...: raise ValueError(...)` instead.",
    ),
    ("'ValueError'", "'no error'", "ValueError is raised where no error is expected."),
)

EXAMPLES: list[Example] = [
    *_of("The shape is wrong", *_WRONG_SHAPE),
    *_of("The dtype is wrong", *_WRONG_DTYPE),
    *_of("Numbers are not finite", *_NO_FINITE_NUMBERS),
    *_of("The numbers are wrong", *((got, "y", sentence) for got, sentence in _WRONG_NUMBERS)),
    *_of("The type is wrong", *_WRONG_TYPE),
    *_of("A fact that a check recorded is wrong", *_RECORDED),
    *_of("An error is missing, unexpected, or another one", *_ERRORS),
]
