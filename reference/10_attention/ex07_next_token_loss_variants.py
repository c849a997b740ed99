"""Known mistakes and unusual but correct solutions for TiedModel and next_token_loss."""

import torch
from ex07_next_token_loss import next_token_loss
from torch import nn
from torch.nn import functional as F

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "add_detach-L23-2": "targets are integers, they have no gradient",
    "in_place-L25-1": "the count is nobody else's",
}

HINTS = (
    "Count the parameters: how many tensors of shape (vocab, width) does the model need? For the loss write two sequences below each other, "
    "what is read and what is to be predicted.",
    "The layer at the end can use the embedding's weight itself, for instance with F.linear. F.cross_entropy wants a row of logits for each target, "
    "and it knows ignore_index.",
    "Logits without their last position and tokens without their first, both flattened to one row per target. Sum the losses, count the targets that are "
    "not ignored, and divide. What if the count is 0?",
)


class Parts(nn.Module):
    """An embedding, a body, and a layer of its own at the end."""

    def __init__(self, vocab, width, body, bias=False):
        super().__init__()
        self.embedding = nn.Embedding(vocab, width)
        self.body = body
        self.head = nn.Linear(width, vocab, bias=bias)

    def forward(self, tokens):
        return self.head(self.body(self.embedding(tokens)))


@mistake("TiedModel", common=True)
class LayersOfTheirOwn(Parts):
    """The last layer has a weight of its own: let it use the embedding's."""


@mistake("TiedModel", common=True)
class CopiesTheWeight(Parts):
    """The last layer got a copy of the embedding's weight, so the two differ after the first update: share the parameter itself."""

    def __init__(self, vocab, width, body):
        super().__init__(vocab, width, body)
        self.head.weight = nn.Parameter(self.embedding.weight.detach().clone())


@mistake("TiedModel", about="one_parameter_for_both_ends")
class SharesTheData(Parts):
    """The two layers share their numbers, but there are two parameters: each gets only its own part of the gradient. Assign the parameter itself, without .data or a new nn.Parameter."""

    def __init__(self, vocab, width, body):
        super().__init__(vocab, width, body)
        self.head.weight.data = self.embedding.weight.data

    def forward(self, tokens):
        self.head.weight.data = self.embedding.weight.data  # a move to another device would part them
        return super().forward(tokens)


@mistake("TiedModel", about="one_parameter_for_both_ends")
class KeepsABias(Parts):
    """The last layer has a bias: tie it with bias=False."""

    def __init__(self, vocab, width, body):
        super().__init__(vocab, width, body, bias=True)
        self.head.weight = self.embedding.weight


DetachesTheHead = mistake.edited(
    "return F.linear(self.body(self.embedding(tokens)), self.embedding.weight)",
    "return F.linear(self.body(self.embedding(tokens)), self.embedding.weight.detach())",
    "The weight was detached for the last layer, so the gradient comes from the first one alone: use the parameter as it "
    "is.",
    about="gradient_comes_from_both_ends")

ForgetsTheBody = mistake.edited("self.body(self.embedding(tokens))", "self.embedding(tokens)",
    "The logits don't depend on the body: it belongs between the two layers.")

ReturnsProbabilities = mistake.edited(
    "return F.linear(self.body(self.embedding(tokens)), self.embedding.weight)",
    "return F.linear(self.body(self.embedding(tokens)), self.embedding.weight).softmax(-1)",
    "The model returned probabilities: return logits, because the loss applies softmax itself.")

does_not_shift = mistake.edited(
    "predictions, targets = logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten()",
    "predictions, targets = logits.flatten(0, 1), tokens.flatten()",
    "Each position was compared with the token that it had just read: compare it with the next one.",
    common=True,
    pitfall="Without the shift")

shifts_the_other_way = mistake.edited(
    "predictions, targets = logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten()",
    "predictions, targets = logits[:, 1:].flatten(0, 1), tokens[:, :-1].flatten()",
    "Each position was compared with the token before: cut the last position of the logits and the first token, not the "
    "other way round.")

rolls_the_tokens = mistake.edited(
    "predictions, targets = logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten()",
    "predictions, targets = logits.flatten(0, 1), tokens.roll(-1, dims=1).flatten()",
    "The last position had the first token as its target: leave the last position out, because no token follows it.")

flattens_before_the_shift = mistake.edited(
    "predictions, targets = logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten()",
    "predictions, targets = logits.flatten(0, 1)[:-1], tokens.flatten()[1:]",
    "The last position of a sequence had the first token of the next sequence as its target: shift first, then flatten.")

counts_the_padding = mistake.edited("(targets != ignore_index).sum().clamp(min=1)", "targets.numel()",
    "The sum of the losses was divided by too large a number: divide by the number of targets that count, without padding.",
    about="ignored_targets_do_not_count", common=True)

