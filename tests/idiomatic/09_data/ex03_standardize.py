def standardize_sets(train, val):
    mean = train.mean(dim=0)
    std = train.std(dim=0, correction=0)
    return (train - mean) / std, (val - mean) / std
