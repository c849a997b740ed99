"""Softmax in public code."""

from torchdojo.grading import Convention, Public

PUBLIC = Public(
    called=("softmax",),
    takes={
        **dict.fromkeys(("t", "logits", "input", "in_features", "tensor", "z", "scores", "inputs", "X"), "x"),
        **dict.fromkeys(("axis", "i", "d"), "dim"),
    },
    not_asked={"minus_infinity_gets_no_weight": "it promises nothing for infinite entries"},
    conventions={
        "last-axis": Convention("It works along the last axis only.", narrows={"dim": [-1]}, leaves_out=("agrees_along_every_axis",)),
    },
)
