"""Functions and classes as a course on language models asks for them."""

import math
from collections.abc import Callable, Iterable

import torch


def softmax(in_features: torch.Tensor, dim: int) -> torch.Tensor:
    shifted = in_features - in_features.max(dim=dim, keepdim=True).values
    exps = torch.exp(shifted)
    return exps / exps.sum(dim=dim, keepdim=True)


def cross_entropy(inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    shifted = inputs - inputs.max(dim=-1, keepdim=True).values
    log_z = shifted.exp().sum(dim=-1).log()
    picked = shifted.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    return (log_z - picked).mean()


def gradient_clipping(parameters: Iterable[torch.nn.Parameter], max_l2_norm: float, eps: float = 1e-6) -> None:
    grads = [p.grad for p in parameters if p.grad is not None]
    total = torch.sqrt(sum((g**2).sum() for g in grads))
    if total > max_l2_norm:
        for g in grads:
            g.mul_(max_l2_norm / (total + eps))


class AdamW(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay))

    def step(self, closure: Callable | None = None):
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                t = state.get("t", 0) + 1
                m = state.get("m", torch.zeros_like(p.data))
                v = state.get("v", torch.zeros_like(p.data))
                g = p.grad.data
                p.data -= group["lr"] * group["weight_decay"] * p.data
                m = b1 * m + (1 - b1) * g
                v = b2 * v + (1 - b2) * g**2
                step = group["lr"] * math.sqrt(1 - b2**t) / (1 - b1**t)
                p.data -= step * m / (torch.sqrt(v) + group["eps"] * math.sqrt(1 - b2**t))
                state["t"], state["m"], state["v"] = t, m, v


class RotaryPositionalEmbedding(torch.nn.Module):
    def __init__(self, theta: float, d_k: int, max_seq_len: int, device=None):
        super().__init__()
        inv_freq = 1.0 / theta ** (torch.arange(0, d_k, 2, device=device).float() / d_k)
        angles = torch.outer(torch.arange(max_seq_len, device=device).float(), inv_freq)
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, x: torch.Tensor, token_positions: torch.Tensor) -> torch.Tensor:
        cos, sin = self.cos[token_positions], self.sin[token_positions]
        x1, x2 = x[..., 0::2], x[..., 1::2]
        out = torch.stack((x1 * cos - x2 * sin, x1 * sin + x2 * cos), dim=-1)
        return out.flatten(-2).to(x.dtype)
