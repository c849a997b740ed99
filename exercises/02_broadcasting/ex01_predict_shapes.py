"""Broadcasting 1 of 8: predict the shape before you run it.

Difficulty 2 of 5, about 10 minutes.

Replace each None in ANSWERS below with the shape of the expression's result, or with "error" if PyTorch refuses
to compute it. Leave the keys as they are; ones and zeros mean torch.ones and torch.zeros.

    a shape with several axes    (3, 4)
    a shape with one axis        (3,)       with the comma: a tuple
    a single number, no axis     ()
    refused                      "error"    a string

Write the two shapes under each other, aligned at the right, and go from right to left.

Example:
    >>> torch.ones(2, 3).shape == (2, 3)  # so the answer to "ones(2, 3)" is (2, 3)
    True

Pitfall:
    An axis of size 1 stretches to any size, even to 0. An axis of size 0 does not stretch.
"""

ANSWERS: dict[str, tuple[int, ...] | str | None] = {
    "ones(3, 4) + ones(4)": None,
    "ones(3, 4) + ones(3)": None,
    "ones(3, 4) + ones(3, 1)": None,
    "ones(7, 1) - ones(7)": None,
    "ones(2, 1, 4) * ones(3, 1)": None,
    "ones(2, 3, 4) * ones(2, 3)": None,
    "ones(6) + ones(())": None,
    "ones(()) * ones(())": None,
    "zeros(0) + ones(1)": None,
    "zeros(0) + ones(2)": None,
    "ones(2, 3) @ ones(3, 5)": None,
    "ones(4, 2, 3) @ ones(3, 5)": None,
    "ones(3) @ ones(3)": None,
    "ones(3, 4) - ones(3, 4).mean(1)": None,
    "ones(1, 5, 1).squeeze()": None,
    "ones(1, 4).squeeze() @ ones(4, 2)": None,
}
