"""(a) top_p is decided with the probabilities before top_k, so with both given too many tokens can be kept. (b) draw does not give its generator to multinomial, so the global generator is used."""
import torch


def token_probabilities(
    logits: torch.Tensor, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> torch.Tensor:
    if temperature == 0:
        best = logits.argmax(dim=-1, keepdim=True)
        return torch.zeros_like(logits).scatter(-1, best, 1.0)
    scaled = logits / temperature
    keep = torch.ones_like(logits, dtype=torch.bool)
    if top_k is not None:
        k = min(top_k, logits.shape[-1])
        smallest = logits.topk(k, dim=-1).values[..., -1:]
        keep = keep & (logits >= smallest)
    if top_p is not None:
        sorted_p, places = scaled.softmax(dim=-1).sort(dim=-1, descending=True)
        before = sorted_p.cumsum(dim=-1) - sorted_p
        likely = before < top_p
        likely[..., 0] = True
        keep = keep & torch.zeros_like(keep).scatter(-1, places, likely)
    return scaled.masked_fill(~keep, float("-inf")).softmax(dim=-1)


def draw(probabilities: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    return torch.multinomial(probabilities, 1).squeeze(1)
