"""weights act as a row here; each row needs weights[:, None]. The table has its axes exchanged."""
import torch


def add_to_each_row(X, row):
    return X + row.unsqueeze(0)


def scale_each_row(X, weights):
    return X * weights


def difference_table(a, b):
    return a - b[:, None]
