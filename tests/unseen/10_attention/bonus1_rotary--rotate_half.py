"""Number i is paired with number i + width / 2, as in Llama, instead of 2i with 2i + 1."""
import torch


def rotate(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    """Apply rotary position embeddings (RoPE) to queries or keys."""
    width = x.shape[-1]
    half = width // 2
    # Frequencies: base^(-2i / width) for i = 0 .. width / 2 - 1, in float32 or better
    dtype = torch.float64 if x.dtype == torch.float64 else torch.float32
    freqs = base ** (-2.0 * torch.arange(half, device=x.device, dtype=dtype) / width)
    angles = positions.to(dtype).unsqueeze(-1) * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half].to(dtype), x[..., half:].to(dtype)
    rotated = torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1)
    return rotated.to(x.dtype)
