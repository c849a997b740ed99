import torch
from torch import nn
from torch.nn import functional as F

REPAIRED = True

PAD, BOS, USER, BOT, END = range(5)


def render(chat: list[tuple[int, list[int]]]) -> tuple[list[int], list[bool]]:
    ids, learned = [BOS], [False]
    for role, words in chat:
        ids += [role, *words, END]
        learned += [False] + [role == BOT] * (len(words) + 1)
    return ids, learned


def make_batch(chats: list) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    rows = []
    for chat in chats:
        ids, learned = render(chat)
        rows.append((ids, learned))
    width = max(len(ids) for ids, _ in rows)
    tokens = torch.tensor([[PAD] * (width - len(ids)) + ids for ids, _ in rows])
    learned = torch.tensor([[False] * (width - len(ids)) + l for ids, l in rows])
    labels = F.pad(tokens.masked_fill(~learned, -100)[:, 1:], (0, 1), value=-100)
    return tokens, labels, tokens != PAD


def chat_loss(model: nn.Module, tokens: torch.Tensor, labels: torch.Tensor, attend: torch.Tensor) -> torch.Tensor:
    logits = model(tokens, attend)
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten())


def held_out_loss(model: nn.Module, tokens: torch.Tensor, labels: torch.Tensor, attend: torch.Tensor) -> float:
    modes = [(m, m.training) for m in model.modules()]
    model.eval()
    with torch.no_grad():
        loss = chat_loss(model, tokens, labels, attend).item()
    for m, mode in modes:
        m.training = mode
    return loss
