"""train_model draws the starts of the windows from 0 to length - context - 2, one too few: the last window is never taken, and a text of context + 1 tokens raises an error."""
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


def train_model(
    model: nn.Module, tokens: torch.Tensor, steps: int, batch: int, lr: float, generator: torch.Generator | None = None
) -> list[float]:
    opt = torch.optim.AdamW(model.parameters(), lr=lr)
    context = model.context
    offsets = torch.arange(context + 1)
    history = []
    for _ in range(steps):
        starts = torch.randint(0, len(tokens) - context - 1, (batch, 1), generator=generator)
        windows = tokens[(starts + offsets).to(tokens.device)]
        opt.zero_grad()
        logits = model(windows[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), windows[:, 1:].flatten())
        loss.backward()
        opt.step()
        history.append(loss.item())
    return history


def generate(model: nn.Module, prompt: torch.Tensor, count: int, generator: torch.Generator | None = None) -> torch.Tensor:
    tokens = prompt
    with torch.no_grad():
        for _ in range(count):
            logits = model(tokens[-model.context :].unsqueeze(0))
            p = logits[0, -1].softmax(dim=-1)
            token = torch.multinomial(p, 1, generator=generator)
            tokens = torch.cat([tokens, token])
    return tokens
