"""Known mistakes and unusual but correct answers for predict_shapes."""

from types import MappingProxyType

import torch
from ex01_predict_shapes import ANSWERS

from torchdojo.variants import alternative, mistake

HINTS = (
    "Write the two shapes under each other, aligned at the right, and compare column by column.",
    "Two sizes match if they are equal, or one of them is 1, or one of them is missing; the result has the "
    "other one. Size 0 matches only 0, 1 and missing. @ uses the last two axes: the inner sizes must be equal "
    "and disappear; the axes before them are broadcast. A reduction such as mean(1) removes its axis, and "
    "squeeze() removes all axes of size 1.",
    "ones(7, 1) and ones(7), aligned at the right: 1 is compared with 7, and 7 has no partner, so neither "
    "side keeps its shape. In the question with the mean, first write down the shape of the mean, then align. "
    "With a vector, @ has an inner axis only on that side, so one axis fewer comes out.",
)


@mistake()
def aligned_at_the_left():
    """Your answers fit shapes that are aligned at the left: broadcasting compares them from the right, and missing
    axes are leading ones."""
    return {
        "ANSWERS": ANSWERS
        | {
            "ones(3, 4) + ones(4)": "error",
            "ones(3, 4) + ones(3)": (3, 4),
            "ones(7, 1) - ones(7)": (7, 1),
            "ones(2, 1, 4) * ones(3, 1)": "error",
            "ones(2, 3, 4) * ones(2, 3)": (2, 3, 4),
            "ones(3, 4) - ones(3, 4).mean(1)": (3, 4),
        }
    }


@mistake()
def shapes_must_be_equal():
    """You answered "error" wherever the shapes differ: an axis of size 1, or a missing one, is expanded to match."""
    return {
        "ANSWERS": ANSWERS
        | {
            "ones(3, 4) + ones(4)": "error",
            "ones(3, 4) + ones(3, 1)": "error",
            "ones(7, 1) - ones(7)": "error",
            "ones(2, 1, 4) * ones(3, 1)": "error",
            "ones(6) + ones(())": "error",
            "zeros(0) + ones(1)": "error",
            "ones(4, 2, 3) @ ones(3, 5)": "error",
        }
    }


@mistake(pitfall="even to 0")
def the_larger_size_wins():
    """Your answers have the larger of the two sizes, which is wrong for size 0: a 1 is expanded to 0, and 0 does not match 2."""
    return {"ANSWERS": ANSWERS | {"zeros(0) + ones(1)": (1,), "zeros(0) + ones(2)": (2,)}}


@mistake()
def a_vector_is_taken_for_a_column():
    """Vectors such as (7,) act as columns in your answers: they are aligned at the right, so they act as rows, and a
    column with a row gives a matrix."""
    return {
        "ANSWERS": ANSWERS
        | {
            "ones(3, 4) + ones(4)": "error",
            "ones(3, 4) + ones(3)": (3, 4),
            "ones(7, 1) - ones(7)": (7, 1),
            "ones(3, 4) - ones(3, 4).mean(1)": (3, 4),
        }
    }


@mistake()
def a_mean_keeps_its_axis():
    """Your answer is right for a mean with keepdim=True: mean(1) removes its axis, so the shape (3,) is left, and 4
    does not match 3."""
    return {"ANSWERS": ANSWERS | {"ones(3, 4) - ones(3, 4).mean(1)": (3, 4)}}


@mistake()
def single_numbers_have_an_axis():
    """You gave single numbers an axis, (1,): a tensor without axes has the shape (), and a dot product gives
    one."""
    return {"ANSWERS": ANSWERS | {"ones(()) * ones(())": (1,), "ones(3) @ ones(3)": (1,)}}


@mistake()
def squeeze_keeps_the_batch():
    """You kept the first axis of size 1: squeeze() without an argument removes every axis of size 1, a batch
    of one included."""
    return {
        "ANSWERS": ANSWERS | {"ones(1, 5, 1).squeeze()": (1, 5), "ones(1, 4).squeeze() @ ones(4, 2)": (1, 2)}
    }


@mistake()
def products_are_elementwise():
    """Your answers are those for * and not for @: @ multiplies matrices. The inner sizes must be equal and disappear."""
    return {
        "ANSWERS": ANSWERS
        | {
            "ones(2, 3) @ ones(3, 5)": "error",
            "ones(4, 2, 3) @ ones(3, 5)": "error",
            "ones(3) @ ones(3)": (3,),
            "ones(1, 4).squeeze() @ ones(4, 2)": "error",
        }
    }


@mistake()
def a_matrix_needs_a_matrix():
    """You answered "error" for @ wherever the two sides have different numbers of axes: the axes before the last
    two are broadcast, and a vector is allowed on either side."""
    return {
        "ANSWERS": ANSWERS
        | {"ones(4, 2, 3) @ ones(3, 5)": "error", "ones(1, 4).squeeze() @ ones(4, 2)": "error"}
    }


@mistake()
def shapes_in_quotation_marks():
    """You put the shapes in quotation marks, which makes them strings: write (3, 4) without any. Only "error" is a
    string."""
    return {"ANSWERS": {key: str(answer) for key, answer in ANSWERS.items()}}


@mistake()
def error_in_capitals():
    """You wrote "Error": the string is "error", in lower case, without spaces."""
    return {"ANSWERS": {key: "Error" if answer == "error" else answer for key, answer in ANSWERS.items()}}


@mistake()
def shapes_in_square_brackets():
    """You wrote the shapes as lists: a shape is a tuple, in parentheses."""
    return {"ANSWERS": {key: list(answer) if isinstance(answer, tuple) else answer for key, answer in ANSWERS.items()}}


@alternative()
def a_mapping_that_cannot_be_changed():
    """A view of the dict that only shows it."""
    return {"ANSWERS": MappingProxyType(ANSWERS)}


@alternative()
def computed_with_eval():
    """Every expression evaluated; torch.Size is a tuple."""
    names = {"ones": torch.ones, "zeros": torch.zeros}
    answers = {}
    for expression in ANSWERS:
        try:
            answers[expression] = eval(expression, names).shape
        except RuntimeError:
            answers[expression] = "error"
    return {"ANSWERS": answers}


@alternative()
def in_another_order():
    """The same answers, listed backwards."""
    return {"ANSWERS": dict(reversed(ANSWERS.items()))}
