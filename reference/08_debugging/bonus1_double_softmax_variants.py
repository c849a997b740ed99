"""Known mistakes and odd-but-correct solutions for SmallClassifier, labels_loss and class_probabilities."""

import torch
from torch import nn
from torch.nn import functional as F

from torchdojo.variants import alternative, mistake

HINTS = (
    "Count how often softmax is applied between fc2 and the loss. cross_entropy counts too.",
    "cross_entropy takes logits and int64 labels and applies log_softmax itself. Probabilities are for "
    "people who look at the model, so softmax belongs where they ask for it.",
    "Three one-line changes: forward returns what fc2 gives, the loss gets labels converted to long, and "
    "class_probabilities applies softmax over the classes.",
)

EQUIVALENT = {
    "in_place-L20-1": "the result of fc1 is a tensor of our own, and relu_ keeps what its backward needs",
    "change_dim-L30-2": "logits have two axes",
    "add_detach-L30-1": "nothing is said about a graph of the probabilities",
}


class Base(nn.Module):
    """The layers, and the logits."""

    def __init__(self, features, hidden, classes):
        super().__init__()
        self.fc1 = nn.Linear(features, hidden)
        self.fc2 = nn.Linear(hidden, classes)

    def logits(self, x):
        """What forward should return."""
        return self.fc2(torch.relu(self.fc1(x)))


@mistake()
def applies_softmax_in_the_model():
    """forward ends in softmax, and cross_entropy applies it a second time: return the logits, and apply softmax in
    class_probabilities. Convert the labels with long()."""
    return {"SmallClassifier": EndsInSoftmax, "labels_loss": float_labels, "class_probabilities": gives_logits}


@mistake("SmallClassifier")
class EndsInSoftmax(Base):
    """forward ends in softmax, and the loss applies it a second time: return the logits."""

    def forward(self, x):
        return torch.softmax(self.logits(x), dim=1)


@mistake("SmallClassifier")
class EndsInLogSoftmax(Base):
    """forward ends in log_softmax: the loss comes out the same, because log_softmax twice is log_softmax
    once, but forward must return the logits."""

    def forward(self, x):
        return torch.log_softmax(self.logits(x), dim=1)


@mistake("SmallClassifier")
class SoftmaxInEvalMode(Base):
    """In eval mode forward still ends in softmax: return the logits in both modes, class_probabilities makes shares of them."""

    def forward(self, x):
        logits = self.logits(x)
        return logits if self.training else torch.softmax(logits, dim=1)


@mistake("SmallClassifier")
class ReluOnTheLogits(Base):
    """There is a relu after fc2: logits may be negative."""

    def forward(self, x):
        return torch.relu(self.logits(x))


@mistake("labels_loss")
def softmax_moved_into_the_loss(model, x, labels):
    """The softmax moved from the model into the loss, where it is still one too many: give cross_entropy the
    logits."""
    return F.cross_entropy(torch.softmax(model(x), dim=1), labels.long())


@mistake("labels_loss")
def log_of_softmax(model, x, labels):
    """For large logits softmax gives an exact 0, and its log is infinite: cross_entropy works from the logits
    and stays finite."""
    probabilities = torch.softmax(model(x), dim=1)
    return F.nll_loss(probabilities.log(), labels.long())


@mistake("labels_loss")
def log_with_a_floor(model, x, labels):
    """The small number inside the log keeps it finite, but large losses and their gradients are wrong:
    cross_entropy works from the logits."""
    probabilities = torch.softmax(model(x), dim=1)
    return F.nll_loss((probabilities + 1e-8).log(), labels.long())


@mistake("labels_loss")
def nll_of_the_logits(model, x, labels):
    """nll_loss wants log-probabilities and got logits: use cross_entropy, which takes logits."""
    return F.nll_loss(model(x), labels.long())


@mistake("labels_loss")
def float_labels(model, x, labels):
    """Labels that are floats, or small integers, raise: convert them with long()."""
    return F.cross_entropy(model(x), labels)


@mistake("labels_loss")
def one_hot_and_squares(model, x, labels):
    """This is the mean squared error of one-hot labels: the exercise asks for the cross entropy."""
    logits = model(x)
    one_hot = F.one_hot(labels.long(), logits.shape[1]).to(logits.dtype)
    return F.mse_loss(torch.softmax(logits, dim=1), one_hot)


@mistake("labels_loss")
def sums_over_the_batch(model, x, labels):
    """The losses of the samples were added: take their mean."""
    return F.cross_entropy(model(x), labels.long(), reduction="sum")


@mistake("labels_loss")
def converts_to_byte(model, x, labels):
    """The labels became bytes, which end at 255: convert them to int64 by long()."""
    return F.cross_entropy(model(x), labels.byte())


@mistake("labels_loss")
def converts_floats_to_byte(model, x, labels):
    """Labels of floating dtype became a small integer dtype, too small for a label of 300: convert them to int64 by long()."""
    return F.cross_entropy(model(x), labels.byte() if labels.is_floating_point() else labels.long())


@mistake("class_probabilities")
def gives_logits(model, x):
    """These are logits, not probabilities: apply softmax over the classes here."""
    return model(x)


@mistake("class_probabilities")
def softmax_over_the_batch(model, x):
    """The softmax runs over the samples: each row must sum to 1, so use dim=1."""
    return torch.softmax(model(x), dim=0)


@mistake("class_probabilities")
def sigmoid_of_each(model, x):
    """A sigmoid for each class gives numbers that do not sum to 1: the classes exclude each other, so use
    softmax."""
    return torch.sigmoid(model(x))


@mistake("class_probabilities")
def exp_without_care(model, x):
    """exp overflows for large logits and gives nan: torch.softmax subtracts the largest logit first."""
    weights = torch.exp(model(x))
    return weights / weights.sum(dim=1, keepdim=True)


@mistake("class_probabilities")
def switches_to_eval_mode(model, x):
    """The model was switched to eval mode, and stays there: the function calls it in the mode it is in."""
    model.eval()
    return torch.softmax(model(x), dim=1)


@alternative("labels_loss")
def log_softmax_and_gather(model, x, labels):
    """Picks the log-probability of each label by hand."""
    picked = torch.log_softmax(model(x), dim=-1).gather(1, labels.to(torch.int64)[:, None])
    return -picked.mean()


@alternative("labels_loss")
def one_hot_targets(model, x, labels):
    """cross_entropy with probabilities as targets: one-hot rows in the dtype of the logits."""
    logits = model(x)
    return nn.CrossEntropyLoss()(logits, F.one_hot(labels.long(), logits.shape[1]).to(logits.dtype))


@alternative("class_probabilities")
def exp_of_log_softmax(model, x):
    """The way through the logarithm."""
    return F.log_softmax(model(x), dim=-1).exp()
