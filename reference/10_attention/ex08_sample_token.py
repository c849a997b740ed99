"""Reference solution: sorted probabilities, cut and scattered back."""

import torch


def token_probabilities(
    logits: torch.Tensor, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> torch.Tensor:
    """Return the probabilities from which the next token is drawn."""
    if temperature == 0:
        return torch.zeros_like(logits).scatter(1, logits.argmax(dim=1, keepdim=True), 1.0)
    ordered, places = (logits / temperature).softmax(dim=1).sort(dim=1, descending=True)
    if top_k is not None:
        places, ordered = places[:, :top_k], ordered[:, :top_k] / ordered[:, :top_k].sum(dim=1, keepdim=True)
    if top_p is not None:
        ordered = ordered * (ordered.cumsum(dim=1) - ordered < top_p)
    return torch.zeros_like(logits).scatter(1, places, ordered / ordered.sum(dim=1, keepdim=True))


def draw(probabilities: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    """Return a random token for each row, drawn with its probabilities."""
    return torch.multinomial(probabilities, 1, generator=generator).squeeze(1)
