"""t[:][n] is row n again, not column n."""
import torch


def row_of(t, n):
    return t[n]


def column_of(t, n):
    return t[:][n]


def block_of(t, top, bottom, left, right):
    return t[top:bottom, left:right]


def every_second_column(t):
    return t[:, ::2]
