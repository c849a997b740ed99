"""Hidden checks for smoothed_cross_entropy: the loss with and without smoothing, its gradient, and two edges."""

import torch

from torchdojo.grading import check, raw_gradients, tensor, upstream

CONCEPTS = ("I24", "I08")

KEPT = {
    "without_smoothing_it_is_cross_entropy": "worth points though the smoothing may be wrong",
    "labels_are_smoothed": "the loss itself, worth points without a gradient",
}

FORBIDS = {
    "aten.cross_entropy*": "cross_entropy",
    "functional.cross_entropy*": "cross_entropy",
    "nn.CrossEntropyLoss": "CrossEntropyLoss",
}
BECAUSE = "it has label smoothing built in"


class oracle:
    """PyTorch's own loss."""

    def smoothed_cross_entropy(logits, labels, smoothing):
        return torch.nn.functional.cross_entropy(logits, labels, label_smoothing=smoothing)


LOGITS = tensor("batch classes")
LABELS = tensor("batch", dtype="int64", low=0, high="classes")
SIZES = {"batch": 1, "classes": 2}


@check(points=2, logits=LOGITS, labels=LABELS, minimum=SIZES)
def without_smoothing_it_is_cross_entropy(solution, logits, labels):
    """With smoothing 0 the loss is the mean cross-entropy."""
    return solution.smoothed_cross_entropy(logits, labels, 0.0)


@check(points=2, logits=LOGITS, labels=LABELS, smoothing=[0.1, 0.5, 1.0], minimum=SIZES, devices=False)
def labels_are_smoothed(solution, logits, labels, smoothing):
    """With smoothing the loss is the mean cross-entropy with smoothed labels."""
    return solution.smoothed_cross_entropy(logits, labels, smoothing)


@check(points=1, logits=LOGITS, labels=LABELS, smoothing=[0.25], minimum=SIZES, devices=False)
def the_gradient_is_right(solution, logits, labels, smoothing, rng):
    """The gradient of the logits is the softmax minus the smoothed labels, over the batch size."""
    logits.requires_grad_()
    loss = solution.smoothed_cross_entropy(logits, labels, smoothing)
    return {"gradient": raw_gradients(loss, upstream(loss, rng), [logits])}


@check(points=1, star=True, logits=tensor("batch classes", low=-2, high=2, step=1), labels=LABELS, scale=[500.0], minimum=SIZES, dtypes=("float32", "float64"), devices=False)
def large_logits_have_a_loss(solution, logits, labels, scale):
    """Logits of 1000 and -1000 give the right loss."""
    return solution.smoothed_cross_entropy(logits * scale, labels, 0.0)


@check(points=1, star=True, logits=LOGITS, labels=LABELS, smoothing=[0.0, 0.5], minimum={"batch": 2, "classes": 2}, devices=False, beside=True)
def ignored_samples_do_not_count(solution, logits, labels, smoothing):
    """Samples with the label -100 change nothing."""
    labels = labels.clone()
    labels[1::2] = -100
    loss, others = (solution.smoothed_cross_entropy(x, y, smoothing) for x, y in ((logits, labels), (logits[::2], labels[::2])))
    plain = solution.smoothed_cross_entropy(logits[::2], labels[::2], 0.0)
    return plain, {"ignored samples change the loss": not torch.isclose(loss, others, rtol=1e-3, atol=1e-4)}
