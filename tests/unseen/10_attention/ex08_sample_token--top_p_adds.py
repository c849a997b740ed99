"""top_p adds up the probabilities of the full softmax, before top_k: after top_k they are too small, so too many tokens are kept if both are given."""
import torch


def token_probabilities(
    logits: torch.Tensor, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> torch.Tensor:
    if temperature == 0:
        best = logits.argmax(dim=-1, keepdim=True)
        return torch.zeros_like(logits).scatter(-1, best, 1.0)

    probs = torch.softmax(logits / temperature, dim=-1)
    ordered, indices = probs.sort(dim=-1, descending=True)
    keep = torch.ones_like(ordered, dtype=torch.bool)
    if top_k is not None:
        keep[:, top_k:] = False
    if top_p is not None:
        # a token stays if the more likely ones don't reach top_p yet
        keep &= ordered.cumsum(dim=-1) - ordered < top_p
    ordered = ordered * keep
    ordered = ordered / ordered.sum(dim=-1, keepdim=True)
    return torch.zeros_like(probs).scatter(-1, indices, ordered)


def draw(probabilities: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    return torch.multinomial(probabilities, 1, generator=generator)[:, 0]
