"""Visible tests for predict_graph: pytest exercises/03_autograd -k predict_graph"""

import torch

from ex03_predict_graph import ANSWERS


def test_adding_zero_gives_a_result():
    """k02: the addition is recorded, so t is a result, not the leaf x."""
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    t = x + 0

    assert t.grad_fn is not None
    assert ANSWERS["k02"] == "result"


def test_first_grad_is_right():
    """g01: w is a leaf and takes part in the sum, so backward fills w.grad."""
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([3.0, 4.0], requires_grad=True)
    (x * w).sum().backward()

    assert w.grad is not None
    assert ANSWERS["g01"] == "filled"


def test_every_question_has_an_allowed_answer():
    """Each answer is one of the words allowed for its question."""
    kinds = {answer for key, answer in ANSWERS.items() if key.startswith("k")}
    grads = {answer for key, answer in ANSWERS.items() if key.startswith("g")}

    assert len(ANSWERS) == 20
    assert kinds <= {"leaf", "result", "constant", "error"}
    assert grads <= {"filled", "empty", "error"}
