"""No sort: how much is more likely than a token, by comparing all pairs; a race of exponential numbers draws."""
import torch


def token_probabilities(logits, temperature=1.0, top_k=None, top_p=None):
    wide = logits.double()
    larger = wide[:, None, :] > wide[:, :, None]
    if temperature == 0:
        p = (~larger.any(-1)).double()
    else:
        p = torch.softmax(wide / temperature, dim=-1)
    if top_k is not None:
        p = p * (larger.sum(-1) < top_k)
        p = p / p.sum(-1, keepdim=True)
    if top_p is not None and top_p < 1:
        p = p * ((p[:, None, :] * larger).sum(-1) < top_p)
    return (p / p.sum(-1, keepdim=True)).to(logits.dtype)


def draw(probabilities, generator=None):
    arrival = torch.empty(probabilities.shape, dtype=torch.float64, device=probabilities.device)
    arrival.exponential_(generator=generator)
    return (probabilities.double() / arrival).argmax(dim=-1)
