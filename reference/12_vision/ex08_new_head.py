"""Reference solution: a new head, and a train() that knows what is frozen."""

import torch
from torch import nn


class Transfer(nn.Module):
    """A trained, frozen network with a new head."""

    def __init__(self, backbone: nn.Module, classes: int):
        super().__init__()
        old = backbone.fc
        self.head = nn.Linear(old.in_features, classes, dtype=old.weight.dtype, device=old.weight.device)
        backbone.fc = nn.Identity()
        self.backbone = backbone.requires_grad_(False)
        self.train(self.training)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the logits, (batch, classes), of the images x."""
        return self.head(self.backbone(x))

    def train(self, mode: bool = True) -> "Transfer":
        """Set the mode as nn.Module.train does, but keep batch norms with frozen parameters in evaluation mode. Return self."""
        super().train(mode)
        for module in self.backbone.modules():
            if isinstance(module, nn.BatchNorm2d) and not module.weight.requires_grad:
                module.eval()
        return self

    def unfreeze(self, part: str) -> None:
        """Train the parameters of a part of the backbone, too, such as "layer2", or "layer1.1", a part inside "layer1"."""
        self.backbone.get_submodule(part).requires_grad_(True)
        self.train(self.training)

    def groups(self, head_rate: float, body_rate: float) -> list[dict]:
        """Return groups with "params" and "lr": the head (head_rate), then what the backbone trains, if anything (body_rate)."""
        found = [{"params": list(self.head.parameters()), "lr": head_rate}]
        body = [p for p in self.backbone.parameters() if p.requires_grad]
        if body:
            found.append({"params": body, "lr": body_rate})
        return found
