import torch.nn as nn


class Transfer(nn.Module):
    def __init__(self, backbone, classes):
        super().__init__()
        in_features = backbone.fc.in_features
        backbone.fc = nn.Identity()
        for param in backbone.parameters():
            param.requires_grad = False
        self.backbone = backbone
        self.head = nn.Linear(in_features, classes)

    def forward(self, x):
        return self.head(self.backbone(x))

    def train(self, mode=True):
        super().train(mode)
        for m in self.backbone.modules():
            if isinstance(m, nn.BatchNorm2d) and not any(p.requires_grad for p in m.parameters()):
                m.eval()
        return self

    def unfreeze(self, part):
        module = self.backbone.get_submodule(part)
        for param in module.parameters():
            param.requires_grad = True

    def groups(self, head_rate, body_rate):
        groups = [{"params": list(self.head.parameters()), "lr": head_rate}]
        body_params = [p for p in self.backbone.parameters() if p.requires_grad]
        if body_params:
            groups.append({"params": body_params, "lr": body_rate})
        return groups
