"""Autograd Functions of this kind in public code."""

from torchdojo.grading import Convention, Public

PUBLIC = Public(
    called=("linear function", "linear autograd function"),
    conventions={"once": Convention("Its gradient cannot be differentiated again.", leaves_out=("second_derivatives_are_right",))},
)
