"""Two styles of a lighthouse keeper, and a small transformer that has learned the first."""

from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F


def _parts(name: str) -> tuple[str, str]:
    """A text without its last eighth, and that eighth, which is held out."""
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    cut = len(text) * 7 // 8
    return text[:cut], text[cut:]


DIARY, DIARY_HELD_OUT = _parts("diary.txt")
TELEGRAMS, TELEGRAMS_HELD_OUT = _parts("telegrams.txt")
CHARACTERS = "".join(sorted({*DIARY, *TELEGRAMS}))


def encode(text: str) -> torch.Tensor:
    """The number of each character, int64 of shape (len(text),). ValueError for a character that isn't in CHARACTERS."""
    return torch.tensor([CHARACTERS.index(character) for character in text], dtype=torch.int64)


def decode(tokens: torch.Tensor) -> str:
    """The text that these numbers stand for."""
    return "".join(CHARACTERS[number] for number in tokens.tolist())


class Layer(nn.Module):
    """Causal attention, then two linear layers. A norm comes before each."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
        self.query, self.key, self.value, self.mix = (nn.Linear(width, width, bias=False) for _ in range(4))
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.norms[0](x)
        q, k, v = (layer(y).unflatten(2, (self.heads, -1)).transpose(1, 2) for layer in (self.query, self.key, self.value))
        x = x + self.mix(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2))
        return x + self.narrow(F.gelu(self.wide(self.norms[1](x))))


class Writer(nn.Module):
    """Predicts the next character: tokens (batch, time) to logits (batch, time, len(CHARACTERS)); time is at most context."""

    def __init__(self, context: int = 32, width: int = 48, heads: int = 4, depth: int = 2):
        super().__init__()
        self.context = context
        self.characters, self.places = nn.Embedding(len(CHARACTERS), width), nn.Embedding(context, width)
        self.layers = nn.ModuleList([Layer(width, heads) for _ in range(depth)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, len(CHARACTERS))

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.characters(tokens) + self.places.weight[: tokens.shape[1]]
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))

    @torch.no_grad()
    def mean_loss(self, tokens: torch.Tensor) -> float:
        """The mean cross-entropy of next tokens on a text, int64 of shape (length,), read in pieces of context tokens."""
        pieces = tokens[: (len(tokens) - 1) // self.context * self.context].reshape(-1, self.context)
        targets = tokens[1 : 1 + pieces.numel()].reshape(-1, self.context)
        return F.cross_entropy(self(pieces).transpose(1, 2), targets).item()


def diary_writer() -> Writer:
    """The model that was trained on DIARY, by docs/checkpoints/lighthouse.py of the course. Its file holds float16 numbers."""
    model = Writer()
    model.load_state_dict(torch.load(Path(__file__).with_name("diary.pt"), weights_only=True))
    return model
