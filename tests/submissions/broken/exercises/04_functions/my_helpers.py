"""Things that I need in several exercises."""


def mask(where, like):
    return where.to(like.dtype)
