"""Autograd Functions of this kind in public code."""

from torchdojo.grading import Convention, Public

PUBLIC = Public(
    called=("relu function", "relu"),
    conventions={"once": Convention("Its gradient cannot be differentiated again.", leaves_out=("gradient_can_be_differentiated",))},
)
