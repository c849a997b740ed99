"""train_model draws the starts of the windows from 0 to length - context - 2, one too few: the last window is never taken, and a text of context + 1 tokens raises an error."""
import math

import torch
from torch import nn
from torch.nn import functional as F


class Block(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x, past):
        batch, new, width = x.shape
        q, k, v = (
            part.view(batch, new, self.heads, width // self.heads).transpose(1, 2)
            for part in self.qkv(self.norm1(x)).chunk(3, dim=-1)
        )
        if past is not None:
            k = torch.cat([past[0], k], dim=2)
            v = torch.cat([past[1], v], dim=2)
        keys = k.shape[2]
        mask = torch.ones(new, keys, dtype=torch.bool, device=x.device).tril(diagonal=keys - new)
        result = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = x + self.out(result.transpose(1, 2).reshape(batch, new, width))
        x = x + self.down(F.gelu(self.up(self.norm2(x))))
        return x, (k, v)


class CharModel(nn.Module):
    def __init__(self, vocab: int, context: int = 32, width: int = 64, heads: int = 4, depth: int = 2):
        super().__init__()
        self.context = context
        self.tokens = nn.Embedding(vocab, width)
        self.positions = nn.Embedding(context, width)
        self.blocks = nn.ModuleList([Block(width, heads) for _ in range(depth)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocab)

    def forward(self, tokens: torch.Tensor, cache: list | None = None) -> torch.Tensor:
        start = cache[0][0].shape[2] if cache else 0
        places = torch.arange(start, start + tokens.shape[1], device=tokens.device)
        x = self.tokens(tokens) + self.positions(places)
        kept = []
        for n, block in enumerate(self.blocks):
            x, pair = block(x, cache[n] if cache else None)
            kept.append(pair)
        if cache is not None:
            cache[:] = kept
        return self.head(self.norm(x))


def mean_loss(model: nn.Module, tokens: torch.Tensor) -> float:
    was_training = model.training
    model.eval()
    size = model.context
    losses = []
    with torch.no_grad():
        for start in range(0, len(tokens) - size, size):
            window = tokens[start : start + size + 1]
            logits = model(window[:-1].unsqueeze(0))
            losses.append(F.cross_entropy(logits[0], window[1:]).item())
    model.train(was_training)
    return sum(losses) / len(losses)


def train_model(
    model: nn.Module,
    tokens: torch.Tensor,
    held_out: torch.Tensor,
    steps: int,
    batch: int,
    lr: float,
    generator: torch.Generator | None = None,
) -> tuple[list[float], list[float]]:
    decay = [p for p in model.parameters() if p.dim() >= 2]
    rest = [p for p in model.parameters() if p.dim() < 2]
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}], lr=lr)
    size = model.context + 1
    warm = max(1, steps // 10)
    history = []
    held_out_losses = [mean_loss(model, held_out)]
    best_loss = held_out_losses[0]
    best = {name: value.clone() for name, value in model.state_dict().items()}
    model.train()
    for step in range(steps):
        if step < warm:
            factor = (step + 1) / warm
        else:
            factor = (1 + math.cos(math.pi * (step - warm) / (steps - warm))) / 2
        for group in opt.param_groups:
            group["lr"] = lr * factor
        starts = torch.randint(0, len(tokens) - model.context - 1, (batch, 1), generator=generator)
        windows = tokens[(starts + torch.arange(size)).to(tokens.device)]
        logits = model(windows[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), windows[:, 1:].flatten())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        history.append(loss.item())
        if (step + 1) % 10 == 0:
            value = mean_loss(model, held_out)
            held_out_losses.append(value)
            if value < best_loss:
                best_loss = value
                best = {name: value.clone() for name, value in model.state_dict().items()}
    model.load_state_dict(best)
    return history, held_out_losses


def generate(model: nn.Module, prompt: torch.Tensor, count: int, generator: torch.Generator | None = None) -> torch.Tensor:
    tokens = prompt
    was_training = model.training
    model.eval()
    with torch.no_grad():
        for _ in range(count):
            logits = model(tokens[-model.context :].unsqueeze(0))
            p = logits[0, -1].softmax(dim=-1)
            token = torch.multinomial(p, 1, generator=generator)
            tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens
