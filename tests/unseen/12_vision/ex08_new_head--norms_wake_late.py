"""unfreeze leaves the batch norms of the part in evaluation mode until the next call of train(). And the new head is always made in the default dtype on the default device, not in those of the old head."""

import torch
from torch import nn

NORMS = (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d, nn.SyncBatchNorm)


class Transfer(nn.Module):
    def __init__(self, backbone, classes):
        super().__init__()
        features = backbone.fc.in_features
        backbone.fc = nn.Identity()
        self.backbone = backbone
        for p in self.backbone.parameters():
            p.requires_grad_(False)
        self.head = nn.Linear(features, classes)
        self.quiet_norms()

    def quiet_norms(self):
        for layer in self.backbone.modules():
            if isinstance(layer, NORMS):
                own = list(layer.parameters())
                if len(own) > 0 and not any(p.requires_grad for p in own):
                    layer.eval()

    def forward(self, x):
        return self.head(self.backbone(x))

    def train(self, mode=True):
        super().train(mode)
        self.quiet_norms()
        return self

    def unfreeze(self, part):
        piece = self.backbone.get_submodule(part)
        for p in piece.parameters():
            p.requires_grad_(True)

    def groups(self, head_rate, body_rate):
        result = [{"params": list(self.head.parameters()), "lr": head_rate}]
        body = []
        for p in self.backbone.parameters():
            if p.requires_grad:
                body.append(p)
        if body:
            result.append({"params": body, "lr": body_rate})
        return result
