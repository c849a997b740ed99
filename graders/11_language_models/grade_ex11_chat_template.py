"""Hidden checks for the chat template: each of five repairs by itself, and all together."""

import torch
from torch import nn

from torchdojo.grading import check

CONCEPTS = ("A06", "L26")

KEPT = {
    "chats_begin_once": "the first of five repairs, worth points without the others",
    "answers_alone_are_learned": "the second of five repairs, worth points without the others",
    "labels_stand_before_their_tokens": "the shift that is right already, said by itself",
    "labels_are_shifted_once": "the third of five repairs, worth points without the others",
    "padding_is_not_attended": "the fourth of five repairs, worth points without the others",
    "evaluation_has_no_dropout": "the last of five repairs, worth points without the others",
    "everything_together": "the number that a model is chosen by, with all five repairs",
}


class oracle:
    """Token by token, in Python's own numbers."""

    PAD, BOS, USER, BOT, END = range(5)

    def make_batch(chats):
        rows = []
        for chat in chats:
            row = [(1, False)]
            for role, words in chat:
                row += [(role, False), *((word, role == 3) for word in words), (4, role == 3)]
            rows.append(row)
        time = max(map(len, rows))
        rows = [[(0, False)] * (time - len(row)) + row for row in rows]
        tokens = torch.tensor([[token for token, _ in row] for row in rows])
        labels = torch.tensor([[token if learned else -100 for token, learned in row[1:]] + [-100] for row in rows])
        return tokens, labels, torch.tensor([[token != 0 for token, _ in row] for row in rows])

    def chat_loss(model, tokens, labels, attend):
        rows = zip(model(tokens, attend).flatten(0, 1), labels.flatten().tolist(), strict=True)
        return torch.stack([row.logsumexp(0) - row[label] for row, label in rows if label != -100]).mean()

    def held_out_loss(model, tokens, labels, attend):
        modes = {module: module.training for module in model.modules()}
        model.eval()
        with torch.no_grad():
            loss = float(oracle.chat_loss(model, tokens, labels, attend))
        for module, mode in modes.items():
            module.training = mode
        return loss


CHATS = [
    [[(2, [10, 11]), (3, [12])], [(2, [7]), (3, [5, 6, 9])]],
    [[(3, [8, 5])], [(2, [5, 6, 7, 8]), (3, [9, 9]), (2, []), (3, [10])], [(2, [13, 12]), (3, []), (2, [11])]],
    [[(2, [6]), (3, [7, 8]), (2, [9]), (3, [5])]],
]


@check(points=2, chats=CHATS, devices=False)
def chats_begin_once(solution, chats):
    """The tokens have one BOS for each chat, and attend is False at the padding."""
    tokens, _, attend = solution.make_batch(chats)
    return {"tokens": tokens, "attend": attend}


@check(points=2, chats=CHATS, devices=False)
def answers_alone_are_learned(solution, chats):
    """The labels are the words and the END of the assistant."""
    _, labels, _ = solution.make_batch(chats)
    return {"labels that count": [[label for label in row if label != -100] for row in labels.tolist()]}


@check(points=1, chats=CHATS, devices=False, beside=True)
def labels_stand_before_their_tokens(solution, chats):
    """Each label that counts is the token at the next position."""
    tokens, labels, _ = solution.make_batch(chats)
    wrong = (labels[:, :-1] != -100) & (labels[:, :-1] != tokens[:, 1:])
    return (labels != -100).sum(), {"labels that aren't the next token": int(wrong.sum() + (labels[:, -1] != -100).sum())}


class Tiny(nn.Module):
    """The mean of the attended vectors so far, dropout, and a linear layer."""

    def __init__(self, p):
        super().__init__()
        self.embed, self.drop, self.norm, self.head = nn.Embedding(14, 3), nn.Dropout(p), nn.LayerNorm(3), nn.Linear(3, 14)
        with torch.no_grad():
            for k, weight in enumerate((self.embed.weight, self.head.weight)):
                weight.copy_(((torch.arange(weight.numel()) * (5 + 2 * k) % 17 - 7.5) / 4).reshape(weight.shape))
            self.head.bias.fill_(0.25)

    def forward(self, tokens, attend=None):
        attend = torch.ones_like(tokens, dtype=torch.bool) if attend is None else attend
        x = self.embed(tokens) * attend[..., None]
        return self.head(self.norm(self.drop(x.cumsum(1) / attend.cumsum(1).clamp(min=1)[..., None])))


def batch():
    """Two rows with padding, and labels at several positions, also at the first and the last."""
    tokens = torch.tensor([[0, 0, 1, 7, 8, 9], [1, 5, 6, 7, 11, 13]])
    labels = torch.tensor([[-100, -100, 7, -100, 9, 3], [5, -100, -100, 11, -100, 2]])
    return tokens, labels, tokens != 0


@check(points=2, skip=[0, 2], devices=False)
def labels_are_shifted_once(solution, skip):
    """chat_loss compares logits and labels of the same position."""
    tokens, labels, _ = batch()
    parts = tokens[1:, skip:], labels[1:, skip:]
    return solution.chat_loss(Tiny(0.0), *parts, torch.ones_like(parts[0], dtype=torch.bool)).detach()


class Flat(nn.Module):
    """The same logits everywhere, so that a shift makes no difference. It notes what it is called with."""

    def __init__(self):
        super().__init__()
        self.drop, self.seen = nn.Dropout(0.0), []
        self.weight = nn.Parameter(torch.arange(14) * 5 % 7 / 2)

    def forward(self, tokens, attend=None):
        self.seen.append((attend, [module.training for module in self.modules()], torch.is_grad_enabled()))
        return self.drop(self.weight.expand(*tokens.shape, 14))


def one_label(label):
    """The batch with the same label everywhere."""
    tokens, labels, attend = batch()
    return tokens, torch.full_like(labels, label), attend


@check(points=2, label=[3, 8], devices=False)
def padding_is_not_attended(solution, label):
    """The model is told which positions to attend to."""
    model, (tokens, labels, attend) = Flat(), one_label(label)
    loss = solution.chat_loss(model, tokens, labels, attend).detach()
    told = [seen is not None and seen.dtype == torch.bool and torch.equal(seen, attend) for seen, _, _ in model.seen]
    return {"loss": loss, "calls of the model that got attend": told}


@check(points=2, mode=[True, False], label=[3, 8], devices=False)
def evaluation_has_no_dropout(solution, mode, label):
    """held_out_loss runs the model in evaluation mode, without a graph."""
    model = Flat().train(mode)
    loss = solution.held_out_loss(model, *one_label(label))
    return {"loss": loss, "modules in training mode": sum(sum(modes) for _, modes, _ in model.seen), "grad mode": any(grad for _, _, grad in model.seen)}


@check(points=1, chats=CHATS, devices=False)
def everything_together(solution, chats):
    """The held-out loss of a batch of chats is right."""
    return solution.held_out_loss(Tiny(0.5), *solution.make_batch(chats))


@check(points=1, star=True, start=["train", "eval", "drop in eval"], label=[3, 8], devices=False)
def modes_come_back(solution, start, label):
    """Afterwards each module is in the mode that it was in."""
    model = Flat().train(start != "eval")
    model.drop.train(start == "train")
    loss = solution.held_out_loss(model, *one_label(label))
    return {"loss": loss, "modes afterwards": [module.training for module in model.modules()]}
