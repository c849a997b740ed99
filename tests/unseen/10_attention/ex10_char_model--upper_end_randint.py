"""The upper end of randint is excluded, and I forgot the + 1: the last window of the text is never drawn, and a text of exactly context + 1 tokens raises an error."""
import math

import torch
from torch import nn
from torch.nn import functional as F


class _Block(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x, past=None):
        batch, new, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).reshape(batch, new, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        if past is not None:
            k, v = torch.cat([past[0], k], dim=2), torch.cat([past[1], v], dim=2)
        total = k.shape[2]
        mask = torch.ones(new, total, dtype=torch.bool, device=x.device).tril(total - new)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = x + self.out(y.transpose(1, 2).reshape(batch, new, width))
        return x + self.mlp(self.norm2(x)), (k, v)


class CharModel(nn.Module):
    def __init__(self, vocab: int, context: int = 32, width: int = 64, heads: int = 4, depth: int = 2):
        super().__init__()
        self.context = context
        self.tokens = nn.Embedding(vocab, width)
        self.positions = nn.Embedding(context, width)
        self.blocks = nn.ModuleList([_Block(width, heads) for _ in range(depth)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocab)
        for table in (self.tokens, self.positions):
            nn.init.normal_(table.weight, std=0.1)

    def forward(self, tokens: torch.Tensor, cache: list | None = None) -> torch.Tensor:
        past = cache[0][0].shape[2] if cache else 0
        places = torch.arange(past, past + tokens.shape[1], device=tokens.device)
        x = self.tokens(tokens) + self.positions(places)
        state = []
        for n, block in enumerate(self.blocks):
            x, kv = block(x, cache[n] if cache else None)
            state.append(kv)
        if cache is not None:
            cache[:] = state
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
        starts = torch.randint(len(tokens) - size, (batch,), generator=generator).tolist()
        windows = torch.stack([tokens[start : start + size] for start in starts])
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
    text = prompt.clone()
    was_training = model.training
    model.eval()
    with torch.no_grad():
        for _ in range(count):
            logits = model(text[-model.context :].unsqueeze(0))[0, -1]
            token = torch.multinomial(logits.softmax(-1), 1, generator=generator)
            text = torch.cat([text, token])
    model.train(was_training)
    return text
