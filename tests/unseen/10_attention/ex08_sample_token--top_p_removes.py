"""top_p removes every token at which the running sum exceeds p, also the one that reaches p: the kept set adds up to less than top_p. (The sum before the token has to be compared.)."""
import torch


def _keep_top_k(logits, k):
    smallest_kept = logits.topk(k, dim=-1).values[..., -1:]
    return logits.masked_fill(logits < smallest_kept, float("-inf"))


def _keep_nucleus(logits, p):
    ordered, where = logits.sort(dim=-1, descending=True)
    cumulative = ordered.softmax(dim=-1).cumsum(dim=-1)
    remove = cumulative > p
    remove[..., 0] = False  # always keep the best one
    return logits.masked_fill(torch.zeros_like(remove).scatter(-1, where, remove), float("-inf"))


def token_probabilities(
    logits: torch.Tensor, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> torch.Tensor:
    if temperature == 0:
        best = logits.argmax(dim=-1, keepdim=True)
        return torch.zeros_like(logits).scatter(-1, best, 1.0)
    scaled = logits / temperature
    if top_k is not None:
        scaled = _keep_top_k(scaled, min(top_k, scaled.shape[-1]))
    if top_p is not None:
        scaled = _keep_nucleus(scaled, top_p)
    return scaled.softmax(dim=-1)


def draw(probabilities: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    return torch.multinomial(probabilities, 1, generator=generator)[:, 0]
