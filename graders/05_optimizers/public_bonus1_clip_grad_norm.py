"""Gradient clipping in public code."""

import torch

from torchdojo.grading import Convention, Public


def without_eps(oracle):
    """The oracle that divides by the norm itself."""

    class same:
        def clip_grad_norm_(params, max_norm):
            grads = [p.grad for p in params if p.grad is not None]
            norm = torch.stack([g.double().square().sum() for g in grads]).sum().sqrt().to(grads[0]) if grads else torch.tensor(0.0)
            if norm > max_norm:
                for g in grads:
                    g.mul_(max_norm / norm)
            return norm

    return same


PUBLIC = Public(
    called=("clip", "gradient clipping", "clip grad norm", "clip gradients"),
    takes={
        **dict.fromkeys(("parameters", "model_params"), "params"),
        **dict.fromkeys(("max_l2_norm", "max_grad_norm", "clip_value", "clip", "threshold", "M", "max_val"), "max_norm"),
    },
    not_asked={"zeros_are_no_trouble": "it promises nothing without a gradient, or for gradients of zeros"},
    conventions={
        "no-eps": Convention("It divides by the norm itself, without 1e-6.", without_eps, ("tiny_gradients_are_scaled",)),
        "no-result": Convention("It doesn't return the norm.", leaves_out=("result_is_the_norm_from_before", "tiny_gradients_are_scaled", "zeros_are_no_trouble")),
    },
)