always_minus_100 = mistake.edited("total = F.cross", "ignore_index = -100\ntotal = F.cross",
    "ignore_index has no effect: only -100, PyTorch's default, was left out. Pass it on. A target of -1 raises an error "
    "otherwise.",
    about="ignored_targets_do_not_count")


@mistake("next_token_loss", about="ignored_targets_do_not_count")
def masks_what_is_read(logits, tokens, ignore_index=-100):
    """The input tokens decided which targets count: a target counts if it is not ignore_index itself."""
    losses = F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:].clamp(min=0), reduction="none")
    counts = tokens[:, :-1] != ignore_index
    return (losses * counts).sum() / counts.sum().clamp(min=1)


@mistake("next_token_loss", about="ignored_targets_do_not_count")
def mean_of_the_means(logits, tokens, ignore_index=-100):
    """The means of the sequences were averaged, so a token of a short sequence weighs more: take one mean over all targets of the batch."""
    rows = zip(logits.split(1), tokens.split(1), strict=True)
    means = [next_token_loss(row, tokens, ignore_index) for row, tokens in rows if (tokens[:, 1:] != ignore_index).any()]
    return torch.stack(means).mean() if means else logits.sum() * 0


@mistake("next_token_loss", about="ignored_targets_do_not_count")
def mean_of_the_means_of_all(logits, tokens, ignore_index=-100):
    """The means of the sequences were averaged, so a token of a short sequence weighs more: take one mean over all targets of the batch."""
    rows = zip(logits.split(1), tokens.split(1), strict=True)
    return torch.stack([next_token_loss(row, tokens, ignore_index) for row, tokens in rows]).mean()


sums = mistake.edited("return total / (targets != ignore_index).sum().clamp(min=1)", "return total",
    "The losses were summed: divide by the number of targets that count.")

softmax_twice = mistake.edited("logits[:, :-1].flatten(0, 1)", "logits[:, :-1].flatten(0, 1).softmax(-1)",
    "Softmax was applied twice: cross_entropy wants logits.",
    common=True)

nan_without_targets = mistake.edited(".clamp(min=1)", "",
    "Where no target counts the loss was nan, 0 divided by 0: it must be 0 there. For example, divide the sum of the losses by at least 1.",
    about="no_target_is_no_loss", common=True)

classes_in_the_last_axis = mistake.edited(
    "predictions, targets = logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten()",
    "predictions, targets = logits[:, :-1], tokens[:, 1:]",
    "F.cross_entropy wants the classes in axis 1, and they are in the last one: flatten batch and time into one "
    "axis.",
)

a_zero_without_a_graph = mistake.edited(
    "total = F.cross_entropy",
    """
    if (targets == ignore_index).all():
        return logits.new_zeros(())
    total = F.cross_entropy
    """,
    "Where no target counts, the loss has no graph, so it gives logits no gradient: compute this 0 from the logits.",
    about="no_target_is_no_loss",
)


@alternative("TiedModel")
class AssignsTheParameter(Parts):
    """A linear layer whose weight is the embedding's parameter."""

    def __init__(self, vocab, width, body):
        super().__init__(vocab, width, body)
        self.head.weight = self.embedding.weight


@alternative("TiedModel")
class TheOtherWayRound(Parts):
    """The embedding takes the weight of the linear layer."""

    def __init__(self, vocab, width, body):
        super().__init__(vocab, width, body)
        self.embedding.weight = self.head.weight


@alternative("next_token_loss")
def classes_second(logits, tokens, ignore_index=-100):
    """The classes as second axis, as cross_entropy likes them."""
    targets = tokens[:, 1:]
    losses = F.cross_entropy(logits[:, :-1].transpose(1, 2), targets, ignore_index=ignore_index, reduction="none")
    return losses.sum() / max(1, int((targets != ignore_index).sum()))


@alternative("next_token_loss")
def picks_what_counts(logits, tokens, ignore_index=-100):
    """A mask picks the pairs, a gather their log-probabilities."""
    counts = tokens[:, 1:] != ignore_index
    if not counts.any():
        return logits.sum() * 0
    predictions, targets = logits[:, :-1][counts], tokens[:, 1:][counts]
    return -predictions.log_softmax(1).gather(1, targets[:, None]).mean()


ignores_the_last_position = alternative.edited(
    "predictions, targets = logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten()",
    """
    last = torch.full_like(tokens[:, :1], ignore_index)
    predictions, targets = logits.flatten(0, 1), torch.cat([tokens[:, 1:], last], dim=1).flatten()
    """,
    "Targets of the full length, the last of which is ignored.")
