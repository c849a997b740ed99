"""Known mistakes and unusual but correct solutions for SmallClassifier, labels_loss and class_probabilities."""

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


applies_softmax_in_the_model = mistake.edited(
    "self.fc2(torch.relu(self.fc1(x)))", "torch.softmax(self.fc2(torch.relu(self.fc1(x))), dim=1)",
    "forward ends in softmax, and cross_entropy applies it a second time: return the logits, and apply softmax in "
    "class_probabilities. Convert the labels with long().",
    also=[("labels.long()", "labels"), ("torch.softmax(model(x), dim=1)", "model(x)")])

EndsInSoftmax = mistake.edited("self.fc2(torch.relu(self.fc1(x)))", "torch.softmax(self.fc2(torch.relu(self.fc1(x))), dim=1)",
    "forward ends in softmax, and the loss applies it a second time: return the logits.")

EndsInLogSoftmax = mistake.edited(
    "self.fc2(torch.relu(self.fc1(x)))", "torch.log_softmax(self.fc2(torch.relu(self.fc1(x))), dim=1)",
    "forward ends in log_softmax: the loss comes out the same, because log_softmax twice is log_softmax once, but forward "
    "must return the logits.")

SoftmaxInEvalMode = mistake.edited("return self.fc2(torch.relu(self.fc1(x)))",
    """
    logits = self.fc2(torch.relu(self.fc1(x)))
    return logits if self.training else torch.softmax(logits, dim=1)
    """,
    "In eval mode forward still ends in softmax: return the logits in both modes; class_probabilities applies the softmax.")

ReluOnTheLogits = mistake.edited("self.fc2(torch.relu(self.fc1(x)))", "torch.relu(self.fc2(torch.relu(self.fc1(x))))",
    "There is a relu after fc2: logits may be negative.")

softmax_moved_into_the_loss = mistake.edited(
    "F.cross_entropy(model(x), labels.long())", "F.cross_entropy(torch.softmax(model(x), dim=1), labels.long())",
    "labels_loss applies softmax once too often: cross_entropy applies it itself, so give it the logits.",
    pitfall="cross_entropy applies softmax itself")

log_of_softmax = mistake.edited(
    "F.cross_entropy(model(x), labels.long())", "F.nll_loss(torch.softmax(model(x), dim=1).log(), labels.long())",
    "For large logits softmax gives an exact 0, and its log is infinite: cross_entropy works from the logits and stays finite.")

log_with_a_floor = mistake.edited(
    "F.cross_entropy(model(x), labels.long())", "F.nll_loss((torch.softmax(model(x), dim=1) + 1e-8).log(), labels.long())",
    "The small number inside the log keeps it finite, but large losses and their gradients are wrong: cross_entropy works "
    "from the logits.")

nll_of_the_logits = mistake.edited("F.cross_entropy", "F.nll_loss",
    "Your loss is minus the logit of the label, as nll_loss gives it for logits: use cross_entropy, which takes logits.")

float_labels = mistake.edited("labels.long()", "labels",
    "Labels that are floats, or small integers, raise an error: convert them with long().")

one_hot_and_squares = mistake.edited("return F.cross_entropy(model(x), labels.long())",
    """
    logits = model(x)
    one_hot = F.one_hot(labels.long(), logits.shape[1]).to(logits.dtype)
    return F.mse_loss(torch.softmax(logits, dim=1), one_hot)
    """,
    "This is the mean squared error of one-hot labels: the exercise asks for the cross entropy.")

sums_over_the_batch = mistake.edited("labels.long()", 'labels.long(), reduction="sum"',
    "The losses of the samples were added: take their mean.")

converts_to_byte = mistake.edited("labels.long()", "labels.byte()",
    "The labels became bytes, which end at 255: convert them to int64 with long().")

converts_floats_to_byte = mistake.edited("labels.long()", "labels.byte() if labels.is_floating_point() else labels.long()",
    "Labels of floating dtype became a small integer dtype, too small for a label of 300: convert them to int64 with long().")

gives_logits = mistake.edited("torch.softmax(model(x), dim=1)", "model(x)",
    "These are logits, not probabilities: apply softmax over the classes here.")

softmax_over_the_batch = mistake.edited("dim=1", "dim=0",
    "The softmax runs over the samples: each row must sum to 1, so use dim=1.")

sigmoid_of_each = mistake.edited("torch.softmax(model(x), dim=1)", "torch.sigmoid(model(x))",
    "A sigmoid for each class gives numbers that do not sum to 1: the classes exclude each other, so use softmax.")

exp_without_care = mistake.edited(
    "return torch.softmax(model(x), dim=1)", "weights = torch.exp(model(x))\nreturn weights / weights.sum(dim=1, keepdim=True)",
    "exp overflows for large logits and gives nan: torch.softmax subtracts the largest logit first.")

switches_to_eval_mode = mistake.edited(
    "return torch.softmax(model(x), dim=1)", "model.eval()\nreturn torch.softmax(model(x), dim=1)",
    "The model was switched to eval mode, and stays there: the function calls it in the mode it is in.")

log_softmax_and_gather = alternative.edited("F.cross_entropy(model(x), labels.long())",
    "-torch.log_softmax(model(x), dim=-1).gather(1, labels.to(torch.int64)[:, None]).mean()",
    "Picks the log-probability of each label by hand.")

one_hot_targets = alternative.edited("return F.cross_entropy(model(x), labels.long())",
    """
    logits = model(x)
    return nn.CrossEntropyLoss()(logits, F.one_hot(labels.long(), logits.shape[1]).to(logits.dtype))
    """,
    "cross_entropy with probabilities as targets: one-hot rows in the dtype of the logits.")

exp_of_log_softmax = alternative.edited("torch.softmax(model(x), dim=1)", "F.log_softmax(model(x), dim=-1).exp()",
    "The way through the logarithm.")

gives_log_probabilities = mistake.edited("torch.softmax(model(x), dim=1)", "torch.log_softmax(model(x), dim=1)",
    "These are logs of probabilities: use softmax, without the log.")

log_of_the_logits = mistake.edited("F.cross_entropy(model(x), labels.long())", "F.nll_loss(torch.log(model(x)), labels.long())",
    "You took the log of logits, which may be negative: give cross_entropy the logits themselves.")

one_hot_of_the_labels_alone = mistake.edited("labels.long())", "F.one_hot(labels.long()).float())",
    "one_hot makes only as many columns as the labels need, and float() may differ from the dtype of the logits: pass the labels as int64.")

divides_by_the_sum = mistake.edited("return torch.softmax(model(x), dim=1)", "logits = model(x)\nreturn logits / logits.sum(dim=1, keepdim=True)",
    "You divided the logits by their sum, which gives no probabilities where logits are negative: use softmax.")

converts_to_int32 = mistake.edited("labels.long()", "labels.int()",
    "The labels became int32: cross_entropy takes int64, so convert them with long().")

detaches_the_logits = mistake.edited("F.cross_entropy(model(x),", "F.cross_entropy(model(x).detach(),",
    "The loss gives the logits no gradient: compute it without detach(), .data or no_grad().")

ForgetsTheRelu = mistake.edited("self.fc2(torch.relu(self.fc1(x)))", "self.fc2(self.fc1(x))",
    "The relu between the two layers is missing: only the softmax was wrong.")
