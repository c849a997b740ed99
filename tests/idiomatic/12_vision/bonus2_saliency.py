import torch


def saliency(model, images, classes):
    was_training = model.training
    model.eval()
    x = images.clone().detach().requires_grad_(True)
    with torch.enable_grad():
        logits = model(x)
        selected = logits[torch.arange(len(x), device=x.device), classes]
        grads = torch.autograd.grad(selected.sum(), x)[0]
    model.train(was_training)
    return grads.abs().max(dim=1).values
