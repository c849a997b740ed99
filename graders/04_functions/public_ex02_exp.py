"""Autograd Functions of this kind in public code."""

from torchdojo.grading import Convention, Public

PUBLIC = Public(
    called=("exp function", "exp"),
    conventions={"once": Convention("Its gradient cannot be differentiated again.", leaves_out=("second_derivative_is_right",))},
)
