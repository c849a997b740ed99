"""Hidden checks for TiedModel and next_token_loss: what is shared, which token is predicted, what counts."""

import torch
from torch import nn

from torchdojo.grading import check, tensor

CONCEPTS = ("L07", "I02")

KEPT = {
    "logits_are_dot_products": "the logits, worth points without their gradient",
    "one_parameter_for_both_ends": "what sharing means for the optimizer, said by itself",
    "each_position_predicts_the_next_token": "the shift, worth points without padding",
}


class oracle:
    """An embedding and a matrix product; the loss target by target."""

    class TiedModel(nn.Module):
        def __init__(self, vocab, width, body):
            super().__init__()
            self.embedding, self.body = nn.Embedding(vocab, width), body

        def forward(self, tokens):
            return self.body(self.embedding(tokens)) @ self.embedding.weight.T

    def next_token_loss(logits, tokens, ignore_index=-100):
        losses = []
        for row, targets in zip(logits, tokens, strict=True):
            for t in range(len(targets) - 1):
                if targets[t + 1] != ignore_index:
                    losses.append(row[t].logsumexp(0) - row[t][targets[t + 1]])
        return torch.stack(losses).mean() if losses else logits.sum() * 0


def model_of(solution, weight, bend):
    """A model with this embedding and a body that isn't the identity."""
    body = nn.Linear(weight.shape[1], weight.shape[1], bias=False)
    model = solution.TiedModel(*weight.shape, body).to(weight)
    with torch.no_grad():
        model.embedding.weight.copy_(weight)
        body.weight.copy_(bend)
    return model


WEIGHT, BEND = tensor("vocab width"), tensor("width width", layouts=False)
TOKENS = tensor("batch time", dtype="int64", low=0, high="vocab")
LEAST = {"vocab": 2, "width": 1, "time": 2, "batch": 1}


@check(points=2, weight=WEIGHT, bend=BEND, tokens=TOKENS, minimum=LEAST)
def logits_are_dot_products(solution, weight, bend, tokens):
    """The logits are dot products of the body's output with the rows of the embedding."""
    return model_of(solution, weight, bend)(tokens).detach()


@check(points=1, weight=WEIGHT, bend=BEND, tokens=TOKENS, minimum=LEAST)
def gradient_comes_from_both_ends(solution, weight, bend, tokens):
    """The gradient of the shared weight is the sum of what both layers contribute."""
    model = model_of(solution, weight, bend)
    logits = model(tokens)
    (logits * torch.arange(1, logits.numel() + 1, device=weight.device).reshape(logits.shape) / 8).sum().backward()
    return {"gradient of the embedding": model.embedding.weight.grad}


@check(points=1, vocab=[5, 3], width=[2, 4], devices=False)
def one_parameter_for_both_ends(solution, vocab, width):
    """Besides the body there is one parameter, and both ends use its new values after an update."""
    body = nn.Linear(width, width, bias=False)
    torch.nn.init.eye_(body.weight)
    model = solution.TiedModel(vocab, width, body)
    with torch.no_grad():
        for p in model.parameters():
            if p is not body.weight:
                p.copy_(torch.arange(p.numel()).reshape(p.shape) / 8)
    count = sum(p.numel() for p in model.parameters())
    return {"numbers in parameters()": count, "logits": model(torch.tensor([[0, 1]])).detach()}


LOGITS = tensor("batch time vocab")


@check(points=2, logits=LOGITS, tokens=TOKENS, minimum=LEAST)
def each_position_predicts_the_next_token(solution, logits, tokens):
    """Without padding the loss is the mean over the next tokens of all sequences, and so is its gradient."""
    logits.requires_grad_()
    loss = solution.next_token_loss(logits, tokens)
    return {"loss": loss.detach(), "gradient of logits": torch.autograd.grad(loss, logits)[0]}


def with_padding(tokens, ignore_index, ends):
    """The tokens with padding behind the end of each sequence; the first sequence keeps at least one target."""
    padded = tokens.clone()
    for i in range(len(tokens)):
        padded[i, max(ends[i % len(ends)], 2 if i == 0 else 0) :] = ignore_index
    return padded


UNEQUAL = {  # one target in the first sequence, three in the second
    "logits": (torch.arange(24.0) * 7 % 5 - 2).reshape(2, 4, 3), "tokens": torch.tensor([[0, 1, 2, 0], [2, 0, 1, 2]]),
    "options": {}, "ends": [2, 4],
}  # fmt: skip


@check(
    points=2, logits=LOGITS, tokens=TOKENS, options=[{}, {"ignore_index": -1}], ends=[[2, 1, 3], [3, 1], [9, 0]],
    minimum=LEAST | {"time": 3}, examples=[UNEQUAL],
)  # fmt: skip
def ignored_targets_do_not_count(solution, logits, tokens, options, ends):
    """The mean is over the targets that are not ignore_index."""
    logits.requires_grad_()
    loss = solution.next_token_loss(logits, with_padding(tokens, options.get("ignore_index", -100), ends), **options)
    return {"loss": loss.detach(), "gradient of logits": torch.autograd.grad(loss, logits)[0]}


@check(points=1, star=True, logits=LOGITS, ignore_index=[-100, -1], minimum=LEAST, beside=True)
def no_target_is_no_loss(solution, logits, ignore_index, device):
    """If no target counts, loss and gradient are 0."""
    tokens = torch.zeros(logits.shape[:2], dtype=torch.int64, device=device)
    ordinary = solution.next_token_loss(logits, tokens, ignore_index)
    logits = logits.clone().requires_grad_()
    loss = solution.next_token_loss(logits, torch.where(tokens == 0, ignore_index, 0), ignore_index)
    loss.backward()
    return ordinary, {"loss without targets": loss.detach(), "gradient without targets": logits.grad}
