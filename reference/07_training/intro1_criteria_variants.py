"""Known mistakes and odd-but-correct solutions for make_criterion, loss_of and sample_losses."""

import torch
from torch import nn

from torchdojo.variants import alternative, mistake

HINTS = (
    "A criterion is an object: you build it once, without tensors, and then call it with tensors like a function.",
    "nn.MSELoss and nn.CrossEntropyLoss are classes; parentheses build an object. An object is called with the prediction and the "
    "target, in this order. What it does with the losses of a batch is its setting `reduction`.",
    'make_criterion builds one of the two, depending on the task. loss_of calls the criterion with what the model makes of x. For '
    "sample_losses, build one that doesn't reduce, and call it with scores and labels.",
)


@mistake("make_criterion", common=True)
def the_class_itself(task):
    """You returned the class: parentheses behind its name build an object, nn.MSELoss()."""
    return nn.MSELoss if task == "regression" else nn.CrossEntropyLoss


@mistake("make_criterion")
def the_wrong_way_round(task):
    """You swapped the two: regression has the mean squared error, classification the cross-entropy."""
    return nn.CrossEntropyLoss() if task == "regression" else nn.MSELoss()


@mistake("make_criterion")
def squared_error_for_all(task):
    """You returned the mean squared error for classification too: class numbers need nn.CrossEntropyLoss()."""
    return nn.MSELoss()


@mistake("make_criterion")
def absolute_errors(task):
    """nn.L1Loss averages absolute errors: the squares are in nn.MSELoss."""
    return nn.L1Loss() if task == "regression" else nn.CrossEntropyLoss()


@mistake("make_criterion")
def adds_up_the_errors(task):
    """Your criterion adds up the losses of the batch: without a `reduction` it takes their mean."""
    kind = nn.MSELoss if task == "regression" else nn.CrossEntropyLoss
    return kind(reduction="sum")


@mistake("make_criterion")
def expects_log_probabilities(task):
    """nn.NLLLoss expects log-probabilities: nn.CrossEntropyLoss takes plain scores."""
    return nn.MSELoss() if task == "regression" else nn.NLLLoss()


@mistake("loss_of", common=True)
def target_first(criterion, model, x, y):
    """You called the criterion with the target first: the prediction comes first."""
    return criterion(y, model(x))


@mistake("loss_of")
def a_plain_number(criterion, model, x, y):
    """You returned a plain number: without .item() the loss is a tensor, on which backward() works."""
    return criterion(model(x), y).item()


@mistake("loss_of")
def without_a_graph(criterion, model, x, y):
    """Your loss has no graph, so backward() can't reach the weights: call the model without no_grad and without detach()."""
    with torch.no_grad():
        return criterion(model(x), y)


@mistake("loss_of")
def always_the_squared_error(criterion, model, x, y):
    """You computed the squared error yourself: call the criterion that you were given."""
    return ((model(x) - y) ** 2).mean()


@mistake("loss_of")
def the_input_itself(criterion, model, x, y):
    """The criterion got x itself: it compares the model's prediction, model(x), with y."""
    return criterion(x, y) + 0 * next(model.parameters()).sum()


@mistake("sample_losses", common=True)
def the_mean_of_them(scores, labels):
    """You returned the mean of the batch: reduction="none" leaves one loss for each sample."""
    return nn.CrossEntropyLoss()(scores, labels)


@mistake("sample_losses")
def the_sum_of_them(scores, labels):
    """You returned the sum of the batch: reduction="none" leaves one loss for each sample."""
    return nn.CrossEntropyLoss(reduction="sum")(scores, labels)


@mistake("sample_losses")
def softmax_twice(scores, labels):
    """You took the softmax first, and nn.CrossEntropyLoss takes it again: give it the scores."""
    return nn.CrossEntropyLoss(reduction="none")(scores.softmax(dim=1), labels)


@mistake("sample_losses")
def scores_of_the_labels(scores, labels):
    """You returned the scores of the labels, with a minus: the softmax and its log are missing."""
    return nn.NLLLoss(reduction="none")(scores, labels)


@alternative("make_criterion")
def by_a_table(task):
    """A table of classes, and one call."""
    return {"regression": nn.MSELoss, "classification": nn.CrossEntropyLoss}[task]()


@alternative("loss_of")
def calls_forward(criterion, model, x, y):
    """Named steps, and the result as a number with a graph."""
    prediction = model(x)
    loss = criterion.forward(prediction, y)
    return loss


@alternative("sample_losses")
def log_softmax_and_nll(scores, labels):
    """The two steps by themselves."""
    return nn.NLLLoss(reduction="none")(nn.LogSoftmax(dim=1)(scores), labels)


@alternative("sample_losses")
def one_sample_at_a_time(scores, labels):
    """The mean of one sample is its loss."""
    criterion = nn.CrossEntropyLoss()
    return torch.stack([criterion(row[None], label[None]) for row, label in zip(scores, labels, strict=True)])
