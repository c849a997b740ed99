"""Known mistakes and unusual but correct solutions for make_criterion, loss_of and sample_losses."""

from torch import nn

from torchdojo.variants import alternative, mistake

HINTS = (
    "A criterion is an object: you build it once, without tensors, and then call it with tensors like a function.",
    "nn.MSELoss and nn.CrossEntropyLoss are classes; parentheses build an object. An object is called with the prediction and the "
    "target, in this order. What it does with the losses of a batch is its setting `reduction`.",
    'make_criterion builds one of the two, depending on the task. loss_of calls the criterion with what the model makes of x. For '
    "sample_losses, build one that doesn't reduce, and call it with scores and labels.",
)


@mistake("make_criterion", common=True, pitfall="nn.MSELoss is the class")
def the_class_itself(task):
    """You returned the class, not an object: call it to build one, nn.MSELoss()."""
    return nn.MSELoss if task == "regression" else nn.CrossEntropyLoss


the_wrong_way_round = mistake.edited(
    'nn.MSELoss() if task == "regression" else nn.CrossEntropyLoss()',
    'nn.CrossEntropyLoss() if task == "regression" else nn.MSELoss()',
    "You swapped the two: regression has the mean squared error, and classification the cross-entropy.")

squared_error_for_all = mistake.edited(
    'nn.MSELoss() if task == "regression" else nn.CrossEntropyLoss()', "nn.MSELoss()",
    "You returned the mean squared error for classification too: class numbers need nn.CrossEntropyLoss().")

absolute_errors = mistake.edited("nn.MSELoss", "nn.L1Loss",
    "nn.L1Loss averages absolute errors: the squares are in nn.MSELoss.")

adds_up_the_errors = mistake.edited(
    'nn.MSELoss() if task == "regression" else nn.CrossEntropyLoss()',
    'nn.MSELoss(reduction="sum") if task == "regression" else nn.CrossEntropyLoss(reduction="sum")',
    "Your criterion adds up the losses of the batch: without a `reduction` it takes their mean.")

expects_log_probabilities = mistake.edited(
    'return nn.MSELoss() if task == "regression" else nn.CrossEntropyLoss()',
    'return nn.MSELoss() if task == "regression" else nn.NLLLoss()',
    "nn.NLLLoss expects log-probabilities; nn.CrossEntropyLoss takes raw scores (logits).")

yes_or_no_for_classes = mistake.edited("nn.CrossEntropyLoss()", "nn.BCEWithLogitsLoss()",
    "nn.BCEWithLogitsLoss wants a target for each score: class numbers need nn.CrossEntropyLoss().",
    occurrence=1)

target_first = mistake.edited("return criterion(model(x), y)", "return criterion(y, model(x))",
    "You called the criterion with the target first: the prediction comes first.",
    common=True)

a_plain_number = mistake.edited("return criterion(model(x), y)", "return criterion(model(x), y).item()",
    "You returned a plain number: keep the loss a tensor, on which backward() works.",
    pitfall=".item() gives a plain number")

calls_backward = mistake.edited("return criterion(model(x), y)", "loss = criterion(model(x), y)\nloss.backward()\nreturn loss",
    "backward() already ran inside loss_of: only return the loss, because backward() is the caller's step.")

without_a_graph = mistake.edited(
    "return criterion(model(x), y)", "with torch.no_grad():\n    return criterion(model(x), y)",
    "Your loss has no graph, so backward() can't reach the weights: call the model without no_grad and without detach().")

always_the_squared_error = mistake.edited("return criterion(model(x), y)", "return ((model(x) - y) ** 2).mean()",
    "Your loss is the squared error whatever the criterion is: call the criterion that you were given.")

the_input_itself = mistake.edited(
    "return criterion(model(x), y)", "return criterion(x, y) + 0 * next(model.parameters()).sum()",
    "The criterion got x itself: it compares the model's prediction, model(x), with y.")

the_mean_of_them = mistake.edited('nn.CrossEntropyLoss(reduction="none")', "nn.CrossEntropyLoss()",
    'You returned the mean of the batch: reduction="none" leaves one loss for each sample.',
    common=True)

the_sum_of_them = mistake.edited('nn.CrossEntropyLoss(reduction="none")', 'nn.CrossEntropyLoss(reduction="sum")',
    'You returned the sum of the batch: reduction="none" leaves one loss for each sample.')

softmax_twice = mistake.edited(
    'nn.CrossEntropyLoss(reduction="none")(scores, labels)',
    'nn.CrossEntropyLoss(reduction="none")(scores.softmax(dim=1), labels)',
    "You took the softmax first, and nn.CrossEntropyLoss takes it again: give it the scores.",
    pitfall="The scores are not probabilities")

scores_of_the_labels = mistake.edited(
    'return nn.CrossEntropyLoss(reduction="none")(scores, labels)',
    'return nn.NLLLoss(reduction="none")(scores, labels)',
    "You returned the scores of the labels, with a minus: the softmax and its log are missing.")

by_a_table = alternative.edited(
    'nn.MSELoss() if task == "regression" else nn.CrossEntropyLoss()',
    '{"regression": nn.MSELoss, "classification": nn.CrossEntropyLoss}[task]()',
    "A table of classes, and one call.")

calls_forward = alternative.edited("criterion(model(x), y)", "criterion.forward(model(x), y)",
    "Named steps, and the result as a number with a graph.")

log_softmax_and_nll = alternative.edited(
    'nn.CrossEntropyLoss(reduction="none")(scores, labels)',
    'nn.NLLLoss(reduction="none")(nn.LogSoftmax(dim=1)(scores), labels)',
    "The two steps by themselves.")

one_sample_at_a_time = alternative.edited(
    'nn.CrossEntropyLoss(reduction="none")(scores, labels)',
    "torch.stack([nn.CrossEntropyLoss()(s[None], y[None]) for s, y in zip(scores, labels, strict=True)])",
    "The mean of one sample is its loss.")
