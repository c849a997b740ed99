"""Language models 11 of 12: a chat model that learns the wrong words.

Difficulty 4 of 5, about 25 minutes.

Symptom. A chat becomes a batch, of which the answer should be learned.
`torchdojo symptom ex11_chat_template` runs this program

    tokens, labels, _ = make_batch([[(USER, [10, 11]), (BOT, [12])]])
    print(tokens.tolist())
    print(labels.tolist())

and prints

    [[1, 1, 2, 10, 11, 4, 3, 12, 4]]
    [[1, 2, 10, 11, 4, 3, 12, 4, -100]]

It begins twice, and everything is learned. Another program asks a model that knows the labels

    class Knows(nn.Dropout):
        def forward(self, tokens, attend=None):
            print("attended:", attend)
            return super().forward(50 * F.one_hot(labels.clamp(min=0), 20).float())

    torch.manual_seed(6)
    tokens, labels = torch.tensor([[0, 1, 10, 11]]), torch.tensor([[-100, 10, 11, -100]])
    for _ in range(2):
        print(round(held_out_loss(Knows(), tokens, labels, tokens != 0), 1))

and prints

    attended: None
    3.0
    attended: None
    100.0

The loss should be 0, and padding not attended. Repair the five bugs below; change as little as you can.
"""

import torch
from torch import nn
from torch.nn import functional as F

REPAIRED = False  # set to True when you have repaired the code below

PAD, BOS, USER, BOT, END = range(5)  # words are larger numbers


def render(chat: list[tuple[int, list[int]]]) -> tuple[list[int], list[bool]]:
    """Return the tokens of a chat, and for each whether the model learns to write it. This function is right.

    A chat is a list of (USER, words) and (BOT, words). It begins with BOS. Each message is its role, its words, and END.
    The words and the END of BOT are learned.
    """
    ids, learned = [BOS], [False]
    for role, words in chat:
        ids += [role, *words, END]
        learned += [False] + [role == BOT] * (len(words) + 1)
    return ids, learned


def make_batch(chats: list) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the tokens, labels and attended positions of several chats.

    Shapes:
        tokens  (chats, time), int64: what render returns, with PAD on the left up to the length of the longest chat
        labels  (chats, time), int64: at each position the next token if the model learns it, otherwise -100
        attend  (chats, time), bool: False at PAD

    Example:
        >>> tokens, labels, attend = make_batch([[(USER, [10]), (BOT, [11, 12])]])
        >>> tokens.shape == labels.shape == attend.shape
        True

    Pitfall:
        A template that begins with BOS, and a tokenizer that adds BOS: together they add two.
    """
    rows = []
    for chat in chats:
        ids, learned = render(chat)
        rows.append(([BOS, *ids], [False, *learned]))
    width = max(len(ids) for ids, _ in rows)
    tokens = torch.tensor([[PAD] * (width - len(ids)) + ids for ids, _ in rows])
    labels = F.pad(tokens[:, 1:], (0, 1), value=-100)
    return tokens, labels, tokens != PAD


def chat_loss(model: nn.Module, tokens: torch.Tensor, labels: torch.Tensor, attend: torch.Tensor) -> torch.Tensor:
    """Return the mean cross entropy of all labels but -100.

    model(tokens, attend) returns the logits (chats, time, vocab); those at a position belong to the label at the same
    position. Without `attend`, the model attends to all positions, also to padding.
    """
    logits = model(tokens)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())


def held_out_loss(model: nn.Module, tokens: torch.Tensor, labels: torch.Tensor, attend: torch.Tensor) -> float:
    """Return chat_loss of the model in evaluation mode, without a graph.

    For full marks:
        * afterwards each module is in the mode that it was in
    """
    with torch.no_grad():
        return chat_loss(model, tokens, labels, attend).item()
