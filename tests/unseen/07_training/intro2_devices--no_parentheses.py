"""is_available has no parentheses, so "cuda" is always the answer; sum_on moves only a."""
import torch


def best_device():
    if torch.cuda.is_available:
        return torch.device("cuda")
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")


def gpu_names():
    return [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]


def sum_on(a, b, device):
    a = a.to(device)
    b.to(device)
    return a + b
