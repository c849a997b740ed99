"""Cross-entropy of logits in public code, as a function or an autograd Function."""

from torchdojo.grading import Convention, Public

PUBLIC = Public(
    called=("cross entropy", "cross entropy loss", "softmax cross entropy"),
    takes={
        **dict.fromkeys(("inputs", "input", "x", "pred", "preds", "scores", "logit", "output"), "logits"),
        **dict.fromkeys(("targets", "y", "labels", "label", "y_true"), "target"),
    },
    conventions={"once": Convention("Its gradient cannot be differentiated again.", leaves_out=("second_derivative_is_right_or_refused",))},
)
