"""(a) An if/elif/elif chain: only the first difference is named, so ['shape'] instead of ['shape', 'dtype']. (b) largest_error takes the absolute value after max: (a - b).max().abs() misses large differences where a is smaller."""
import torch


def differences(a: torch.Tensor, b: torch.Tensor) -> list[str]:
    words = []
    if a.shape != b.shape:
        words.append("shape")
    elif a.dtype != b.dtype:
        words.append("dtype")
    elif a.device != b.device:
        words.append("device")
    return words


def largest_error(a: torch.Tensor, b: torch.Tensor) -> float:
    return (a - b).max().abs().item()
