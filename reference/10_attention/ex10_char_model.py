"""Reference solution: pre-norm blocks, a cache of keys and values, and the weights that are best on a held-out text."""

import copy
import math

import torch
from torch import nn
from torch.nn import functional as F


class Block(nn.Module):
    """Causal self-attention and an MLP, each behind a norm and added to what came in."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.attention_norm, self.mlp_norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor, past: torch.Tensor | None) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the new x, and keys and values so far of shape (2, batch, heads, time, width // heads)."""
        q, *new = self.qkv(self.attention_norm(x)).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        kept = torch.stack(new) if past is None else torch.cat([past, torch.stack(new)], dim=3)
        seen = torch.ones(x.shape[1], kept.shape[3], dtype=torch.bool, device=x.device).tril(kept.shape[3] - x.shape[1])
        mixed = F.scaled_dot_product_attention(q, kept[0], kept[1], attn_mask=seen)
        x = x + self.out(mixed.transpose(1, 2).flatten(2))
        return x + self.down(F.gelu(self.up(self.mlp_norm(x)))), kept


class CharModel(nn.Module):
    """A causal transformer that predicts the next character. How you build it is up to you."""

    def __init__(self, vocab: int, context: int = 32, width: int = 64, heads: int = 4, depth: int = 2):
        super().__init__()
        self.context = context
        self.tokens, self.positions = nn.Embedding(vocab, width), nn.Embedding(context, width)
        self.blocks = nn.ModuleList([Block(width, heads) for _ in range(depth)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocab, bias=False)

    def forward(self, tokens: torch.Tensor, cache: list | None = None) -> torch.Tensor:
        """Return the logits of the next token at each position."""
        pasts = cache or [None] * len(self.blocks)
        start = 0 if pasts[0] is None else pasts[0].shape[3]
        x = self.tokens(tokens) + self.positions.weight[start : start + tokens.shape[1]]
        kept = []
        for block, past in zip(self.blocks, pasts, strict=True):
            x, grown = block(x, past)
            kept.append(grown)
        if cache is not None:
            cache[:] = kept
        return self.head(self.norm(x))


@torch.no_grad()
def mean_loss(model: nn.Module, tokens: torch.Tensor) -> float:
    """Return the mean loss of a model on a text, in evaluation mode and without a graph."""
    training = model.training
    model.eval()
    windows = tokens.unfold(0, model.context + 1, model.context)
    loss = F.cross_entropy(model(windows[:, :-1]).flatten(0, 1), windows[:, 1:].flatten())
    model.train(training)
    return loss.item()


def train_model(
    model: nn.Module,
    tokens: torch.Tensor,
    held_out: torch.Tensor,
    steps: int,
    batch: int,
    lr: float,
    generator: torch.Generator | None = None,
) -> tuple[list[float], list[float]]:
    """Train a model on a text, leave the weights that are best on another text, and return both losses."""
    matrices, others = ([p for p in model.parameters() if (p.dim() >= 2) is large] for large in (True, False))
    optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}], lr=lr)
    warmup = max(1, steps // 10)

    def factor(step: int) -> float:
        if step < warmup:
            return (step + 1) / warmup
        return 0.5 * (1 + math.cos(math.pi * (step - warmup) / max(1, steps - warmup)))

    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, factor)
    windows, losses = tokens.unfold(0, model.context + 1, 1), []
    held_out_losses, best = [mean_loss(model, held_out)], copy.deepcopy(model.state_dict())
    for step in range(steps):
        model.train()
        drawn = windows[torch.randint(len(windows), (batch,), generator=generator)]
        loss = F.cross_entropy(model(drawn[:, :-1]).flatten(0, 1), drawn[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
        if (step + 1) % 10 == 0:
            held_out_losses.append(mean_loss(model, held_out))
            if held_out_losses[-1] < min(held_out_losses[:-1]):
                best = copy.deepcopy(model.state_dict())
    model.load_state_dict(best)
    return losses, held_out_losses


@torch.no_grad()
def generate(model: nn.Module, prompt: torch.Tensor, count: int, generator: torch.Generator | None = None) -> torch.Tensor:
    """Return the prompt and `count` tokens that the model has written after it."""
    training = model.training
    model.eval()
    tokens = prompt
    for _ in range(count):
        logits = model(tokens[None, -model.context :])[0, -1]
        tokens = torch.cat([tokens, torch.multinomial(logits.softmax(0), 1, generator=generator)])
    model.train(training)
    return tokens
