import torch


def predict(model, x):
    model.eval()
    with torch.no_grad():
        y = model(x)
    model.train()
    return y


def frozen_features(backbone, x):
    for p in backbone.parameters():
        p.requires_grad = False
    return backbone(x)
