"""Reference solution: one BOS, labels of answers alone, one shift, padding out of sight, and evaluation mode."""

import torch
from torch import nn
from torch.nn import functional as F

REPAIRED = True

PAD, BOS, USER, BOT, END = range(5)  # words are larger numbers


def render(chat: list[tuple[int, list[int]]]) -> tuple[list[int], list[bool]]:
    """Return the tokens of a chat, and for each whether the model learns to write it. This function is right."""
    ids, learned = [BOS], [False]
    for role, words in chat:
        ids += [role, *words, END]
        learned += [False] + [role == BOT] * (len(words) + 1)
    return ids, learned


def make_batch(chats: list) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the tokens, labels and attended positions of several chats."""
    rows = [render(chat) for chat in chats]
    width = max(len(ids) for ids, _ in rows)
    tokens = torch.tensor([[PAD] * (width - len(ids)) + ids for ids, _ in rows])
    learned = torch.tensor([[False] * (width - len(flags)) + flags for _, flags in rows])
    labels = F.pad(tokens.masked_fill(~learned, -100)[:, 1:], (0, 1), value=-100)
    return tokens, labels, tokens != PAD


def chat_loss(model: nn.Module, tokens: torch.Tensor, labels: torch.Tensor, attend: torch.Tensor) -> torch.Tensor:
    """Return the mean cross entropy of all labels but -100."""
    logits = model(tokens, attend)
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten())


def held_out_loss(model: nn.Module, tokens: torch.Tensor, labels: torch.Tensor, attend: torch.Tensor) -> float:
    """Return chat_loss of the model in evaluation mode, without a graph."""
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    with torch.no_grad():
        loss = chat_loss(model, tokens, labels, attend).item()
    for module, training in modes:
        module.training = training
    return loss
