"""Known mistakes and unusual but correct solutions for smoothed_cross_entropy."""

import torch
from torch.nn import functional as F

from torchdojo.variants import alternative, mistake

AXES = "logits have two axes, labels one"
EQUIVALENT = {
    "change_dim: log_p = logits[counted].log_softmax(dim=-1)": AXES,
    "change_dim: of_labels = log_p.gather(-1, labels[counted].unsqueeze(1)).mean()": AXES,
    "change_dim: of_labels = log_p.gather(1, labels[counted].unsqueeze(-1)).mean()": AXES,
}

HINTS = (
    "Write down the smoothed label of one sample with four classes and smoothing 0.2. Does it sum to 1?",
    "The loss is a sum of two parts: the loss of the label's class, times 1 - smoothing, and the mean loss over all classes, times smoothing.",
    "Start with log_softmax over the classes. gather gives the entries of the labels, mean over the classes gives the other part. Mix the two, take the mean, and "
    "mind the sign. Samples to ignore are left out first.",
)

RETURN = "return -((1 - smoothing) * of_labels + smoothing * log_p.mean())"

others_share_the_smoothing = mistake.edited(
    RETURN,
    "rest = (log_p.mean() * log_p.shape[1] - of_labels) / (log_p.shape[1] - 1)\nreturn -((1 - smoothing) * of_labels + smoothing * rest)",
    "The smoothing was shared by the other classes alone: every class gets smoothing / classes, that of the label, too.",
    about="labels_are_smoothed", common=True,
    pitfall="The class of the label gets a share")

label_loses_too_much = mistake.edited(
    RETURN,
    "rest = log_p.mean() - of_labels / log_p.shape[1]\nreturn -((1 - smoothing) * of_labels + smoothing * rest)",
    "The smoothed labels don't sum to 1: the class of the label gets smoothing / classes, too.",
    about="labels_are_smoothed", common=True)

sums_over_the_classes = mistake.edited(
    "log_p.mean())", "log_p.sum(dim=1).mean())",
    "Every class got the whole smoothing: divide by the number of classes.",
    about="labels_are_smoothed", common=True)

label_keeps_all = mistake.edited(
    "(1 - smoothing) * of_labels", "of_labels",
    "The smoothed labels sum to more than 1: the class of the label gives smoothing away.",
    about="labels_are_smoothed", common=True)

ignores_smoothing = mistake.edited(
    RETURN, "return -of_labels",
    "smoothing has no effect: mix in the mean over all classes.",
    about="labels_are_smoothed")

smooths_the_prediction = mistake.edited(
    RETURN,
    "p = (1 - smoothing) * log_p.exp() + smoothing / log_p.shape[1]\n"
    "return -p.log().gather(1, labels[counted].unsqueeze(1)).mean() if smoothing else -of_labels",
    "The predicted probabilities were smoothed: smooth the labels, and take the logarithm of the predictions as they are.",
    about="labels_are_smoothed")

factors_are_swapped = mistake.edited(
    RETURN, "return -(smoothing * of_labels + (1 - smoothing) * log_p.mean())",
    "The two factors are swapped: with smoothing 0 only the class of the label counts.",
    about="without_smoothing_it_is_cross_entropy")

forgets_the_sign = mistake.edited(
    RETURN, "return (1 - smoothing) * of_labels + smoothing * log_p.mean()",
    "The loss has the wrong sign: logarithms of probabilities are negative, and a loss isn't.",
    about="without_smoothing_it_is_cross_entropy")

adds_up_the_batch = mistake.edited(
    RETURN, "return -((1 - smoothing) * of_labels + smoothing * log_p.mean()) * len(log_p)",
    "The losses of the samples were added up: take their mean.",
    about="without_smoothing_it_is_cross_entropy")

softmax_over_the_batch = mistake.edited(
    "log_softmax(dim=1)", "log_softmax(dim=0)",
    "The softmax went over the samples: classes are axis 1.",
    about="without_smoothing_it_is_cross_entropy")

forgets_the_logarithm = mistake.edited(
    "log_softmax(dim=1)", "softmax(dim=1)",
    "The logarithm is missing: the loss of a class is minus the log of its probability.",
    about="without_smoothing_it_is_cross_entropy")

log_of_softmax = mistake.edited(
    "log_softmax(dim=1)", "softmax(dim=1).log()",
    "With large logits a probability is 0 and its logarithm -inf: use log_softmax.",
    about="large_logits_have_a_loss", common=True)

log_of_a_sum = mistake.edited(
    "log_p = logits[counted].log_softmax(dim=1)",
    "log_p = logits[counted] - logits[counted].exp().sum(dim=1, keepdim=True).log()",
    "exp overflows with large logits: use log_softmax, or logsumexp.",
    about="large_logits_have_a_loss")

adds_epsilon = mistake.edited(
    "log_softmax(dim=1)", "softmax(dim=1).clamp(min=1e-12).log()",
    "A small constant takes the place of probabilities near 0, so large logits have a wrong loss: use log_softmax.",
    about="large_logits_have_a_loss", common=True)

divides_by_all_samples = mistake.edited(
    RETURN, "return -((1 - smoothing) * of_labels + smoothing * log_p.mean()) * len(log_p) / len(labels)",
    "Ignored samples counted in the mean: divide by the number of the others.",
    about="ignored_samples_do_not_count", common=True)

ignored_ones_are_class_0 = mistake.edited(
    "counted = labels != -100", "labels = labels.clamp(min=0)\ncounted = labels >= 0",
    "Samples with the label -100 counted as class 0: leave them out.",
    about="ignored_samples_do_not_count")

cuts_the_graph = mistake.edited(
    "smoothing * log_p.mean()", "smoothing * log_p.mean().detach()",
    "The part of the smoothing is detached, so it trains nothing: leave it in the graph.",
    about="the_gradient_is_right")


@mistake("smoothed_cross_entropy", forbidden="cross_entropy")
def calls_cross_entropy(logits, labels, smoothing):
    """You called cross_entropy, which does it all: write the loss yourself."""
    return F.cross_entropy(logits, labels, label_smoothing=smoothing)


@mistake("smoothed_cross_entropy", forbidden="CrossEntropyLoss")
def builds_cross_entropy_loss(logits, labels, smoothing):
    """You called cross_entropy, which does it all: write the loss yourself."""
    return torch.nn.CrossEntropyLoss(label_smoothing=smoothing)(logits, labels)


@alternative("smoothed_cross_entropy")
def with_one_hot(logits, labels, smoothing):
    """Smoothed labels as a matrix, logsumexp by hand."""
    keep = labels.ne(-100)
    x, y = logits[keep], labels[keep]
    target = F.one_hot(y, x.shape[1]).to(x.dtype) * (1 - smoothing) + smoothing / x.shape[1]
    return (x.logsumexp(1, keepdim=True) - x).mul(target).sum() / len(y)


@alternative("smoothed_cross_entropy")
def with_nll_loss(logits, labels, smoothing):
    """nll_loss for the label's part, which ignores -100 by itself, and a mask for the other part."""
    log_p = torch.log_softmax(logits, -1)
    mask = (labels != -100).to(logits.dtype)
    uniform = -(log_p.mean(1) * mask).sum() / mask.sum()
    return F.nll_loss(log_p, labels) * (1 - smoothing) + uniform * smoothing
