"""Visible tests for quantize_rows and int8_linear: pytest exercises/11_language_models -k int8"""

import torch

from ex09_int8_weights import int8_linear, quantize_rows
from torchdojo import assert_same

CODES = torch.tensor([[1, 2], [3, 4], [-5, 0]], dtype=torch.int8)
SCALES = torch.tensor([1.0, 0.5, 2.0])


def test_each_row_has_its_scale():
    """The largest absolute values are 127 and 254."""
    _, scales = quantize_rows(torch.tensor([[127.0, -3.0, 0.0], [8.0, 100.0, -254.0]]))

    assert_same(scales, torch.tensor([1.0, 2.0]))


def test_codes_are_the_nearest_integers():
    """63.9 is nearest to 64, -3.6 to -4, and -128.2 / 2 to -64."""
    codes, _ = quantize_rows(torch.tensor([[127.0, 63.9, -3.6], [-128.2, 254.0, 0.8]]))

    assert_same(codes, torch.tensor([[127, 64, -4], [-64, 127, 0]], dtype=torch.int8))


def test_each_result_has_the_scale_of_its_row():
    """The products with the codes are 21, 43 and -5."""
    got = int8_linear(torch.tensor([[1.0, 10.0]]), CODES, SCALES)

    assert_same(got, torch.tensor([[21.0, 21.5, -10.0]]))


def test_the_bias_is_not_scaled():
    """100, 200 and 300 are added to the results; the last block has one row."""
    got = int8_linear(torch.tensor([[1.0, 10.0]]), CODES, SCALES, torch.tensor([100.0, 200.0, 300.0]), block=2)

    assert_same(got, torch.tensor([[121.0, 221.5, 290.0]]))
