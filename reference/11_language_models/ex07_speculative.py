"""Reference solution: count the accepted tokens, then draw one more from what they leave."""

import torch


def accept_probability(p: torch.Tensor, q: torch.Tensor) -> torch.Tensor:
    """Return the probability that each token is accepted when the draft model proposes it."""
    return torch.where(q > 0, p / q, 1.0).clamp(max=1)


def residual(p: torch.Tensor, q: torch.Tensor) -> torch.Tensor:
    """Return the distribution from which a token is drawn after a rejection."""
    missing = (p - q).clamp(min=0)
    total = missing.sum(dim=-1, keepdim=True)
    return torch.where(total > 0, missing / total, p)


def speculative_step(p: torch.Tensor, q: torch.Tensor, draft: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
    """Return the tokens of one step: the accepted part of the draft, and one token more."""
    k = len(draft)
    chances = accept_probability(p[:k], q).gather(1, draft[:, None])[:, 0]
    accepted = int((u[:k] < chances).cumprod(dim=0).sum())
    rest = residual(p[accepted], q[accepted]) if accepted < k else p[k]
    last = torch.minimum((rest.cumsum(dim=0) <= u[k]).sum(), rest.nonzero().max())
    return torch.cat([draft[:accepted], last[None]])
