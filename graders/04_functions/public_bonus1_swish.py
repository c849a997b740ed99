"""Autograd Functions of this kind in public code."""

from torchdojo.grading import Convention, Public

PUBLIC = Public(
    called=("swish function", "swish"),
    conventions={"once": Convention("Its gradient cannot be differentiated again.", leaves_out=("second_derivatives_are_right",))},
)
