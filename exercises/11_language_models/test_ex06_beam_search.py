"""Visible tests for beam search: pytest exercises/11_language_models -k beam_search"""

import math

import torch

from ex06_beam_search import beam_score, beam_search, best_continuations
from torchdojo import assert_same

# a row for each last token: the end of the text, "the", "cat", "mat"
TABLE = torch.tensor([[0.0, 0.0, 0.0, 1.0], [0.125, 0.0, 0.5, 0.375], [0.25, 0.25, 0.125, 0.375], [0.875, 0.125, 0.0, 0.0]])
THE = torch.tensor([1])


def after_the_last_word(texts):
    return TABLE[texts[:, -1]].log()


def test_the_score_is_divided_by_the_length_penalty():
    """(5 + 13) / 6 is 3, and 3 ** 2 is 9."""
    assert_same(beam_score(-18.0, 13, 2.0), -2.0)


def test_the_best_of_all_continuations():
    """Of the four sums -3, -2, -4 and -2.5 the best three are kept."""
    got = best_continuations(torch.tensor([-1.0, -2.0]), torch.tensor([[-2.0, -1.0], [-2.0, -0.5]]), beams=3)

    assert_same(got, (torch.tensor([-2.0, -2.5, -3.0]), torch.tensor([0, 1, 0]), torch.tensor([1, 1, 0])))


def test_two_beams_find_what_is_not_likeliest_at_first():
    """"mat" has 0.375 and the end 0.875; "cat" has 0.5, but no good end."""
    tokens, score = beam_search(after_the_last_word, THE, beams=2, end=0, longest=3)

    assert_same(tokens, torch.tensor([3, 0]))
    assert_same(round(score, 4), round(math.log(0.375 * 0.875), 4))


def test_a_later_text_can_beat_a_finished_one():
    """With three beams the end alone is finished first, with 0.125."""
    tokens, _ = beam_search(after_the_last_word, THE, beams=3, end=0, longest=3)

    assert_same(tokens, torch.tensor([3, 0]))


def test_the_longest_text_needs_no_end():
    """One new token: "cat" has the best total, and is finished."""
    tokens, _ = beam_search(after_the_last_word, THE, beams=2, end=0, longest=1)

    assert_same(tokens, torch.tensor([2]))
