"""row_means keeps the axis, and column_maxima gives the positions of the maxima."""
import torch


def row_means(X):
    return X.mean(dim=1, keepdim=True)


def column_maxima(X):
    return X.argmax(dim=0)


def row_shares(X):
    return X / X.sum(dim=1, keepdim=True)
