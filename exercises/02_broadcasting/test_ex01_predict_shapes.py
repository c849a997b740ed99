"""Visible tests for predict_shapes: pytest exercises/02_broadcasting -k predict_shapes"""

import torch

from ex01_predict_shapes import ANSWERS


def test_every_question_is_answered():
    """No answer is None any more."""
    assert None not in ANSWERS.values()
    assert len(ANSWERS) == 16


def test_the_first_answer_is_the_shape_that_comes_out():
    """Adding a row of 4 to each of 3 rows gives the shape predicted."""
    result = torch.ones(3, 4) + torch.ones(4)

    assert ANSWERS["ones(3, 4) + ones(4)"] == result.shape


def test_a_refusal_is_answered_by_the_word_error():
    """2 and 0 do not fit together, and 0 does not stretch."""
    assert ANSWERS["zeros(0) + ones(2)"] == "error"
