"""Collate functions that pad in public code."""

from torchdojo.grading import Convention, Public


def inverted(oracle):
    """The oracle with a mask that is True at padding."""

    class same:
        def collate_padded(samples, pad=0):
            padded, mask, labels = oracle.collate_padded(samples, pad)
            return padded, ~mask, labels

    return same


PUBLIC = Public(
    called=("collate", "collate fn", "dataloader collate", "pad collate", "padding collate"),
    takes={
        **dict.fromkeys(("batch", "data", "items", "examples", "instances", "features", "b"), "samples"),
        **dict.fromkeys(("pad_value", "padding_value", "pad_id", "pad_idx", "pad_token_id", "pad_index"), "pad"),
    },
    not_asked={
        "sequences_may_be_empty": "it promises nothing for empty sequences",
    },
    conventions={"mask-hides": Convention("Its mask is True at padding.", inverted)},
)
